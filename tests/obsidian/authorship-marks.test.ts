/** What typing does to the marks of the agent's words before they are computed again. */
import { EditorState } from '@codemirror/state';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import '#workbench/boot-headless';
import type { ChangeId } from '#model/ids';
import type { AuthoredRange } from '#model/pending-edit';
import { marksAfter } from '#obsidian/editor/authorship-marks';
import { cases } from '#tests/cases';

const mark = (from: number, to: number): AuthoredRange => ({
  ...{ from, to, change: 'change-1' as ChangeId, time: 1, conversation: null, turn: null },
});

/** The marked texts after replacing a range of the text. */
function after(
  text: string,
  marks: readonly AuthoredRange[],
  change: { from: number; to: number; insert: string },
): string[] {
  const { changes, newDoc } = EditorState.create({ doc: text }).update({ changes: change });
  return marksAfter(marks, changes, newDoc).map(({ from, to }) => newDoc.sliceString(from, to));
}

describe('marks while the user types', () => {
  const text = 'We go by night train in May.';
  const marks = [mark(9, 20)];

  test('typing in a marked word takes the mark from the word and leaves the others', () => {
    expect(after(text, marks, { from: 12, to: 12, insert: 'x' })).toEqual([' train']);
  });

  test('a word typed between marked words is not marked', () => {
    expect(after(text, marks, { from: 15, to: 15, insert: 'slow ' })).toEqual(['night ', 'train']);
  });

  test('typing elsewhere moves a mark with its words', () => {
    expect(after(text, marks, { from: 0, to: 2, insert: 'Tomorrow we' })).toEqual(['night train']);
    expect(after(text, marks, { from: 20, to: 20, insert: ' home' })).toEqual(['night train']);
  });

  test('deleting the space between marked words takes the mark from both', () => {
    expect(after(text, marks, { from: 14, to: 15, insert: '' })).toEqual([]);
  });

  test('no typed character is ever marked, and every marked word was marked before', () => {
    const word = fc.constantFrom('a', 'be', 'sea', '-', ' ', '\n', '京都');
    const words = fc.array(word, { maxLength: 20 }).map((each) => each.join(' '));
    const at = fc.nat({ max: 80 });
    fc.assert(
      fc.property(words, at, at, at, at, words, (doc, from, length, place, gone, typed) => {
        const end = (offset: number) => Math.min(offset, doc.length);
        const own = mark(end(from), end(from + length));
        fc.pre(own.to > own.from);
        const insert = typed
          .replace(/[a-z]/g, (letter) => letter.toUpperCase())
          .replace(/京/g, '東');
        const change = { from: end(place), to: end(place + (gone % 6)), insert };
        for (const marked of after(doc, [own], change)) {
          expect(marked).not.toMatch(/[A-Z東]/);
          expect(doc.slice(own.from, own.to)).toContain(marked.trim().split('\n')[0]);
        }
      }),
      cases,
    );
  });
});
