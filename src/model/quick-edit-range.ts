/**
 * What a quick edit is about: the selection, the block of the cursor, or an empty line, in lines of
 * the note as the agent reads it.
 */
import type { EditTarget } from './attachment';
import { splitNote } from '#text/front-matter';
import { linesOf, lineTexts } from '#text/list-diff';
import { blockRanges } from '#text/note-blocks';
import { beginsParagraph } from '#text/note-structure';
import { type OwnEdits, readEdits } from './edit/note-edits';
import { validSteps, type Turn } from './conversation';

/** Offsets in the text of the editor, which contains pending edits as blocks. */
export interface TextRange {
  readonly from: number;
  readonly to: number;
}

/** Where a quick edit goes, in lines of the note as the agent reads it when the turn begins. */
export interface QuickEditLines {
  readonly path: string;
  /** `end`: below the last line. Null if the lines are gone, or can't be told apart. */
  readonly lines:
    { readonly from: number; readonly to: number; readonly isBlank: boolean } | 'end' | null;
}

/** Where the pending edit is that a request is about, in the same lines. */
export interface HunkLines {
  readonly path: string;
  /** `to` is above `from` if the edit removes its lines. */
  readonly lines: { readonly from: number; readonly to: number };
}

export type TargetProblem = 'front-matter' | 'deleted';

export interface QuickEditPlace {
  readonly target: EditTarget;
  /** Whole lines of the editor that the target consists of. */
  readonly lines: TextRange;
}

/** Lines of the editor and of the note as the agent reads it, counted from 0. */
interface LinePiece {
  readonly raw: readonly [from: number, to: number];
  readonly read: readonly [from: number, to: number];
  readonly isBlock: boolean;
}

/**
 * @param text of the editor, with LF as line ending
 * @param isWhole takes all lines of the selection in whole; a cursor stands for its own line only
 */
export function quickEditPlace(
  path: string,
  text: string,
  selection: TextRange,
  own: OwnEdits,
  isWhole = false,
): QuickEditPlace | TargetProblem {
  const { parts } = readEdits(text, own);
  const pieces: LinePiece[] = [];
  let raw = 0;
  let read = 0;
  for (const { raw: rawText, after: readText, edit } of parts) {
    const [rawCount, readCount] = [linesOf(rawText).length, linesOf(readText).length];
    pieces.push({
      raw: [raw, raw + rawCount],
      read: [read, read + readCount],
      isBlock: edit !== null,
    });
    raw += rawCount;
    read += readCount;
  }
  const rawLines = text.split('\n');
  // A last line without text counts as a line of the editor, and an edit can write there.
  if (raw < rawLines.length)
    pieces.push({ raw: [raw, raw + 1], read: [read, read + 1], isBlock: false });
  const after = parts.map((part) => part.after).join('');
  const lines = after.split('\n');

  const first = lineOf(text, selection.from);
  const isCursor = selection.from === selection.to;
  const end = lineOf(text, selection.to);
  const endsBefore =
    !isCursor && !isWhole && end > first && startOf(rawLines, end) === selection.to;
  const last = endsBefore ? end - 1 : end;
  const [top, bottom] = [pieceAt(pieces, first), pieceAt(pieces, last)];
  if (!top || !bottom) return 'deleted';
  let from = readLine(top, first, 'first');
  let to = readLine(bottom, last, 'last');
  if (from > to) return 'deleted';
  const isExact = !isCursor && !isWhole && isPlain(pieces, first, last);
  if (isCursor && !isWhole && !top.isBlock) [from, to] = blockAround(after, lines, from);
  if (!isExact) {
    // The block of a pending edit takes in the blank lines that separate it.
    const isBlank = (line: number) => (lines[line] ?? '').trim() === '';
    while (from < to && isBlank(to)) to -= 1;
    while (from < to && isBlank(from)) from += 1;
  }
  if (from < linesOf(splitNote(after).head).length) return 'front-matter';
  const wanted: TargetLines = {
    text: isExact
      ? text.slice(selection.from, selection.to).replace(/\n$/, '')
      : lines.slice(from, to + 1).join('\n'),
    from: from + 1,
    to: to + 1,
    beside: { above: lines[from - 1] ?? null, below: lines[to + 1] ?? null },
  };
  const { same, texts } = placesLike(lines, wanted);
  const among = { nth: same.indexOf(from + 1) + 1, of: same.length, texts: texts.length };
  const target: EditTarget = { kind: 'selection', path, ...wanted, among };
  const rawFrom = rawLine(pieces, from, 'first');
  const rawTo = rawLine(pieces, to, 'last');
  const stop = startOf(rawLines, rawTo) + (rawLines[rawTo]?.length ?? 0);
  return { target, lines: { from: startOf(rawLines, rawFrom), to: stop } };
}

type TargetLines = Omit<EditTarget, 'kind' | 'path' | 'among'>;

/**
 * First lines of the places like the target, from 1: `texts` have its text, `same` also the lines
 * beside it.
 */
