import fc from 'fast-check';
import { expect, it } from 'vitest';
import { PostingsReader, PostingsWriter } from '#search/postings';

const SLOT_END = 60_000;

const list = fc
  .uniqueArray(fc.oneof(fc.nat(300), fc.nat(SLOT_END - 1)), { minLength: 1, maxLength: 40 })
  .map((slots) => slots.sort((a, b) => a - b))
  .chain((slots) =>
    fc
      .array(fc.oneof(fc.constant(1), fc.integer({ min: 1, max: 0xffff })), {
        minLength: slots.length,
        maxLength: slots.length,
      })
      .map((uses) => slots.map((slot, at) => [slot, uses[at]!] as const)),
  );

it('lists are read as they were written', () => {
  fc.assert(
    fc.property(fc.array(list, { maxLength: 8 }), (lists) => {
      const writer = new PostingsWriter(0, lists.flat().length);
      for (const entries of lists) {
        for (const [slot, use] of entries) writer.add(slot, use);
        expect(writer.endList()).toBe(true);
      }
      const reader = new PostingsReader(writer.postings(), SLOT_END);
      for (const [word, entries] of lists.entries()) {
        const count = reader.read(word);
        const read = Array.from({ length: count }, (_, at) => [reader.slots[at], reader.uses[at]]);
        expect(read).toEqual(entries);
      }
      expect(reader.read(lists.length)).toBe(0);
    }),
  );
});

it('lists with fewer notes than before fit into the bytes that they had', () => {
  fc.assert(
    fc.property(
      list,
      fc.array(fc.boolean(), { minLength: 40, maxLength: 40 }),
      (entries, keeps) => {
        const before = new PostingsWriter(0, entries.length);
        for (const [slot, use] of entries) before.add(slot, use);
        before.endList();
        const removed = entries.flatMap(([slot], at) => (keeps[at] ? [] : slot));
        const kept = entries
          .filter((_, at) => keeps[at])
          .map(
            ([slot, use]) => [slot - removed.filter((other) => other < slot).length, use] as const,
          );
        const after = new PostingsWriter(before.postings().bytes.length, 0);
        for (const [slot, use] of kept) after.add(slot, use);
        after.endList();
        const reader = new PostingsReader(after.postings(), SLOT_END);
        const count = reader.read(0);
        const read = Array.from({ length: count }, (_, at) => [reader.slots[at], reader.uses[at]]);
        expect(read).toEqual(kept);
      },
    ),
  );
});
