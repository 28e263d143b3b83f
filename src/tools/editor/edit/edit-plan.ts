import type { LineEnding } from '#text/list-diff';
import type { PrintedLine, ShownNote } from '../../shown-notes';
import { Anchors, type Moved } from './anchors';
import { Finder } from './fuzzy-match';
import {
  cutAround,
  cutLine,
  excerptRows,
  lacksFinalNewline,
  Lines,
  lineSpan,
  usualEnding,
} from './text-lines';
import { placePositionEdit } from './place-lines';
import { placeTextEdit } from './replace-text';

export const BYTE_ORDER_MARK = '\uFEFF';

/** The result of placing one edit: its splices, or why it cannot be placed. */
export type Placed =
  { ok: true; splices: Splice[]; notes: string[] } | { ok: false; reason: string };

/**
 * The note as all edits of one call see it: without the byte order mark, and with a final newline.
 * `finish` restores both, so that the note keeps its style even if its end was edited.
 */
export class NoteView {
  readonly text: string;
  readonly ending: LineEnding;
  /** Lines of the text, with a final newline. */
  readonly lines: Lines;
  /** Lines of the current text that messages about the edits have shown. */
  readonly printed: PrintedLine[] = [];
  readonly finder: Finder;
  private readonly mark: string;
  private readonly anchors = new Map<Lines, Anchors>();
  private unknownLines: ReadonlySet<number> | null = null;

  constructor(
    readonly path: string,
    now: string,
    readonly shown: ShownNote,
  ) {
    this.mark = now.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
    this.text = now.slice(this.mark.length);
    this.ending = usualEnding(this.text);
    this.lines = new Lines(lacksFinalNewline(this.text) ? this.text + this.ending : this.text);
    this.finder = new Finder(this.text);
  }

  /** Maps lines of a text that the model was shown to the current text. */
  move(shown: Lines, from: number, to: number): Moved {
    const anchors = this.anchors.get(shown) ?? new Anchors(shown, this.lines);
    this.anchors.set(shown, anchors);
    return anchors.move(from, to);
  }

  /** Whether the model has seen all of these current lines in full. */
  knows(from: number, to: number): boolean {
    this.unknownLines ??= new Set(this.shown.unknownIn(this.lines));
    for (let line = from; line <= to; line += 1) if (this.unknownLines.has(line)) return false;
    return true;
  }

  /** Current lines as `12: words`; a long range is cut in the middle. */
  excerpt(from: number, to: number): string {
    const rows = excerptRows(this.lines, from, to);
    for (const { line, words } of rows) if (line !== null) this.printed.push([line, words]);
    return rows.map(({ line, words }) => (line === null ? words : `${line}: ${words}`)).join('\n');
  }

  /** One current line as `12: words`, cut around `column` if it is long. */
  numbered(line: number, column: number, length: number): string {
    const words = cutLine(this.lines, line, column, length);
    this.printed.push([line, words]);
    return `${line}: ${words}`;
  }

  /** Applies splices in order, and restores the byte order mark and the missing final newline. */
  finish(ordered: readonly Splice[], emptyNoteEndsOpen: boolean): string {
    const whole = assemble(this.lines.text, ordered);
    const open = this.text === '' ? emptyNoteEndsOpen : lacksFinalNewline(this.text);
    return this.mark + (open ? this.withoutFinalNewline(whole, ordered.at(-1)) : whole);
  }

  private withoutFinalNewline(whole: string, last: Splice | undefined): string {
    const lost = last && last.end === this.lines.text.length && last.text === '';
    // Deleting the last line leaves the ending of the line above, which may be of another kind.
    if (lost) return whole.replace(/\r?\n$/, '');
    return whole.endsWith(this.ending) ? whole.slice(0, -this.ending.length) : whole;
  }
}

