/** A note as a search reads it, line by line. */
import { linesOf } from '#model/change';

/** Where words stand; what is found in one counts more than in another. */
export type Field = 'title' | 'alias' | 'tag' | 'heading' | 'body';

export interface NoteLine {
  /** From 1. */
  readonly number: number;
  readonly text: string;
  /** What of it counts: of a property its value. */
  readonly says: string;
  /** Null for what says nothing by itself, such as most properties. */
  readonly field: Field | null;
}

/** So many characters are looked at before others have their turn. */
export const STEP = 20_000;

const FENCE = /^[ \t>]*(`{3,}|~{3,})/;
const HEADING = /^ {0,3}#{1,6}(?=[ \t])/;
const FIELDS: readonly [RegExp, Field][] = [
  [/^tags?$/i, 'tag'],
  [/^alias(?:es)?$/i, 'alias'],
  [/^title$/i, 'title'],
];

export function* noteLines(text: string): Generator<NoteLine, void> {
  const lines = linesOf(text.replace(/^\uFEFF/, ''));
  const end = /^---[ \t]*$/.test(lines[0] ?? '')
    ? lines.findIndex((line, at) => at > 0 && /^---[ \t]*$/.test(line))
    : -1;
  let property: Field | null = null;
  let fence = '';
  for (const [at, line] of lines.entries()) {
    const number = at + 1;
    if (at <= end) {
      const colon = nameEnd(line);
      if (colon > 0) {
        const name = line.slice(0, colon).replace(/["']/g, '').trim();
        property = FIELDS.find(([names]) => names.test(name))?.[1] ?? null;
      }
      const isFence = at === 0 || at === end;
      const says = colon > 0 ? line.slice(colon + 1) : line;
      yield { number, text: line, says, field: isFence ? null : property };
      continue;
    }
    const mark = FENCE.exec(line)?.[1] ?? '';
    if (fence === '') fence = mark;
    else if (mark.startsWith(fence)) fence = '';
    const isHeading = fence === '' && HEADING.test(line);
    yield { number, text: line, says: line, field: isHeading ? 'heading' : 'body' };
  }
}

/** A longer name is none of those that count. */
const LONGEST_NAME = 200;

/** Where the colon behind a property's name is; -1 in a line that begins none. */
function nameEnd(line: string): number {
  const colon = line.slice(0, LONGEST_NAME).indexOf(':');
  return /^["']?[^\s:#"'-]/.test(line) ? colon : -1;
}

/** Of a line that is longer than a step, cut between words where it has any. */
export function* pieces(line: string): Generator<string, void> {
  for (let from = 0; from < line.length;) {
    const space = from + STEP < line.length ? line.lastIndexOf(' ', from + STEP) : -1;
    const to = space > from ? space : from + STEP;
    yield line.slice(from, to);
    from = to;
  }
}
