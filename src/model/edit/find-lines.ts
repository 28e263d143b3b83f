/** Finds the lines that a block is about, and what accepting it makes of them. */
import { diffLists, linesOf } from '#text/list-diff';
import { splitNote } from '#text/front-matter';
import { isBlank } from '#text/note-blocks';
import { splitWords } from '#text/word-reader';
import { type EditBlock, lineHash, lineWords, trimmedLines, withoutMarks } from './edit-block';
import { isOfProperties, mergeProperties } from './property-edit';

export interface FoundLines {
  /** The first line, from 0; for an addition the line of its place. */
  readonly from: number;
  /** The lines as they are in the note. */
  readonly text: string;
  /** What accepting puts in their place; null if the edit is stale. */
  readonly after: string | null;
  /** Whether they are exactly those that the block repeats. */
  readonly isExact: boolean;
}

export interface LinesToFind {
  readonly block: EditBlock;
  /** The first line below the block above, or of the note. */
  readonly from: number;
  readonly fence: number;
  /** The nearest line of text above a line, across blocks; empty if there is none. */
  above(line: number): string;
}

/** Beyond so many more lines, the user's version is taken for other text. */
const MAX_MORE_LINES = 8;

/**
 * @param lines of the note without their endings
 * @param raw the same lines with their endings
 */
export function findLines(
  lines: readonly string[],
  raw: readonly string[],
  place: LinesToFind,
): FoundLines {
  const { block, from, fence } = place;
  let end = fence;
  while (end > from && isBlank(lines[end - 1])) end -= 1;
  const found = (start: number, after: string | null, isExact = false): FoundLines => {
    return { from: start, text: raw.slice(start, end).join(''), after, isExact };
  };
  if (isOfProperties(block)) {
    const live = splitNote(raw.slice(0, end).join('')).head;
    const isAtTop = from === 0 && live === raw.slice(0, end).join('');
    if (!isAtTop) return found(end, null);
    const isExact = live === block.before;
    return found(0, isExact ? block.after : mergeProperties(block, live), isExact);
  }
  if (block.before === '') return found(end, block.after, true);

  const isAnchored = (start: number) => lineHash(place.above(start)) === block.above;
  const mayBe = (start: number) => !block.twin || isAnchored(start);
  const own = trimmedLines(block.before);
  const start = end - own.length;
  if (start >= from && own.join('') === raw.slice(start, end).join('')) {
    return mayBe(start) ? found(start, block.after, true) : found(end, null);
  }
  const alike = sameWords(lines, own, from, end);
  if (alike !== null && mayBe(alike.from) && (alike.hasWords || isAnchored(alike.from))) {
    const live = raw.slice(alike.from, end).join('');
    return found(alike.from, inForm(live, own.join(''), block.after));
  }
  const anchor = anchorAbove(lines, place, own, end);
  if (anchor === null) return found(end, null);
  const first = firstLine(lines, anchor, end, leadingBlanks(own));
  const live = raw.slice(first, end).join('');
  const count = end - first;
  const isMore = block.twin ? count > own.length : count > 2 * own.length + MAX_MORE_LINES;
  if (count === 0 || isMore) return found(end, null);
  return found(first, mergeWords(own.join(''), live, block.after));
}

function leadingBlanks(lines: readonly string[]): number {
  const first = lines.findIndex((line) => !isBlank(line));
  return first < 0 ? lines.length : first;
}

/** The first line below the anchor, with as many blank lines above the text as there were. */
function firstLine(lines: readonly string[], from: number, end: number, blanks: number): number {
  let first = from;
  while (first < end && isBlank(lines[first])) first += 1;
  return blanksAbove(lines, first, from, blanks);
}

/** The line below the nearest one that was above the lines; null if it is gone or ambiguous. */
function anchorAbove(
  lines: readonly string[],
  { block, from, above }: LinesToFind,
  own: readonly string[],
  end: number,
): number | null {
  if (block.above === null) return null;
  if (own.some((line) => lineHash(line) === block.above && !isBlank(line))) return null;
  for (let at = end - 1; at >= from; at -= 1) {
    if (!isBlank(lines[at]) && lineHash(lines[at] ?? '') === block.above) return at + 1;
  }
  return lineHash(above(from)) === block.above ? from : null;
}

/** The lines directly above `end` whose words are those of `own`; null if there are none. */
function sameWords(
  lines: readonly string[],
  own: readonly string[],
  from: number,
  end: number,
): { readonly from: number; readonly hasWords: boolean } | null {
  const wanted = own.flatMap(lineWords);
  let left = wanted.length;
  let at = end;
  while (left > 0) {
    at -= 1;
    if (at < from) return null;
    const words = lineWords(lines[at] ?? '');
    left -= words.length;
    if (left < 0 || words.some((word, index) => word !== wanted[left + index])) return null;
  }
  if (wanted.length === 0) at = end - own.filter((line) => !isBlank(line)).length;
  if (at < from || at === end) return null;
  const isSame = wanted.length > 0 || lineWords(lines.slice(at, end).join('')).length === 0;
  if (!isSame) return null;
  const blanks = leadingBlanks(own);
  return {
    from: blanksAbove(lines, at, from, blanks),
    hasWords: /[\p{L}\p{N}]/u.test(wanted.join('')),
  };
}

function blanksAbove(lines: readonly string[], at: number, from: number, most: number): number {
  let first = at;
  while (first > from && at - first < most && isBlank(lines[first - 1])) first -= 1;
  return first;
}

/** Merges by words; null if both sides changed the same or touching words. */
export function mergeWords(base: string, mine: string, theirs: string): string | null {
  if (mine === theirs || base === mine) return theirs;
  const words = splitWords(base);
  const theirWords = splitWords(theirs);
  const mineWords = splitWords(mine);
  const changes = diffLists(words, theirWords);
  const own = diffLists(words, mineWords);
  let result = '';
  let done = 0;
  let grown = 0;
  let next = 0;
  for (const change of changes) {
    for (let at = next; at < own.length; at += 1) {
      const hunk = own[at];
      if (!hunk || hunk.beforeFrom > change.beforeTo) break;
      if (hunk.beforeTo >= change.beforeFrom) return null;
      grown = hunk.afterTo - hunk.beforeTo;
      next = at + 1;
    }
    result += mineWords.slice(done, change.beforeFrom + grown).join('');
    result += theirWords.slice(change.afterFrom, change.afterTo).join('');
    done = change.beforeTo + grown;
  }
  return result + mineWords.slice(done).join('');
}

/**
 * Makes a change in lines that have the same words in another form. The change wins over the form
 * where both touch, unless the user has emphasized words or taken the emphasis away.
 */
function inForm(live: string, before: string, after: string): string | null {
  const merged = mergeWords(before, live, after);
  return merged ?? (emphasisIn(live) === emphasisIn(before) ? after : null);
}

/** The number of marks of emphasis, besides the marks of list items. */
function emphasisIn(text: string): number {
  const inner = linesOf(text).map(withoutMarks).join('');
  return inner.replace(/[^*_]/g, '').length;
}
