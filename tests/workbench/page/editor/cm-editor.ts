/** Obsidian's `Editor` on top of CodeMirror. */
import { redo, undo } from '@codemirror/commands';
import { type ChangeSpec, EditorSelection } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type {
  EditorPosition,
  EditorRange,
  EditorSelectionOrCaret,
  EditorTransaction,
} from 'obsidian';
import { Editor } from 'obsidian-test-mocks/obsidian';

export class CmEditor extends Editor {
  constructor(readonly cm: EditorView) {
    super();
  }

  override getValue(): string {
    return this.cm.state.doc.toString();
  }

  /** Changes only what differs, to keep cursor, scroll position and undo history. */
  override setValue(content: string): void {
    const changes = difference(this.getValue(), content);
    if (changes) this.cm.dispatch({ changes });
  }

  override lineCount(): number {
    return this.cm.state.doc.lines;
  }

  override getLine(line: number): string {
    return line < 0 || line >= this.lineCount() ? '' : this.cm.state.doc.line(line + 1).text;
  }

  override posToOffset({ line, ch }: EditorPosition): number {
    const { doc } = this.cm.state;
    const { from, to } = doc.line(Math.min(Math.max(line, 0), doc.lines - 1) + 1);
    return Math.min(from + Math.max(ch, 0), to);
  }

  override offsetToPos(offset: number): EditorPosition {
    const { doc } = this.cm.state;
    const at = Math.min(Math.max(offset, 0), doc.length);
    const line = doc.lineAt(at);
    return { line: line.number - 1, ch: at - line.from };
  }

  override getRange(from: EditorPosition, to: EditorPosition): string {
    return this.cm.state.sliceDoc(this.posToOffset(from), this.posToOffset(to));
  }

  override replaceRange(text: string, from: EditorPosition, to?: EditorPosition): void {
    this.cm.dispatch({ changes: this.#change({ text, from, ...(to && { to }) }) });
  }

  override getCursor(side?: 'from' | 'to' | 'head' | 'anchor'): EditorPosition {
    const { main } = this.cm.state.selection;
    return this.offsetToPos(main[side ?? 'head']);
  }

  override setCursor(pos: EditorPosition | number, ch = 0): void {
    const at = typeof pos === 'number' ? { line: pos, ch } : pos;
    this.cm.dispatch({ selection: { anchor: this.posToOffset(at) } });
  }

  override setSelection(anchor: EditorPosition, head = anchor): void {
    this.setSelections([{ anchor, head }]);
  }

  override setSelections(ranges: EditorSelectionOrCaret[], main = 0): void {
    const all = ranges.map(({ anchor, head }) =>
      EditorSelection.range(this.posToOffset(anchor), this.posToOffset(head ?? anchor)),
    );
    this.cm.dispatch({ selection: EditorSelection.create(all, main) });
  }

  override listSelections(): { anchor: EditorPosition; head: EditorPosition }[] {
    return this.cm.state.selection.ranges.map(({ anchor, head }) => ({
      anchor: this.offsetToPos(anchor),
      head: this.offsetToPos(head),
    }));
  }

  override somethingSelected(): boolean {
    return this.cm.state.selection.ranges.some(({ empty }) => !empty);
  }

  override getSelection(): string {
    const { from, to } = this.cm.state.selection.main;
    return this.cm.state.sliceDoc(from, to);
  }

  override replaceSelection(text: string): void {
    this.cm.dispatch(this.cm.state.replaceSelection(text));
  }

  /** One undo step; positions refer to the text before the transaction. */
  override transaction({
    changes,
    replaceSelection,
    selection,
    selections,
  }: EditorTransaction): void {
    if (changes) this.cm.dispatch({ changes: changes.map((change) => this.#change(change)) });
    else if (replaceSelection !== undefined) this.replaceSelection(replaceSelection);
    if (selection) this.setSelection(selection.from, selection.to);
    if (selections) {
      this.setSelections(selections.map(({ from, to }) => ({ anchor: from, head: to ?? from })));
    }
  }

  override scrollIntoView({ from }: EditorRange, center = false): void {
    const at = this.posToOffset(from);
    this.cm.dispatch({
      effects: EditorView.scrollIntoView(at, { y: center ? 'center' : 'nearest' }),
    });
  }

  override focus(): void {
    this.cm.focus();
  }

  override blur(): void {
    this.cm.contentDOM.blur();
  }

  override hasFocus(): boolean {
    return this.cm.hasFocus;
  }

  override undo(): void {
    undo(this.cm);
  }

  override redo(): void {
    redo(this.cm);
  }

  override refresh(): void {
    this.cm.requestMeasure();
  }

  override getScrollInfo(): { left: number; top: number } {
    const { scrollLeft, scrollTop } = this.cm.scrollDOM;
    return { left: scrollLeft, top: scrollTop };
  }

  override scrollTo(x?: number | null, y?: number | null): void {
    const { left, top } = this.getScrollInfo();
    this.cm.scrollDOM.scrollTo(x ?? left, y ?? top);
  }

  #change({
    text,
    from,
    to,
  }: {
    text: string;
    from: EditorPosition;
    to?: EditorPosition;
  }): ChangeSpec {
    return { from: this.posToOffset(from), to: this.posToOffset(to ?? from), insert: text };
  }
}

/** The smallest single change from one text to another; null if they are equal. */
export function difference(
  before: string,
  after: string,
): { from: number; to: number; insert: string } | null {
  if (before === after) return null;
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from += 1;
  let end = 0;
  while (end < shorter - from && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  return { from, to: before.length - end, insert: after.slice(from, after.length - end) };
}
