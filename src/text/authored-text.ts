/**
 * Text that knows who wrote each word. Rewriting it keeps the writers of the words that certainly
 * stayed; a word that may have come from either side has no writer.
 */
import { diffLists, type Hunk, linesOf } from './list-diff';
import { MAX_COMPARED_CHARS, wordPattern } from './word-reader';

/** The user, or unknown. */
export const NO_WRITER = 0;

export interface AuthoredText {
  readonly text: string;
  /** The writer of each UTF-16 code unit. */
  readonly writers: Uint32Array;
}

export function unauthored(text: string): AuthoredText {
  return { text, writers: new Uint32Array(text.length) };
}

/** Words, line breaks, spaces and signs; joined, they are the text. */
const TOKEN = wordPattern('_', '\\r?\\n', '[^\\S\\n]+', '[^]');

export function tokensOf(text: string): string[] {
  return text.match(TOKEN) ?? [];
}

/** Offsets of both texts between which they are the same. */
interface Kept {
  readonly oldFrom: number;
  readonly from: number;
  readonly length: number;
}

/**
 * The text after a rewrite. Words that stayed keep their writers. New words get theirs, unless the
 * rewrite also removed such a word, which may then have been moved.
 *
 * @param by who wrote each code unit of `text` that is new, or one writer for all of it
 * @param moved further words that count as removed
 */
export function rewritten(
  old: AuthoredText,
  text: string,
  by: number | Uint32Array,
  moved: Iterable<string> = [],
): AuthoredText {
  if (old.text === text) return old;
  const kept = keptBetween(old.text, text);
  const writers = new Uint32Array(text.length);
  const gaps = gapsBetween(kept, old.text, text);
  if (by !== NO_WRITER) {
    const removed = new Set(moved);
    for (const { oldFrom, oldTo } of gaps) {
      for (const token of tokensOf(old.text.slice(oldFrom, oldTo))) removed.add(token);
    }
    for (const { from, to } of gaps) write(writers, text.slice(from, to), from, by, removed);
  }
  for (const { oldFrom, from, length } of kept) {
    writers.set(old.writers.subarray(oldFrom, oldFrom + length), from);
  }
  return { text, writers };
}

/** Writer of words that a text did not have. */
const ABSENT = 2 ** 32 - 1;

/**
 * The text after a change is undone. Words come from the text before that change or, if they are
 * newer, from the current text; words that either side could have have no writer.
 */
export function undone(current: AuthoredText, earlier: AuthoredText, text: string): AuthoredText {
  if (earlier.text === text) return earlier;
  const old = rewritten(earlier, text, ABSENT).writers;
  const fresh = rewritten(current, text, ABSENT).writers;
  const writers = old.map((writer, at) => {
    const other = fresh[at] ?? ABSENT;
    if (writer === ABSENT) return other === ABSENT ? NO_WRITER : other;
    return other === ABSENT || other === writer ? writer : NO_WRITER;
  });
  return { text, writers };
}

function write(
  writers: Uint32Array,
  added: string,
  from: number,
  by: number | Uint32Array,
  removed: ReadonlySet<string>,
): void {
  let at = from;
  for (const token of tokensOf(added)) {
    const end = at + token.length;
    if (removed.has(token)) {
      at = end;
      continue;
    }
    if (typeof by === 'number') writers.fill(by, at, end);
    else writers.set(by.subarray(at, end), at);
    at = end;
  }
}

interface Gap {
  readonly oldFrom: number;
  readonly oldTo: number;
  readonly from: number;
  readonly to: number;
}

function gapsBetween(kept: readonly Kept[], old: string, text: string): Gap[] {
  const gaps: Gap[] = [];
  let oldFrom = 0;
  let from = 0;
  for (const next of [...kept, { oldFrom: old.length, from: text.length, length: 0 }]) {
    if (next.oldFrom > oldFrom || next.from > from) {
      gaps.push({ oldFrom, oldTo: next.oldFrom, from, to: next.from });
    }
    oldFrom = next.oldFrom + next.length;
    from = next.from + next.length;
  }
  return gaps;
}

/** Regions that are certainly the same text: first whole lines, then words between them. */
function keptBetween(old: string, text: string): Kept[] {
  const [oldLines, lines] = [linesOf(old), linesOf(text)];
  const hunks = diffLists(oldLines, lines);
  const steady = steadyWords(oldLines, lines, hunks);
  const isTelling = (line: string) => tokensOf(line).some(steady);
  const whole = alignedRuns([old, itemsOf(oldLines)], [text, itemsOf(lines)], hunks, isTelling);
  const kept: Kept[] = [...whole];
  for (const { oldFrom, oldTo, from, to } of gapsBetween(whole, old, text)) {
    if (oldFrom === oldTo || from === to) continue;
    if (oldTo - oldFrom + to - from > MAX_COMPARED_CHARS) continue;
    const oldWords = wordsIn(old, oldFrom, oldTo);
    const words = wordsIn(text, from, to);
    const changes = diffLists(textsOf(oldWords), textsOf(words));
    kept.push(...alignedRuns([old, oldWords], [text, words], changes, steady));
  }
  const joined = joinedRuns(kept.sort((a, b) => a.from - b.from));
  return withoutDoubt(joined, old, text);
}

/** A line or a word with its offset. */
interface Item {
  readonly text: string;
  readonly from: number;
}

function itemsOf(texts: readonly string[], start = 0): Item[] {
  let at = start;
  return texts.map((text) => {
    const from = at;
    at += text.length;
    return { text, from };
  });
}

