import type { Pattern } from './pattern';

/** Called with each match, in order. */
export interface MatchSink {
  add(from: number, to: number, match: RegExpExecArray): void;
}

/** Characters of text searched in a step. */
const STEP_CHARS = 1_000_000;

/**
 * Finds all matches of a pattern. A multiline pattern is matched against the whole text, any other
 * against each line without its line break. Works in steps, but one match can take forever. Yields
 * how many characters were handled in each step.
 */
export function* findMatches(
  text: string,
  pattern: Pattern,
  sink: MatchSink,
): Generator<number, void> {
  if (pattern.multiline) {
    if (pattern.findLiteral(text, 0) >= 0) findIn(text, 0, pattern, sink);
    return;
  }
  for (let start = 0; start <= text.length;) {
    const end = findInLines(text, start, pattern, sink);
    yield Math.min(end, text.length) - start;
    start = end;
  }
}

/** Searches the lines that have the pattern's literal. Returns where the next step starts. */
function findInLines(text: string, from: number, pattern: Pattern, sink: MatchSink): number {
  let start = from;
  while (start <= text.length && start < from + STEP_CHARS) {
    const literal = pattern.findLiteral(text, start);
    if (literal < 0) return text.length + 1;
    if (literal > start) start = text.lastIndexOf('\n', literal - 1) + 1;
    const end = endOfLine(text, start);
    const line = text.slice(start, text[end - 1] === '\r' && end > start ? end - 1 : end);
    findIn(line, start, pattern, sink);
    start = end + 1;
  }
  return start;
}

/** @param offset of the line in its text */
function findIn(line: string, offset: number, pattern: Pattern, sink: MatchSink): void {
  const regExp = pattern.matcherFor(line);
  for (let match = regExp.exec(line); match; match = regExp.exec(line)) {
    const {
      0: { length },
      index,
    } = match;
    sink.add(offset + index, offset + index + length, match);
    if (length === 0) regExp.lastIndex = pattern.advance(line, index);
  }
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
}

/** Finds all matches in one text. Yields how many characters were handled in each step. */
export function* searchTextInSteps(
  written: string,
  pattern: Pattern,
  { contextLines = 2, maxExcerpts = Infinity }: GrepOptions = {},
): Generator<number, TextMatches> {
  // A byte order mark belongs to the file: without it, the first line begins as any other.
  const text = pattern.textToSearch(written.replace(/^\uFEFF/, ''));
  const collector = new ExcerptCollector(text, contextLines, maxExcerpts);
  yield* findMatches(text, pattern, collector);
  const { matches, lines } = collector;
  return { matches, lines, excerpts: collector.excerpts() };
}

export interface DocumentMatches {
  id: string;
  matches: number;
  /** Number of lines with a match, with or without an excerpt. */
  lines: number;
  excerpts: Excerpt[];
}

export interface SearchTotals {
  /** Number of matches in all documents, including those without an excerpt. */
  matches: number;
  lines: number;
  files: number;
  /** Number of documents that were searched, with or without a match. */
  searched: number;
}

/** All matches in a number of documents. */
export interface SearchResult extends SearchTotals {
  /** In the order of the ids: documents with excerpts, and the first of those without. */
  found: DocumentMatches[];
  /** Ids of documents that could not be read as text. */
  unread: string[];
}
