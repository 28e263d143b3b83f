/** Reads a note line by line in a second way, to judge what changes do to its lines. */

/** What a line of a note is about, besides its words. */
export interface LineMeaning {
  /** Whether the line is in a code block or a `%%` comment. */
  readonly hidden: 'code' | 'comment' | null;
  /** Number of cells of a row; null outside of tables. */
  readonly cells: number | null;
  /** Status of a task and the words of the list item around it; null if it is none. */
  readonly task: string | null;
  /** Words of the line that a block id names; null without an id. */
  readonly named: string | null;
}

const NOTHING: LineMeaning = { hidden: null, cells: null, task: null, named: null };
const TASK = /^([\s>]*)(?:[-*+]|\d+[.)])\s+\[(.)\]\s/u;
const ITEM = /^([\s>]*)(?:[-*+]|\d+[.)])\s/;
const DELIMITER = /^[\s>]*\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?\s*)?$/;
const ID = /(?:^|\s)\^[\w-]+\s*$/;

/** The lines of a note without their endings; the mark at its beginning is not part of them. */
export function linesIn(text: string): string[] {
  return text.replace(/^\uFEFF/, '').split(/\r?\n/);
}

/** Where the front matter ends: the number of its lines. */
export function headLength(lines: readonly string[]): number {
  if (!/^---\s*$/.test(lines[0] ?? '')) return 0;
  return lines.findIndex((line, at) => at > 0 && /^---\s*$/.test(line)) + 1;
}

/**
 * @param code the lines of code blocks, from 0
 * @param marks what begins and ends comments, and formulas if these can hide the mark of a comment
 */
export function meaningsIn(
  lines: readonly string[],
  code: ReadonlySet<number>,
  marks: RegExp,
): LineMeaning[] {
  const top = headLength(lines);
  const marksIn = (line: string, at: number) =>
    at < top || code.has(at) ? [] : (line.match(marks) ?? []);
  const left = lines.flatMap(marksIn);
  let [open, isTable]: [string | null, boolean] = [null, false];
  return lines.map((line, at): LineMeaning => {
    const isBelowRow = isTable;
    isTable = false;
    if (at < top) return NOTHING;
    if (code.has(at)) return { ...NOTHING, hidden: 'code' };
    for (const mark of marksIn(line, at)) {
      left.shift();
      // Without an end, it begins nothing.
      if (open === null && left.includes(mark)) open = mark;
      else if (open === mark) open = null;
    }
    if (line.includes('%%')) return NOTHING;
    if (open === '%%') return { ...NOTHING, hidden: 'comment' };
    const isRow = line.includes('|');
    isTable = isRow && (isBelowRow || DELIMITER.test(lines[at + 1] ?? ''));
    return {
      hidden: null,
      cells: isTable ? line.replace(/\\\||^[\s>]*\||\|\s*$/g, '').split('|').length : null,
      task: taskAt(lines, at),
      named: namedAt(lines, at),
    };
  });
}

function taskAt(lines: readonly string[], at: number): string | null {
  const [, indent = '', status] = TASK.exec(lines[at] ?? '') ?? [];
  if (status === undefined) return null;
  for (let above = at - 1; above >= 0 && lines[above]?.trim() !== ''; above -= 1) {
    const around = ITEM.exec(lines[above] ?? '')?.[1];
    if (around !== undefined && around.length < indent.length) return `${status} ${lines[above]}`;
  }
  return status;
}

function namedAt(lines: readonly string[], at: number): string | null {
  const line = lines[at] ?? '';
  if (!ID.test(line)) return null;
  if (!line.trim().startsWith('^')) return line;
  return lines.slice(headLength(lines), at).findLast((each) => each.trim() !== '') ?? null;
}
