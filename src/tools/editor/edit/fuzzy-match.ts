import type { TextPassage } from '#text/closest-passage';

export interface Matches {
  /** They may overlap. */
  passages: TextPassage[];
  /** Whether the note differs from the text that was looked for. */
  isDrifted: boolean;
}

/** What may differ in a match, to follow "after". */
export const DRIFT =
  'ignoring differences in quotes, dashes, spaces, line endings and invisible characters';

/**
 * Finds passages in one note, exactly or despite drift. The folded text is computed on first use.
 */
export class Finder {
  private folded: Folded | null = null;

  constructor(private readonly text: string) {}

  /** Returns exact matches if there are any, otherwise matches that differ only by drift. */
  find(wanted: string): Matches {
    const exact = occurrences(this.text, wanted).map((start) => this.exactPassage(start, wanted));
    if (exact.length > 0) return { passages: exact, isDrifted: false };
    return { passages: this.findDrifted(wanted), isDrifted: true };
  }

  /**
   * A match that starts with the LF of a CRLF includes the CR, which would be left behind
   * otherwise.
   */
  private exactPassage(start: number, wanted: string): TextPassage {
    const inside = wanted.startsWith('\n') && this.text[start - 1] === '\r';
    return { start: inside ? start - 1 : start, end: start + wanted.length };
  }

  private findDrifted(wanted: string): TextPassage[] {
    const needle = foldDrift(wanted).text;
    if (needle.trim() === '') return [];
    this.folded ??= foldDrift(this.text);
    const { text, source } = this.folded;
    const spaces = ENDS_IN_SPACE.test(wanted);
    const passages: TextPassage[] = [];
    for (const start of occurrences(text, needle)) {
      const passage = source(start, start + needle.length);
      if (!passage) continue;
      passage.end += selectorsFrom(this.text, passage.end);
      if (spaces) {
        // Trailing spaces of the wanted text must match at the end of a line, not in the middle.
        const next = text[start + needle.length];
        if (next !== undefined && next !== '\n') continue;
        passage.end += blanksFrom(this.text, passage.end);
      }
      passages.push(passage);
    }
    return passages;
  }
}

/** Positions of `needle` that do not overlap; of a single one also the next that overlaps it. */
function occurrences(text: string, needle: string): number[] {
  const starts: number[] = [];
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + needle.length)) {
    starts.push(at);
  }
  const [only, other] = starts;
  const second = only === undefined || other !== undefined ? -1 : text.indexOf(needle, only + 1);
  return second === -1 ? starts : [...starts, second];
}

/** The passages from the first on without those that overlap one before. */
export function withoutOverlaps(passages: readonly TextPassage[]): TextPassage[] {
  let reach = 0;
  return passages.filter(({ start, end }) => {
    const isApart = start >= reach;
    if (isApart) reach = end;
    return isApart;
  });
}

/**
 * Drift: how a passage copied by a model differs from the note. Look-alike characters are swapped,
 * and invisible ones are lost.
 */
/** First in a class: a variation selector after another character looks combined with it. */
const HIDDEN = '\\uFE0E\\uFE0F\\u00AD\\u200B-\\u200F\\u2060\\uFEFF';
const FIXED_SPACES = '\\u00A0\\u2007\\u202F';
const BLANK = `[${HIDDEN} \\t${FIXED_SPACES}]`;
/** The lookbehind matches only at the first blank of a run, which keeps long runs linear. */
const TRAILING = `(?<!${BLANK})${BLANK}+(?=\\r?\\n|$)`;

/** A text without drift, with a map back to positions of the source. */
export interface Folded {
  text: string;
  /** Source range of folded characters; null if a boundary would split a source character. */
  source(from: number, to: number): { start: number; end: number } | null;
}

/**
 * A range that folding changed, in the folded text and in the source. Between seams the texts are
 * equal.
 */
interface Seam {
  at: number;
  length: number;
  from: number;
  to: number;
}

