import type { PrintedLine } from '../../shown-notes';
import { changedRange, cutAround, lacksFinalNewline, Lines, usualEnding } from './text-lines';
import { commonEnd, commonStart, diffLists, type Hunk, moved } from '#text/list-diff';

export interface DiffOptions {
  /** Unchanged lines around each change. */
  context?: number;
  maxLines?: number;
  /** Maximum characters shown of one line. */
  maxLineLength?: number;
}

/** Cuts nothing, as `applyDiff` requires. */
export const UNBOUNDED: DiffOptions = {
  context: Infinity,
  maxLines: Infinity,
  maxLineLength: Infinity,
};

export interface Diff {
  readonly text: string;
  /** Lines of the new text that the diff shows with their numbers. */
  readonly printed: readonly PrintedLine[];
}

type Row =
  | { kind: ' ' | '-' | '+'; number: number; content: string; ending: string; other: string | null }
  | { kind: 'gap' };

const NO_NEWLINE = '\\ No newline at the end of the note.';
const NEWLINE = '\\ A newline at the end of the note.';

/**
 * Renders a diff for the model, with line numbers that it can use in its next call:
 *
 *     ` 12  context`   unchanged, with its number in the new text
 *     `-    old`       removed
 *     `+13  new`       added, with its number in the new text
 *     `…`              unchanged lines left out
 *     `\ …`            a note about a changed line ending
 *
 * Numbers are padded to the same width and followed by two spaces. Empty if nothing changed.
 */
export function renderDiff(before: string, after: string, options: DiffOptions = {}): Diff {
  const { context = 3, maxLines = 200, maxLineLength = 400 } = options;
  const usual = usualEnding(before);
  const rows = diffRows(new EndedLines(before, usual), new EndedLines(after, usual), context);
  const shown = rows.slice(0, maxLines);
  const width = shown.reduce((most, row) => Math.max(most, numberWidth(row)), 1);
  const text = shown.flatMap((row) => renderRow(row, width, maxLineLength, usual));
  if (rows.length > shown.length) text.push(describeCut(rows, shown.length));
  if (after !== '' && lacksFinalNewline(before) !== lacksFinalNewline(after)) {
    text.push(lacksFinalNewline(after) ? NO_NEWLINE : NEWLINE);
  }
  return { text: text.join('\n'), printed: shown.flatMap((row) => printedOf(row, maxLineLength)) };
}

/** A removed line is not in the new text, so it has no number. */
function printedOf(row: Row, most: number): PrintedLine[] {
  if (row.kind === 'gap' || row.kind === '-') return [];
  return [[row.number, cutToChange(row.content, row.other, most)]];
}

/** Restores the new text from the old text and a diff made with `UNBOUNDED`. */
export function applyDiff(before: string, diff: string): string {
  const usual = usualEnding(before);
  const old = new EndedLines(before, usual);
  const after: { content: string; ending: string }[] = [];
  let line = 1;
  let open = lacksFinalNewline(before);
  const keep = () => {
    after.push({ content: old.content(line), ending: old.ending(line) });
    line += 1;
  };
  for (const row of diff.split('\n')) {
    const [, kind, number, content = ''] = /^([ +]) *(\d+) {2}(.*)$/s.exec(row) ?? [];
    if (kind !== undefined) {
      while (after.length < Number(number) - 1) keep();
      if (kind === '+') after.push({ content, ending: usual });
      else keep();
    }
    if (row.startsWith('-')) line += 1;
    const latest = after.at(-1);
    if (row === endingNote('\n') && latest) latest.ending = '\n';
    if (row === endingNote('\r\n') && latest) latest.ending = '\r\n';
    if (row === NO_NEWLINE) open = true;
    if (row === NEWLINE) open = false;
  }
  while (line <= old.count) keep();
  const last = after.at(-1);
  if (last && open) last.ending = '';
  return after.map((one) => one.content + one.ending).join('');
}

/**
 * Lines of a text, the last one always with an ending, so that appending a line does not show the
 * line above as changed. The diff reports a missing final newline separately.
 */
class EndedLines {
  readonly count: number;
  readonly lines: Lines;

  constructor(
    text: string,
    private readonly usual: string,
  ) {
    this.lines = new Lines(text);
    this.count = this.lines.count;
  }

  content(line: number): string {
    return this.lines.content(line);
  }

  ending(line: number): string {
    return this.lines.ending(line) || this.usual;
  }

  /** Two lines are equal if their content and their endings are. */
  key(line: number): string {
    return (this.ending(line) === '\n' ? 'L' : 'C') + this.content(line);
  }

  /** From one line to another, which is excluded. */
  keys(from: number, to: number): string[] {
    return Array.from({ length: to - from }, (_, at) => this.key(from + at));
  }
}

function hunksOf(before: EndedLines, after: EndedLines): Hunk[] {
  const isSame = (line: number) => before.key(line) === after.key(line);
  const { from, beforeTo, afterTo } = changedRange(before.lines, after.lines, isSame);
  return diffLists(before.keys(from, beforeTo), after.keys(from, afterTo)).map((hunk) =>
    moved(hunk, from - 1, from - 1),
  );
}

function diffRows(before: EndedLines, after: EndedLines, context: number): Row[] {
  const hunks = hunksOf(before, after);
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

function changeRows(before: EndedLines, after: EndedLines, hunk: Hunk): Row[] {
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
  lines: EndedLines,
  line: number,
  other: string | null = null,
): Row {
  return { kind, number: line, content: lines.content(line), ending: lines.ending(line), other };
}

function numberWidth(row: Row): number {
  return row.kind === 'gap' ? 0 : `${row.number}`.length;
}

function renderRow(row: Row, width: number, most: number, usual: string): string[] {
  if (row.kind === 'gap') return ['…'];
  const number = (row.kind === '-' ? '' : `${row.number}`).padStart(width);
  const text = `${row.kind}${number}  ${cutToChange(row.content, row.other, most)}`;
  return row.kind === '+' && row.ending !== usual ? [text, endingNote(row.ending)] : [text];
}

/** Cuts a long line around the part that differs from its counterpart. */
function cutToChange(content: string, other: string | null, most: number): string {
  if (content.length <= most) return content;
  if (other === null) return cutAround(content, 0, 0, most);
  const from = commonStart(content, other);
  const same = commonEnd(content, other, from);
  return cutAround(content, from, content.length - same, most);
}

function endingNote(ending: string): string {
  return ending === '\n' ? '\\ This line ends with LF.' : '\\ This line ends with CRLF.';
}

function describeCut(rows: readonly Row[], shown: number): string {
  const rest = rows.slice(shown);
  const added = rest.filter((row) => row.kind === '+');
  const removed = rest.filter((row) => row.kind === '-');
  const next = rest.find((row) => row.kind !== 'gap' && row.kind !== '-');
  const from = next && next.kind !== 'gap' ? `; read_file from line ${next.number} shows them` : '';
  return `… the diff goes on: ${added.length} more lines added, ${removed.length} more removed${from}`;
}
