import type { Corpus } from './corpus';
import { mostSteps, type Pattern } from './pattern';
import type { Slice } from './slices';

/** Told each match in order. */
export interface MatchSink {
  add(from: number, to: number): void;
  /** False once only numbers matter: any place in the line of the match will do then. */
  readonly wantsPlaces: boolean;
}

/**
 * Finds all matches. Yields between steps, none of which can take longer than `mostSteps` allows;
 * returns how many lines (or whole texts, for a multiline pattern) were too long to be searched.
 *
 * A pattern that may span lines sees the whole text, any other each line without its line break,
 * as if there were no others. Lines are slow to cut out one by one, so two short cuts are taken
 * where the answer is the same: the whole text is searched at once, or only the lines that hold
 * the pattern's literal.
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
    if (work > mostSteps) {
      work = 0;
      yield;
    }
  }
  return tooLong;
}

/** Whether the engine finds the same in the whole text, and is done with it in one step. */
function canSearchWhole(text: string, pattern: Pattern): boolean {
  if (text.includes('\r')) return false;
  if (pattern.isQuickOn(text.length)) return true;
  // No match leaves its line, so it is the lines that count.
  const longest = Math.max(1, longestLine(text));
  return pattern.stepsOn(longest) * (text.length / longest) <= mostSteps;
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

/** False where the piece is too long for this pattern. */
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
  // Without an array for each match this takes half the time.
  while (regExp.test(piece)) sink.add(offset + regExp.lastIndex - 1, offset + regExp.lastIndex);
}

/** The place of the line break, or the end of the text. */
export function endOfLine(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

export interface ExcerptLine {
  number: number;
  text: string;
  /** Where the first match begins in this line; absent in lines around it. */
  matchAt?: number;
}

/** Lines that follow each other. */
export type Excerpt = ExcerptLine[];

interface Stretch {
  firstLine: number;
  lastLine: number;
  /** Of the first line. */
  from: number;
  /** Of the last line, without its break. */
  to: number;
  hits: Map<number, number>;
}

/**
 * Counts matches that are told in order, and collects the lines around them. Matches whose surroundings touch share
 * an excerpt; once there are as many as wanted, they are only counted.
 */
export class ExcerptCollector implements MatchSink {
  matches = 0;
  /** Lines with a match. */
  lines = 0;
  private readonly stretches: Stretch[] = [];
  /** The line reached so far, where it begins, and where it ends once that was looked for. */
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
    // There is no line behind the last line break, and none in an empty text.
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
    // Looked for once a line: there may be as many matches in one as it has characters.
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
      .map((line, place) => {
        const matchAt = hits.get(number + place);
        const text = line.endsWith('\r') ? line.slice(0, -1) : line;
        return { number: number + place, text, ...(matchAt === undefined ? {} : { matchAt }) };
      });
  }
}

export interface GrepOptions {
  /** Lines shown before and after a match. */
  contextLines?: number;
  /** More are counted, but not kept. */
  maxExcerpts?: number;
}

export interface TextMatches {
  matches: number;
  /** Lines with a match. */
  lines: number;
  excerpts: Excerpt[];
  /** Lines (whole texts, where the pattern is multiline) too long for a pattern such as this. */
  tooLong: number;
}

/** All matches of one text, at once. */
export function searchText(text: string, pattern: Pattern, options: GrepOptions = {}): TextMatches {
  const steps = searchTextInSteps(text, pattern, options);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The same, in steps of some milliseconds at most. */
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
  /** Documents that are to be passed over as if they were not there, told by their text. */
  hides?: (id: string, text: string) => boolean;
  /** Told each document whose excerpts are kept, as soon as it was searched. */
  onFound?: (found: DocumentMatches) => void;
}

export interface DocumentMatches {
  id: string;
  matches: number;
  excerpts: Excerpt[];
}

export interface SearchResult {
  /** Of all documents, also those without an excerpt. */
  matches: number;
  lines: number;
  files: number;
  searched: number;
  /** In the order of the ids. */
  found: DocumentMatches[];
  /** Could not be loaded. */
  unread: string[];
  /** Have lines that were too long for the pattern and were left out of all counts. */
  incomplete: string[];
  /** False after an abort: the counts are what was found until then. */
  finished: boolean;
}

/** All matches in these documents; put the ids in the order in which excerpts are wanted. */
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
      // Most texts are passed over here.
      const searched = pattern.textToSearch(text);
      return pattern.findLiteral(searched, 0) < 0 ? undefined : search(id, searched);
    },
    { slice, signal },
  );
  return { ...total, found, unread, incomplete, finished };
}
