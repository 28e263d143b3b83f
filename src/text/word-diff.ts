import { diffLists, type Hunk, linesOf } from './list-diff';
import { MAX_COMPARED_CHARS, splitWords, wordPattern } from './word-reader';

export interface DiffPiece {
  readonly kind: 'same' | 'removed' | 'added';
  readonly text: string;
}

/**
 * Diffs word by word. Pieces that are not `added` join to `before`, pieces that are not `removed`
 * to `after`. At each place, removals come first.
 */
export function wordDiff(before: string, after: string): DiffPiece[] {
  return tidy(wordPieces(before, after));
}

/** As `wordDiff`, in the smallest pieces, some of which may be empty. */
export function wordPieces(before: string, after: string): DiffPiece[] {
  return before.length + after.length > MAX_COMPARED_CHARS
    ? compareLines(before, after)
    : compareWords(before, after);
}

function compareWords(before: string, after: string): DiffPiece[] {
  return compare(splitWords(before), splitWords(after), wholly);
}

function compareLines(before: string, after: string): DiffPiece[] {
  let left = MAX_COMPARED_CHARS;
  return compare(linesOf(before), linesOf(after), (removed, added) => {
    const length = removed.length + added.length;
    if (length > left) return wholly(removed, added);
    left -= length;
    return compareWords(removed, added);
  });
}

function wholly(removed: string, added: string): DiffPiece[] {
  return [
    { kind: 'removed', text: removed },
    { kind: 'added', text: added },
  ];
}

function compare(
  before: readonly string[],
  after: readonly string[],
  within: (removed: string, added: string) => DiffPiece[],
): DiffPiece[] {
  const pieces: DiffPiece[] = [];
  let from = 0;
  const same = (to: number) => {
    pieces.push({ kind: 'same', text: before.slice(from, to).join('') });
  };
  for (const hunk of diffLists(before, after)) {
    same(hunk.beforeFrom);
    pieces.push(...within(...sidesOfHunk(before, after, hunk)));
    from = hunk.beforeTo;
  }
  same(before.length);
  return pieces;
}

function sidesOfHunk(
  before: readonly string[],
  after: readonly string[],
  hunk: Hunk,
): [removed: string, added: string] {
  return [
    before.slice(hunk.beforeFrom, hunk.beforeTo).join(''),
    after.slice(hunk.afterFrom, hunk.afterTo).join(''),
  ];
}

/** Merges adjacent pieces of a kind, and changed words separated only by a space. */
function tidy(pieces: readonly DiffPiece[]): DiffPiece[] {
  const result: DiffPiece[] = [];
  let removed = '';
  let added = '';
  const settle = () => {
    if (removed !== '') result.push({ kind: 'removed', text: removed });
    if (added !== '') result.push({ kind: 'added', text: added });
    removed = added = '';
  };
  const filled = pieces.filter(({ text }) => text !== '');
  filled.forEach(({ kind, text }, at) => {
    if (kind === 'removed') removed += text;
    else if (kind === 'added') added += text;
    else if (
      /^[^\S\n]+$/.test(text) &&
      removed !== '' &&
      added !== '' &&
      replaces(filled, at + 1)
    ) {
      removed += text;
      added += text;
    } else {
      settle();
      const last = result.at(-1);
      if (last?.kind === 'same') result[result.length - 1] = { kind, text: last.text + text };
      else result.push({ kind, text });
    }
  });
  settle();
  return result;
}

/** Whether the pieces at this index both remove and add text. */
function replaces(pieces: readonly DiffPiece[], at: number): boolean {
  const kinds = [pieces[at]?.kind, pieces[at + 1]?.kind];
  return kinds.includes('removed') && kinds.includes('added');
}

/** Of the words of both texts together. */
const MAX_CHANGED_SHARE = 0.5;
/** Made on first use, because its classes of letters take long to read. */
let word: RegExp | undefined;

/**
 * Whether two texts read better one after the other than as one text with marks.
 *
 * @param changed what differs, of either text
 */
export function isRewrite(changed: readonly string[], before: string, after: string): boolean {
  const count = changed.reduce((sum, text) => sum + wordsIn(text), 0);
  return count > MAX_CHANGED_SHARE * (wordsIn(before) + wordsIn(after));
}

function wordsIn(text: string): number {
  return text.match((word ??= wordPattern()))?.length ?? 0;
}
