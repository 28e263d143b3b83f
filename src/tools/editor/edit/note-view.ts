import { Anchors } from './anchors';
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
  readonly read: Lines | null;
  readonly finder: Finder;
  private readonly mark: string;
  private anchorsMade: Anchors | null = null;

  constructor(
    readonly path: string,
    now: string,
    read: string | null,
  ) {
    this.mark = now.startsWith(BYTE_ORDER_MARK) ? BYTE_ORDER_MARK : '';
    this.text = now.slice(this.mark.length);
    this.ending = usualEnding(this.text);
    this.lines = new Lines(lacksFinalNewline(this.text) ? this.text + this.ending : this.text);
    this.read = read === null ? null : new Lines(read.replace(/^\uFEFF/, ''));
    this.finder = new Finder(this.text);
  }

  /** Whether a line number of this text is one the model may use. */
  get isAsRead(): boolean {
    return this.read !== null && !this.anchors(this.read).changed;
  }

  anchors(read: Lines): Anchors {
    this.anchorsMade ??= new Anchors(read, this.lines);
    return this.anchorsMade;
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
