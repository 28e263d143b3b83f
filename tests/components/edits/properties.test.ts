import { describe, expect, test } from 'vitest';
import { propertyRows, splitProperties } from '#components/edits/change/property-rows.ts';
import { readInSteps } from '#components/edits/change/read-change.ts';
import { runSteps } from '../../builders/run-steps';
import { raise } from '../markdown/whole';

const markdown = { isMarkdown: true, report: raise };

describe('properties', () => {
  test('properties come before the text of a note', () => {
    expect(splitProperties('---\na: 1\n---\n# Head\n')).toEqual({
      properties: 'a: 1\n',
      body: '# Head\n',
    });
    expect(splitProperties('---\r\na: 1\r\n---\r\nx')).toEqual({
      properties: 'a: 1\r\n',
      body: 'x',
    });
    expect(splitProperties('---\n---')).toEqual({ properties: '', body: '' });
  });

  test.each([
    '# Head\n',
    '---\nno end\n',
    '---\nJust words between rules.\n---\n',
    'a\n---\nb: c\n---\n',
  ])('%j has no properties', (text) => {
    expect(splitProperties(text)).toEqual({ properties: null, body: text });
  });

  test('property values are shown as a user would write them', () => {
    const block =
      'title: "A: b"\ntags:\n  - one\n  - \'two\'\nlist: [x, y]\nempty:\nnested:\n  deep: 1\n  more: 2\n';
    const rows = propertyRows(null, block)?.map(({ name, after }) => [name, after]);
    expect(rows).toEqual([
      ['title', 'A: b'],
      ['tags', 'one, two'],
      ['list', 'x, y'],
      ['empty', ''],
      ['nested', 'deep: 1\nmore: 2'],
    ]);
  });

  test('a property with the same value, written in another way, is shown as written', () => {
    expect(propertyRows('a: "1"\nb: 1\n', 'a: 1\nb: 1\n')).toEqual([
      { name: 'a', before: 'a: "1"', after: 'a: 1' },
      { name: 'b', before: '1', after: '1' },
    ]);
  });

  test.each([
    ['how a property is written', '---\na: "1"\n---\nOld.\n', '---\na: 1\n---\nNew.\n'],
    ['how a list is written', '---\na: "x, y"\n---\nOld.\n', '---\na: [x, y]\n---\nNew.\n'],
    ['one of two properties', '---\na: "1"\nb: 1\n---\n', '---\na: 1\nb: 2\n---\n'],
  ])('a visible change does not hide a rewritten property: %s', (_, before, after) => {
    const read = runSteps(readInSteps(before, after, markdown));
    const [row] = read.properties;
    expect(read.isPlain).toBe(false);
    expect(before).toContain(`\n${row?.before}\n`);
    expect(after).toContain(`\n${row?.after}\n`);
    expect(row?.before).not.toBe(row?.after);
  });

  test('properties are matched by name, and removed ones keep their position', () => {
    expect(propertyRows('a: 1\nb: 2\nc: 3\n', 'a: 1\nc: 4\nd: 5\n')).toMatchObject([
      { name: 'a', before: '1', after: '1' },
      { name: 'b', before: '2', after: null },
      { name: 'c', before: '3', after: '4' },
      { name: 'd', before: null, after: '5' },
    ]);
  });
});

describe('reading a change', () => {
  test('a change that is invisible when drawn is shown as source', () => {
    const isPlain = (before: string, after: string, options = markdown) =>
      runSteps(readInSteps(before, after, options)).isPlain;
    expect(isPlain('* a\n', '- a\n')).toBe(true);
    expect(isPlain('{"a":1}', '{"a":2}', { ...markdown, isMarkdown: false })).toBe(true);
    expect(isPlain('a\n', 'b\n')).toBe(false);
  });

  test('blank lines and trailing spaces do not count as changes', () => {
    const read = readInSteps('- x\n\nOld.\n\n\nSame.\n', '- x\n\nNew.\n\nSame.  \n', markdown);
    expect(runSteps(read).isPlain).toBe(false);
  });

  test.each([
    ['one long list', (word: string) => `${'- item\n'.repeat(4_000)}- ${word}\n`],
    [
      'a list that becomes too long',
      (word: string) => `${'- item\n'.repeat(2_990)}${word === 'old' ? '' : '- more\n'.repeat(20)}`,
    ],
    ['very many blocks', (word: string) => `${'x\n\n'.repeat(15_000)}${word}\n`],
  ])('a change in %s is shown as source', (_, note) => {
    expect(runSteps(readInSteps(note('old'), note('new'), markdown)).isPlain).toBe(true);
    // Even if a property changed too.
    const [before, after] = [`---\na: 1\n---\n${note('old')}`, `---\na: 2\n---\n${note('new')}`];
    expect(runSteps(readInSteps(before, after, markdown))).toMatchObject({
      ...{ isPlain: true, pieces: [] },
    });
  });
});
