import type { Corpus } from './corpus';
import { MAX_STEPS, type Pattern } from './pattern';
import type { Slice } from './sliced-work';

/** Called with each match, in order. */
export interface MatchSink {
  add(from: number, to: number): void;
  /** False once only counts are needed; any position in the matching line will do then. */
  readonly wantsPlaces: boolean;
}

/**
 * Finds all matches of a pattern. A multiline pattern is matched against the whole text, any other
 * against each line without its line break. Extracting every line is slow, so there are two
 * shortcuts with the same result: search the whole text at once, or only the lines that contain the
 * pattern's literal.
 *
 * Yields between steps; none takes more than `MAX_STEPS` engine steps. Returns the number of lines
 * (or texts, for a multiline pattern) that were too long to search.
 */
export function* findMatches(
  text: string,
  pattern: Pattern,
  sink: MatchSink,
): Generator<void, number> {
  if (pattern.findLiteral(text, 0) < 0) return 0;
  if (pattern.multiline) return (yield* searchPiece(text, 0, pattern, sink)) ? 0 : 1;
  if (canSearchWhole(text, pattern)) {
    runEngine(pattern.withinLines, text, 0, pattern, sink);
    return 0;
  }
  let tooLong = 0;
  let work = 0;
  for (let start = 0; start <= text.length;) {
    if (pattern.hasLiteral) {
      const literal = pattern.findLiteral(text, start);
      if (literal < 0) break;
      if (literal > start) start = text.lastIndexOf('\n', literal - 1) + 1;
    }
    const end = endOfLine(text, start);
    const line = text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end);
    if (!(yield* searchPiece(line, start, pattern, sink))) tooLong++;
    start = end + 1;
    work += pattern.stepsOn(line.length);
    if (work > MAX_STEPS) {
      work = 0;
      yield;
    }
  }
  return tooLong;
}

/**
 * Whether searching the whole text at once gives the same matches and is fast enough for one step.
 */
function canSearchWhole(text: string, pattern: Pattern): boolean {
  if (text.includes('\r')) return false;
  if (pattern.isQuickOn(text.length)) return true;
  // A match never spans lines here, so the cost depends on the longest line.
  const longest = Math.max(1, longestLine(text));
  return pattern.stepsOn(longest) * (text.length / longest) <= MAX_STEPS;
}

function longestLine(text: string): number {
  let longest = 0;
  for (let start = 0; start <= text.length;) {
    const end = endOfLine(text, start);
    longest = Math.max(longest, end - start);
    start = end + 1;
  }
  return longest;
}

/** Returns false if the text is too long for this pattern. */
function* searchPiece(
  piece: string,
  offset: number,
  pattern: Pattern,
  sink: MatchSink,
): Generator<void, boolean> {
  if (pattern.isQuickOn(piece.length)) {
    runEngine(pattern.regExp, piece, offset, pattern, sink);
    return true;
  }
  const linear = pattern.linearMatcher;
  if (!linear) return false;
  for (let at = 0; at <= piece.length;) {
    const span = yield* linear.find(piece, at);
    if (!span) break;
    sink.add(offset + span.from, offset + span.to);
    at = span.to > span.from ? span.to : pattern.advance(piece, span.to);
  }
  return true;
}

function runEngine(
  regExp: RegExp,
  piece: string,
  offset: number,
  pattern: Pattern,
  sink: MatchSink,
): void {
  regExp.lastIndex = 0;
  while (sink.wantsPlaces || pattern.canBeEmpty || pattern.multiline) {
    const match = regExp.exec(piece);
    if (!match) return;
    const length = match[0].length;
    sink.add(offset + match.index, offset + match.index + length);
    if (length === 0) regExp.lastIndex = pattern.advance(piece, match.index);
  }
  // `test` creates no match array and takes half the time.
  while (regExp.test(piece)) sink.add(offset + regExp.lastIndex - 1, offset + regExp.lastIndex);
}

/** Index of the line break, or the end of the text. */
export function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

