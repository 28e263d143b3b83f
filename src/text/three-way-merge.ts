import { diffLists, type Hunk, endsWithLine, linesOf, onlyEnding, withEnding } from './list-diff';
import { MAX_COMPARED_CHARS, splitWords } from './word-reader';

/**
 * A region where both sides changed the same words. `line` (from 1) is the start of *mine* in the
 * merged text.
 */
export interface Conflict {
  readonly line: number;
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
}

export interface Merged {
  readonly text: string;
  readonly conflicts: readonly Conflict[];
}

/** Splits a text into units that are merged as a whole, unless they are merged word by word. */
export interface MergeUnits {
  of(text: string): string[];
  /** Whether the text may be merged word by word. */
  hasWords(text: string): boolean;
}

const LINES: MergeUnits = { of: linesOf, hasWords: () => true };

/**
 * Applies the changes from *base* to *theirs* to *mine*: by lines, then by words where lines
 * conflict. Where words conflict, *mine* wins; nothing that *mine* added is lost.
 */
export function mergeThreeWay(
  base: string,
  mine: string,
  theirs: string,
  units: MergeUnits = LINES,
): Merged {
  if (base === mine || mine === theirs) return { text: theirs, conflicts: [] };
  if (base === theirs) return { text: mine, conflicts: [] };
  const ending = onlyEnding(mine);
  const was = onlyEnding(base);
  if (ending === null || was === null || ending === was) return merge(base, mine, theirs, units);
  // An editor changed all line endings, which is not a change of content.
  return merge(withEnding(base, ending), mine, withEnding(theirs, ending), units);
}

function merge(base: string, mine: string, theirs: string, units: MergeUnits): Merged {
  const stretches = align(units.of(base), units.of(mine), units.of(theirs));
  const conflicts: Conflict[] = [];
  let text = '';
  let left = MAX_COMPARED_CHARS;
  const words = (stretch: Stretch): string | null => {
    const length = stretch.base.length + stretch.mine.length + stretch.theirs.length;
    if (length > left) return null;
    left -= length;
    return mergeWords(stretch, units);
  };
  for (const stretch of stretches) {
    const part = settled(stretch, 'keep-both') ?? words(stretch);
    const added = part ?? stretch.mine;
    // The last line of one side, without a line ending, may be followed by text from the other
    // side.
    if (!endsWithLine(text) && added !== '') text += onlyEnding(text) ?? '\n';
    if (part === null) conflicts.push({ line: linesOf(text).length + 1, ...stretch });
    text += added;
  }
  return { text, conflicts };
}

interface Stretch {
  readonly base: string;
  readonly mine: string;
  readonly theirs: string;
}

/** The automatic result; null if both sides changed the text differently. */
function settled(
  { base, mine, theirs }: Stretch,
  insertions: 'keep-both' | 'clash',
): string | null {
  if (mine === theirs || base === theirs) return mine;
  if (base === mine) return theirs;
  return base === '' && insertions === 'keep-both' ? keepBoth(mine, theirs) : null;
}

/**
 * Two insertions at the same place: *mine* above *theirs*. Null if *mine* does not end with a line
 * break.
 */
function keepBoth(mine: string, theirs: string): string | null {
  return mine.endsWith('\n') ? mine + theirs : null;
}

function mergeWords({ base, mine, theirs }: Stretch, units: MergeUnits): string | null {
  if (![base, mine, theirs].every((text) => units.hasWords(text))) return null;
  let text = '';
  for (const stretch of align(splitWords(base), splitWords(mine), splitWords(theirs))) {
    const part = settled(stretch, 'clash');
    if (part === null) return null;
    text += part;
  }
  return text;
}

/** Splits the three texts at positions that no change spans. */
function align(
  base: readonly string[],
  mine: readonly string[],
  theirs: readonly string[],
): Stretch[] {
  const stretches: Stretch[] = [];
  let from = 0;
  let mineFrom = 0;
  let theirsFrom = 0;
  const take = (to: number, mineTo: number, theirsTo: number) => {
    stretches.push({
      base: base.slice(from, to).join(''),
      mine: mine.slice(mineFrom, mineTo).join(''),
      theirs: theirs.slice(theirsFrom, theirsTo).join(''),
    });
    [from, mineFrom, theirsFrom] = [to, mineTo, theirsTo];
  };
  for (const group of overlapping(diffLists(base, mine), diffLists(base, theirs))) {
    const alike = group.from - from;
    if (alike > 0) take(group.from, mineFrom + alike, theirsFrom + alike);
    const length = group.to - group.from;
    take(group.to, mineFrom + length + group.mineGrows, theirsFrom + length + group.theirsGrows);
  }
  if (from < base.length) take(base.length, mine.length, theirs.length);
  return stretches;
}

/** A region of the base that one or both sides changed. */
interface Group {
  from: number;
  to: number;
  /** How many items longer the region is on this side than in the base. */
  mineGrows: number;
  theirsGrows: number;
}

/** Adjacent changes stay separate, except for two insertions at the same place. */
function overlapping(mine: readonly Hunk[], theirs: readonly Hunk[]): Group[] {
  const all = [
    ...mine.map((hunk) => groupOf(hunk, true)),
    ...theirs.map((hunk) => groupOf(hunk, false)),
  ];
  all.sort((one, other) => one.from - other.from || one.to - other.to);
  const groups: Group[] = [];
  for (const next of all) {
    const last = groups.at(-1);
    const insertions = last?.from === next.from && last.to === next.to;
    if (!last || (next.from >= last.to && !insertions)) {
      groups.push(next);
      continue;
    }
    last.to = Math.max(last.to, next.to);
    last.mineGrows += next.mineGrows;
    last.theirsGrows += next.theirsGrows;
  }
  return groups;
}

function groupOf(hunk: Hunk, ofMine: boolean): Group {
  const grows = hunk.afterTo - hunk.afterFrom - (hunk.beforeTo - hunk.beforeFrom);
  return {
    from: hunk.beforeFrom,
    to: hunk.beforeTo,
    mineGrows: ofMine ? grows : 0,
    theirsGrows: ofMine ? 0 : grows,
  };
}
