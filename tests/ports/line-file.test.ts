import { describe, expect, it } from 'vitest';
import { jsonLine, LineAppender, linesFromEnd, linesIn, tornLineRepair } from '#ports/line-file';
import { diskError, memoryStore } from '#tests/builders/fake-storage';

const FILE = 'file.jsonl';

describe('files of JSON lines', () => {
  it('lines are the same from the start and from the end, without empty and interrupted ones', () => {
    const text = '{"a":1}\n\n  \n{"b":…\n{"c":3}\n{"d"';
    const lines = ['{"a":1}', '{"c":3}', '{"d"'];
    for (const ending of ['', '\n']) {
      expect([...linesIn(text + ending)]).toEqual(lines);
      expect([...linesFromEnd(text + ending)]).toEqual(lines.toReversed());
    }
  });

  it.each([
    ['', ''],
    ['{"a":1}\n', ''],
    ['{"a":1}', '\n'],
    ['{"a":1}\n{"b"', '…\n'],
    ['{"a":1}\n{"b"…', '\n'],
    ['{"a":1}\n\0\0', '\n'],
  ])('after %j the next line begins with %j', (text, repair) => {
    expect(tornLineRepair(text)).toBe(repair);
  });

  it.each([0, 1, 6, 7, 8])(
    'a line whose write failed after %i characters does not count, and damages no other line',
    async (partly) => {
      const store = memoryStore();
      const appender = new LineAppender(store, FILE, '');
      await appender.append([{ a: 1 }], { flush: true });
      store.partly = partly;
      store.refuse = () => {
        throw diskError('ENOSPC');
      };
      await expect(appender.append([{ b: 2 }], { flush: true })).rejects.toThrow('ENOSPC');
      store.refuse = null;
      await appender.append([{ c: 3 }], { flush: true });
      const whole = partly === jsonLine({ b: 2 }).length ? ['{"b":2}'] : [];
      expect([...linesIn(store.files.get(FILE)!)]).toEqual(['{"a":1}', ...whole, '{"c":3}']);
    },
  );
});