/** One replacement of an edit: `start`..`end` becomes `text`. */
export interface Splice {
  /** Number of the edit, from 1. */
  edit: number;
  start: number;
  end: number;
  text: string;
}

/**
 * Sorts by position. An insertion comes before a replacement that starts there; insertions at one
 * position keep the order of the edits.
 */
export function inOrder(splices: readonly Splice[]): Splice[] {
  return [...splices].sort((a, b) => a.start - b.start || a.end - b.end || a.edit - b.edit);
}

/** The first two splices that share characters, or null. Adjacent splices do not overlap. */
export function firstOverlap(ordered: readonly Splice[]): [Splice, Splice] | null {
  let reach: Splice | undefined;
  for (const splice of ordered) {
    if (reach && splice.start < reach.end) return [reach, splice];
    if (!reach || splice.end >= reach.end) reach = splice;
  }
  return null;
}

export function describeOverlap([a, b]: [Splice, Splice], note: NoteView): string {
  const [first, second] = a.edit <= b.edit ? [a, b] : [b, a];
  return (
    `Edits ${first.edit} and ${second.edit} overlap: edit ${first.edit} ${reachOf(first, note)}, ` +
    `edit ${second.edit} ${reachOf(second, note)}. Join them into one edit, or make the second ` +
    'in another call after this one.'
  );
}

function reachOf(splice: Splice, note: NoteView): string {
  const { lines, printed } = note;
  const from = lines.lineAt(splice.start);
  printed.push([from, null]);
  if (splice.start === splice.end) return `inserts before line ${from}`;
  const to = lines.lineAt(splice.end - 1);
  printed.push([to, null]);
  return `changes ${lineSpan(from, to)}`;
}

/** Applies splices, which must be sorted and must not overlap. */
export function assemble(text: string, ordered: readonly Splice[]): string {
  const parts: string[] = [];
  let done = 0;
  for (const splice of ordered) {
    parts.push(text.slice(done, splice.start), splice.text);
    done = splice.end;
  }
  parts.push(text.slice(done));
  return parts.join('');
}

/** One edit of the model, already validated by the schema. */
export type Edit =
  | { old_text: string; new_text: string; replace_all?: boolean }
  | { position: string; content?: string };

export interface EditInput {
  /** Only used in messages. */
  path: string;
  /** Current text of the note. */
  now: string;
  /** What the model was shown of the note; its line numbers refer to it. */
  shown: ShownNote;
  edits: readonly Edit[];
}

export type EditPlan =
  | { ok: true; after: string; notes: string[]; origins: LineOrigins }
  /** The problem names the edit, what was found and what would work. `printed` lists the lines it shows. */
  | { ok: false; reason: string; printed: readonly PrintedLine[] };

/** Reporting the first few problems is enough for a model to correct the rest. */
const MAX_PROBLEMS = 5;

/**
 * Computes the text after a list of edits: all of them or none. Every edit is placed in the
 * original text, so their order does not matter; overlapping edits are rejected. Never throws.
 */
export function planEdits(input: EditInput): EditPlan {
  const { edits } = input;
  if (edits.length === 0) {
    return { ok: false, reason: 'The list of edits is empty.', printed: [] };
  }
  const note = new NoteView(input.path, input.now, input.shown);
  let failures = 0;
  const placed = edits.map((edit, at) => {
    const printed = note.printed.length;
    const one = place(note, edit, at + 1);
    // This problem is not reported, so its lines are not shown.
    if (!one.ok && ++failures > MAX_PROBLEMS) note.printed.length = printed;
    return one;
  });
  const problems = placed.flatMap((one, at) =>
    one.ok ? [] : [`Edit ${at + 1}${nameOf(edits[at])}: ${one.reason}`],
  );
  if (problems.length > 0) return refuse(note, problems);
  const splices = inOrder(placed.flatMap((one) => (one.ok ? one.splices : [])));
  const overlap = firstOverlap(splices);
  if (overlap) return refuse(note, [describeOverlap(overlap, note)]);
  const after = note.finish(splices, endsOpen(splices, edits));
  if (after === input.now) {
    return refuse(note, ['Together the edits leave the note as it is.']);
  }
  const notes = new Set(placed.flatMap((one) => (one.ok ? one.notes : [])));
  return { ok: true, after, notes: [...notes], origins: lineOrigins(note.lines, splices) };
}

