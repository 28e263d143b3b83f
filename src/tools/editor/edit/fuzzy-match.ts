/** A passage of the note; `end` is exclusive. */
export interface TextPassage {
  start: number;
  end: number;
}

export interface Matches {
  passages: TextPassage[];
  /** True if the two passages found overlap, so that only one can be replaced. */
  entangled: boolean;
  /** How the note differs from the text that was looked for; null for exact matches. */
  drift: string | null;
}

/**
 * Finds passages in one note, exactly or despite drift. The folded text is computed on first use.
 */
export class Finder {
  private folded: Folded | null = null;

  constructor(private readonly text: string) {}

  /** Returns exact matches if there are any, otherwise matches that differ only by drift. */
  find(wanted: string): Matches {
    const exact = occurrences(this.text, wanted);
    if (exact.starts.length > 0) {
      const passages = exact.starts.map((start) => this.exactPassage(start, wanted));
      return { passages, entangled: exact.entangled, drift: null };
    }
    const passages = this.findDrifted(wanted);
    const first = passages.passages[0];
    if (!first) return { ...passages, drift: null };
    return { ...passages, drift: nameDrift(wanted, this.text.slice(first.start, first.end)) };
  }

  /**
   * A match that starts with the LF of a CRLF includes the CR, which would be left behind
   * otherwise.
   */
  private exactPassage(start: number, wanted: string): TextPassage {
    const inside = wanted.startsWith('\n') && this.text[start - 1] === '\r';
    return { start: inside ? start - 1 : start, end: start + wanted.length };
  }

