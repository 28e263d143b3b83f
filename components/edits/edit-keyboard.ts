/** Keyboard navigation between the edits of a list, or of the note that they are in. */

/** Attributes that mark a list of edits and an edit in it. */
export const LIST = 'data-edits';
export const EDIT = 'data-edit';

/** Focuses an edit, or the button in it that was used before. */
function focusEdit(edit: Element | undefined, verb: string | undefined): boolean {
  const button = verb ? edit?.querySelector<HTMLElement>(`[data-verb="${verb}"]`) : null;
  const target = button ?? (edit as HTMLElement | undefined);
  target?.focus();
  return target !== undefined;
}

/** Where the focus goes; `leave` if the edit is about to be removed. */
export type EditWay = 'next' | 'previous' | 'leave';

/** Name of the event by which an edit outside of a list leaves the move to its note. */
const MOVE = 'parley-edit-move';

export function onMove(element: Element, move: (way: EditWay) => void): () => void {
  const moved = ({ detail }: Event & { detail?: EditWay }) => detail && move(detail);
  element.addEventListener(MOVE, moved);
  return () => element.removeEventListener(MOVE, moved);
}

/** Returns whether the edit is in a note. */
function moveInNote(edit: Element, detail: EditWay): boolean {
  const isInNote = edit.closest(`[${LIST}]`) === null;
  if (isInNote) edit.dispatchEvent(new CustomEvent(MOVE, { bubbles: true, detail }));
  return isInNote;
}

/** Moves to the next or previous edit. */
export function goTo(edit: Element, way: 'next' | 'previous'): void {
  if (moveInNote(edit, way)) return;
  const edits = editsBeside(edit);
  focusEdit(edits[edits.indexOf(edit) + (way === 'next' ? 1 : -1)], undefined);
}

/** Moves the focus off an edit that is about to be removed; a focus elsewhere stays. */
export function moveFocusFrom(edit: Element): void {
  const { activeElement } = edit.ownerDocument;
  if (!activeElement || !edit.contains(activeElement)) return;
  if (moveInNote(edit, 'leave')) return;
  const verb = (activeElement as HTMLElement).dataset['verb'];
  const edits = editsBeside(edit);
  const at = edits.indexOf(edit);
  if (!focusEdit(edits[at + 1], verb)) focusEdit(edits[at - 1], verb);
}

function editsBeside(edit: Element): Element[] {
  return [...(edit.closest(`[${LIST}]`)?.querySelectorAll(`[${EDIT}]`) ?? [])];
}
