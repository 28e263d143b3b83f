/** One text made from another by changing as little as possible. */
import { diffLists } from './list-diff';

/** In place of what stands between two offsets of the text before. */
export interface TextChange {
  readonly from: number;
  readonly to: number;
  readonly text: string;
}

/**
 * What has to be changed in `before` to read `after`, from its top, each only as wide as it has to be: a cursor, a
 * selection or a composition elsewhere in the same paragraph stays where it is.
 */
export function textChanges(before: string, after: string): TextChange[] {
  const old = linesOf(before);
  const fresh = linesOf(after);
  const starts = [0];
  for (const line of old) starts.push((starts.at(-1) ?? 0) + line.length);
  return diffLists(old, fresh).flatMap(({ beforeFrom, beforeTo, afterFrom, afterTo }) => {
    const isLineByLine = beforeTo - beforeFrom === afterTo - afterFrom;
    const from = (index: number) => starts[index] ?? before.length;
    if (!isLineByLine) {
      const text = fresh.slice(afterFrom, afterTo).join('');
      return narrowed(before, { from: from(beforeFrom), to: from(beforeTo), text });
    }
    return fresh.slice(afterFrom, afterTo).flatMap((text, index) =>
      narrowed(before, {
        from: from(beforeFrom + index),
        to: from(beforeFrom + index + 1),
        text,
      }),
    );
  });
}

/** Without what both sides begin and end with; none if that is all. */
function narrowed(before: string, { from, to, text }: TextChange): TextChange[] {
  const old = before.slice(from, to);
  const shorter = Math.min(old.length, text.length);
  let start = 0;
  while (start < shorter && old[start] === text[start]) start += 1;
  if (start === old.length && start === text.length) return [];
  if (isHigh(old.charCodeAt(start - 1))) start -= 1;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === text.at(-1 - end)) end += 1;
  if (isLow(old.charCodeAt(old.length - end))) end -= 1;
  return [{ from: from + start, to: to - end, text: text.slice(start, text.length - end) }];
}

/** The first half of a sign that takes two. */
function isHigh(code: number): boolean {
  return code >= 0xd800 && code < 0xdc00;
}

function isLow(code: number): boolean {
  return code >= 0xdc00 && code < 0xe000;
}

function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}
