import { describe, expect, test } from 'vitest';
import { pacedFrames } from '#components/chat/frame-scheduler.ts';

const FRAME = 16;

/** A window whose time passes when the test says so, with a frame every 16 milliseconds. */
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
    requestAnimationFrame: (run: () => void) => add((Math.floor(now / FRAME) + 1) * FRAME, run),
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
  const next = pacedFrames(element);
  const ask = () => next(() => drawn.push(owner.defaultView?.performance.now() ?? -1));
  return { window, owner, drawn, ask };
}

describe('drawing', () => {
  test('comes at the next frame where there was none for a while', () => {
    const { window, drawn, ask } = opened();
    ask();
    window.pass(FRAME);
    expect(drawn).toEqual([16]);
    window.pass(100);
    ask();
    window.pass(FRAME);
    expect(drawn).toEqual([16, 128]);
  });

  test('comes at every fourth frame where there is always something', () => {
    const { window, drawn, ask } = opened();
    for (let frame = 0; frame < 10; frame += 1) {
      if (window.waiting() === 0) ask();
      window.pass(FRAME);
    }
    expect(drawn).toEqual([16, 80, 144]);
  });

  test('does not come when it is called off, before its frame or while it waits for it', () => {
    const { window, drawn, ask } = opened();
    ask()();
    ask();
    window.pass(FRAME);
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

  test('goes on in the window that the view was taken to, whose time is another', () => {
    const { window, owner, drawn, ask } = opened(slowWindow(1_000_000));
    ask();
    window.pass(FRAME);
    const other = slowWindow();
    owner.defaultView = other;
    ask();
    other.pass(4 * FRAME);
    expect(drawn).toEqual([1_000_016, 64]);
  });

  test('waits for nothing without a window', () => {
    const { owner, drawn, ask } = opened();
    owner.defaultView = null;
    ask()();
    expect(drawn).toEqual([]);
  });
});
