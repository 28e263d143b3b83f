import { afterEach, beforeEach, expect, test } from 'vitest';
import { followTurn, type ListState } from '#components/chat/follow-turn.ts';

const VIEW = 400;
const observers = new Set<() => void>();
const own = window as unknown as { ResizeObserver: unknown };
const real = own.ResizeObserver;

beforeEach(() => {
  own.ResizeObserver = class {
    readonly #changed: () => void;
    constructor(changed: () => void) {
      this.#changed = changed;
    }
    observe() {
      observers.add(this.#changed);
    }
    disconnect() {
      observers.delete(this.#changed);
    }
  };
});

afterEach(() => {
  own.ResizeObserver = real;
  observers.clear();
});

/** A list of turns with a layout: heights in pixels from top to bottom. */
function listOf(...heights: number[]) {
  const scroller = document.createElement('div');
  const content = document.createElement('div');
  scroller.append(content);
  document.body.append(scroller);
  let position = 0;
  let view = VIEW;
  const sizes = new Map<Element, number>();
  const natural = () => [...sizes.values()].reduce((sum, height) => sum + height, 0);
  const whole = () => Math.max(natural(), parseFloat(content.style.minHeight) || 0);
  const most = () => Math.max(0, whole() - view);
  const box = (top: number, height: number) => ({ top, bottom: top + height }) as DOMRect;
  Object.defineProperties(scroller, {
    clientHeight: { get: () => view },
    scrollHeight: { get: () => Math.max(view, whole()) },
    scrollTop: {
      get: () => Math.min(position, most()),
      set: (to: number) => (position = Math.max(0, Math.min(to, most()))),
    },
  });
  Object.defineProperty(content, 'offsetHeight', { get: whole });
  content.getBoundingClientRect = () => box(-scroller.scrollTop, whole());
  const add = (height: number) => {
    const turn = document.createElement('article');
    turn.getBoundingClientRect = () => {
      const above = [...sizes].slice(0, [...sizes.keys()].indexOf(turn));
      const top = above.reduce((sum, [, each]) => sum + each, 0);
      return box(top - scroller.scrollTop, sizes.get(turn) ?? 0);
    };
    sizes.set(turn, height);
    content.append(turn);
  };
  for (const height of heights) add(height);
  let state: ListState = { followed: 'turn', isAway: false };
  const follower = followTurn(
    scroller,
    content,
    () => content.lastElementChild,
    (now) => (state = now),
  );
  const drawn = () => {
    for (const changed of [...observers]) changed();
    scroller.dispatchEvent(new Event('scroll'));
  };
  return {
    follower,
    get top() {
      return scroller.scrollTop;
    },
    get end() {
      return most();
    },
    get state() {
      return state;
    },
    add(height: number) {
      add(height);
      drawn();
    },
    /** Sets the height of a turn, by default the last one. */
    size(height: number, turn = content.lastElementChild!) {
      sizes.set(turn, height);
      drawn();
    },
    /** Makes the view lower, as a composer does that grows. */
    shrinkView(by: number) {
      view -= by;
      drawn();
    },
    first: () => content.firstElementChild!,
    /** Asks this far below the start of the last turn. Returns a function that answers. */
    ask(below: number) {
      const question = document.createElement('section');
      question.dataset.waiting = '';
      const turn = content.lastElementChild!;
      question.getBoundingClientRect = () => box(turn.getBoundingClientRect().top + below, 0);
      turn.append(question);
      follower.reveal();
      return () => question.remove();
    },
    read(to: number) {
      scroller.scrollTop = to;
      scroller.dispatchEvent(new Event('scroll'));
    },
  };
}

test('the end stays in view while the turn fits', () => {
  const list = listOf(1000, 100);
  for (const height of [150, 200, 400]) {
    list.size(height);
    expect(list.top).toBe(list.end);
  }
  expect(list.state).toEqual({ followed: 'turn', isAway: false });
});

test('a turn that outgrows the view keeps its request at the top', () => {
  const list = listOf(1000, 100);
  for (const height of [500, 900, 3000]) {
    list.size(height);
    expect(list.top).toBe(1000);
  }
  expect(list.state).toEqual({ followed: 'turn', isAway: true });
});

test('a reader who scrolls to the end of a long turn is followed there', () => {
  const list = listOf(1000, 900);
  list.read(list.end);
  list.size(1400);
  expect(list.top).toBe(list.end);
  list.read(list.end - 300);
  const read = list.top;
  list.size(2000);
  expect(list.top).toBe(read);
  expect(list.state.followed).toBe('reader');
});

test('a reader who scrolls to the end of a turn that fits is not followed past its request', () => {
  const list = listOf(1000, 200);
  list.read(100);
  list.read(list.end);
  list.size(2000);
  expect(list.top).toBe(1000);
});

test('content added at the end of a turn does not scroll the view', () => {
  const list = listOf(1000, 900);
  list.read(list.end);
  const read = list.top;
  list.follower.turnEnded();
  list.size(2200);
  expect(list.top).toBe(read);
  expect(list.state.isAway).toBe(true);
});

test('what is added at the end of a turn comes into view for a reader at the end', () => {
  const list = listOf(1000, 380);
  list.follower.turnEnded();
  list.size(460);
  expect(list.top).toBe(list.end);
  list.size(500);
  expect(list.top).toBe(list.end);
  expect(list.state.isAway).toBe(false);

  const long = listOf(1000, 900);
  long.read(long.end);
  long.follower.turnEnded();
  long.size(960);
  expect(long.top).toBe(long.end);
});

test('a reader at the start of a long turn stays there when it ends', () => {
  const list = listOf(1000, 900);
  list.follower.turnEnded();
  list.size(960);
  expect(list.top).toBe(1000);
});

test('the space that folded work leaves is not out of view', () => {
  const list = listOf(1000, 380);
  list.size(200);
  list.shrinkView(100);
  expect(list.state.isAway).toBe(false);
  list.shrinkView(200);
  list.size(500);
  expect(list.state.isAway).toBe(true);
});

test('work that folds at the end of a turn moves neither the request nor the reader', () => {
  const list = listOf(1000, 380);
  const before = list.top;
  list.size(200);
  expect(list.top).toBe(before);
  list.size(240);
  expect(list.top).toBe(before);
  list.add(60);
  list.follower.toTurn();
  expect(list.top).toBe(list.end);
  expect(list.end).toBe(1000 + 240 + 60 - VIEW);
});

test('a turn from the queue does not take the reader from a long answer, as a sent message does', () => {
  const list = listOf(1000, 900);
  expect(list.top).toBe(1000);
  list.add(100);
  expect(list.top).toBe(1000);
  list.follower.toTurn();
  expect(list.top).toBe(list.end);
});

test('a question at the end of a long turn is shown, unless the reader is elsewhere', () => {
  const list = listOf(1000, 900);
  list.ask(750);
  expect(list.top).toBe(list.end);
  list.read(200);
  list.ask(750);
  expect(list.top).toBe(200);
});

test('after a question the request stays in view, or the question if the turn is long', () => {
  const list = listOf(1000, 300);
  list.ask(200)();
  list.size(2000);
  expect(list.top).toBe(1000);

  const answer = list.ask(1900);
  expect(list.top).toBe(list.end);
  list.size(1940);
  expect(list.top).toBe(1000 + 2000 - VIEW);
  answer();
  list.size(4000);
  expect(list.top).toBe(1000 + 1900);
  expect(list.state.followed).toBe('turn');
});

test('a question is shown when its turn gets its height after it was opened', () => {
  const list = listOf(1000, 100);
  list.ask(1700);
  list.size(1900);
  expect(list.top).toBe(list.end);
  list.read(200);
  list.size(2100);
  expect(list.top).toBe(200);
});

test('a question that is taller than the view is shown from its start', () => {
  const list = listOf(1000, 1600);
  list.ask(900);
  expect(list.top).toBe(1000 + 900);
  list.add(100);
  list.follower.toTurn();
  expect(list.top).toBe(list.end);
});

test('a reader at the end of a long turn is followed there after a question, too', () => {
  const list = listOf(1000, 900);
  list.read(list.end);
  list.ask(850);
  list.size(1900);
  expect(list.top).toBe(list.end);
});

test('turns above that are drawn later leave the request at the top', () => {
  const list = listOf(1000, 900);
  list.size(1300, list.first());
  expect(list.top).toBe(1300);
  expect(list.state.followed).toBe('turn');
});

test('nothing moves for a reader who has scrolled up, whatever comes', () => {
  const list = listOf(1000, 300);
  list.read(150);
  list.size(2000);
  list.add(100);
  expect(list.top).toBe(150);
  list.follower.toEnd();
  expect(list.top).toBe(list.end);
  expect(list.state.isAway).toBe(false);
});