export interface ExcerptLine {
  number: number;
  text: string;
  /** Column where the first match begins; absent in context lines. */
  matchAt?: number;
}

/** Consecutive lines. */
export type Excerpt = ExcerptLine[];

interface Stretch {
  firstLine: number;
  lastLine: number;
  /** Offset of the start of the first line. */
  from: number;
  /** Offset of the end of the last line, without its line break. */
  to: number;
  hits: Map<number, number>;
}

/**
 * Counts matches, which must arrive in order, and collects the lines around them. Matches whose
 * context lines touch share an excerpt; after the maximum number of excerpts, matches are only
 * counted.
 */
export class ExcerptCollector implements MatchSink {
  matches = 0;
  /** Number of lines with a match. */
  lines = 0;
  private readonly stretches: Stretch[] = [];
  /** The current line: its number, its start, and its end, or -1 if that is not known yet. */
  private lineNumber = 1;
  private lineStart = 0;
  private lineEnd = -1;
  private countedTo = -1;
  private full: boolean;

  constructor(
    private readonly text: string,
    private readonly contextLines: number,
    private readonly most: number,
  ) {
    this.full = most <= 0;
  }

  add(from: number, to: number): void {
    // There is no line after the final line break, and none in an empty text.
    if (from === this.text.length && (from === 0 || this.text[from - 1] === '\n')) return;
    this.matches++;
    if (this.full && to <= this.countedTo) return;
    // A match that ends with a line break does not reach into the next line.
    const last = to > from && this.text[to - 1] === '\n' ? to - 1 : to;
    if (!this.full) this.collect(from, last);
    if (from <= this.countedTo && last <= this.countedTo) return;
    let end = endOfLine(this.text, Math.max(from, this.countedTo + 1));
    for (this.lines++; end < last; this.lines++) end = endOfLine(this.text, end + 1);
    this.countedTo = end;
  }

  get wantsPlaces(): boolean {
    return !this.full;
  }

  excerpts(): Excerpt[] {
    return this.stretches.map((stretch) => this.excerpt(stretch));
  }

  private collect(from: number, to: number): void {
    const firstLine = this.lineOf(from);
    const start = this.lineStart;
    const before = this.stretches.at(-1);
    const touches =
      before !== undefined &&
      firstLine - this.contextLines <= before.lastLine + this.contextLines + 1;
    if (!touches && this.stretches.length >= this.most) {
      this.full = true;
      return;
    }
    const lastLine = this.lineOf(to);
    const end = this.lineEnd;
    const hits = before && touches ? before.hits : new Map<number, number>();
    for (let line = firstLine; line <= lastLine; line++) {
      if (!hits.has(line)) hits.set(line, line === firstLine ? from - start : 0);
    }
    if (before && touches) Object.assign(before, { lastLine, to: end });
    else this.stretches.push({ firstLine, lastLine, from: start, to: end, hits });
  }

  private lineOf(place: number): number {
    // The end is found once per line, because a line can have as many matches as characters.
    if (this.lineEnd < 0) this.lineEnd = endOfLine(this.text, this.lineStart);
    while (this.lineEnd < place) {
      this.lineStart = this.lineEnd + 1;
      this.lineNumber++;
      this.lineEnd = endOfLine(this.text, this.lineStart);
    }
    return this.lineNumber;
  }

  private excerpt({ firstLine, from, to, hits }: Stretch): Excerpt {
    let number = firstLine;
    let start = from;
    for (; firstLine - number < this.contextLines && start > 0; number--) {
      start = start === 1 ? 0 : this.text.lastIndexOf('\n', start - 2) + 1;
    }
    let end = to;
    for (let line = 0; line < this.contextLines && end < this.text.length - 1; line++) {
      end = endOfLine(this.text, end + 1);
    }
    return this.text
      .slice(start, end)
      .split('\n')
      .map((line, place, { length }) => {
        const matchAt = hits.get(number + place);
        // Without a line feed after it, a carriage return is not part of the line ending.
        const isOpen = place === length - 1 && end === this.text.length;
        const text = isOpen ? line : line.replace(/\r$/, '');
        return { number: number + place, text, ...(matchAt === undefined ? {} : { matchAt }) };
      });
  }
}

