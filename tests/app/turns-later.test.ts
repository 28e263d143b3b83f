import { expect, test } from 'vitest';
import type { DirectCalls } from '#tools/direct-calls';
import type { TurnRunner } from '#queue/turn-runner';
import { turnsLater } from '#app/turns-later';

function laterTurns() {
  const seen: string[] = [];
  let open: () => void = () => undefined;
  const evaluated = new Promise<void>((resolve) => (open = resolve));
  const turns = {
    recover: async () => void seen.push('recovered'),
    close: () => void seen.push('closed'),
  } as unknown as TurnRunner;
  const direct = { call: async (name: string) => ({ called: name }) } as unknown as DirectCalls;
  const later = turnsLater(async () => {
    seen.push('made');
    await evaluated;
    return { turns, direct };
  });
  return { later, seen, open };
}

test('Turns are made when one is first asked for, and once', async () => {
  const { later, seen, open } = laterTurns();
  open();
  expect(seen).toEqual([]);
  await later.turns.recover({} as never, 'turn-1' as never);
  expect(await later.direct.call('move', {})).toEqual({ called: 'move' });
  await later.turns.recover({} as never, 'turn-2' as never);
  expect(seen).toEqual(['made', 'recovered', 'recovered']);
});

test('Turns that are still being made when all is closed begin closed', async () => {
  const { later, seen, open } = laterTurns();
  const recovered = later.turns.recover({} as never, 'turn-1' as never);
  later.turns.close();
  open();
  await recovered;
  expect(seen).toEqual(['made', 'closed', 'recovered']);
});

test('Closing makes none', () => {
  const { later, seen } = laterTurns();
  later.turns.close();
  expect(seen).toEqual([]);
});
