import type { Pos } from 'obsidian';

/** Offsets of the lines of a text, to convert between offsets and Obsidian's positions. */
export class LineStarts {
  readonly #starts = [0];

  constructor(text: string) {
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) {
      this.#starts.push(at + 1);
    }
  }

  get count(): number {
    return this.#starts.length;
  }

  start(line: number): number {
    return this.#starts[line] ?? 0;
  }

  /** Position of a range within known lines; the end is exclusive. */
  span(startLine: number, start: number, endLine: number, end: number): Pos {
    return {
      start: { line: startLine, col: start - this.start(startLine), offset: start },
      end: { line: endLine, col: end - this.start(endLine), offset: end },
    };
  }
}
