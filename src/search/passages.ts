/** Finds the passage of a note that matches a query best. */
import { noteLines } from './chunks';
import type { Match } from './ranking';
import { folded } from '#text/text-folding';
import { wordsOf } from './tokenizer';

export interface PassageLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  /** Approximate column of the first query word; -1 in context lines. */
  readonly matchAt: number;
}

export interface RankedPassage {
  /** The heading above the passage; null if the passage begins with it or there is none. */
  readonly heading: PassageLine | null;
  readonly lines: readonly PassageLine[];
}

interface Row extends PassageLine {
  /** How well the line matches each query word. */
  readonly scores: readonly number[];
  /** The heading above the line; for a heading, itself. */
  readonly heading: Row | null;
  readonly isBody: boolean;
}

/** Maximum number of lines in a passage. */
const MAX_PASSAGE_LINES = 6;

/**
 * Minimum number of lines in a passage that begins with a heading or property, which says little by
 * itself.
 */
const MIN_PASSAGE_LINES = 3;

/** A match inside a URL counts less than one in prose. */
const ADDRESS = /\b[a-z][a-z\d+.-]{0,20}:\/\/[^\s)>]+/gi;
const ADDRESS_WEIGHT = 0.3;

/** Returns the first lines if no line contains a query word, as in a note that matches by name only. */
export function bestPassage(
  text: string,
  matches: ReadonlyMap<string, readonly Match[]>,
  words: number,
): RankedPassage {
  const rows: Row[] = [];
  let heading: Row | null = null;
  for (const { number, text: line, says, field } of noteLines(text)) {
    if (field === null) continue;
    const hit = hitIn(says, matches, words);
    const isHeading: boolean = field === 'heading';
    const isBody = field === 'body';
    if (hit.matchAt < 0 && !isBody && !isHeading) continue;
    const row: Row = { ...hit, number, text: line, heading, isBody };
    if (isHeading) heading = Object.assign(row, { heading: row });
    rows.push(row);
  }
  const best = bestOf(rows, words);
  if (!best) return { heading: null, lines: rows.filter(hasText).slice(0, MIN_PASSAGE_LINES) };
  const [from, to] = best;
  const first = rows[from]!;
  return {
    heading: first.heading === first ? null : first.heading,
    lines: rows.slice(from, first.isBody ? to : Math.max(to, from + MIN_PASSAGE_LINES)),
  };
}

function hitIn(
  line: string,
  matches: ReadonlyMap<string, readonly Match[]>,
  words: number,
): Pick<Row, 'scores' | 'matchAt'> {
  const scores = new Array<number>(words).fill(0);
  let matchAt = -1;
  const prose = line.replace(ADDRESS, ' ');
  for (const each of new Set([prose, line])) {
    for (const name of wordsOf(each)) {
      for (const match of matches.get(name) ?? []) {
        if (match.score <= 0) continue;
        if (matchAt < 0) matchAt = Math.max(0, folded(line).indexOf(name));
        const value = match.score * (each === prose ? 1 : ADDRESS_WEIGHT);
        scores[match.word] = Math.max(scores[match.word]!, value);
      }
    }
  }
  return { scores, matchAt };
}

/** Returns start (inclusive) and end (exclusive) of the first window with the highest score. */
function bestOf(rows: readonly Row[], words: number): readonly [number, number] | null {
  let best: readonly [number, number] | null = null;
  let most = 0;
  for (const [from, { heading, matchAt }] of rows.entries()) {
    if (matchAt < 0) continue;
    const has = new Array<number>(words).fill(0);
    let hits = 0;
    for (let at = from; at < from + MAX_PASSAGE_LINES && rows[at]?.heading === heading; at++) {
      const row = rows[at]!;
      if (row.matchAt < 0) continue;
      let value = 0;
      for (let word = 0; word < words; word++) {
        has[word] = Math.max(has[word]!, row.scores[word]!);
        value += has[word]!;
      }
      // Each further line that matches adds a small bonus.
      value *= 1 + 0.05 * hits++;
      if (value <= most + 1e-9) continue;
      most = value;
      best = [from, at + 1];
    }
  }
  return best;
}

function hasText({ text }: PassageLine): boolean {
  return text.trim() !== '';
}
