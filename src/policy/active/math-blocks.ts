/**
 * Follows blocks of math (`$$`) through the lines of a note. A fence within math opens no code, so
 * that code is certain only where it is code both with and without math around it.
 */
import { reachingCommand } from '#text/embedded-languages';

type State = 'closed' | 'open' | 'unclear';

/** Marks that may make a `$$` after them code, a link, HTML or a comment. */
const MAY_HIDE = /[`[<%]|\\$/;

export class MathReader {
  /** The last line with a mark; math that is never closed is none to some parsers. */
  readonly #last: number;
  #state: State = 'closed';
  /** The quotes that contain the open block. */
  #quotes = 0;

  /**
   * Whether code would have meant something as math while math may have been open. Then it may be
   * math, and everything below may be read in another way.
   */
  isLost = false;

  constructor(lines: readonly string[]) {
    this.#last = lines.findLastIndex((line) => line.includes('$$'));
  }

  /** Whether math may be open before this line. */
  mayBeOpen(at: number): boolean {
    return this.#state !== 'closed' && at <= this.#last;
  }

  /** Reads a line of code, or one that begins it. */
  readCode(line: string, at: number): void {
    const isClear = this.#state === 'closed' || at > this.#last;
    this.isLost ||= !isClear && (line.includes('$$') || reachingCommand(line) >= 0);
  }

  /**
   * Reads the next line outside of code.
   *
   * @param isSure whether a block in this line certainly is in nothing but quotes
   * @returns whether the line is math, or may be and would mean something as math
   */
  read(line: string, at: number, quotes: number, isSure: boolean): boolean {
    if (at > this.#last) return false;
    const before = this.#state;
    if (before === 'open' && quotes !== this.#quotes) this.#state = 'unclear';
    const hasMark = line.includes('$$');
    if (hasMark) this.#state = after(this.#state, line.split('$$'), isSure);
    if (before === 'closed') this.#quotes = quotes;
    if (before === 'closed' && (this.#state === 'closed' || at === this.#last)) return false;
    return hasMark || this.#state === 'open' || reachingCommand(line) >= 0;
  }
}

/** @param parts the line, split at its marks */
function after(before: State, parts: readonly string[], isSure: boolean): State {
  const [first = '', second = ''] = parts;
  const isAlone = parts.length === 2 && /^ {0,3}(?:> ?)*$/.test(first);
  if (before === 'open') return isAlone && second.trim() === '' ? 'closed' : 'unclear';
  if (before === 'unclear') return 'unclear';
  if (parts.length % 2 === 0) {
    return isAlone && isSure && !second.includes('`') ? 'open' : 'unclear';
  }
  const isHidden = parts.some((part, at) =>
    at % 2 === 1 ? part.includes('`') : at < parts.length - 1 && MAY_HIDE.test(part),
  );
  return isHidden ? 'unclear' : 'closed';
}
