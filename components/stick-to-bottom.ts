/** Keeps a scrolled list at its end while it grows, but only for a reader who is there. */

/** So many pixels off still count as the end: a zoomed window rarely scrolls to whole pixels. */
const NEAR = 24;

export interface Stick {
  toBottom(): void;
  close(): void;
}

/** @param told whether the end is out of sight, and whether something came below meanwhile */
export function stickToBottom(
  scroller: HTMLElement,
  content: HTMLElement,
  told: (away: boolean, news: boolean) => void,
): Stick {
  let isThere = true;
  let height = scroller.scrollHeight;
  let news = false;
  const toBottom = () => {
    scroller.scrollTop = scroller.scrollHeight;
  };
  const scrolled = () => {
    isThere = scroller.scrollHeight - scroller.scrollTop - scroller.clientHeight <= NEAR;
    if (isThere) news = false;
    told(!isThere, news);
  };
  const grown = () => {
    if (isThere) {
      toBottom();
    } else if (scroller.scrollHeight > height) {
      news = true;
      told(true, true);
    }
    height = scroller.scrollHeight;
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
    close() {
      observer?.disconnect();
      scroller.removeEventListener('scroll', scrolled);
    },
  };
}
