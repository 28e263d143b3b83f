/** The common start and the common end of two texts. */

/** Characters compared at once, which is far faster than one by one. */
const PIECE = 4_096;

/** The number of characters that both texts begin with. */
export function commonStart(before: string, after: string): number {
  const shorter = Math.min(before.length, after.length);
  let at = 0;
  const isSame = (from: number) =>
    before.slice(from, from + PIECE) === after.slice(from, from + PIECE);
  while (at + PIECE <= shorter && isSame(at)) at += PIECE;
  while (at < shorter && before.charCodeAt(at) === after.charCodeAt(at)) at += 1;
  return at;
}

/**
 * The number of characters that both texts end with.
 *
 * @param from the characters before it do not count, in both texts
 */
export function commonEnd(before: string, after: string, from = 0): number {
  const most = Math.min(before.length, after.length) - from;
  const piece = (text: string, end: number) =>
    text.slice(text.length - end - PIECE, text.length - end);
  let end = 0;
  while (end + PIECE <= most && piece(before, end) === piece(after, end)) end += PIECE;
  while (
    end < most &&
    before.charCodeAt(before.length - 1 - end) === after.charCodeAt(after.length - 1 - end)
  ) {
    end += 1;
  }
  return end;
}
