import { describe, expect, it } from 'vitest';
import { duplicateOf } from '#queue/spoken-requests';

const heard = [
  { messageId: 'm1', text: 'Add milk.', at: 10_000 },
  { messageId: 'm2', text: 'Call Ines', at: 12_000 },
];

describe('equal text under two ids', () => {
  it.each(['Add milk.', 'add  milk', ' ADD MILK!\n'])('equal text is one request: %o', (text) => {
    expect(duplicateOf({ id: 'm3', text }, heard, 15_000)).toBe('m1');
  });

  it('messages with equal text more than five seconds apart are two requests', () => {
    expect(duplicateOf({ id: 'm3', text: 'Add milk' }, heard, 15_001)).toBeNull();
  });

  it('messages with different text are two requests', () => {
    expect(duplicateOf({ id: 'm3', text: 'Add milk and bread' }, heard, 11_000)).toBeNull();
    expect(
      duplicateOf(
        { id: 'm3', text: 'Set it to -5' },
        [{ ...heard[0]!, text: 'Set it to 5' }],
        10_000,
      ),
    ).toBeNull();
  });

  it('a message with a known id is not compared by text', () => {
    expect(duplicateOf({ id: 'm1', text: 'Add milk.' }, heard, 11_000)).toBeNull();
  });

  it('duplicates of a very long text are found at once', () => {
    const text = `${'. '.repeat(200_000)}x`;
    expect(duplicateOf({ id: 'm3', text }, [{ messageId: 'm1', text, at: 0 }], 0)).toBe('m1');
  });
});
