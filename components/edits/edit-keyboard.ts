/** Going from one edit to the next by keyboard, within the list that holds them. */

/** What marks a list of edits, and an edit in it. */
export const LIST = 'data-edits';
export const EDIT = 'data-edit';

/** An edit that takes the focus, or the same button in it as was used before. */
function focusEdit(edit: Element | undefined, verb: string | undefined): boolean {
  const button = verb ? edit?.querySelector<HTMLElement>(`[data-verb="${verb}"]`) : null;
  const target = button ?? (edit as HTMLElement | undefined);
  target?.focus();
  return target !== undefined;
}

/** To the next one, or the one before it. */
export function goTo(edit: Element, way: 'next' | 'previous'): void {
  const edits = editsBeside(edit);
  focusEdit(edits[edits.indexOf(edit) + (way === 'next' ? 1 : -1)], undefined);
}

/** Away from an edit that is about to go; whoever is elsewhere stays there. */
export function goOnFrom(edit: Element): void {
  const { activeElement } = edit.ownerDocument;
  if (!activeElement || !edit.contains(activeElement)) return;
  const verb = (activeElement as HTMLElement).dataset['verb'];
  const edits = editsBeside(edit);
  const at = edits.indexOf(edit);
  if (!focusEdit(edits[at + 1], verb)) focusEdit(edits[at - 1], verb);
}

function editsBeside(edit: Element): Element[] {
  return [...(edit.closest(`[${LIST}]`)?.querySelectorAll(`[${EDIT}]`) ?? [])];
}
