import type { PrintedLine } from '../../printed-lines';
import { counted } from '#messages/plural';
import { lineHunks, Lines } from './text-lines';
import { commonEnd, commonStart, type Hunk } from '#text/list-diff';
import { splitsPair } from '#text/shorten';

export interface DiffOptions {
  /** Unchanged lines around each change. */
  context?: number;
  /** Passages that are shown; the others are only counted. */
  maxPassages?: number;
  maxLines?: number;
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
 * A long line is cut around its change, and both cuts are marked with `…`.
 * Numbers are padded to the same width and followed by two spaces. Line endings are not compared.
 * Empty if no line changed.
 */
export function renderDiff(before: string, after: string, options: DiffOptions = {}): Diff {
  const { context = 1, maxPassages = 3, maxLines = 40 } = options;
  const [old, made] = [new Lines(before), new Lines(after)];
  const passages = passagesOf(lineHunks(old, made), context);
  const rows = diffRows(old, made, passages.slice(0, maxPassages), context);
  const shown = rows.slice(0, maxLines);
  const width = shown.reduce((most, row) => Math.max(most, numberWidth(row)), 1);
  const text = shown.map((row) => renderRow(row, width));
  if (rows.length > shown.length) text.push(describeCut(rows, shown.length));
  if (passages.length > maxPassages) text.push(countsOf(passages.slice(maxPassages)));
  return { text: text.join('\n'), printed: shown.flatMap(printedOf) };
}

/** The lines that went and came, without numbers: `- old`, `+ new`. */
export function changedLineTexts(before: string, after: string): string[] {
  const [old, made] = [new Lines(before), new Lines(after)];
  return lineHunks(old, made)
    .flatMap((hunk) => changeRows(old, made, hunk))
    .flatMap((row) =>
      row.kind === 'gap' ? [] : [`${row.kind} ${cutToChange(row.content, row.other)}`],
    );
}

/** A removed line is not in the new text, so it has no number. */
function printedOf(row: Row): PrintedLine[] {
  if (row.kind === 'gap' || row.kind === '-') return [];
  return [[row.number, cutToChange(row.content, row.other)]];
}

/** Changes whose context lines touch are one passage. */
type Passage = readonly Hunk[];

function passagesOf(hunks: readonly Hunk[], context: number): Passage[] {
  const passages: Hunk[][] = [];
  for (const hunk of hunks) {
    const last = passages.at(-1);
    const end = last?.at(-1)?.afterTo;
    if (last && end !== undefined && hunk.afterFrom - end <= 2 * context) last.push(hunk);
    else passages.push([hunk]);
  }
  return passages;
}

function countsOf(passages: readonly Passage[]): string {
  const hunks = passages.flat();
  const added = hunks.reduce((sum, { afterFrom, afterTo }) => sum + afterTo - afterFrom, 0);
  const removed = hunks.reduce((sum, { beforeFrom, beforeTo }) => sum + beforeTo - beforeFrom, 0);
  return `${counted(passages.length, 'more passage')} changed: ${counted(added, 'line')} added, ${removed} removed`;
}

function diffRows(
  before: Lines,
  after: Lines,
  passages: readonly Passage[],
  context: number,
): Row[] {
  const hunks = passages.flat();
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

function renderRow(row: Row, width: number): string {
  if (row.kind === 'gap') return '…';
  const number = (row.kind === '-' ? '' : `${row.number}`).padStart(width);
  return `${row.kind}${number}  ${cutToChange(row.content, row.other)}`;
}

/** Longer lines are cut. */
const MAX_LINE_CHARS = 120;
/** What is shown of a change within a line, and of the line around it. */
const MAX_CHANGE_CHARS = 200;
const AROUND_CHARS = 40;

/** Cuts a long line around the part that differs from its counterpart. */
function cutToChange(content: string, other: string | null): string {
  if (content.length <= MAX_LINE_CHARS) return content;
  if (other === null) return cutLine(content, 0, MAX_LINE_CHARS);
  const from = commonStart(content, other);
  const to = content.length - commonEnd(content, other, from);
  const end = Math.min(to, from + MAX_CHANGE_CHARS);
  return cutLine(content, from - AROUND_CHARS, end + AROUND_CHARS);
}

function cutLine(content: string, from: number, to: number): string {
  let [start, end] = [Math.max(0, from), Math.min(content.length, to)];
  if (splitsPair(content, start)) start -= 1;
  if (splitsPair(content, end)) end += 1;
  const mark = (isCut: boolean) => (isCut ? '…' : '');
  return mark(start > 0) + content.slice(start, end) + mark(end < content.length);
}

function describeCut(rows: readonly Row[], shown: number): string {
  const rest = rows.slice(shown);
  const added = rest.filter((row) => row.kind === '+');
  const removed = rest.filter((row) => row.kind === '-');
  const next = rest.find((row) => row.kind !== 'gap' && row.kind !== '-');
  const from = next && next.kind !== 'gap' ? `; read_file from line ${next.number} shows them` : '';
  return `… the diff goes on: ${added.length} more lines added, ${removed.length} more removed${from}`;
}
