import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '#tests/cases';
import { type DiffPiece, isRewrite, wordDiff } from '#text/word-diff';
import { splitWords } from '#text/word-reader';

const word = fc.constantFrom(
  'one',
  'two',
  ' ',
  ' ',
  '\n',
  '京都',
  '苔',
  '👩‍🚀',
  'é',
  'e\u0301',
  'مرحبا',
  ',',
  'the ',
);
const text = fc.oneof(
  fc.array(word, { maxLength: 30 }).map((words) => words.join('')),
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }),
);

function without(kind: DiffPiece['kind'], pieces: readonly DiffPiece[]): string {
  return pieces.flatMap((piece) => (piece.kind === kind ? [] : [piece.text])).join('');
}

describe('wordDiff', () => {
  it('wordDiff returns non-empty pieces that join to both texts, without adjacent pieces of one kind', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const pieces = wordDiff(before, after);
        expect(without('added', pieces)).toBe(before);
        expect(without('removed', pieces)).toBe(after);
        pieces.forEach((piece, at) => {
          expect(piece.text).not.toBe('');
          expect(piece.kind).not.toBe(pieces[at - 1]?.kind);
        });
      }),
      cases,
    );
  });

  it('wordDiff finds no change between a text and itself', () => {
    fc.assert(
      fc.property(text, (same) => {
        expect(wordDiff(same, same).every(({ kind }) => kind === 'same')).toBe(true);
      }),
      cases,
    );
  });

  it('wordDiff does not split Japanese words or joined emoji', () => {
    expect(wordDiff('京都の苔', '京都の庭')).toEqual([
      { kind: 'same', text: '京都の' },
      { kind: 'removed', text: '苔' },
      { kind: 'added', text: '庭' },
    ]);
    expect(wordDiff('a 👩‍🚀', 'a 👩‍🌾').at(-1)).toEqual({ kind: 'added', text: '👩‍🌾' });
  });

  it('wordDiff joins adjacent changed words into one change', () => {
    expect(wordDiff('the quick brown fox', 'the slow red fox')).toEqual([
      { kind: 'same', text: 'the ' },
      { kind: 'removed', text: 'quick brown' },
      { kind: 'added', text: 'slow red' },
      { kind: 'same', text: ' fox' },
    ]);
  });

  it('wordDiff handles very long texts and still finds the changed word', () => {
    const lines = Array.from({ length: 4000 }, (_, at) => `Line ${at} of a long note`);
    const before = lines.join('\n');
    const after = before.replace('Line 2000 of a', 'Line 2000 of one');
    const changed = wordDiff(before, after).filter(({ kind }) => kind !== 'same');
    expect(changed).toEqual([
      { kind: 'removed', text: 'a' },
      { kind: 'added', text: 'one' },
    ]);
    const single = 'word '.repeat(40_000);
    const pieces = wordDiff(single, `${single}more`);
    expect(without('removed', pieces)).toBe(`${single}more`);
    expect(splitWords(single).join('')).toBe(single);
  });
});

describe('isRewrite', () => {
  it('isRewrite is true if more than half of the words of both texts change', () => {
    expect(isRewrite(['two', 'three'], 'one two', 'one three')).toBe(false);
    expect(isRewrite(['one two', 'three four'], 'one two five', 'three four five')).toBe(true);
    expect(isRewrite(['京都', '大阪'], '京都です', '大阪です')).toBe(false);
    expect(isRewrite(['!'], 'one', 'one!')).toBe(false);
  });
});
