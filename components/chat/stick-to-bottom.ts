/** Keeps a scrolled list at its end while it grows, but only for a reader who is there. */

/** So many pixels off still count as the end: a zoomed window rarely scrolls to whole pixels. */
const NEAR = 24;

export interface Stick {
  toBottom(): void;
  /** The reader goes elsewhere. */
  leave(): void;
  close(): void;
}

/** @param told whether the end is out of sight */
export function stickToBottom(
  scroller: HTMLElement,
  content: HTMLElement,
  told: (away: boolean) => void,
): Stick {
  let isThere = true;
  let top = 0;
  const toBottom = () => {
    scroller.scrollTop = scroller.scrollHeight;
    top = scroller.scrollTop;
  };
  const scrolled = () => {
    const before = top;
    top = scroller.scrollTop;
    // The list may have grown since it was scrolled; only a reader moves it backwards.
    if (scroller.scrollHeight - top - scroller.clientHeight <= NEAR) isThere = true;
    else if (top < before) isThere = false;
    told(!isThere);
  };
  const grown = () => {
    if (isThere) toBottom();
  };
  scroller.addEventListener('scroll', scrolled, { passive: true });
  // The window of the element: a pop-out measures for itself. Without a layout there is nothing to follow.
  const Observer = scroller.ownerDocument.defaultView?.ResizeObserver;
  const observer = Observer ? new Observer(grown) : null;
  observer?.observe(content);
  observer?.observe(scroller);
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
      told(true);
    },
    close() {
      observer?.disconnect();
      scroller.removeEventListener('scroll', scrolled);
    },
  };
}
