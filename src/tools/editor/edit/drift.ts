/**
 * How a model's copy of a passage drifts from the note: characters that look alike are swapped,
 * and those that cannot be seen are lost. Each kind has the words that tell of it.
 */
const HIDDEN = '\\u00AD\\u200B-\\u200F\\u2060\\uFEFF\\uFE0E\\uFE0F';
const FIXED_SPACES = '\\u00A0\\u2007\\u202F';
const BLANK = `[ \\t${FIXED_SPACES}${HIDDEN}]`;
/** The lookbehind lets only the first blank of a run try, so that long runs stay linear. */
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

/** A text without drift that still knows where each of its characters stood. */
export interface Folded {
  text: string;
  /** The characters of the source behind folded ones; null where the cut would split one of them. */
  source(from: number, to: number): { start: number; end: number } | null;
}

/** A stretch that folding changed, on both sides; between two of them the texts are the same. */
interface Seam {
  at: number;
  length: number;
  from: number;
  to: number;
}

const ALWAYS = `\\r\\n|${TRAILING}|[‘’‚‛“”„‟‐‑‒–—―−${FIXED_SPACES}${HIDDEN}]`;
/** Letters with their marks, Korean syllables with their parts, and single letters with two codes. */
const COMPOSED = '[\\uAC00-\\uD7A3\\u1100-\\u115F][\\u1160-\\u11FF]+|[^\\p{M}\\s]?\\p{M}+';
const SEAMS = new RegExp(ALWAYS, 'gu');
const SEAMS_WITH_MARKS = new RegExp(
  `\\r\\n|${TRAILING}|${COMPOSED}|[${FIXED_SPACES}${HIDDEN}]|[^\\x00-\\x7f]`,
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

/** Whether a text ends in spaces, which drift leaves out of a passage. */
export function endsInSpaces(text: string): boolean {
  return ENDS_IN_SPACE.test(text);
}

/** The blanks that follow `offset` up to the end of its line. */
export function blanksFrom(text: string, offset: number): number {
  let at = offset;
  while (at < text.length && ONLY_BLANK.test(text[at] ?? '')) at++;
  return at - offset;
}

/** What follows a character only to say how it is drawn, and means nothing without it. */
export function selectorsFrom(text: string, offset: number): number {
  let at = offset;
  while (text[at] === '\uFE0E' || text[at] === '\uFE0F') at++;
  return at - offset;
}

/** The fewest kinds of drift that make both texts the same, as words after "matched after". */
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
