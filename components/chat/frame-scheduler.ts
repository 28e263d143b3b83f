/** When a view draws the text that has grown. */
import type { NextFrame } from '#stores/chat-state';

/**
 * Milliseconds from one drawing to the next at the least: with the wait for a frame, every fourth one of a usual
 * screen. Words that come in fifteen times a second are read as well as at sixty, and the window has the time for more
 * than them.
 */
const APART = 50;

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
