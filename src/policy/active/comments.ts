/**
 * Follows comments (`%%`) through the lines of a note. A fence within a comment opens no code, so
 * that code is certain only where no comment may be open.
 */

/** Marks that may make a `%%` after them in their paragraph code, math or HTML. */
const MAY_HIDE = /[`\\$<]|^(?: {4}|\t)|%%%/;

/** Marks of math and HTML, which begin nothing within a comment. */
const BEGINS = /\$\$|<[!?]|<(?:pre|script|style|textarea)/i;

type State = 'closed' | 'open' | 'unclear';

export class CommentReader {
  /** The last line with a mark; a comment that is never closed is none. */
  readonly #last: number;
  #state: State = 'closed';
  /** Whether the paragraph contains marks that may hide others. */
  #mayHide = false;
  /** Whether math or HTML may be open that this reader did not follow. */
  #isLost = false;

  constructor(lines: readonly string[]) {
    this.#last = lines.findLastIndex((line) => line.includes('%%'));
  }

  /**
   * Reads the next line outside of code.
   *
   * @param isSure whether a mark in this line certainly counts
   * @returns whether the line may be within a comment, or opens one
   */
  read(line: string, at: number, isSure: boolean): boolean {
    if (at > this.#last) return this.#isLost;
    const before = this.#state;
    this.#isLost ||= before === 'unclear' && BEGINS.test(line);
    const last = line.lastIndexOf('%%');
    if (last >= 0) {
      const isHidden = this.#mayHide || MAY_HIDE.test(line.slice(0, last + 2));
      this.#state = after(before, line.split('%%').length - 1, line, isSure && !isHidden);
    }
    this.#mayHide = !/^[\s>]*$/.test(line) && (this.#mayHide || MAY_HIDE.test(line));
    const isOpen = this.#state !== 'closed' && at < this.#last;
    return before !== 'closed' || isOpen;
  }
}

function after(before: State, marks: number, line: string, isSure: boolean): State {
  if (before === 'unclear' || !isSure) return 'unclear';
  if (before === 'open') return marks === 1 ? 'closed' : 'unclear';
  if (marks % 2 === 0) return 'closed';
  // Anywhere else the comment may end with its paragraph.
  return line.trim() === '%%' ? 'open' : 'unclear';
}
