import type { Pos } from 'obsidian';

/** Where the lines of a text begin, to say where something stands as Obsidian says it. */
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

  /** Of a stretch within known lines; the end is exclusive. */
  span(startLine: number, start: number, endLine: number, end: number): Pos {
    return {
      start: { line: startLine, col: start - this.start(startLine), offset: start },
      end: { line: endLine, col: end - this.start(endLine), offset: end },
    };
  }
}