  private findDrifted(wanted: string): Omit<Matches, 'drift'> {
    const needle = foldDrift(wanted).text;
    if (needle.trim() === '') return { passages: [], entangled: false };
    this.folded ??= foldDrift(this.text);
    const { text, source } = this.folded;
    const spaces = endsInSpaces(wanted);
    const found = occurrences(text, needle);
    const passages: TextPassage[] = [];
    for (const start of found.starts) {
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
    return { passages, entangled: found.entangled && passages.length > 1 };
  }
}

/**
 * Positions of `needle`, without overlaps as in replace-all. If there is only one, a second one
 * that overlaps it is returned too.
 */
function occurrences(text: string, needle: string): { starts: number[]; entangled: boolean } {
  const starts: number[] = [];
  for (let at = text.indexOf(needle); at !== -1; at = text.indexOf(needle, at + needle.length)) {
    starts.push(at);
  }
  const only = starts.length === 1 ? starts[0] : undefined;
  const second = only === undefined ? -1 : text.indexOf(needle, only + 1);
  return second === -1
    ? { starts, entangled: false }
    : { starts: [...starts, second], entangled: true };
}

/**
 * Drift: how a passage copied by a model differs from the note. Look-alike characters are swapped,
 * and invisible ones are lost. Each kind has a name for messages.
 */
/** First in a class: a variation selector after another character looks combined with it. */
const HIDDEN = '\\uFE0E\\uFE0F\\u00AD\\u200B-\\u200F\\u2060\\uFEFF';
const FIXED_SPACES = '\\u00A0\\u2007\\u202F';
const BLANK = `[${HIDDEN} \\t${FIXED_SPACES}]`;
/** The lookbehind matches only at the first blank of a run, which keeps long runs linear. */
const TRAILING = `(?<!${BLANK})${BLANK}+(?=\\r?\\n|$)`;

interface Kind {
  name: string;
  fold: (text: string) => string;
}

function replacing(name: string, pattern: RegExp, replacement: string): Kind {
  return { name, fold: (text) => text.replace(pattern, replacement) };
}

const SPACES_AT_LINE_ENDS = replacing(
  'ignoring spaces at line ends',
  new RegExp(TRAILING, 'g'),
  '',
);

const KINDS: readonly Kind[] = [
  replacing('reading CRLF as LF', /\r\n/g, '\n'),
  SPACES_AT_LINE_ENDS,
  {
    name: 'ignoring differences in Unicode composition (NFC and NFD)',
    fold: (text) => text.normalize('NFC'),
  },
  {
    name: 'treating curly quotes as straight ones',
    fold: (text) => text.replace(/[‘’‚‛]/g, "'").replace(/[“”„‟]/g, '"'),
  },
  replacing('treating dashes as hyphens', /[‐‑‒–—―−]/g, '-'),
  replacing('treating no-break spaces as spaces', new RegExp(`[${FIXED_SPACES}]`, 'g'), ' '),
  replacing('ignoring invisible characters', new RegExp(`[${HIDDEN}]`, 'g'), ''),
];

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

function foldPiece(piece: string): string {
  return KINDS.reduce(
    (text, kind) => (kind === SPACES_AT_LINE_ENDS ? text : kind.fold(text)),
    piece,
  );
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

/** Whether a text ends in spaces, which folding removes. */
export function endsInSpaces(text: string): boolean {
  return ENDS_IN_SPACE.test(text);
}

/** Number of blanks from `offset` on. */
export function blanksFrom(text: string, offset: number): number {
  let at = offset;
  while (at < text.length && ONLY_BLANK.test(text[at] ?? '')) at++;
  return at - offset;
}

/**
 * Number of variation selectors at `offset`. They belong to the character before and mean nothing
 * without it.
 */
export function selectorsFrom(text: string, offset: number): number {
  let at = offset;
  while (text[at] === '\uFE0E' || text[at] === '\uFE0F') at++;
  return at - offset;
}

/** A minimal set of drift kinds that makes both texts equal, to follow "matched after". */
export function nameDrift(written: string, found: string): string {
  const same = (kinds: typeof KINDS) => foldBy(kinds, written) === foldBy(kinds, found);
  let needed = KINDS;
  for (const kind of KINDS) {
    const without = needed.filter((other) => other !== kind);
    if (same(without)) needed = without;
  }
  return needed.map((kind) => kind.name).join(', ');
}

function foldBy(kinds: typeof KINDS, text: string): string {
  return kinds.reduce((folded, kind) => kind.fold(folded), text);
}

/** Minimum share of the wanted trigrams that a passage must contain to be shown. */
const MIN_SHARE = 0.25;
const TRIGRAM_CHARS = 3;

/**
 * The passage most similar to `wanted`: the window of its length that shares the most trigrams. One
 * linear pass; it needs neither line breaks nor spaces between words.
 */
export function closestPassage(text: string, wanted: string): TextPassage | null {
  const target = flatten(wanted.trim());
  if (target.length < TRIGRAM_CHARS) return null;
  const source = flatten(text);
  const sought = new Map<number, number>();
  for (let at = 0; at + TRIGRAM_CHARS <= target.length; at++) {
    const gram = gramAt(target, at);
    sought.set(gram, (sought.get(gram) ?? 0) + 1);
  }
  const grams = target.length - TRIGRAM_CHARS + 1;
  const size = Math.min(grams, source.length - TRIGRAM_CHARS + 1);
  const best = bestWindow(source, sought, size);
  if (best.shared < grams * MIN_SHARE) return null;
  return trim(source, sought, best.start, best.start + size);
}

function bestWindow(source: Uint16Array, wanted: Map<number, number>, size: number) {
  const open = new Map(wanted);
  let shared = 0;
  let best = { start: 0, shared: 0 };
  for (let at = 0; at + TRIGRAM_CHARS <= source.length; at++) {
    const entering = gramAt(source, at);
    const left = open.get(entering);
    if (left !== undefined) {
      if (left > 0) shared++;
      open.set(entering, left - 1);
    }
    if (at >= size) {
      const leaving = gramAt(source, at - size);
      const owed = open.get(leaving);
      if (owed !== undefined) {
        if (owed >= 0) shared--;
        open.set(leaving, owed + 1);
      }
    }
    if (shared > best.shared) best = { start: Math.max(0, at - size + 1), shared };
  }
  return best;
}

/** Drops the text before the first and after the last shared trigram. */
function trim(
  source: Uint16Array,
  wanted: Map<number, number>,
  from: number,
  to: number,
): TextPassage {
  let start = from;
  let last = to - 1;
  while (start < last && !wanted.has(gramAt(source, start))) start++;
  while (last > start && !wanted.has(gramAt(source, last))) last--;
  return { start, end: Math.min(source.length, last + TRIGRAM_CHARS) };
}

/**
 * A number for three characters, small enough for fast lookups. Two trigrams rarely have the same
 * one, and then count as the same.
 */
function gramAt(codes: Uint16Array, at: number): number {
  return (
    (((codes[at] ?? 0) << 20) ^ ((codes[at + 1] ?? 0) << 10) ^ (codes[at + 2] ?? 0)) & 0x3fffffff
  );
}

/** Character codes with case, quotes, dashes and blanks unified; positions stay the same. */
function flatten(text: string): Uint16Array {
  const lower = text.toLowerCase();
  // Some letters get longer in lower case, which would shift positions.
  const even = lower.length === text.length ? lower : text;
  const codes = new Uint16Array(even.length);
  for (let at = 0; at < even.length; at++) codes[at] = evenCode(even.charCodeAt(at));
  return codes;
}

function evenCode(code: number): number {
  if (code <= 0x20 || code === 0xa0) return 0x20;
  if (code === 0x2018 || code === 0x2019) return 0x27;
  if (code === 0x201c || code === 0x201d) return 0x22;
  if (code >= 0x2010 && code <= 0x2015) return 0x2d;
  return code;
}
