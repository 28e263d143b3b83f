/** A note as its edits see it. */
import { type Splice, assemble } from './splices';
import type { LineEnding } from '#text/list-diff';
import { Lines, usualEnding, lacksFinalNewline, excerptRows, cutLine } from './text-lines';
import type { PrintedLine } from '../../printed-lines';
import type { ShownNote } from '../../shown-notes';
import { Finder } from './fuzzy-match';
import { Anchors, type Moved } from './anchors';

const BYTE_ORDER_MARK = '\uFEFF';

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

  /** @param now the whole text, as it is now @param shown what line numbers refer to */
  constructor(
    readonly path: string,
    readonly now: string,
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