export interface GrepOptions {
  /** Context lines before and after a match. */
  contextLines?: number;
  /** Matches beyond this limit are counted without an excerpt. */
  maxExcerpts?: number;
}

export interface TextMatches {
  matches: number;
  /** Number of lines with a match. */
  lines: number;
  excerpts: Excerpt[];
  /** Number of lines (or texts, if the pattern is multiline) too long for the pattern. */
  tooLong: number;
}

/** Finds all matches in one text, without yielding. */
export function searchText(text: string, pattern: Pattern, options: GrepOptions = {}): TextMatches {
  const steps = searchTextInSteps(text, pattern, options);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** Like `searchText`, in steps of a few milliseconds. */
export function* searchTextInSteps(
  written: string,
  pattern: Pattern,
  { contextLines = 2, maxExcerpts = Infinity }: GrepOptions = {},
): Generator<void, TextMatches> {
  const text = pattern.textToSearch(written);
  const collector = new ExcerptCollector(text, contextLines, maxExcerpts);
  const tooLong = yield* findMatches(text, pattern, collector);
  const { matches, lines } = collector;
  return { matches, lines, excerpts: collector.excerpts(), tooLong };
}

export interface SearchOptions extends GrepOptions {
  slice: Slice;
  signal?: AbortSignal;
  /** Whether the text of a document hides it; it is then skipped as if it did not exist. */
  hides?: (id: string, text: string) => boolean;
  /** Called for each document with excerpts as soon as it has been searched. */
  onFound?: (found: DocumentMatches) => void;
}

export interface DocumentMatches {
  id: string;
  matches: number;
  excerpts: Excerpt[];
}

export interface SearchResult {
  /** Number of matches in all documents, including those without an excerpt. */
  matches: number;
  lines: number;
  files: number;
  searched: number;
  /** Documents with excerpts, in the order of the ids. */
  found: DocumentMatches[];
  /** Ids of documents that could not be loaded. */
  unread: string[];
  /**
   * Ids of documents with lines that were too long for the pattern; these lines are not counted.
   */
  incomplete: string[];
  /** False after an abort; the counts then cover only what was searched. */
  finished: boolean;
}

/** Finds all matches in these documents. Documents that come first get the excerpts. */
export async function searchDocuments(
  corpus: Corpus,
  ids: Iterable<string>,
  pattern: Pattern,
  { contextLines, maxExcerpts = 50, slice, signal, hides, onFound }: SearchOptions,
): Promise<SearchResult> {
  const found: DocumentMatches[] = [];
  const incomplete: string[] = [];
  const total = { matches: 0, lines: 0, files: 0, searched: 0 };
  let room = maxExcerpts;

  function* search(id: string, text: string): Generator<void, void> {
    const inText = yield* searchTextInSteps(text, pattern, { contextLines, maxExcerpts: room });
    if (inText.tooLong > 0) incomplete.push(id);
    if (inText.matches === 0) return;
    total.matches += inText.matches;
    total.lines += inText.lines;
    total.files++;
    if (inText.excerpts.length === 0) return;
    room -= inText.excerpts.length;
    const { matches, excerpts } = inText;
    found.push({ id, matches, excerpts });
    onFound?.({ id, matches, excerpts });
  }

  const { finished, unread } = await corpus.scan(
    ids,
    (id, text) => {
      if (hides?.(id, text)) return undefined;
      total.searched++;
      // Most texts lack the pattern's literal and are skipped here.
      const searched = pattern.textToSearch(text);
      return pattern.findLiteral(searched, 0) < 0 ? undefined : search(id, searched);
    },
    { slice, signal },
  );
  return { ...total, found, unread, incomplete, finished };
}
