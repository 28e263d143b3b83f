/** The place of a quick edit in an editor: its lines are marked, and its field is below them. */
import {
  StateEffect,
  StateField,
  type EditorState,
  type Extension,
  type Range,
  type Transaction,
} from '@codemirror/state';
import { Decoration, EditorView, ViewPlugin, WidgetType, type ViewUpdate } from '@codemirror/view';
import type { TextRange } from '#model/quick-edit-range';
import { blockPlaces } from './block-places';

export interface OpenQuickEdit {
  readonly widget: QuickEditWidget;
  /** Whole lines. */
  readonly lines: TextRange;
  /** What the user selected; empty for a cursor. */
  readonly selected: TextRange;
}

export const openQuickEdit = StateEffect.define<OpenQuickEdit | null>();

const field = StateField.define<OpenQuickEdit | null>({
  create: () => null,
  update(open, transaction) {
    for (const effect of transaction.effects) if (effect.is(openQuickEdit)) return effect.value;
    return open && transaction.docChanged ? moved(open, transaction) : open;
  },
  provide: (own) =>
    EditorView.decorations.compute([own], (state) => Decoration.set(drawn(state), true)),
});

export function quickEditField(): Extension {
  return [field, ViewPlugin.fromClass(FieldKeeper)];
}

export function quickEditIn(state: EditorState): OpenQuickEdit | null {
  return state.field(field, false) ?? null;
}

function moved({ widget, lines, selected }: OpenQuickEdit, { changes, state }: Transaction) {
  return {
    widget,
    lines: wholeLines(state, changes.mapPos(lines.from, -1), changes.mapPos(lines.to, 1)),
    selected: { from: changes.mapPos(selected.from, 1), to: changes.mapPos(selected.to, -1) },
  };
}

/** The lines of a range, and of the pending edits in it with what belongs to their blocks. */
function wholeLines({ doc }: EditorState, from: number, to: number): TextRange {
  // A replaced line ends where the next one begins.
  const isPast = to > from && doc.lineAt(to).from === to;
  let range = { from: doc.lineAt(from).from, to: doc.lineAt(isPast ? to - 1 : to).to };
  for (const place of blockPlaces(doc.toString())) {
    if (place.linesFrom > range.to || place.to <= range.from) continue;
    const end = doc.lineAt(place.to).from === place.to ? place.to - 1 : place.to;
    range = { from: Math.min(range.from, place.linesFrom), to: Math.max(range.to, end) };
  }
  return range;
}

const MAX_MARKED_LINES = 500;
const marked = Decoration.line({ class: 'parley-quick-edit-line' });
const markedText = Decoration.mark({ class: 'parley-quick-edit-text' });

function drawn(state: EditorState): Range<Decoration>[] {
  const open = quickEditIn(state);
  if (!open) return [];
  const { widget, lines, selected } = open;
  const { doc } = state;
  const first = doc.lineAt(lines.from).number;
  const last = Math.min(doc.lineAt(lines.to).number, first + MAX_MARKED_LINES);
  const own: Range<Decoration>[] = [];
  for (let line = first; line <= last; line += 1) own.push(marked.range(doc.line(line).from));
  if (selected.from < selected.to) own.push(markedText.range(selected.from, selected.to));
  own.push(Decoration.widget({ widget, block: true, side: 1 }).range(lines.to));
  return own;
}

export class QuickEditWidget extends WidgetType {
  /** @param removed called when the editor no longer shows the field */
  constructor(
    readonly element: HTMLElement,
    readonly removed: () => void,
  ) {
    super();
  }

  override toDOM(): HTMLElement {
    return this.element;
  }

  /** Its keys and clicks are its own. */
  override ignoreEvent(): boolean {
    return true;
  }
}

/** Keeps the focus in the field while the editor moves it, and removes it with the editor. */
class FieldKeeper {
  #open: OpenQuickEdit | null;

  constructor({ state }: EditorView) {
    this.#open = quickEditIn(state);
  }

  update({ state }: ViewUpdate): void {
    const open = quickEditIn(state);
    const before = this.#open?.widget;
    this.#open = open;
    if (before && before !== open?.widget) return before.removed();
    const element = open?.widget.element;
    const focused = element?.ownerDocument.activeElement;
    if (!element?.contains(focused ?? null)) return;
    queueMicrotask(() => {
      if (focused !== element.ownerDocument.activeElement) (focused as HTMLElement).focus();
    });
  }

  destroy(): void {
    this.#open?.widget.removed();
  }
}
