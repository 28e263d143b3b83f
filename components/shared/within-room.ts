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
  const field = list.offsetParent ?? list.parentElement ?? list;
  const edges = list.closest('.cm-scroller, .parley-room') ?? list.ownerDocument.body;
  const measure = () => {
    const { top, bottom } = field.getBoundingClientRect();
    const outer = edges.getBoundingClientRect();
    const seen = list.ownerDocument.documentElement.clientHeight;
    const above = top - Math.max(0, outer.top) - GAP_PX;
    const below = Math.min(outer.bottom, seen) - bottom - GAP_PX;
    const isBelow = prefers === 'below' && (below >= MIN_BELOW_PX || below >= above);
    list.classList.toggle('is-below', isBelow);
    // Without layout there is nothing to measure.
    const room = outer.height === 0 ? '' : `${Math.max(0, Math.floor(isBelow ? below : above))}px`;
    list.style.setProperty('--parley-room', room);
  };
  measure();
  return observeSizes([field, edges], measure);
}
