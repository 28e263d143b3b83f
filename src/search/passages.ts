/** The lines of a note that say most about a query. */
import { noteLines, pieces, STEP } from './note-lines';
import type { Match } from './ranking';
import { folded, wordsOf } from './words';

export interface PassageLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  /** About where the first word of the query stands; absent in lines around. */
  readonly matchAt?: number;
}

export interface Passage {
  /** Below which it stands; null where it is the first of the passage, or there is none. */
  readonly heading: { readonly text: string; readonly line: number } | null;
  readonly lines: readonly PassageLine[];
}

interface Hit extends PassageLine {
  /** By word of the query. */
  readonly worth: readonly number[];
  /** Place of the heading that it stands below, itself for one; -1 for none. */
  readonly heading: number;
}

/** Lines that a passage may span. */
const SPAN = 6;

/** An address says less than words do. */
const ADDRESS = /\b[a-z][a-z\d+.-]*:\/\/[^\s)>]+/gi;
const ADDRESS_WORTH = 0.3;

/**
 * The first lines, with the properties that fit, where no line of the text has a word of the query, as for a note that
 * is only called so. In steps.
 */
export function* bestPassage(
  text: string,
  matches: ReadonlyMap<string, readonly Match[]>,
  words: number,
): Generator<void, Passage> {
  const lines: PassageLine[] = [];
  const properties: PassageLine[] = [];
  const headings: { text: string; line: number }[] = [];
  const hits: Hit[] = [];
  let left = STEP;
  for (const { number, text: line, says, field } of noteLines(text)) {
    if (field === null) continue;
    const hit = yield* hitIn(says, matches, words);
    if (field !== 'body' && field !== 'heading') {
      if (hit) properties.push({ number, text: line, matchAt: 0 });
      continue;
    }
    lines.push({ number, text: line });
    if (field === 'heading') {
      headings.push({ text: line.replace(/^[\s#]+|[\s#]+$/g, ''), line: number });
    }
    if (hit) hits.push({ ...hit, number, text: line, heading: headings.length - 1 });
    left -= line.length + 1;
    if (left > 0) continue;
    left = STEP;
    yield;
  }
  const best = bestOf(hits, words);
  if (!best) return { heading: null, lines: [...properties, ...firstWithText(lines)] };
  const [first, last] = best;
  const heading = headings[first.heading] ?? null;
  const isOwn = heading?.line === first.number;
  const known = new Map(hits.map((hit) => [hit.number, hit]));
  // A heading says what it is about only with what stands below it.
  const to = Math.max(last.number, isOwn ? first.number + 2 : 0);
  return {
    heading: isOwn ? null : heading,
    lines: lines
      .filter(({ number }) => number >= first.number && number <= to)
      .map(({ number, text }) => {
        const matchAt = known.get(number)?.matchAt;
        return { number, text, ...(matchAt === undefined ? {} : { matchAt }) };
      }),
  };
}

function* hitIn(
  line: string,
  matches: ReadonlyMap<string, readonly Match[]>,
  words: number,
): Generator<void, { worth: number[]; matchAt: number } | null> {
  let worth: number[] | null = null;
  let matchAt = 0;
  let from = 0;
  for (const piece of pieces(line)) {
    if (from > 0) yield;
    const prose = piece.replace(ADDRESS, ' ');
    for (const [names, share] of [
      [wordsOf(prose), 1],
      [prose === piece ? [] : wordsOf(piece), ADDRESS_WORTH],
    ] as const) {
      for (const name of names) {
        for (const match of matches.get(name) ?? []) {
          if (match.worth <= 0) continue;
          if (!worth) matchAt = from + Math.max(0, folded(piece).indexOf(name));
          worth ??= new Array<number>(words).fill(0);
          worth[match.word] = Math.max(worth[match.word]!, match.worth * share);
        }
      }
    }
    from += piece.length;
  }
  return worth && { worth, matchAt };
}

/** The first and the last hit of the stretch that has most, the first such. */
function bestOf(hits: readonly Hit[], words: number): readonly [Hit, Hit] | null {
  let best: readonly [Hit, Hit] | null = null;
  let most = 0;
  for (const [at, first] of hits.entries()) {
    const has = new Array<number>(words).fill(0);
    for (let next = at; next < hits.length; next++) {
      const hit = hits[next]!;
      if (hit.heading !== first.heading || hit.number >= first.number + SPAN) break;
      // More of the same counts a little.
      let value = 0;
      for (let word = 0; word < words; word++) {
        has[word] = Math.max(has[word]!, hit.worth[word]!);
        value += has[word]!;
      }
      value *= 1 + 0.05 * (next - at);
      if (value <= most + 1e-9) continue;
      most = value;
      best = [first, hit];
    }
  }
  return best;
}

function firstWithText(lines: readonly PassageLine[]): readonly PassageLine[] {
  return lines.filter(({ text }) => text.trim() !== '').slice(0, 3);
}
