/** Content that joins the block above it takes on that block's style: bullets, numbers, checkboxes. */
import type { Lines } from './lines';

interface Item {
  readonly indent: string;
  /** `-`, `*` or `+`, or a number with `.` or `)`. */
  readonly marker: string;
  readonly gap: string;
  /** Such as `[ ]`; '' for no task. */
  readonly box: string;
  readonly words: string;
}

function itemOf(line: string): Item | null {
  const [, indent = '', marker, gap = ' ', box = '', words = ''] =
    /^([ \t]*)([-*+]|\d{1,9}[.)])([ \t]+)(?:(\[[^\]]\])[ \t]+)?(.*)$/s.exec(line) ?? [];
  return marker === undefined ? null : { indent, marker, gap, box, words };
}

const isNumber = (marker: string) => /^\d/.test(marker);

/**
 * Items of content that is put into a list, in the style of the list. Nested lines, and content that begins with
 * something else than an item, stay as they are.
 *
 * @param line before which the content goes, from 1
 */
export function inStyleOfList(content: string, lines: Lines, line: number): string {
  const above = line > 1 ? itemOf(lines.content(line - 1)) : null;
  const below = line <= lines.count ? itemOf(lines.content(line)) : null;
  const neighbor = above ?? below;
  const rows = content.split('\n');
  const first = itemOf(rows[0] ?? '');
  if (!neighbor || !first || first.indent !== neighbor.indent) return content;
  let number = isNumber(neighbor.marker) ? Number.parseInt(neighbor.marker, 10) : 0;
  if (!above) number -= 1;
  return rows
    .map((row) => {
      const item = itemOf(row);
      if (!item || item.indent !== neighbor.indent) return row;
      number += 1;
      const marker = isNumber(neighbor.marker)
        ? `${Math.max(number, 0)}${neighbor.marker.at(-1)}`
        : neighbor.marker;
      // A list of open and done tasks gets an open one.
      const box = item.box !== '' || neighbor.box === '' ? item.box : '[ ]';
      return `${item.indent}${marker}${neighbor.gap}${box === '' ? '' : `${box} `}${item.words}`;
    })
    .join('\n');
}

const KINDS: readonly RegExp[] = [/^\s*(?:[-*+]|\d{1,9}[.)])\s/, /^\s*\|/, /^\s*>/];

/** Whether content needs a blank line to be a block of its own below this line. */
export function needsGap(above: string, content: string): boolean {
  if (above.trim() === '' || /^#{1,6}\s/.test(above)) return false;
  const [first = ''] = content.split('\n', 1);
  if (first.trim() === '') return false;
  return !KINDS.some((kind) => kind.test(above) && kind.test(first));
}
