/** Schedules when a view draws added text. */
import type { NextFrame } from '#stores/chat-state';

/**
 * Minimum milliseconds between two drawings, about every fourth frame. Text that grows fifteen
 * times a second reads as well as at sixty, and leaves time for the rest of the window.
 */
const APART = 50;

/** Frames of the window that the element is in at the time. */
export function frameScheduler(element: HTMLElement): NextFrame {
  let drawn = -Infinity;
  return (callback) => {
    // Looked up each time, because a leaf can be dragged into another window, whose clock started
    // at another time.
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
