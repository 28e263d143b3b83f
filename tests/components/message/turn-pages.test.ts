import { expect, test } from 'vitest';
import { turnPages } from '#components/chat/lazy-render.ts';
import type { Turn } from '#model/conversation';

const turns = Array.from(
  { length: 45 },
  (_, at): Turn => ({ id: `turn-${at}`, end: null }) as never,
);

test('pages contain all turns in order', () => {
  const pages = turnPages(turns, []);
  expect(pages.map(({ from }) => from)).toEqual([0, 20, 40]);
  expect(pages.flatMap((page) => page.turns)).toEqual(turns);
});

test('a page without changes stays the same object', () => {
  const before = turnPages(turns, []);
  const grown = turnPages(
    [...turns.slice(0, 44), { ...turns[44] } as Turn, turns[0] as Turn],
    before,
  );
  expect(grown.slice(0, 2)).toEqual(before.slice(0, 2));
  expect(grown[0]).toBe(before[0]);
  expect(grown[1]).toBe(before[1]);
  expect(grown[2]).not.toBe(before[2]);
  expect(turnPages(turns.slice(0, 10), before)[0]).not.toBe(before[0]);
});

test('a page changes with the turn before it and with the turns after it that are drawn at once', () => {
  const before = turnPages(turns, []);
  const retried = turnPages(turns.with(19, { ...turns[19] } as Turn), before);
  expect(retried.map((page, at) => page === before[at])).toEqual([false, false, true]);
  const shorter = turnPages(turns.slice(0, 41), before);
  expect(shorter.map((page, at) => page === before[at])).toEqual([true, false, false]);
});
