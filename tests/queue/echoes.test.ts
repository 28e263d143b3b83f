import { describe, expect, it } from 'vitest';
import { duplicateOf } from '#voice/intake';

const heard = [
  { messageId: 'm1', text: 'Add milk.', at: 10_000 },
  { messageId: 'm2', text: 'Call Ines', at: 12_000 },
];

describe('The same words under two ids', () => {
  it.each(['Add milk.', 'add  milk', ' ADD MILK!\n'])('are one request: %o', (text) => {
    expect(duplicateOf({ id: 'm3', text }, heard, 15_000)).toBe('m1');
  });

  it('are two after five seconds', () => {
    expect(duplicateOf({ id: 'm3', text: 'Add milk' }, heard, 15_001)).toBeNull();
  });

  it('are not meant by other words', () => {
    expect(duplicateOf({ id: 'm3', text: 'Add milk and bread' }, heard, 11_000)).toBeNull();
    expect(
      duplicateOf(
        { id: 'm3', text: 'Set it to -5' },
        [{ ...heard[0]!, text: 'Set it to 5' }],
        10_000,
      ),
    ).toBeNull();
  });

  it('are not meant where the id is the same', () => {
    expect(duplicateOf({ id: 'm1', text: 'Add milk.' }, heard, 11_000)).toBeNull();
  });

  it('are found in a very long text at once', () => {
    const text = `${'. '.repeat(200_000)}x`;
    expect(duplicateOf({ id: 'm3', text }, [{ messageId: 'm1', text, at: 0 }], 0)).toBe('m1');
  });
});
