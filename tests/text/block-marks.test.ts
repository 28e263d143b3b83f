import { describe, expect, test } from 'vitest';
import { readCallout, readHeading, readListItem, withoutBlockMarks } from '#text/block-marks';

describe('readHeading', () => {
  test.each([
    ['# Plan', 1, 'Plan'],
    ['   ### Plan ##  ', 3, 'Plan'],
    ['# C#', 1, 'C#'],
    ['#', 1, ''],
  ])('readHeading reads level and text of %j', (line, level, text) => {
    expect(readHeading(line)).toEqual({ level, text });
  });

  test.each(['#tag', '####### Seven', '    # code', 'Plan'])('%j is no heading', (line) => {
    expect(readHeading(line)).toBeNull();
  });
});

describe('readListItem', () => {
  test.each([
    ['- milk', '', '-', null, 'milk'],
    ['  * [x] milk', '  ', '*', 'x', 'milk'],
    ['2026. a year', '', '2026.', null, 'a year'],
    ['12) [ ] milk', '', '12)', ' ', 'milk'],
    ['- [ ]', '', '-', null, '[ ]'],
    ['-', '', '-', null, ''],
  ])('readListItem reads the marks of %j', (line, indent, mark, box, words) => {
    expect(readListItem(line)).toMatchObject({ indent, mark, box, words });
  });

  test.each(['* * *', '---', '-milk', '1234567890. too many digits', '**bold**'])(
    '%j is no list item',
    (line) => {
      expect(readListItem(line)).toBeNull();
    },
  );
});

test('readCallout reads the kind of a callout with and without metadata', () => {
  expect(readCallout('[!Note] Title')).toEqual({ marker: '[!Note] ', kind: 'note', fold: '' });
  expect(readCallout('[!tip|wide]-')).toEqual({ marker: '[!tip|wide]-', kind: 'tip', fold: '-' });
  expect(readCallout('[!note]Title')).toBeNull();
  expect(readCallout('[link](a.md)')).toBeNull();
});

describe('withoutBlockMarks', () => {
  test.each([
    ['## Plan ##', 'Plan'],
    ['> - [ ] Buy milk', 'Buy milk'],
    ['> [!note]- Plan', 'Plan'],
    ['>quoted', 'quoted'],
    ['1. First', 'First'],
    ['- > # Plan', 'Plan'],
    ['[x] without a list', '[x] without a list'],
    ['-5 degrees', '-5 degrees'],
    ['* * *', ''],
    ['```js', ''],
    ['>', ''],
  ])('withoutBlockMarks turns %j into %j', (line, words) => {
    expect(withoutBlockMarks(line)).toBe(words);
  });

  test('withoutBlockMarks reads a long line of marks in linear time', () => {
    expect(withoutBlockMarks('> - '.repeat(50_000))).toBe('');
    expect(withoutBlockMarks(`${'>[!'.repeat(50_000)}x`)).toMatch(/^\[!/);
  });
});
