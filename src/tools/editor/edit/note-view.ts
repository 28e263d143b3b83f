import type { PrintedLine, ShownNote } from '../../shown-notes';
import { Anchors, type Moved } from './anchors';
import { cutLine, excerptRows } from './excerpt';
import { lacksFinalNewline, Lines, usualEnding, type LineEnding } from './lines';
import { Finder } from './matching';
import { assemble, type Splice } from './splices';

export const BYTE_ORDER_MARK = '\uFEFF';

/** What became of one edit: where it goes, or why it cannot. */
export type Placed =
  { ok: true; splices: Splice[]; notes: string[] } | { ok: false; problem: string };

/**
 * The note as all edits of one call see it. A byte order mark is set aside, since it belongs to the
 * file and not to the first line. So is a missing final newline: every line ends in one here, and
 * `finish` takes the last one off again, which keeps the note's habit whatever happened to its end.
 */
export class NoteView {
  readonly text: string;
  readonly ending: LineEnding;
  /** The text with every line ended. */
  readonly lines: Lines;
  /** The lines of the current text that messages about the edits print. */
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

  /** Where lines of a text that was shown are in the current one. */
  move(shown: Lines, from: number, to: number): Moved {
    const anchors = this.anchors.get(shown) ?? new Anchors(shown, this.lines);
    this.anchors.set(shown, anchors);
    return anchors.move(from, to);
  }

  /** Whether the model knows all of these lines of the current text whole. */
  knows(from: number, to: number): boolean {
    this.unknownLines ??= new Set(this.shown.unknownIn(this.lines));
    for (let line = from; line <= to; line += 1) if (this.unknownLines.has(line)) return false;
    return true;
  }

  /** Lines of the current text as `12: words`; of many lines the first and the last. */
  excerpt(from: number, to: number): string {
    const rows = excerptRows(this.lines, from, to);
    for (const { line, words } of rows) if (line !== null) this.printed.push([line, words]);
    return rows.map(({ line, words }) => (line === null ? words : `${line}: ${words}`)).join('\n');
  }

  /** One line of the current text as `12: words`, cut around the column that matters. */
  numbered(line: number, column: number, length: number): string {
    const words = cutLine(this.lines, line, column, length);
    this.printed.push([line, words]);
    return `${line}: ${words}`;
  }

  /** The note after the splices, in order, with its own beginning and end. */
  finish(ordered: readonly Splice[], emptyNoteEndsOpen: boolean): string {
    const whole = assemble(this.lines.text, ordered);
    const open = this.text === '' ? emptyNoteEndsOpen : lacksFinalNewline(this.text);
    return this.mark + (open ? this.withoutFinalNewline(whole, ordered.at(-1)) : whole);
  }

  private withoutFinalNewline(whole: string, last: Splice | undefined): string {
    const lost = last && last.end === this.lines.text.length && last.text === '';
    // Deleting the last line leaves that of the line above, which may be of the other kind.
    if (lost) return whole.replace(/\r?\n$/, '');
    return whole.endsWith(this.ending) ? whole.slice(0, -this.ending.length) : whole;
  }
}
