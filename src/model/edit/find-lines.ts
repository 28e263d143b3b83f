/** Finds the lines that a block is about, and what accepting it makes of them. */
import { diffLists, endsWithLine, type Hunk } from '#text/list-diff';
import { splitNote } from '#text/front-matter';
import { isBlank } from '#text/note-blocks';
import { splitWords } from '#text/word-reader';
import {
  type EditBlock,
  lineHash,
  linePrefix,
  lineTokens,
  type LineToken,
  trimmedLines,
} from './edit-block';
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
    return found(alike.from, inForm(live, block.before, block.after));
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
  const wanted = own.flatMap((line) => lineTokens(line).map(({ text }) => text));
  let left = wanted.length;
  let at = end;
  while (left > 0) {
    at -= 1;
    if (at < from) return null;
    const tokens = lineTokens(lines[at] ?? '');
    left -= tokens.length;
    if (left < 0 || tokens.some(({ text }, index) => text !== wanted[left + index])) return null;
  }
  if (wanted.length === 0) at = end - own.filter((line) => !isBlank(line)).length;
  if (at < from || at === end) return null;
  const isSame = wanted.length > 0 || lineTokens(lines.slice(at, end).join('')).length === 0;
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

/** A token with its offsets in a text of several lines. */
interface TextToken extends LineToken {
  /** Index of its line. */
  readonly line: number;
}

interface Tokens {
  readonly text: string;
  readonly lines: readonly string[];
  readonly tokens: readonly TextToken[];
}

function tokensOf(text: string): Tokens {
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
  const tokens: TextToken[] = [];
  let start = 0;
  lines.forEach((whole, line) => {
    for (const { text: word, from, to } of lineTokens(whole)) {
      tokens.push({ text: word, line, from: start + from, to: start + to });
    }
    start += whole.length;
  });
  return { text, lines, tokens };
}

/**
 * Makes the changes from `before` to `after` in `live`, which has the same words as `before` in
 * another form. Words that stay keep the form they have in `live`.
 */
function inForm(live: string, before: string, after: string): string | null {
  const [now, old, fresh] = [tokensOf(live), tokensOf(before), tokensOf(after)];
  const hunks = diffLists(
    old.tokens.map(({ text }) => text),
    fresh.tokens.map(({ text }) => text),
  );
  if (fresh.tokens.length === 0) return isBlank(after) ? '' : after;
  if (hunks.length === 0 || !keepsMarks(hunks, old, fresh)) return mergeWords(before, live, after);
  let result = '';
  let done = 0;
  for (const hunk of hunks) {
    const [first, last] = [hunk.beforeFrom, hunk.beforeTo];
    const isRemoval = first === 0 && hunk.afterFrom === hunk.afterTo;
    const whole = isRemoval ? wholeLines(now, last) : null;
    const isInner = keepsGapAbove(hunk, old, fresh);
    const span = isInner ? innerSpan : spanOf;
    const isStart = isAtStart(hunk);
    const [from, to] = whole ?? span(now, first, last, isStart);
    const [oldFrom, oldTo] = span(old, first, last, isStart);
    const isMarked =
      emphasisIn(now.text.slice(from, to)) !== emphasisIn(old.text.slice(oldFrom, oldTo));
    // The user emphasized words that go, and the marks around them might not match any more.
    if (isMarked && whole === null) return mergeWords(before, live, after);
    const [afterFrom, afterTo] = span(fresh, hunk.afterFrom, hunk.afterTo, isStart);
    result += now.text.slice(done, from);
    result += withPrefixes(fresh.text.slice(afterFrom, afterTo), hunk, { now, old, fresh });
    done = to;
  }
  const text = result + now.text.slice(done);
  return endsWithLine(text) || !endsWithLine(after) ? text : `${text}\n`;
}

