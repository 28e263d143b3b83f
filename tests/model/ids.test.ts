import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callId, idMinter, type TurnId } from '#model/ids';
import { cases } from '#tests/cases';

describe('Ids', () => {
  it('ids sort in the order of minting, even within a millisecond', () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: -3, max: 40 }), { maxLength: 60 }),
        fc.array(fc.stringMatching(/^[a-z0-9]{8}$/), { minLength: 1, maxLength: 5 }),
        (ticks, chance) => {
          // The system clock may be set back in between.
          let now = 1_800_000_000_000;
          let at = 0;
          const mint = idMinter(
            () => now,
            () => chance[(at += 1) % chance.length] ?? 'aaaaaaaa',
          );
          const ids = ticks.map((tick) => {
            now += tick;
            return mint('request');
          });
          expect([...ids].sort()).toEqual(ids);
          expect(new Set(ids).size).toBe(ids.length);
        },
      ),
      cases,
    );
  });

  it('ids sort in the order of minting even for 3,000 in one millisecond', () => {
    const mint = idMinter(
      () => 1,
      () => 'aaaaaaaa',
    );
    const ids = Array.from({ length: 3_000 }, () => mint('request'));
    const sorted = [...ids].sort();
    expect(sorted.findIndex((id, at) => id !== ids[at])).toBe(-1);
    expect(new Set(ids).size).toBe(3_000);
  });

  it('an id starts with its kind', () => {
    const mint = idMinter(
      () => 1_800_000_000_000,
      () => 'abcdefghij',
    );
    expect(mint('turn')).toMatch(/^turn-[0-9a-z]{9}00abcdefgh$/);
  });

  it('callId is made of the turn, the step, and the index of the call', () => {
    expect(callId('turn-1' as TurnId, 2, 0)).toBe('turn-1.2.0');
  });
});