function placesLike(
  lines: readonly string[],
  { text, from, to, beside }: TargetLines,
): { readonly same: readonly number[]; readonly texts: readonly number[] } {
  const count = to - from + 1;
  const starts = Array.from({ length: Math.max(0, lines.length - count + 1) }, (_, at) => at);
  const rows = text.split('\n');
  const texts = starts.filter((at) =>
    text === ''
      ? lines
          .slice(at, at + count)
          .join('')
          .trim() === ''
      : isAt(lines, at, rows),
  );
  const same = texts.filter(
    (at) =>
      (lines[at - 1] ?? null) === beside.above && (lines[at + count] ?? null) === beside.below,
  );
  return { same: same.map((at) => at + 1), texts: texts.map((at) => at + 1) };
}

/** Whether the rows are in the lines from this one on; the first and the last may be parts of theirs. */
function isAt(lines: readonly string[], start: number, rows: readonly string[]): boolean {
  const last = rows.length - 1;
  return rows.every((row, at) => {
    const line = lines[start + at] ?? '';
    if (last === 0) return line.includes(row);
    if (at === 0) return line.endsWith(row);
    return at === last ? line.startsWith(row) : line === row;
  });
}

/**
 * Where the target is now; null unless that is certain. Other places like it count, so that a place
 * that is gone is not taken for one that looks the same.
 *
 * @param text of the note as the agent reads it
 */
export function findTarget(
  text: string,
  target: EditTarget,
): { readonly from: number; readonly to: number } | null {
  const { from, to, among } = target;
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
  const { same, texts } = placesLike(lines, target);
  const isOnly = target.text !== '' && among.texts === 1 && texts.length === 1;
  const at = same.length === among.of ? same[among.nth - 1] : isOnly ? texts[0] : undefined;
  return at === undefined ? null : { from: at, to: at + to - from };
}

function lineOf(text: string, offset: number): number {
  let line = 0;
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1))
    line += 1;
  return line;
}

function startOf(lines: readonly string[], line: number): number {
  return lines.slice(0, line).reduce((sum, each) => sum + each.length + 1, 0);
}

function pieceAt(pieces: readonly LinePiece[], line: number): LinePiece | undefined {
  return pieces.find(({ raw }) => raw[0] <= line && line < raw[1]);
}

function readLine({ raw, read, isBlock }: LinePiece, line: number, side: 'first' | 'last'): number {
  if (!isBlock) return read[0] + line - raw[0];
  return side === 'first' ? read[0] : read[1] - 1;
}

function rawLine(pieces: readonly LinePiece[], line: number, side: 'first' | 'last'): number {
  const piece = pieces.find(({ read }) => read[0] <= line && line < read[1]);
  if (!piece) return 0;
  if (!piece.isBlock) return piece.raw[0] + line - piece.read[0];
  return side === 'first' ? piece.raw[0] : piece.raw[1] - 1;
}

/** Whether no block of a pending edit is among these lines of the editor. */
function isPlain(pieces: readonly LinePiece[], first: number, last: number): boolean {
  return !pieces.some(({ raw, isBlock }) => isBlock && raw[0] <= last && first < raw[1]);
}

/** The Markdown block that contains the line, or only the line if it is blank. */
function blockAround(text: string, lines: readonly string[], line: number): [number, number] {
  const isBlank = (at: number) => (lines[at] ?? '').trim() === '';
  const isParagraph = (words: string) => beginsParagraph(words) && !words.startsWith('$$');
  const blocks = blockRanges(lineTexts(text)).map(({ from: start, to: end }) => {
    let [from, to] = [start, end - 1];
    while (from < to && isBlank(from)) from += 1;
    while (to > from && isBlank(to)) to -= 1;
    return { from, to, isPlain: isParagraph((lines[from] ?? '').trimStart()) };
  });
  const at = blocks.findIndex(({ from, to }) => from <= line && line <= to);
  const block = blocks[at];
  if (!block || (isBlank(line) && block.from === block.to)) return [line, line];
  let [first, last] = [at, at];
  const joins = (one: number, other: number) => {
    const [above, below] = [blocks[one], blocks[other]];
    return above?.isPlain && below?.isPlain && above.to + 1 === below.from;
  };
  while (joins(first - 1, first)) first -= 1;
  while (joins(last, last + 1)) last += 1;
  return [blocks[first]?.from ?? line, blocks[last]?.to ?? line];
}

/** The start of a string value of the fields in which tools take text. */
const TEXT_FIELD = /"(?:content|new_text)"\s*:\s*"/g;
/** The complete characters of a JSON string that may be cut off. */
const STRING_BODY = /^(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[\da-fA-F]{4}))*/u;

/**
 * The text that a call is about to write to a note, while its input is still streaming. Empty if the
 * turn is not writing.
 */
export function streamedText(turn: Turn): string {
  const calls =
    validSteps(turn)
      .at(-1)
      ?.live.filter(({ type }) => type === 'call') ?? [];
  return calls.map(({ text }) => textIn(text)).findLast((text) => text !== '') ?? '';
}

/** @param input the beginning of a JSON object */
function textIn(input: string): string {
  const field = [...input.matchAll(TEXT_FIELD)].at(-1);
  if (!field) return '';
  const [body = ''] = STRING_BODY.exec(input.slice(field.index + field[0].length)) ?? [];
  const text = JSON.parse(`"${body}"`) as string;
  // Half of a character that is written as two escapes.
  return text.replace(/[\uD800-\uDBFF]$/, '');
}
