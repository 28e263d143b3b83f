/** A change as source, compared by character, with invisible characters made visible. */
import * as editsText from '#messages/edit-messages';
import { type DiffPiece, wordDiff } from '#text/word-diff';
import { withInvisibleMarks } from '#text/invisible-marks';
import { linesOf } from '#text/list-diff';
import { align, sharedWords, type WordList, wordListOf } from './align';

/** Unchanged characters shown on either side of a change. */
const BESIDE = 160;

export interface SourcePiece {
  readonly kind: DiffPiece['kind'] | 'gap';
  readonly text: string;
}

export interface SourceOptions {
  /** Everything; otherwise only the surroundings of changes. */
  readonly whole: boolean;
  /** Whether the changes are those that can be decided alone. */
  readonly byWords: boolean;
}

export function sourceOf(
  before: string,
  after: string,
  { whole, byWords }: SourceOptions,
): SourcePiece[] {
  const pieces = byWords ? wordDiff(before, after) : lineDiff(before, after);
  return pieces.flatMap(({ kind, text }, at): SourcePiece[] => {
    if (kind !== 'same') return [{ kind, text: visible(text) }];
    if (whole) return [{ kind, text: withInvisibleMarks(text) }];
    return shortened(withInvisibleMarks(text), at === 0, at === pieces.length - 1);
  });
}

/** A change of spaces or line ends alone would be invisible. */
function visible(text: string): string {
  if (text.trim() !== '') return withInvisibleMarks(text);
  return withInvisibleMarks(text)
    .replace(/ /g, '·')
    .replace(/\t/g, '⇥')
    .replace(/\r/g, '␍')
    .replace(/\n/g, '↵\n');
}

function shortened(text: string, isFirst: boolean, isLast: boolean): SourcePiece[] {
  const head = isFirst ? 0 : text.indexOf('\n', BESIDE);
  const tail = isLast ? text.length : text.lastIndexOf('\n', text.length - BESIDE) + 1;
  const lines = text.slice(head, tail).split('\n').length - 1;
  if (head < 0 || tail <= head || lines < 3) return [{ kind: 'same', text }];
  const pieces: SourcePiece[] = [
    { kind: 'same', text: text.slice(0, head) },
    { kind: 'gap', text: editsText.unchangedLines(lines) },
    { kind: 'same', text: text.slice(tail) },
  ];
  return pieces.filter((piece) => piece.text !== '');
}

class Line {
  #words: WordList | null = null;

  constructor(readonly text: string) {}

  /** Only lines that changed are compared by their words. */
  get words(): WordList {
    return (this.#words ??= wordListOf(this.text));
  }
}

/** Lines with a smaller share of common words count as different lines. */
const LIKE = 0.4;

export function lineDiff(before: string, after: string): DiffPiece[] {
  const pairs = align(readLines(before), readLines(after), {
    key: ({ text }) => text,
    like: (one, other) => (sharedWords(one.words, other.words) >= LIKE ? 1 : 0),
  });
  const pieces = pairs.flatMap((pair): DiffPiece[] => {
    if (pair.before === null) return [{ kind: 'added', text: pair.after.text }];
    if (pair.after === null) return [{ kind: 'removed', text: pair.before.text }];
    const { text } = pair.after;
    return pair.before.text === text ? [{ kind: 'same', text }] : wordDiff(pair.before.text, text);
  });
  return joined(pieces);
}

function readLines(text: string): Line[] {
  return linesOf(text).map((line) => new Line(line));
}

function joined(pieces: readonly DiffPiece[]): DiffPiece[] {
  const made: DiffPiece[] = [];
  for (const piece of pieces) {
    const last = made.at(-1);
    if (last?.kind !== piece.kind) made.push(piece);
    else made[made.length - 1] = { kind: piece.kind, text: last.text + piece.text };
  }
  return made;
}
