/**
 * Keeps the blocks of pending edits whole in live preview, where a bar is drawn in place of each:
 * the cursor steps over them, a key that would delete a part of one selects it, and typed text gets
 * a line of its own. Source mode shows everything and guards nothing.
 */
import {
  EditorSelection,
  EditorState,
  type Extension,
  type Transaction,
  type TransactionSpec,
} from '@codemirror/state';
import { type EditorView, ViewPlugin, type ViewUpdate } from '@codemirror/view';
import {
  type BlockPlace,
  isLivePreview,
  livePlaces,
  mergeAdjacent,
  placesField,
} from './block-places';

export function blockGuard(): Extension {
  return [
    placesField,
    EditorState.transactionFilter.of((transaction) => keepBlocksWhole(transaction)),
    EditorState.transactionFilter.of((transaction) => stepOverBlocks(transaction)),
    ViewPlugin.fromClass(CursorKeeper),
  ];
}

type Filtered = Transaction | TransactionSpec | readonly TransactionSpec[];

function keepBlocksWhole(transaction: Transaction): Filtered {
  const { startState, docChanged } = transaction;
  const isByHand = ['input', 'delete', 'move'].some((each) => transaction.isUserEvent(each));
  if (!docChanged || !isByHand) return transaction;
  const isSelected = !startState.selection.main.empty;
  const states = livePlaces(startState).map((place) => ({
    place,
    ...blockAfter(transaction, place),
  }));
  const broken = states.filter(
    ({ place, isWhole, gaps }) =>
      (!isWhole && !(isSelected && isReplaced(transaction, place))) || gaps.length > 0,
  );
  const [first] = broken;
  if (!first) return transaction;
  if (transaction.isUserEvent('input') && broken.every(({ isWhole }) => isWhole)) {
    const changes = broken.flatMap(({ gaps }) => gaps);
    return [transaction, { changes, sequential: true }];
  }
  if (!transaction.isUserEvent('delete') || isSelected) return [];
  const { from, to } = first.place;
  return { selection: { anchor: from, head: to }, userEvent: 'select' };
}

interface BlockAfter {
  /** Whether no character of it changed. */
  readonly isWhole: boolean;
  /** The line breaks that it needs to have its lines for itself. */
  readonly gaps: readonly { readonly from: number; readonly insert: string }[];
}

function blockAfter(transaction: Transaction, { from, tagEnd }: BlockPlace): BlockAfter {
  const { startState, changes, newDoc } = transaction;
  const block = startState.sliceDoc(from, tagEnd).replace(/\n$/, '');
  const start = changes.mapPos(from, 1);
  const end = start + block.length;
  if (newDoc.sliceString(start, end) !== block) return { isWhole: false, gaps: [] };
  const gaps: { from: number; insert: string }[] = [];
  if (newDoc.lineAt(start).from < start) gaps.push({ from: start, insert: '\n' });
  const rest = newDoc.sliceString(end, newDoc.lineAt(end).to);
  if (rest.trim() !== '') gaps.push({ from: end, insert: '\n\n' });
  else if (transaction.isUserEvent('input') && joinsTag(transaction, tagEnd, end)) {
    gaps.push({ from: end, insert: '\n' });
  }
  return { isWhole: true, gaps };
}

/** Whether text was typed into the blank line below a tag, whose paragraph would go on with it. */
function joinsTag({ startState, newDoc }: Transaction, tagEnd: number, end: number): boolean {
  const next = newDoc.lineAt(end).number + 1;
  if (next > newDoc.lines || newDoc.line(next).text.trim() === '') return false;
  return startState.doc.lineAt(tagEnd).text.trim() === '';
}

/** Whether a single change replaces the whole block. */
function isReplaced({ changes }: Transaction, { from, tagEnd }: BlockPlace): boolean {
  let isWhole = false;
  changes.iterChangedRanges((start, end) => (isWhole ||= start <= from && end >= tagEnd - 1));
  return isWhole;
}

/** Moves a cursor that is put at or inside a block to its far side. */
function stepOverBlocks(transaction: Transaction): Filtered {
  const { startState, newSelection, docChanged } = transaction;
  if (docChanged || !transaction.isUserEvent('select')) return transaction;
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
  const runs = mergeAdjacent(livePlaces(state));
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
    const previous = docChanged ? null : startState.selection.main.head;
    const isOther = isLivePreview(startState) !== isLivePreview(state);
    if (docChanged || selectionSet || isOther) this.#free(view, previous);
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