function textsOf(items: readonly Item[]): string[] {
  return items.map(({ text }) => text);
}

/** Words, signs and line breaks. Spaces are alike everywhere and tell nothing about a place. */
function wordsIn(text: string, from: number, to: number): Item[] {
  return itemsOf(tokensOf(text.slice(from, to)), from).filter(
    (token) => !isSpace(token.text) || token.text.endsWith('\n'),
  );
}

/** Whether a token is a word that both texts have equally often, so that no copy of it is new. */
function steadyWords(
  old: readonly string[],
  fresh: readonly string[],
  hunks: readonly Hunk[],
): (token: string) => boolean {
  const counts = new Map<string, number>();
  const count = (lines: readonly string[], step: number) => {
    for (const token of tokensOf(lines.join('')))
      counts.set(token, (counts.get(token) ?? 0) + step);
  };
  for (const { beforeFrom, beforeTo, afterFrom, afterTo } of hunks) {
    count(old.slice(beforeFrom, beforeTo), -1);
    count(fresh.slice(afterFrom, afterTo), 1);
  }
  return (token) => (counts.get(token) ?? 0) === 0 && /[\p{L}\p{N}]/u.test(token);
}

/**
 * Runs of items that both texts share, with equal spaces between them. A run counts only if one of
 * its items is unique on both sides and tells where it belongs; otherwise it may be a copy.
 */
function alignedRuns(
  [old, oldItems]: readonly [string, readonly Item[]],
  [text, items]: readonly [string, readonly Item[]],
  hunks: readonly Hunk[],
  isTelling: (item: string) => boolean,
): Kept[] {
  const counts = [countsOf(oldItems), countsOf(items)];
  const isUnique = (item: Item) =>
    counts.every((count) => count.get(item.text) === 1) && isTelling(item.text);
  const runs: Kept[] = [];
  let oldAt = 0;
  let at = 0;
  const take = (to: number) => {
    const same = items.slice(at, to);
    if (!same.some(isUnique)) return;
    let run: Kept | undefined;
    for (const [index, item] of same.entries()) {
      const oldItem = oldItems[oldAt + index];
      if (!oldItem) break;
      const end = item.from + item.text.length;
      if (
        run &&
        old.slice(run.oldFrom + run.length, oldItem.from) ===
          text.slice(run.from + run.length, item.from)
      ) {
        run = { ...run, length: end - run.from };
        runs[runs.length - 1] = run;
      } else {
        run = { oldFrom: oldItem.from, from: item.from, length: item.text.length };
        runs.push(run);
      }
    }
  };
  for (const hunk of hunks) {
    take(hunk.afterFrom);
    oldAt = hunk.beforeTo;
    at = hunk.afterTo;
  }
  take(items.length);
  return runs;
}

function countsOf(items: readonly Item[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const { text } of items) counts.set(text, (counts.get(text) ?? 0) + 1);
  return counts;
}

function joinedRuns(runs: readonly Kept[]): Kept[] {
  const joined: Kept[] = [];
  for (const run of runs) {
    const last = joined.at(-1);
    if (
      last &&
      last.from + last.length === run.from &&
      last.oldFrom + last.length === run.oldFrom
    ) {
      joined[joined.length - 1] = { ...last, length: last.length + run.length };
    } else joined.push(run);
  }
  return joined;
}

/**
 * Shortens runs whose first or last words also occur in the change beside them, because the word
 * that stayed may be the other one.
 */
function withoutDoubt(runs: readonly Kept[], old: string, text: string): Kept[] {
  const words = gapsAround(runs, old, text).map(
    ({ oldFrom, oldTo, from, to }) =>
      new Set([...tokensOf(old.slice(oldFrom, oldTo)), ...tokensOf(text.slice(from, to))]),
  );
  return runs.flatMap((run, index) => {
    const own = text.slice(run.from, run.from + run.length);
    const start = doubtfulStart(own, words[index] ?? new Set());
    const end = doubtfulEnd(own, words[index + 1] ?? new Set());
    const length = run.length - start - end;
    return length > 0 ? [{ oldFrom: run.oldFrom + start, from: run.from + start, length }] : [];
  });
}

/** One more gap than there are runs; the first and the last may be empty. */
function gapsAround(runs: readonly Kept[], old: string, text: string): Gap[] {
  const ends = [...runs, { oldFrom: old.length, from: text.length, length: 0 }];
  return ends.map((next, index) => {
    const last = runs[index - 1] ?? { oldFrom: 0, from: 0, length: 0 };
    return {
      oldFrom: last.oldFrom + last.length,
      oldTo: next.oldFrom,
      from: last.from + last.length,
      to: next.from,
    };
  });
}

function doubtfulStart(text: string, words: ReadonlySet<string>): number {
  if (words.size === 0) return 0;
  let doubtful = 0;
  let length = 0;
  for (const [token] of text.matchAll(TOKEN)) {
    length += token.length;
    if (words.has(token)) doubtful = length;
    else if (!isSpace(token)) break;
  }
  return doubtful;
}

function doubtfulEnd(text: string, words: ReadonlySet<string>): number {
  if (words.size === 0) return 0;
  let doubtful = 0;
  let length = 0;
  // Line by line, so that a long text is not split into words for its last few.
  for (const line of linesOf(text).reverse()) {
    for (const token of tokensOf(line).reverse()) {
      length += token.length;
      if (words.has(token)) doubtful = length;
      else if (!isSpace(token)) return doubtful;
    }
  }
  return doubtful;
}

function isSpace(token: string): boolean {
  return token.trim() === '';
}