function place(note: NoteView, edit: Edit, number: number): Placed {
  return 'position' in edit
    ? placePositionEdit(note, edit, number)
    : placeTextEdit(note, edit, number);
}

/** Whether an empty note gets no final newline: it ends as the last content does. */
function endsOpen(ordered: readonly Splice[], edits: readonly Edit[]): boolean {
  const last = edits[(ordered.at(-1)?.edit ?? 0) - 1];
  return last !== undefined && 'position' in last && !last.content?.endsWith('\n');
}

function nameOf(edit: Edit | undefined): string {
  return edit && 'position' in edit ? ` (${cutAround(edit.position, 0, 0, 80)})` : '';
}

function refuse({ path, printed }: NoteView, problems: readonly string[]): EditPlan {
  const more = problems.length - MAX_PROBLEMS;
  return {
    ok: false,
    reason: [
      `\`${path}\` was not changed.`,
      ...problems.slice(0, MAX_PROBLEMS),
      ...(more > 0 ? [`… and ${more} more edits with problems.`] : []),
    ].join('\n'),
    printed,
  };
}

/**
 * For each line of an edited text: the earlier lines that parts of it were kept from; null if it is
 * an earlier line, unchanged.
 */
export type LineOrigins = readonly (readonly number[] | null)[];

/** @param ordered sorted and not overlapping */
export function lineOrigins(before: Lines, ordered: readonly Splice[]): LineOrigins {
  const edited = new EditedLines(before);
  let done = 0;
  for (const { start, end, text } of ordered) {
    edited.keep(done, start);
    edited.write(text);
    done = end;
  }
  edited.keep(done, before.text.length);
  return edited.finish();
}

/** A part of a line: written by the edit, or kept from an earlier line. */
type Piece = 'written' | { readonly line: number; readonly isWhole: boolean };

class EditedLines {
  readonly #lines: (readonly number[] | null)[] = [];
  #pieces: Piece[] = [];

  constructor(private readonly before: Lines) {}

  write(text: string): void {
    text.split('\n').forEach((part, at, { length }) => {
      if (at > 0) this.#endLine();
      const isLast = at === length - 1;
      if ((isLast ? part : part.replace(/\r$/, '')) !== '') this.#pieces.push('written');
    });
  }

  keep(from: number, to: number): void {
    const { before } = this;
    if (from >= to) return;
    for (let line = before.lineAt(from); before.start(line) < to; line += 1) {
      const [start, end] = [before.start(line), before.contentEnd(line)];
      const next = before.start(line + 1);
      // The usual case is fast: the whole line is kept, and nothing precedes it.
      if (this.#pieces.length === 0 && from <= start && end < next && next <= to) {
        this.#lines.push(null);
        continue;
      }
      const isWhole = from <= start && end <= to;
      if (isWhole || Math.max(from, start) < Math.min(to, end))
        this.#pieces.push({ line, isWhole });
      if (next <= to && end < next) this.#endLine();
    }
  }

  finish(): LineOrigins {
    if (this.#pieces.length > 0) this.#endLine();
    return this.#lines;
  }

  #endLine(): void {
    const [only, ...others] = this.#pieces;
    const isUnchanged = others.length === 0 && typeof only === 'object' && only.isWhole;
    const kept = this.#pieces.flatMap((piece) => (piece === 'written' ? [] : [piece.line]));
    this.#lines.push(isUnchanged ? null : kept.filter((line) => this.before.content(line) !== ''));
    this.#pieces = [];
  }
}
