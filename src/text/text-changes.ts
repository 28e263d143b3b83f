/** The changes of an editor that turn one text into another. */
import { changedLines, commonEnd, commonStart, linesOf } from './list-diff';
import { wordPieces } from './word-diff';

/** Replaces the text between two offsets of the original. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * Minimal changes from `before` to `after`, from the top. What both texts have stays, so that a
 * cursor, selection, or IME composition there keeps its place: word by word or, in long changes,
 * line by line.
 */
export function textChanges(before: string, after: string): TextChange[] {
  const middle = changedLines(before, after);
  const changes: TextChange[] = [];
  let at = middle.from;
  let open: { from: number; to: number; text: string } | null = null;
  const pieces = wordPieces(
    before.slice(middle.from, middle.beforeTo),
    after.slice(middle.from, middle.afterTo),
  );
  for (const { kind, text } of pieces) {
    if (text === '') continue;
    if (kind === 'same') {
      open = null;
      at += text.length;
      continue;
    }
    if (!open) changes.push((open = { from: at, to: at, text: '' }));
    if (kind === 'added') open.text += text;
    else open.to = at += text.length;
  }
  return changes.flatMap((change) => lineByLine(before, change));
}

/** As many changes as lines if both sides have the same number of them. */
function lineByLine(before: string, { from, to, text }: TextChange): TextChange[] {
  const old = linesOf(before.slice(from, to));
  const fresh = linesOf(text);
  if (old.length !== fresh.length) return narrowed(before, { from, to, text });
  let at = from;
  return old.flatMap((line, index) => {
    const start = at;
    at += line.length;
    return narrowed(before, { from: start, to: at, text: fresh[index] ?? '' });
  });
}

/** Removes the common prefix and suffix; empty if nothing differs. */
function narrowed(before: string, { from, to, text }: TextChange): TextChange[] {
  const old = before.slice(from, to);
  let start = commonStart(old, text);
  if (start === old.length && start === text.length) return [];
  if (isHigh(old.charCodeAt(start - 1))) start -= 1;
  let end = commonEnd(old, text, start);
  if (isLow(old.charCodeAt(old.length - end))) end -= 1;
  return [{ from: from + start, to: to - end, text: text.slice(start, text.length - end) }];
}

/** High surrogate: the first code unit of a character that takes two. */
function isHigh(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000;
}
