import { endOfLine, type MatchSink } from './matches';

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
