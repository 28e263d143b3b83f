import { cutAround } from './excerpt';
import { diffLists, type Hunk } from '#model/list-diff';
import { lacksFinalNewline, Lines, usualEnding } from './lines';

export interface DiffOptions {
  /** Unchanged lines around each change. */
  context?: number;
  /** The most lines shown. */
  maxLines?: number;
  /** The most characters shown of one line. */
  maxLineLength?: number;
}

/** Everything there is, as `applyDiff` needs it. */
export const UNBOUNDED: DiffOptions = {
  context: Infinity,
  maxLines: Infinity,
  maxLineLength: Infinity,
};

type Row =
  | { kind: ' ' | '-' | '+'; number: number; content: string; ending: string; other: string | null }
  | { kind: 'gap' };

const NO_NEWLINE = '\\ No newline at the end of the note.';
const NEWLINE = '\\ A newline at the end of the note.';

/**
 * A diff for the model, with line numbers it can use in its next call:
 *
 *     ` 12  context`   unchanged, by its number in the after
 *     `-13  old`       removed, by its number in the before
 *     `+13  new`       added, by its number in the after
 *     `…`              unchanged lines left out
 *     `\ …`            about line endings, where they are not those of the before
 *
 * Numbers are padded to one width and two spaces follow. Empty when nothing changed.
 */
export function renderDiff(before: string, after: string, options: DiffOptions = {}): string {
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
  return text.join('\n');
}

/** Makes the after from the before and a diff of both that left nothing out. */
export function applyDiff(before: string, diff: string): string {
  const usual = usualEnding(before);
  const old = new EndedLines(before, usual);
  const removed = new Set<number>();
  const added = new Map<number, { content: string; ending: string }>();
  let latest: { content: string; ending: string } | undefined;
  let open = lacksFinalNewline(before);
  for (const row of diff.split('\n')) {
    const match = /^([-+]) *(\d+) {2}(.*)$/s.exec(row);
    if (match?.[1] === '-') removed.add(Number(match[2]));
    if (match?.[1] === '+') {
      latest = { content: match[3] ?? '', ending: usual };
      added.set(Number(match[2]), latest);
    }
    if (row === endingNote('\n') && latest) latest.ending = '\n';
    if (row === endingNote('\r\n') && latest) latest.ending = '\r\n';
    if (row === NO_NEWLINE) open = true;
    if (row === NEWLINE) open = false;
  }
  const after: { content: string; ending: string }[] = [];
  let line = 1;
  for (;;) {
    while (removed.has(line)) line++;
    const next = added.get(after.length + 1);
    if (next) after.push(next);
    else if (line <= old.count) {
      after.push({ content: old.content(line), ending: old.ending(line) });
      line++;
    } else break;
  }
  const last = after.at(-1);
  if (last && open) last.ending = '';
  return after.map((one) => one.content + one.ending).join('');
}

/**
 * Lines that all have an ending: a last one without takes the usual one, so that adding a line below
 * it does not show it as changed. Whether the ending is really there is told apart from the lines.
 */
class EndedLines {
  readonly count: number;
  private readonly lines: Lines;

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

  /** Lines are the same when their words and endings are. */
  keys(): string[] {
    return Array.from({ length: this.count }, (_, at) => {
      const mark = this.ending(at + 1) === '\n' ? 'L' : 'C';
      return mark + this.content(at + 1);
    });
  }
}

function diffRows(before: EndedLines, after: EndedLines, context: number): Row[] {
  const hunks = diffLists(before.keys(), after.keys());
  const rows: Row[] = [];
  let shown = 0;
  hunks.forEach((hunk, at) => {
    const from = Math.max(shown, hunk.afterFrom - context);
    if (from > shown) rows.push({ kind: 'gap' });
    for (let line = from; line < hunk.afterFrom; line++) rows.push(rowOf(' ', after, line + 1));
    // One by one: as arguments, the rows of a whole long note are too many.
    for (const row of changeRows(before, after, hunk)) rows.push(row);
    const limit = hunks[at + 1]?.afterFrom ?? after.count;
    shown = Math.min(limit, hunk.afterTo + context);
    for (let line = hunk.afterTo; line < shown; line++) rows.push(rowOf(' ', after, line + 1));
  });
  if (hunks.length > 0 && shown < after.count) rows.push({ kind: 'gap' });
  return rows;
}

function changeRows(before: EndedLines, after: EndedLines, hunk: Hunk): Row[] {
  const rows: Row[] = [];
  for (let line = hunk.beforeFrom; line < hunk.beforeTo; line++) {
    const twin = hunk.afterFrom + line - hunk.beforeFrom;
    const other = twin < hunk.afterTo ? after.content(twin + 1) : null;
    rows.push(rowOf('-', before, line + 1, other));
  }
  for (let line = hunk.afterFrom; line < hunk.afterTo; line++) {
    const twin = hunk.beforeFrom + line - hunk.afterFrom;
    const other = twin < hunk.beforeTo ? before.content(twin + 1) : null;
    rows.push(rowOf('+', after, line + 1, other));
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
  const number = `${row.number}`.padStart(width);
  const text = `${row.kind}${number}  ${cutToChange(row.content, row.other, most)}`;
  return row.kind === '+' && row.ending !== usual ? [text, endingNote(row.ending)] : [text];
}

/** A long line is cut to where it differs from the one it replaces or is replaced by. */
function cutToChange(content: string, other: string | null, most: number): string {
  if (content.length <= most) return content;
  if (other === null) return cutAround(content, 0, 0, most);
  const shorter = Math.min(content.length, other.length);
  let from = 0;
  while (from < shorter && content[from] === other[from]) from++;
  let same = 0;
  while (same < shorter - from && content.at(-1 - same) === other.at(-1 - same)) same++;
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