const ALWAYS = `\\r\\n|${TRAILING}|[${HIDDEN}${FIXED_SPACES}‘’‚‛“”„‟‐‑‒–—―−]`;
/** What NFC may change: letters with combining marks, and Korean syllables with their parts. */
const COMPOSED = '[\\uAC00-\\uD7A3\\u1100-\\u115F][\\u1160-\\u11FF]+|[^\\p{M}\\s]?\\p{M}+';
const SEAMS = new RegExp(ALWAYS, 'gu');
const SEAMS_WITH_MARKS = new RegExp(
  `\\r\\n|${TRAILING}|${COMPOSED}|[${HIDDEN}${FIXED_SPACES}]|[^\\x00-\\x7f]`,
  'gu',
);
const ONLY_BLANK = new RegExp(`^${BLANK}+$`);
const ENDS_IN_SPACE = new RegExp(`[ \\t${FIXED_SPACES}][${HIDDEN}]*$`);

export function foldDrift(text: string): Folded {
  const pattern = text.normalize('NFC') === text ? SEAMS : SEAMS_WITH_MARKS;
  const seams: Seam[] = [];
  const known = new Map<string, string>();
  const foldOnce = (piece: string) => {
    const folded = known.get(piece) ?? foldPiece(piece);
    known.set(piece, folded);
    return folded;
  };
  const parts: string[] = [];
  let length = 0;
  let done = 0;
  for (const match of text.matchAll(pattern)) {
    const found = match[0];
    const to = match.index + found.length;
    const folded = isBlankEnd(text, found, to) ? '' : foldOnce(found);
    if (folded === found) continue;
    parts.push(text.slice(done, match.index), folded);
    length += match.index - done;
    seams.push({ at: length, length: folded.length, from: match.index, to });
    length += folded.length;
    done = to;
  }
  parts.push(text.slice(done));
  return { text: parts.join(''), source: (from, to) => sourceOf(seams, from, to) };
}

function isBlankEnd(text: string, piece: string, to: number): boolean {
  return ONLY_BLANK.test(piece) && (to === text.length || /^\r?\n/.test(text.slice(to, to + 2)));
}

/** Without blanks at line ends, which depend on what follows. */
function foldPiece(piece: string): string {
  return piece
    .replace(/\r\n/g, '\n')
    .normalize('NFC')
    .replace(/[‘’‚‛]/g, "'")
    .replace(/[“”„‟]/g, '"')
    .replace(/[‐‑‒–—―−]/g, '-')
    .replace(new RegExp(`[${FIXED_SPACES}]`, 'g'), ' ')
    .replace(new RegExp(`[${HIDDEN}]`, 'g'), '');
}

function sourceOf(seams: readonly Seam[], from: number, to: number): ReturnType<Folded['source']> {
  const first = lastSeamAt(seams, from);
  const last = lastSeamAt(seams, to - 1);
  let start = from;
  if (first) {
    if (from > first.at && from < first.at + first.length) return null;
    start = from < first.at + first.length ? first.from : first.to + from - first.at - first.length;
  }
  let end = to;
  if (last) {
    if (to < last.at + last.length) return null;
    end = to === last.at + last.length ? last.to : last.to + to - last.at - last.length;
  }
  return { start, end };
}

function lastSeamAt(seams: readonly Seam[], at: number): Seam | undefined {
  let low = 0;
  let high = seams.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((seams[middle]?.at ?? Infinity) <= at) low = middle + 1;
    else high = middle;
  }
  return seams[low - 1];
}

/** Number of blanks from `offset` on. */
function blanksFrom(text: string, offset: number): number {
  let at = offset;
  while (at < text.length && ONLY_BLANK.test(text[at] ?? '')) at++;
  return at - offset;
}

/**
 * Number of variation selectors at `offset`. They belong to the character before and mean nothing
 * without it.
 */
function selectorsFrom(text: string, offset: number): number {
  let at = offset;
  while (text[at] === '\uFE0E' || text[at] === '\uFE0F') at++;
  return at - offset;
}
