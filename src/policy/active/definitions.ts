/**
 * Finds how far a link-reference definition may reach. Its label and its title may go on over
 * several lines, and some parsers then take a code fence for a part of them.
 */
import type { Budget } from './budget';

/**
 * A definition up to its title, which may be missing. CommonMark allows no blank line in a title;
 * other parsers do.
 */
const DEFINITION =
  /\[(?:\\[^]|[^[\]\\\n]|\n(?!\n))*\]:[ \t]*(?:\n[ \t]*)?(?:<(?:\\.|[^\n<>\\])*>|[^<\s]\S*)(?:(?=\s)[ \t]*\n?[ \t]*(?:"(?:\\[^]|[^"\\])*"|'(?:\\[^]|[^'\\])*'|\((?:\\[^]|[^()\\])*\)))?(?=[ \t]*(?:\n|$))/y;

/** Marks of quotes, lists, tasks and footnotes, which a definition may follow. */
const LEAD = /^(?:[ \t>*+\-\d.)]|\[[^\]]?\](?!:)|\[\^[^\]]*\]:)*/;

export class DefinitionReader {
  readonly #text: string;
  readonly #starts: readonly number[];
  readonly #budget: Budget;

  constructor(lines: readonly string[], budget: Budget) {
    const bare = lines.some((line) => line.includes(']:'))
      ? lines.map((line) => line.replace(/^[ \t>]+/, ''))
      : [];
    let start = 0;
    this.#starts = bare.map((line) => {
      const at = start;
      start += line.length + 1;
      return at;
    });
    this.#text = bare.join('\n');
    this.#budget = budget;
  }

  /** The last line of a definition that may begin in this line; the line itself if there is none. */
  endOf(at: number): number {
    const start = this.#starts[at];
    if (start === undefined) return at;
    const line = this.#text.slice(start, this.#starts[at + 1] ?? this.#text.length);
    // A footnote may be a definition, or contain one.
    const first = /^(?:[ \t>*+\-\d.)]|\[[^\]^]?\](?!:))*/.exec(line)?.[0].length ?? 0;
    const last = LEAD.exec(line)?.[0].length ?? 0;
    const ends = [...new Set([first, last])].map((lead) => at + this.#breaksFrom(start + lead));
    return Math.max(...ends);
  }

  #breaksFrom(place: number): number {
    DEFINITION.lastIndex = place;
    const [found = ''] = DEFINITION.exec(this.#text) ?? [];
    this.#budget.spend(found.length);
    return found.split('\n').length - 1;
  }
}
