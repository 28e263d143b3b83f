/**
 * Fits inserted lines to the Markdown around them: the style of the list, and blank lines that keep
 * blocks apart.
 */
import {
  DIVIDER,
  type ListItem,
  readCallout,
  readHeading,
  readListItem,
  UNDERLINE,
} from '#text/block-marks';
import {
  blankInlineCode,
  headingsIn,
  isDelimiterRow,
  isTableRow,
  lineContexts,
} from '#text/note-structure';
import { blankLinks } from '#text/link-reader';
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

type BlockKind = 'list' | 'table' | 'quote' | 'footnote' | 'html' | 'text';

/**
 * The kind of block that a line begins; null for plain text, which may also continue the block
 * above.
 */
function kindBegun(line: string): BlockKind | null {
  if (/^\s*>/.test(line)) return 'quote';
  if (readListItem(line)) return 'list';
  if (/^ {0,3}\[\^[^\]]+\]:/.test(line)) return 'footnote';
  return /^ {0,3}<[a-z/!]/i.test(line) ? 'html' : null;
}

/** The kind of block that a line (from 0) belongs to. */
function kindOf(lines: readonly string[], at: number): BlockKind {
  if (/^\s*\|/.test(lines[at] ?? '') || isTableRow(lines, at)) return 'table';
  let isNested = true;
  let isLazy = true;
  for (let line = at; line >= 0; line -= 1) {
    const words = lines[line] ?? '';
    isLazy &&= words.trim() !== '';
    const kind = isLazy || isNested ? kindBegun(words) : null;
    if (kind !== null && (isLazy || kind === 'list' || kind === 'footnote')) return kind;
    isNested &&= words.trim() === '' || /^[ \t]/.test(words);
    if (!isNested && !isLazy) break;
    if (readHeading(words) || DIVIDER.test(words)) break;
  }
  return 'text';
}

/**
 * Whether the content begins with table rows to append. A whole table, or a link with a bar, does
 * not count.
 */
function beginsWithRow(rows: readonly string[]): boolean {
  const plain = blankLinks(blankInlineCode(rows[0] ?? ''));
  return plain.includes('|') && !isDelimiterRow(rows, 1);
}

/**
 * Whether content needs a blank line above to be a block of its own below a line (from 1).
 *
 * @param isParagraph whether text below text must become a new paragraph
 */
export function needsGap(
  note: Lines,
  line: number,
  content: string,
  isParagraph: boolean,
): boolean {
  const lines = contentsOf(note);
  const above = lines[line - 1] ?? '';
  const rows = content.split('\n');
  if (line < 1 || above.trim() === '' || rows[0]?.trim() === '') return false;
  const contexts = lineContexts(lines);
  if (contexts[line - 1] !== 'text') return false;
  if (headingsIn(lines, contexts).some(({ lastLine }) => lastLine === line)) return false;
  const kind = kindOf(lines, line - 1);
  const isCallout = readCallout((rows[0] ?? '').replace(/^\s*>\s*/, '')) !== null;
  if (isCallout && kind === 'quote') return true;
  const isRow = kind === 'table' && beginsWithRow(rows);
  const own = isRow ? 'table' : kindOf(rows, 0);
  if (kind === 'table' && own === 'table') return !isRow;
  if (kind === 'text') return isParagraph;
  return kind !== own;
}

/**
 * Whether content inserted before a line (from 1) needs a blank line below, because it would turn
 * into a heading or join one otherwise.
 */
export function needsGapBelow(note: Lines, line: number, content: string): boolean {
  const lines = contentsOf(note);
  const below = lines[line - 1] ?? '';
  const rows = content.replace(/\n$/, '').split('\n');
  const last = rows.at(-1) ?? '';
  if (below.trim() === '' || last.trim() === '') return false;
  const isUnderlined = headingsIn(lines).some((each) => each.line === line && each.lastLine > line);
  const isUnderline = UNDERLINE.test(below) || DIVIDER.test(below);
  return isUnderlined || (isUnderline && kindOf(rows, rows.length - 1) === 'text');
}
