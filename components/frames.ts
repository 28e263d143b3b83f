/** When a view draws the text that has grown. */
import type { NextFrame } from '#stores/screen';

/**
 * Milliseconds from one drawing to the next at the least: every third frame of a usual screen. Text that comes in at
 * twenty times a second reads as smoothly as at sixty, and the rest of the window has the time.
 */
const APART = 40;

/** Frames of whatever window the element is in by then. */
export function pacedFrames(element: HTMLElement): NextFrame {
  let drawn = -Infinity;
  return (callback) => {
    // Asked anew each time: a leaf can be dragged from one window into another, whose clock began at another time.
    const window = element.ownerDocument.defaultView;
    if (!window) return () => undefined;
    let frame = 0;
    const atFrame = () => {
      frame = window.requestAnimationFrame(() => {
        drawn = window.performance.now();
        callback();
      });
    };
    const wait = Math.min(APART, drawn + APART - window.performance.now());
    const timer = wait > 0 ? window.setTimeout(atFrame, wait) : 0;
    if (wait <= 0) atFrame();
    return () => {
      window.clearTimeout(timer);
      window.cancelAnimationFrame(frame);
    };
  };
}
