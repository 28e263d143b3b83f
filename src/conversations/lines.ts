/** Files of lines that are only ever appended, and may end in the middle of one. */

/**
 * Ends a line that was cut while it was written, so that it is not taken for a damaged one: whoever wrote it knew that
 * it was not kept.
 */
export const CUT = '…\n';

/** What the next append has to begin with, so that the end of the file does not swallow it. */
export type Mend = '' | '\n' | typeof CUT;

/** @param last the last line; @param isWhole whether it could be read */
export function mendOf(text: string, last: string, isWhole: boolean): Mend {
  if (text === '' || text.endsWith('\n')) return '';
  // Anything else was never the beginning of a line.
  return !isWhole && last.startsWith('{') ? CUT : '\n';
}

/** One by one: to split a long file takes a while. Empty and cut ones are passed by. */
export function* linesIn(text: string): Generator<string, void> {
  for (let start = 0; start < text.length;) {
    const found = text.indexOf('\n', start);
    const end = found < 0 ? text.length : found;
    const line = text.slice(start, end);
    start = end + 1;
    if (line.trim() !== '' && !`${line}\n`.endsWith(CUT)) yield line;
  }
}

/** As it lies on disk: a character may take three. */
export function bytesOf(text: string): number {
  return new TextEncoder().encode(text).length;
}
