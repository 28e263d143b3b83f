import type { PrintedLine } from '../../shown-notes';
import { cutAround, lineHunks, Lines } from './text-lines';
import { commonEnd, commonStart, type Hunk } from '#text/list-diff';

export interface DiffOptions {
  /** Unchanged lines around each change. */
  context?: number;
  maxLines?: number;
  /** Maximum characters shown of one line. */
  maxLineLength?: number;
}

export interface Diff {
  readonly text: string;
  /** Lines of the new text that the diff shows with their numbers. */
  readonly printed: readonly PrintedLine[];
}

type Row = { kind: ' ' | '-' | '+'; number: number; content: string; other: string | null } | Gap;

interface Gap {
  kind: 'gap';
}

/**
 * Renders a diff for the model, with line numbers that it can use in its next call:
 *
 *     ` 12  context`   unchanged, with its number in the new text
 *     `-    old`       removed
 *     `+13  new`       added, with its number in the new text
 *     `…`              unchanged lines left out
 *
 * Numbers are padded to the same width and followed by two spaces. Line endings are not compared.
 * Empty if no line changed.
 */
export function renderDiff(before: string, after: string, options: DiffOptions = {}): Diff {
  const { context = 3, maxLines = 200, maxLineLength = 400 } = options;
  const rows = diffRows(new Lines(before), new Lines(after), context);
  const shown = rows.slice(0, maxLines);
  const width = shown.reduce((most, row) => Math.max(most, numberWidth(row)), 1);
  const text = shown.map((row) => renderRow(row, width, maxLineLength));
  if (rows.length > shown.length) text.push(describeCut(rows, shown.length));
  return { text: text.join('\n'), printed: shown.flatMap((row) => printedOf(row, maxLineLength)) };
}

/** A removed line is not in the new text, so it has no number. */
function printedOf(row: Row, most: number): PrintedLine[] {
  if (row.kind === 'gap' || row.kind === '-') return [];
  return [[row.number, cutToChange(row.content, row.other, most)]];
}

function diffRows(before: Lines, after: Lines, context: number): Row[] {
  const hunks = lineHunks(before, after);
  const rows: Row[] = [];
  let shown = 0;
  hunks.forEach((hunk, at) => {
    const from = Math.max(shown, hunk.afterFrom - context);
    if (from > shown) rows.push({ kind: 'gap' });
    for (let line = from; line < hunk.afterFrom; line++) rows.push(rowOf(' ', after, line + 1));
    // Not `push(...rows)`: a long note has more rows than a call may have arguments.
    for (const row of changeRows(before, after, hunk)) rows.push(row);
    const limit = hunks[at + 1]?.afterFrom ?? after.count;
    shown = Math.min(limit, hunk.afterTo + context);
    for (let line = hunk.afterTo; line < shown; line++) rows.push(rowOf(' ', after, line + 1));
  });
  if (hunks.length > 0 && shown < after.count) rows.push({ kind: 'gap' });
  return rows;
}

/**
 * Removed and added lines alternate in blocks of this size, so that a diff that is cut shows both.
 */
const BLOCK_LINES = 50;

function changeRows(before: Lines, after: Lines, hunk: Hunk): Row[] {
  const { beforeFrom, beforeTo, afterFrom, afterTo } = hunk;
  const rows: Row[] = [];
  const length = Math.max(beforeTo - beforeFrom, afterTo - afterFrom);
  for (let from = 0; from < length; from += BLOCK_LINES) {
    const to = Math.min(from + BLOCK_LINES, length);
    for (let at = from; at < Math.min(to, beforeTo - beforeFrom); at += 1) {
      const other = afterFrom + at < afterTo ? after.content(afterFrom + at + 1) : null;
      rows.push(rowOf('-', before, beforeFrom + at + 1, other));
    }
    for (let at = from; at < Math.min(to, afterTo - afterFrom); at += 1) {
      const other = beforeFrom + at < beforeTo ? before.content(beforeFrom + at + 1) : null;
      rows.push(rowOf('+', after, afterFrom + at + 1, other));
    }
  }
  return rows;
}

function rowOf(
  kind: ' ' | '-' | '+',
  lines: Lines,
  line: number,
  other: string | null = null,
): Row {
  return { kind, number: line, content: lines.content(line), other };
}

function numberWidth(row: Row): number {
  return row.kind === 'gap' ? 0 : `${row.number}`.length;
}

function renderRow(row: Row, width: number, most: number): string {
  if (row.kind === 'gap') return '…';
  const number = (row.kind === '-' ? '' : `${row.number}`).padStart(width);
  return `${row.kind}${number}  ${cutToChange(row.content, row.other, most)}`;
}

/** Cuts a long line around the part that differs from its counterpart. */
function cutToChange(content: string, other: string | null, most: number): string {
  if (content.length <= most) return content;
  if (other === null) return cutAround(content, 0, 0, most);
  const from = commonStart(content, other);
  const same = commonEnd(content, other, from);
  return cutAround(content, from, content.length - same, most);
}

function describeCut(rows: readonly Row[], shown: number): string {
  const rest = rows.slice(shown);
  const added = rest.filter((row) => row.kind === '+');
  const removed = rest.filter((row) => row.kind === '-');
  const next = rest.find((row) => row.kind !== 'gap' && row.kind !== '-');
  const from = next && next.kind !== 'gap' ? `; read_file from line ${next.number} shows them` : '';
  return `… the diff goes on: ${added.length} more lines added, ${removed.length} more removed${from}`;
}
