import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changeKind, type ReadProperties } from '#text/change-kind';
import { splitNote } from '#text/front-matter';
import { parseYaml } from '#workbench/obsidian/metadata/front-matter';

const read: ReadProperties = (text) => {
  try {
    return (parseYaml(splitNote(text).yaml ?? '') ?? {}) as Record<string, unknown>;
  } catch {
    return null;
  }
};

describe('a change of a text', () => {
  test.each([
    ['', 'New.\n'],
    ['One.\nTwo.\n', 'One.\nBetween.\nTwo.\n'],
    ['One.', 'One.\n'],
    ['See Compost.', 'See [[Compost]].'],
    ['I like it.', 'I really like it.'],
    ['苔は静か', '苔は本当に静か'],
    ['Text.\n', '---\ntags: [a]\n---\nText.\n'],
    ['---\n---\nText.\n', '---\ntags: [a]\n---\nText.\n'],
    ['---\ntags: [a, c]\n---\n', '---\ntags: [a, b, c]\n---\n'],
    ['---\ntags:\n  - a\n---\n', '---\ntags:\n  - a\n  - b\n---\n'],
    ['---\ntitle: A\n---\n', '---\ntitle: A\nrating: 5\n---\n'],
    ['---\ntags: [start]\n---\n', '---\ntags:\n  - start\n  - new\n---\n'],
    ['---\ntags: a\n---\n', '---\ntags:\n  - a\n  - new\n---\n'],
    ['---\ntags: a, b\n---\n', '---\ntags: [a, b, new]\n---\n'],
    ['---\ntags: [2024, {a: 1}]\n---\n', '---\ntags: [2024, {a: 1}, new]\n---\n'],
    ['---\nlist: [\n  a, # one\n]\n---\n', '---\nlist: [\n  a, # one\n  b\n]\n---\n'],
    ['---\nstatus: # later\n---\n', '---\nstatus: done # later\n---\n'],
    ['---\nmap: {a: 1}\n---\nText\n', '---\nmap: {a: 1, b: 2}\n---\nText and more\n'],
  ])('the change from %j to %j only adds', (before, after) => {
    expect(changeKind(before, after, read)).toBe('add');
  });

  test.each([
    ['One.\nTwo.\n', 'One.\n'],
    ['One.\nTwo.\n', 'Two.\nOne.\n'],
    ['cat', 'concatenate'],
    ['Pay 1 now.', 'Pay 12 now.'],
    ['- [ ] task', '- [x] task'],
    ['京都', '東京'],
    ['One.\n', 'One.'],
    ['One.\r\n', 'One.\n'],
    ['---\ncount: 1\n---\n', '---\ncount: 12\n---\n'],
    ['---\ntitle: A\n---\n', '---\ntitle: The A\n---\n'],
    ['---\ntags: [2024, a]\n---\n', '---\ntags: [a, new]\n---\n'],
    ['---\ntags: ["2024"]\n---\n', '---\ntags: [2024, new]\n---\n'],
    ['---\nlist: [null, a]\n---\n', '---\nlist: [b, a]\n---\n'],
    ['---\nstatus: open # why\n---\n', '---\nstatus: open\nmore: 1\n---\n'],
    ['---\nmap: {a: 1}\n---\n', '---\nmap: {b: 1}\n---\n'],
    ['---\ntext: a b\n---\n', '---\ntext: [a, b]\n---\n'],
    ['---\na: [\n---\n', '---\na: [\nb: 1\n---\n'],
    ['---\na: 1\n---\nText\n', '---\na: 1\nb: 2\n---\nOther\n'],
    ['---\ntags: [a, b]\n---\n', '---\ntags: [b, a]\n---\n'],
    ['---\ntags: [a]\n---\n', '---\ntags: [a, b]\n'],
    ['---\ntitle: A\n---\n', '---\ntitle: A\ntitle: B\n---\n'],
    ['---\ntitle: A\n---\n', '---\n---\ntitle: A\n---\n'],
  ])('the change from %j to %j does more than add', (before, after) => {
    expect(changeKind(before, after, read)).toBe('replace');
  });

  test('equal texts are not a change', () => {
    expect(changeKind('a', 'a', read)).toBe('none');
  });

  test('inserting lines anywhere only adds, and removing one does not', () => {
    const lines = fc.array(fc.stringMatching(/^[a-c #*-]{0,6}$/), { maxLength: 8 });
    fc.assert(
      fc.property(lines, fc.nat(), fc.stringMatching(/^[d-f ]{1,6}$/), (old, at, line) => {
        const before = `x\n${old.map((each) => `${each}\n`).join('')}`;
        const put = ['x', ...old];
        put.splice(1 + (at % (old.length + 1)), 0, line);
        const after = put.map((each) => `${each}\n`).join('');
        expect(changeKind(before, after, read)).toBe('add');
        expect(changeKind(after, before, read)).toBe('replace');
      }),
    );
  });
});
