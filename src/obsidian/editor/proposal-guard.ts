/**
 * Protects the blocks of pending edits in live preview, where a widget replaces each block. The
 * lines that only separate it are hidden, the cursor steps over it, and a change that would break
 * it is rejected or moved to a line of its own. Source mode shows everything and guards nothing.
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
import { blockPlaces, blockPlacesAfter, mergeAdjacent, type BlockPlace } from './edit-navigation';

class AtomicRange extends RangeValue {}
const whole = new AtomicRange();
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
      RangeSet.of(guardedBlocks(state).map(({ from, to }) => whole.range(from, to))),
    ),
  ],
});

export function proposalGuard(): Extension {
  return [
    placesField,
    EditorState.transactionFilter.of((transaction) => rejectBreakingChange(transaction)),
    EditorState.transactionFilter.of((transaction) => stepOverBlocks(transaction)),
    ViewPlugin.fromClass(CursorKeeper),
  ];
}

/** The blocks to guard; none in source mode. */
function guardedBlocks(state: EditorState): readonly BlockPlace[] {
  return state.field(editorLivePreviewField, false) ? state.field(placesField) : [];
}

/**
 * Hides the tag and separator lines below a block, unless a selection touches the block and shows
 * its source.
 */
function hiddenLines(state: EditorState): Range<Decoration>[] {
  const { ranges } = state.selection;
  return guardedBlocks(state).flatMap(({ from, fenceEnd, to }) => {
    const end = endOfLines(state, to);
    if (fenceEnd >= end || ranges.some((each) => each.from <= fenceEnd && each.to >= from))
      return [];
    return [hidden.range(fenceEnd + 1, end)];
  });
}

/** End of the last line before `to`, which may be the end of the document. */
function endOfLines({ doc }: EditorState, to: number): number {
  return doc.lineAt(to).from === to ? to - 1 : to;
}

/**
 * Rejects a user's change that breaks a block. A keystroke that would delete a block selects it
 * instead.
 */
function rejectBreakingChange(
  transaction: Transaction,
): Transaction | TransactionSpec | TransactionSpec[] {
  const { startState, docChanged } = transaction;
  const isByHand = ['input', 'delete', 'move'].some((each) => transaction.isUserEvent(each));
  if (!docChanged || !isByHand || isAppended(transaction)) return transaction;
  const isSelected = !startState.selection.main.empty;
  const lost = guardedBlocks(startState).filter(
    (place) => !isKept(transaction, place) && !(isSelected && isReplaced(transaction, place)),
  );
  const [first] = lost;
  if (!first) return transaction;
  const glued = lost.map((place) => offsetWithinLine(transaction, place));
  if (transaction.isUserEvent('input') && glued.every((at) => at !== null)) {
    // Text typed right above a block gets its own line, so that no keystroke is lost.
    const changes = glued.map((from) => ({ from, insert: '\n' }));
    return [transaction, { changes, sequential: true }];
  }
  if (!transaction.isUserEvent('delete') || isSelected) return [];
  return { selection: { anchor: first.from, head: first.to }, userEvent: 'select' };
}

/**
 * Typing at the end of a note is always allowed: after a trailing block there is no other place for
 * it.
 */
function isAppended({ startState, changes }: Transaction): boolean {
  let isAtEnd = true;
  changes.iterChangedRanges((from) => (isAtEnd &&= from === startState.doc.length));
  return isAtEnd;
}

/** Whether the block is unchanged and still on its own lines. */
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

/** New offset of a block that is intact but does not start a line; otherwise null. */
function offsetWithinLine(
  { startState, changes, newDoc }: Transaction,
  place: BlockPlace,
): number | null {
  const raw = startState.sliceDoc(place.from, place.to);
  const at = changes.mapPos(place.from, 1);
  const isWhole = newDoc.sliceString(at, at + raw.length) === raw;
  return isWhole && newDoc.lineAt(at).from < at ? at : null;
}

/** Whether a single change replaces the whole block. */
function isReplaced({ changes }: Transaction, { from, fenceEnd }: BlockPlace): boolean {
  let isWhole = false;
  changes.iterChangedRanges((start, end) => (isWhole ||= start <= from && end >= fenceEnd));
  return isWhole;
}

/** Moves a cursor that the user puts at or inside a block to its far side. */
function stepOverBlocks(transaction: Transaction): Transaction | TransactionSpec[] {
  const { startState, newSelection, docChanged } = transaction;
  if (docChanged || !transaction.isUserEvent('select')) return [transaction];
  const previous = startState.selection.main.head;
  const selection = selectionOutsideBlocks(startState, newSelection, previous);
  return selection ? [transaction, { selection, scrollIntoView: true }] : transaction;
}

/**
 * The selection with its cursors moved outside of blocks; null if nothing has to move.
 *
 * @param previous where the cursor was before, which decides the side on which it leaves
 */
function selectionOutsideBlocks(
  state: EditorState,
  { ranges, mainIndex }: EditorSelection,
  previous: number | null,
): EditorSelection | null {
  const runs = mergeAdjacent(guardedBlocks(state));
  let isOther = false;
  const free = ranges.map((range) => {
    const run = runs.find(({ from, to }) => from <= range.head && range.head < to);
    if (!range.empty || !run) return range;
    const goesBack = previous !== null && previous >= run.to && run.from > 0;
    const to = goesBack ? run.from - 1 : run.to;
    isOther ||= to !== range.head;
    return EditorSelection.cursor(to);
  });
  return isOther ? EditorSelection.create(free, mainIndex) : null;
}

/**
 * Moves a cursor that is in a block for another reason: the note was opened, the block was added
 * around it, or Vim mode moved it, which sets selections without a user event.
 */
class CursorKeeper {
  constructor(view: EditorView) {
    this.#free(view, null);
  }

  update({ view, docChanged, selectionSet, startState, state }: ViewUpdate): void {
    const live = (each: EditorState) => each.field(editorLivePreviewField, false);
    const previous = docChanged ? null : startState.selection.main.head;
    if (docChanged || selectionSet || live(startState) !== live(state)) this.#free(view, previous);
  }

  /** @param previous where the cursor was before it was moved; null if the text changed */
  #free(view: EditorView, previous: number | null): void {
    if (!selectionOutsideBlocks(view.state, view.state.selection, previous)) return;
    // After the update, which can't dispatch, but before the next paint.
    queueMicrotask(() => {
      if (view.composing) return;
      const selection = selectionOutsideBlocks(view.state, view.state.selection, previous);
      if (selection) view.dispatch({ selection });
    });
  }
}
