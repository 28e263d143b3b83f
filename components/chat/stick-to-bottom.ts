/** Keeps a growing list scrolled to its end if the reader is there. */
import { observeSizes } from '../shared/follow-window';

/**
 * Pixels from the end that still count as the end, because a zoomed window rarely scrolls to whole
 * pixels.
 */
const NEAR = 24;

export interface StickyScroll {
  toBottom(): void;
  /** Called when the reader scrolls away. */
  leave(): void;
  close(): void;
}

/** @param onAway called with whether the end is out of view */
export function stickToBottom(
  scroller: HTMLElement,
  content: HTMLElement,
  onAway: (away: boolean) => void,
): StickyScroll {
  let isThere = true;
  let top = 0;
  const toBottom = () => {
    scroller.scrollTop = scroller.scrollHeight;
    top = scroller.scrollTop;
  };
  const scrolled = () => {
    const before = top;
    top = scroller.scrollTop;
    // The list may have grown since the last scroll; only a reader scrolls back.
    if (scroller.scrollHeight - top - scroller.clientHeight <= NEAR) isThere = true;
    else if (top < before) isThere = false;
    onAway(!isThere);
  };
  const grown = () => {
    if (isThere) toBottom();
  };
  scroller.addEventListener('scroll', scrolled, { passive: true });
  const unobserve = observeSizes([scroller, content], grown);
  toBottom();
  return {
    toBottom() {
      isThere = true;
      toBottom();
      scrolled();
    },
    leave() {
      isThere = false;
      top = -1;
      onAway(true);
    },
    close() {
      unobserve();
      scroller.removeEventListener('scroll', scrolled);
    },
  };
}
