/** The marks of blocks in a line of Markdown, as CommonMark 0.31.2 and Obsidian define them. */

/** Opens a block of code; the marks are its first group. */
export const FENCE = /^ {0,3}(`{3,}(?=[^`]*$)|~{3,})/;
/** Closes a block of code that at most as many of the same marks opened. */
export const CLOSING_FENCE = /^ {0,3}(`{3,}|~{3,})[ \t]*$/;
/** `---`, `***` or `___`, optionally with blanks in between. */
export const DIVIDER = /^ {0,3}([*_-])(?:[ \t]*\1){2,}[ \t]*$/;
/** Makes the paragraph above a heading, of level 1 with `=` and of level 2 with `-`. */
export const UNDERLINE = /^ {0,3}([=-])\1*[ \t]*$/;
/** Begins a list item; the number of an ordered one is its first group. */
export const LIST_MARK = /^ {0,3}(?:[*+-]|(\d{1,9})[.)])(?=[ \t]|$)/;
/** Source of a pattern for the mark of a quote or of a list item. */
export const CONTAINER_MARK = String.raw`(?:>|(?:[*+-]|\d{1,9}[.)])(?=[ \t]|$))`;

/** The indents and marks of the quotes and list items around the words of a line. */
export const CONTAINER_MARKS = new RegExp(`^(?:[ \\t]*${CONTAINER_MARK})*[ \\t]*`);

export const HEADING = /^ {0,3}(#{1,6})(?:[ \t]+(.*))?$/s;

/** Parses `## Words ##` into level and text; null for anything else, including `#tag`. */
export function readHeading(
  line: string,
): { readonly level: number; readonly text: string } | null {
  const match = HEADING.exec(line);
  if (!match?.[1]) return null;
  const words = (match[2] ?? '').trimEnd();
  const text = words.replace(/#+$/, '');
  const closed = text === '' || /[ \t]$/.test(text);
  return { level: match[1].length, text: closed ? text.trimEnd() : words };
}

export interface ListItem {
  readonly indent: string;
  /** `-`, `*` or `+`, or a number with `.` or `)`. */
  readonly mark: string;
  /** White space below the mark; empty only if nothing follows it. */
  readonly gap: string;
  /** The character in the box of a task, a space if it is open; null if the item is no task. */
  readonly box: string | null;
  readonly words: string;
}

const LIST_ITEM = /^([ \t]*)([*+-]|\d{1,9}[.)])(?:([ \t]+)(?:\[(.)\][ \t]+)?(.*))?$/su;

/** The list item that a line begins, at any indent; null for a divider. */
export function readListItem(line: string): ListItem | null {
  const match = DIVIDER.test(line) ? null : LIST_ITEM.exec(line);
  if (!match) return null;
  const [, indent = '', mark = '', gap = '', box = null, words = ''] = match;
  return { indent, mark, gap, box, words };
}

const CALLOUT_MARK = String.raw`\[!([^\]|\n]+)(?:\|[^\]\n]*)?\]([+-]?)(?:[ \t]+|$)`;
const CALLOUT = new RegExp(`^${CALLOUT_MARK}`);

/**
 * The beginning of a callout, such as `[!note|wide]- `; null for any other quote.
 *
 * @param words what follows the mark of the quote
 */
export function readCallout(
  words: string,
): { readonly marker: string; readonly kind: string; readonly fold: string } | null {
  const [marker, name = '', fold = ''] = CALLOUT.exec(words) ?? [];
  return marker === undefined ? null : { marker, kind: name.trim().toLowerCase(), fold };
}

const BEGINNING = new RegExp(
  String.raw`^(?:[ \t]*${CONTAINER_MARK}(?:(?<=>)[ \t]*${CALLOUT_MARK})?)*` +
    String.raw`(?:(?<=[-*+.)])[ \t]+\[(?<box>.)\](?=[ \t]))?[ \t]*`,
  'su',
);

/** The character in the box of a task in a list, also within a quote; null if the line is no task. */
export function taskBox(line: string): string | null {
  return BEGINNING.exec(line)?.groups?.['box'] ?? null;
}

/**
 * The words of a line without the marks of quotes, callouts, list items, tasks and headings; empty
 * for a divider or a fence.
 */
export function withoutBlockMarks(line: string): string {
  if (DIVIDER.test(line) || FENCE.test(line)) return '';
  const words = line.replace(BEGINNING, '');
  return (readHeading(words)?.text ?? words).trim();
}