/** Whether the marks around words that stay are the same on both sides. */
function keepsMarks(hunks: readonly Hunk[], old: Tokens, fresh: Tokens): boolean {
  let [was, is] = [0, 0];
  for (const hunk of [...hunks, null]) {
    const end = hunk?.beforeFrom ?? old.tokens.length + 1;
    for (; was < end; was += 1, is += 1) {
      if (marksAbove(old, was) !== marksAbove(fresh, is)) return false;
    }
    if (!hunk) break;
    if (hunk.afterTo > hunk.afterFrom && hunk.beforeTo > 0) {
      if (marksAbove(old, hunk.beforeTo) !== marksAbove(fresh, hunk.afterTo)) return false;
    }
    [was, is] = [hunk.beforeTo + 1, hunk.afterTo + 1];
  }
  return true;
}

/** Whether words are replaced by others, with the same marks above them. */
function keepsGapAbove(hunk: Hunk, old: Tokens, fresh: Tokens): boolean {
  const isReplaced = hunk.beforeTo > hunk.beforeFrom && hunk.afterTo > hunk.afterFrom;
  return isReplaced && marksAbove(old, hunk.beforeFrom) === marksAbove(fresh, hunk.afterFrom);
}

/** The number of marks of emphasis between a token and the one above it. */
function marksAbove({ text, tokens }: Tokens, at: number): number {
  return emphasisIn(text.slice(tokens[at - 1]?.to ?? 0, tokens[at]?.from ?? text.length));
}

/** The number of marks of emphasis, besides those at the beginning of lines. */
function emphasisIn(text: string): number {
  const [first = '', ...rest] = text.split('\n');
  const inner = [first, ...rest.map((line) => line.slice(linePrefix(line).length))].join('');
  return inner.replace(/[^*_]/g, '').length;
}

/** From the first token to the last one, without what is around them. */
function innerSpan({ tokens }: Tokens, from: number, to: number): [number, number] {
  return [tokens[from]?.from ?? 0, tokens[to - 1]?.to ?? 0];
}

function isAtStart({ beforeFrom, afterFrom }: Hunk): boolean {
  return beforeFrom === 0 || afterFrom === 0;
}

/** From the end of the token above to the end of the last one, or from the first one at the start. */
function spanOf(
  { text, tokens }: Tokens,
  from: number,
  to: number,
  isStart: boolean,
): [number, number] {
  if (!isStart) {
    const start = tokens[from - 1]?.to ?? 0;
    return [start, from === to ? start : (tokens[to - 1]?.to ?? start)];
  }
  const start = tokens[from]?.from ?? text.length;
  if (from === to) return [start, start];
  return [start, tokens[to]?.from ?? tokens[to - 1]?.to ?? text.length];
}

/** The lines at the beginning whose words all go, with their marks; null if other words are in them. */
function wholeLines({ text, lines, tokens }: Tokens, to: number): [number, number] | null {
  const next = tokens[to];
  if (!next) return [0, text.length];
  if (tokens[to - 1]?.line === next.line) return null;
  return [0, lines.slice(0, next.line).join('').length];
}

/** New lines take the marks that their neighbor has in the note. */
function withPrefixes(
  added: string,
  { beforeFrom }: Hunk,
  { now, old }: { readonly now: Tokens; readonly old: Tokens; readonly fresh: Tokens },
): string {
  if (!added.includes('\n')) return added;
  const index = Math.max(0, beforeFrom - 1);
  const was = linePrefix(old.lines[old.tokens[index]?.line ?? 0] ?? '');
  const is = linePrefix(now.lines[now.tokens[index]?.line ?? 0] ?? '');
  if (was === is) return added;
  const [first = '', ...rest] = added.split('\n');
  return [
    first,
    ...rest.map((line) => {
      const own = linePrefix(line);
      if (own === was) return is + line.slice(own.length);
      return is.endsWith(was) ? is.slice(0, is.length - was.length) + line : line;
    }),
  ].join('\n');
}
