/**
 * Proposals in an editor. In live preview their widget stands for the whole block: the lines that only keep it are hidden,
 * the cursor steps over it, and no key that is meant for the text beside it breaks it. Plain source shows everything and
 * guards nothing. What would break a block is held back, or gets a line of its own.
 */
import {
  EditorSelection,
  EditorState,
  RangeSet,
  RangeValue,
  StateField,
  type Extension,
  type Range,
  type Transaction,
  type TransactionSpec,
} from '@codemirror/state';
import { Decoration, EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import { editorLivePreviewField } from 'obsidian';
import { blockPlaces, blockPlacesAfter, runsOf, type BlockPlace } from './edit-navigation';

class Whole extends RangeValue {}
const whole = new Whole();
const hidden = Decoration.replace({ block: true });

const placesField = StateField.define<readonly BlockPlace[]>({
  create: ({ doc }) => blockPlaces(doc.toString()),
  update: (places, { docChanged, changes, newDoc }) =>
    docChanged ? blockPlacesAfter(places, changes, newDoc) : places,
  provide: (field) => [
    EditorView.decorations.compute([field, editorLivePreviewField, 'selection'], (state) =>
      Decoration.set(hiddenLines(state)),
    ),
    EditorView.atomicRanges.of(({ state }) =>
      RangeSet.of(guarded(state).map(({ from, to }) => whole.range(from, to))),
    ),
  ],
});

export function proposalGuard(): Extension {
  return [
    placesField,
    EditorState.transactionFilter.of((transaction) => unbroken(transaction)),
    EditorState.transactionFilter.of((transaction) => stepping(transaction)),
    ViewPlugin.fromClass(CursorKeeper),
  ];
}

/** None in plain source. */
function guarded(state: EditorState): readonly BlockPlace[] {
  return state.field(editorLivePreviewField, false) ? state.field(placesField) : [];
}

/** Below a block that is shown as source, since a selection touches it, its lines are shown, too. */
function hiddenLines(state: EditorState): Range<Decoration>[] {
  const { ranges } = state.selection;
  return guarded(state).flatMap(({ from, fenced, to }) => {
    const end = endOfLines(state, to);
    if (fenced >= end || ranges.some((each) => each.from <= fenced && each.to >= from)) return [];
    return [hidden.range(fenced + 1, end)];
  });
}

/** Behind the last sign of the lines that end at `to`, whose own end may be the end of the text. */
function endOfLines({ doc }: EditorState, to: number): number {
  return doc.lineAt(to).from === to ? to - 1 : to;
}

/** A user's change that breaks a block is not made; a key that would delete one selects it first. */
function unbroken(transaction: Transaction): Transaction | TransactionSpec | TransactionSpec[] {
  const { startState, docChanged } = transaction;
  const isByHand = ['input', 'delete', 'move'].some((each) => transaction.isUserEvent(each));
  if (!docChanged || !isByHand || isAppended(transaction)) return transaction;
  const isSelected = !startState.selection.main.empty;
  const lost = guarded(startState).filter(
    (place) => !isKept(transaction, place) && !(isSelected && isReplaced(transaction, place)),
  );
  const [first] = lost;
  if (!first) return transaction;
  const glued = lost.map((place) => gluedAt(transaction, place));
  if (transaction.isUserEvent('input') && glued.every((at) => at !== null)) {
    // What was typed right above a block gets a line of its own, since no key may be lost.
    const changes = glued.map((from) => ({ from, insert: '\n' }));
    return [transaction, { changes, sequential: true }];
  }
  if (!transaction.isUserEvent('delete') || isSelected) return [];
  return { selection: { anchor: first.from, head: first.to }, userEvent: 'select' };
}

/** A key at the end of a note that ends with a block has nowhere else to go, and no key is lost. */
function isAppended({ startState, changes }: Transaction): boolean {
  let isAtEnd = true;
  changes.iterChangedRanges((from) => (isAtEnd &&= from === startState.doc.length));
  return isAtEnd;
}

/** Whether a block stands as it did, on lines of its own. */
function isKept({ startState, changes, newDoc }: Transaction, place: BlockPlace): boolean {
  const { from, to } = place;
  const raw = startState.sliceDoc(from, to);
  const start = changes.mapPos(from, 1);
  const end = start + raw.length;
  return (
    newDoc.sliceString(start, end) === raw &&
    newDoc.lineAt(start).from === start &&
    (raw.endsWith('\n') || newDoc.lineAt(end).to === end)
  );
}

/** Where the block begins now, which is whole but not at the beginning of a line; null for every other. */
function gluedAt({ startState, changes, newDoc }: Transaction, place: BlockPlace): number | null {
  const raw = startState.sliceDoc(place.from, place.to);
  const at = changes.mapPos(place.from, 1);
  const isWhole = newDoc.sliceString(at, at + raw.length) === raw;
  return isWhole && newDoc.lineAt(at).from < at ? at : null;
}

/** Whether one change takes it away as a whole. */
function isReplaced({ changes }: Transaction, { from, fenced }: BlockPlace): boolean {
  let isWhole = false;
  changes.iterChangedRanges((start, end) => (isWhole ||= start <= from && end >= fenced));
  return isWhole;
}

/** A cursor that a user moves beside or into a block goes on to its other side. */
function stepping(transaction: Transaction): Transaction | TransactionSpec[] {
  const { startState, newSelection, docChanged } = transaction;
  if (docChanged || !transaction.isUserEvent('select')) return [transaction];
  const came = startState.selection.main.head;
  const selection = freed(startState, newSelection, came);
  return selection ? [transaction, { selection, scrollIntoView: true }] : transaction;
}

/**
 * The same selection with its cursors outside of blocks; null if they are, or have nowhere to go.
 *
 * @param came where the cursor was before, which tells the side to leave by
 */
function freed(
  state: EditorState,
  { ranges, mainIndex }: EditorSelection,
  came: number | null,
): EditorSelection | null {
  const runs = runsOf(guarded(state));
  let isOther = false;
  const free = ranges.map((range) => {
    const run = runs.find(({ from, to }) => from <= range.head && range.head < to);
    if (!range.empty || !run) return range;
    const goesBack = came !== null && came >= run.to && run.from > 0;
    const to = goesBack ? run.from - 1 : run.to;
    isOther ||= to !== range.head;
    return EditorSelection.cursor(to);
  });
  return isOther ? EditorSelection.create(free, mainIndex) : null;
}

/** A cursor that came to rest in a block otherwise: the note was opened, or the block was put around it. */
class CursorKeeper {
  constructor(view: EditorView) {
    this.#free(view);
  }

  update({ view, docChanged, selectionSet, startState, state }: ViewUpdate): void {
    const live = (each: EditorState) => each.field(editorLivePreviewField, false);
    if (docChanged || selectionSet || live(startState) !== live(state)) this.#free(view);
  }

  #free(view: EditorView): void {
    if (!freed(view.state, view.state.selection, null)) return;
    // Not within the update; and before anything is painted.
    queueMicrotask(() => {
      if (view.composing) return;
      const selection = freed(view.state, view.state.selection, null);
      if (selection) view.dispatch({ selection });
    });
  }
}
