/** Keeps what floats over the panel or a note within the part of it that is seen. */
import { observeSizes } from './follow-window';

/** Pixels between a list and the edge of the room. */
const GAP_PX = 8;
/** A list with less room below its field is above it if there is more. */
const MIN_BELOW_PX = 160;

/**
 * Limits the height of a list to the room between its field and the edge of the panel or the
 * editor, as `--parley-room`.
 *
 * @param prefers the side of the field; a list is above where there is not enough room below
 */
export function withinRoom(list: HTMLElement, prefers: 'above' | 'below'): () => void {
  const measure = () => fitIntoRoom(list, prefers);
  measure();
  return observeSizes([fieldOf(list), roomOf(list)], measure);
}

/** The same once, for a list whose field moves. */
export function fitIntoRoom(list: HTMLElement, prefers: 'above' | 'below'): void {
  const { top, bottom } = fieldOf(list).getBoundingClientRect();
  const outer = roomOf(list).getBoundingClientRect();
  const seen = list.ownerDocument.documentElement.clientHeight;
  const above = top - Math.max(0, outer.top) - GAP_PX;
  const below = Math.min(outer.bottom, seen) - bottom - GAP_PX;
  const isBelow = prefers === 'below' && (below >= MIN_BELOW_PX || below >= above);
  list.classList.toggle('is-below', isBelow);
  // Without layout there is nothing to measure.
  const room = outer.height === 0 ? '' : `${Math.max(0, Math.floor(isBelow ? below : above))}px`;
  list.style.setProperty('--parley-room', room);
}

function fieldOf(list: HTMLElement): Element {
  return list.offsetParent ?? list.parentElement ?? list;
}

/** What floats stays within it. */
export function roomOf(list: HTMLElement): HTMLElement {
  return list.closest<HTMLElement>('.cm-scroller, .parley-room') ?? list.ownerDocument.body;
}
