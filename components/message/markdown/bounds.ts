/**
 * Bounds on what is read as Markdown. marked recurses once per level of nesting, and some of its patterns take time
 * that grows with the square of the text, so hostile input is recognized here, in linear time, before marked sees it.
 */

/** Nested quotes, lists, callouts, footnotes, links or emphasis. No real note comes near it. */
export const MAX_NESTING_DEPTH = 50;

/** Marks times characters of one paragraph, heading or table cell: about 0.2 s of reading. */
export const MAX_INLINE_WORK = 50_000_000;

/** Columns times rows of one table. A short row is filled up, so two small numbers can make a huge table. */
export const MAX_TABLE_CELLS = 50_000;

/** Times that a quote goes on after lines without its mark. marked copies the rest of the quote each time. */
export const MAX_QUOTE_GAPS = 1_000;

/** A heading that is marked by an underline is looked for in this much text. */
export const MAX_UNDERLINED_CHARS = 2_000;

/** A longer address or title is left out of the HTML: a definition repeats it at every link that names it. */
export const MAX_ADDRESS_CHARS = 2_000;

/** Characters that begin or end something in a line, and line breaks, which end every search for one. */
const MARKS = /[*_~`<>![\]()$=^#&:@\\\n]/g;

/** How much work marked may have with one run of inline text, at worst. */
export function inlineWork(text: string): number {
  const marks = text.match(MARKS)?.length ?? 0;
  return marks * text.length + (text.includes('@') ? squaredWords(text) : 0);
}

/** Every letter before an `@` may begin an email address. */
function squaredWords(text: string): number {
  return text.split(/\s+/).reduce((sum, { length }) => sum + length * length, 0);
}

/** How many cells the table has that begins in the first line of `text`, if one does. */
export function tableCells(text: string): number {
  const header = text.indexOf('\n');
  if (header < 0) return 0;
  const delimiters = text.slice(header + 1, lineEnd(text, header + 1));
  if (!/^[ \t]*[|:-][ \t|:-]*$/.test(delimiters)) return 0;
  const columns = text.slice(0, header).split('|').length;
  const rows = text.slice(0, blockEnd(text)).split('\n').length;
  return columns * rows;
}

/** How often the quote that begins a text goes on after lines without its mark. */
export function quoteGaps(text: string): number {
  if (!/^ {0,3}>/.test(text)) return 0;
  const gaps = text.slice(0, blockEnd(text)).match(/\n(?! {0,3}>)[^\n]+(?=\n {0,3}>)/g);
  return gaps?.length ?? 0;
}

/** Where the first blank line of a text begins, or the text ends. */
export function blockEnd(text: string): number {
  const end = text.search(/\n[ \t]*(?:\n|$)/);
  return end < 0 ? text.length : end;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

/** A line that begins with more marks of quotes and list items than may nest. */
const DEEP_LINE = new RegExp(
  `^[ \\t]*(?:(?:>|(?:[-*+]|\\d{1,9}[.)])(?=[ \\t]))[ \\t]*){${MAX_NESTING_DEPTH + 1}}[^\\n]*`,
  'gm',
);
const NESTING_MARK = /[->*+.)]/;

/** Signs that no text holds, in place of marks. Each is as long as its mark, so that places stay the same. */
const HIDDEN = new Map(
  [...'>-*+.)'].map((mark, at) => [mark, String.fromCharCode(0xfdd0 + at)] as const),
);
const MARK_OF = new Map([...HIDDEN].map(([mark, sign]) => [sign, mark] as const));
const ANY_HIDDEN = /[\ufdd0-\ufdd5]/g;

/** Takes the first mark from every line that nests too deep, so that marked reads the line as text. */
export function hideDeepMarks(text: string): string {
  if (text.search(DEEP_LINE) < 0) return text;
  return text
    .replace(ANY_HIDDEN, '\ufffd')
    .replace(DEEP_LINE, (line) =>
      isTooDeep(line) ? line.replace(NESTING_MARK, (mark) => HIDDEN.get(mark) ?? mark) : line,
    );
}

export function hasHiddenMarks(text: string): boolean {
  return text.search(ANY_HIDDEN) >= 0;
}

export function showHiddenMarks(text: string): string {
  return text.replace(ANY_HIDDEN, (sign) => MARK_OF.get(sign) ?? sign);
}

/** A rule, such as `- - -`, is written with the marks of list items and nests nothing. */
function isTooDeep(line: string): boolean {
  const begins = line.slice(0, ruleStart(line));
  return (begins.match(/[>*+.)-]/g)?.length ?? 0) > MAX_NESTING_DEPTH;
}

/** Where a rule begins that ends the line; the line's length where none does. */
function ruleStart(line: string): number {
  const end = line.trimEnd();
  const mark = end.at(-1);
  if (mark !== '-' && mark !== '*') return line.length;
  let at = end.length;
  while (at > 0 && (end[at - 1] === mark || end[at - 1] === ' ' || end[at - 1] === '\t')) at -= 1;
  return at;
}
