import { describe, expect, test } from 'vitest';
import { frameScheduler } from '#components/chat/frame-scheduler.ts';

const FRAME_MS = 16;

/** A window whose time the test advances, with a frame every 16 milliseconds. */
function slowWindow(began = 0) {
  let now = began;
  let ids = 0;
  const due = new Map<number, { at: number; run: () => void }>();
  const add = (at: number, run: () => void) => {
    due.set((ids += 1), { at, run });
    return ids;
  };
  return {
    performance: { now: () => now },
    setTimeout: (run: () => void, wait: number) => add(now + wait, run),
    requestAnimationFrame: (run: () => void) =>
      add((Math.floor(now / FRAME_MS) + 1) * FRAME_MS, run),
    clearTimeout: (id: number) => due.delete(id),
    cancelAnimationFrame: (id: number) => due.delete(id),
    waiting: () => due.size,
    pass(milliseconds: number) {
      const until = now + milliseconds;
      for (;;) {
        const next = [...due].sort(([, a], [, b]) => a.at - b.at)[0];
        if (!next || next[1].at > until) break;
        due.delete(next[0]);
        now = Math.max(now, next[1].at);
        next[1].run();
      }
      now = until;
    },
  };
}

function opened(window = slowWindow()) {
  const owner = { defaultView: window as ReturnType<typeof slowWindow> | null };
  const element = { ownerDocument: owner } as unknown as HTMLElement;
  const drawn: number[] = [];
  const next = frameScheduler(element);
  const ask = () => next(() => drawn.push(owner.defaultView?.performance.now() ?? -1));
  return { window, owner, drawn, ask };
}

describe('the frame scheduler', () => {
  test('the frame scheduler draws at the next frame after a pause', () => {
    const { window, drawn, ask } = opened();
    ask();
    window.pass(FRAME_MS);
    expect(drawn).toEqual([16]);
    window.pass(100);
    ask();
    window.pass(FRAME_MS);
    expect(drawn).toEqual([16, 128]);
  });

  test('the frame scheduler draws at every fourth frame under constant load', () => {
    const { window, drawn, ask } = opened();
    for (let frame = 0; frame < 10; frame += 1) {
      if (window.waiting() === 0) ask();
      window.pass(FRAME_MS);
    }
    expect(drawn).toEqual([16, 80, 144]);
  });

  test('the frame scheduler does not draw after it was canceled', () => {
    const { window, drawn, ask } = opened();
    ask()();
    ask();
    window.pass(FRAME_MS);
    const callOff = ask();
    window.pass(10);
    callOff();
    ask();
    window.pass(30);
    expect(drawn).toEqual([16]);
    window.pass(200);
    expect(drawn).toEqual([16, 80]);
    expect(window.waiting()).toBe(0);
  });

  test('the frame scheduler continues in another window with another clock', () => {
    const { window, owner, drawn, ask } = opened(slowWindow(1_000_000));
    ask();
    window.pass(FRAME_MS);
    const other = slowWindow();
    owner.defaultView = other;
    ask();
    other.pass(4 * FRAME_MS);
    expect(drawn).toEqual([1_000_016, 64]);
  });

  test('the frame scheduler waits for nothing without a window', () => {
    const { owner, drawn, ask } = opened();
    owner.defaultView = null;
    ask()();
    expect(drawn).toEqual([]);
  });
});
