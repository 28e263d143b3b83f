/** A text whose lines mean something, such as code: lines are compared first, and words only within a line. */
import { linesOf } from '#model/line-endings';
import { wordDiff, type Piece } from '#model/diff/word-diff';
import { align } from './align';
import { sharing, wordsOf, type Words } from './likeness';

interface Line {
  readonly text: string;
  readonly words: Words;
}

/** Lines that share fewer of their words than this are two lines. */
const LIKE = 0.4;

export function lineDiff(before: string, after: string): Piece[] {
  const pairs = align(readLines(before), readLines(after), {
    key: ({ text }) => text,
    like: (one, other) => (sharing(one.words, other.words) >= LIKE ? 1 : 0),
  });
  const pieces = pairs.flatMap((pair): Piece[] => {
    if (pair.before === null) return [{ kind: 'added', text: pair.after.text }];
    if (pair.after === null) return [{ kind: 'removed', text: pair.before.text }];
    return wordDiff(pair.before.text, pair.after.text);
  });
  return joined(pieces);
}

function readLines(text: string): Line[] {
  return linesOf(text).map((line) => ({ text: line, words: wordsOf(line) }));
}

function joined(pieces: readonly Piece[]): Piece[] {
  const made: Piece[] = [];
  for (const piece of pieces) {
    const last = made.at(-1);
    if (last?.kind !== piece.kind) made.push(piece);
    else made[made.length - 1] = { kind: piece.kind, text: last.text + piece.text };
  }
  return made;
}
