import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { changeKind } from '#text/change-kind';

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
  ])('the change from %j to %j only adds', (before, after) => {
    expect(changeKind(before, after)).toBe('add');
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
    ['---\ntags: [a, b]\n---\n', '---\ntags: [b, a]\n---\n'],
    ['---\ntags: [a]\n---\n', '---\ntags: [a, b]\n'],
    ['---\ntitle: A\n---\n', '---\ntitle: A\ntitle: B\n---\n'],
    ['---\ntitle: A\n---\n', '---\n---\ntitle: A\n---\n'],
  ])('the change from %j to %j does more than add', (before, after) => {
    expect(changeKind(before, after)).toBe('replace');
  });

  test('equal texts are not a change', () => {
    expect(changeKind('a', 'a')).toBe('none');
  });

  test('inserting lines anywhere only adds, and removing one does not', () => {
    const lines = fc.array(fc.stringMatching(/^[a-c #*-]{0,6}$/), { maxLength: 8 });
    fc.assert(
      fc.property(lines, fc.nat(), fc.stringMatching(/^[d-f ]{1,6}$/), (old, at, line) => {
        const before = `x\n${old.map((each) => `${each}\n`).join('')}`;
        const put = ['x', ...old];
        put.splice(1 + (at % (old.length + 1)), 0, line);
        const after = put.map((each) => `${each}\n`).join('');
        expect(changeKind(before, after)).toBe('add');
        expect(changeKind(after, before)).toBe('replace');
      }),
    );
  });
});
