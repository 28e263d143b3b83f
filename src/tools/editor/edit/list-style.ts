/** Fits inserted list items to the list around them. */
import { type ListItem, readListItem } from '#text/block-marks';
import { lineContexts } from '#text/note-structure';
import { contentsOf, type Lines } from './text-lines';

const isNumber = (mark: string) => /^\d/.test(mark);

/**
 * The list item with this indent directly above a line (from 1), skipping its nested lines; null if
 * there is none.
 */
function itemAbove(lines: readonly string[], line: number, indent: string): ListItem | null {
  for (let at = line - 2; at >= 0; at -= 1) {
    const above = lines[at] ?? '';
    const item = readListItem(above);
    if (item?.indent === indent) return item;
    const isNested = /^[ \t]/.test(above) && above.trim() !== '';
    if (!isNested) return null;
  }
  return null;
}

/**
 * Adapts inserted list items to the surrounding list: marker, numbering and checkbox. Nested lines
 * and content that does not begin with an item are unchanged.
 *
 * @param line the line that the content is inserted before, from 1
 */
export function inStyleOfList(content: string, note: Lines, line: number): string {
  const rows = content.split('\n');
  const first = readListItem(rows[0] ?? '');
  if (!first) return content;
  const lines = contentsOf(note);
  const contexts = lineContexts(lines);
  const isText = contexts[line - 2] === 'text' || /^[ \t]/.test(lines[line - 2] ?? '');
  const above = isText ? itemAbove(lines, line, first.indent) : null;
  const below = contexts[line - 1] === 'text' ? readListItem(lines[line - 1] ?? '') : null;
  const neighbor = above ?? below;
  if (!neighbor || first.indent !== neighbor.indent) return content;
  let number = isNumber(neighbor.mark) ? Number.parseInt(neighbor.mark, 10) : 0;
  if (!above) number -= 1;
  const inside = lineContexts(rows);
  const end = listEnd(rows, first);
  return rows
    .map((row, at) => {
      const item = at < end && inside[at] === 'text' ? readListItem(row) : null;
      if (!item || item.indent !== neighbor.indent) return row;
      number += 1;
      const mark = isNumber(neighbor.mark)
        ? `${Math.max(number, 0)}${neighbor.mark.at(-1)}`
        : neighbor.mark;
      // In a task list, a new item becomes an open task.
      const box = neighbor.box === null ? item.box : (item.box ?? ' ');
      const gap = neighbor.gap || ' ';
      return `${item.indent}${mark}${gap}${box === null ? '' : `[${box}] `}${item.words}`;
    })
    .join('\n');
}

/**
 * Row at which the first list of the content ends: unindented text, or an item of another kind of
 * list.
 */
function listEnd(rows: readonly string[], first: ListItem): number {
  const end = rows.findIndex((row) => {
    if (row.trim() === '' || /^[ \t]/.test(row)) return false;
    const item = readListItem(row);
    return item === null || isNumber(item.mark) !== isNumber(first.mark);
  });
  return end < 0 ? rows.length : end;
}
