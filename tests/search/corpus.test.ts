import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Corpus } from '#search/corpus';
import type { SliceClock } from '#ports/slices';
import { cases } from '#tests/cases';

/**
 * A clock that advances by `tick` at every reading, and counts how often the thread was yielded.
 */
function sliceClock(tick = 0): SliceClock & { pauses: number; onPause?: () => void } {
  let now = 0;
  return {
    pauses: 0,
    now: () => (now += tick),
    pause() {
      this.pauses++;
      this.onPause?.();
      return Promise.resolve();
    },
  };
}

/** Notes that can change without the corpus being told. */
function vault(initial: Readonly<Record<string, string>> = {}, cacheBytes = 1_000_000) {
  const notes = new Map(Object.entries(initial));
  const loads: string[] = [];
  const corpus = new Corpus({
    cacheBytes,
    load: (id) => {
      loads.push(id);
      const text = notes.get(id);
      return text === undefined ? Promise.reject(new Error('gone')) : Promise.resolve(text);
    },
  });
  for (const id of notes.keys()) corpus.put(id, '1');
  return { notes, loads, corpus };
}

async function visited(corpus: Corpus, ids: Iterable<string> = corpus.ids()): Promise<string[]> {
  const seen: string[] = [];
  await corpus.scan(ids, (id, text) => void seen.push(`${id}=${text}`), { clock: sliceClock() });
  return seen;
}

describe('the corpus', () => {
  it('the corpus loads a text once until its version changes', async () => {
    const { corpus, notes, loads } = vault({ a: 'one' });
    expect(await corpus.text('a')).toBe('one');
    expect(await corpus.text('a')).toBe('one');
    notes.set('a', 'two');
    corpus.put('a', '1');
    expect(await corpus.text('a')).toBe('one');
    corpus.put('a', '2');
    expect(await corpus.text('a')).toBe('two');
    expect(loads).toEqual(['a', 'a']);
  });

  it('the corpus drops the least recently used texts', async () => {
    const { corpus, loads } = vault(
      { a: 'x'.repeat(40), b: 'x'.repeat(40), c: 'x'.repeat(40) },
      200,
    );
    await corpus.text('a');
    await corpus.text('b');
    await corpus.text('a');
    await corpus.text('c');
    await corpus.text('a');
    await corpus.text('b');
    expect(loads).toEqual(['a', 'b', 'c', 'b']);
  });

  it('the corpus does not cache a text that changed while it was read', async () => {
    const { corpus, notes } = vault({ a: 'one' });
    const reading = corpus.text('a');
    notes.set('a', 'two');
    corpus.put('a', '2');
    await reading;
    expect(await corpus.text('a')).toBe('two');
  });

  it('the corpus skips missing notes and reports them', async () => {
    const { corpus, notes } = vault({ a: 'one', b: 'two', c: 'three' });
    notes.delete('b');
    const seen: string[] = [];
    const report = await corpus.scan(['a', 'b', 'x', 'c'], (id) => void seen.push(id), {
      clock: sliceClock(),
    });
    expect(seen).toEqual(['a', 'c']);
    expect(report).toEqual({ finished: true, unread: ['b', 'x'] });
  });

  it('the corpus scans in the requested order, even with little memory and many texts', async () => {
    const notes = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`${n}`, `text ${n}`]));
    const { corpus, loads } = vault(notes, 100);
    const ids = Object.keys(notes).reverse();
    expect(await visited(corpus, ids)).toEqual(ids.map((id) => `${id}=text ${id}`));
    expect(loads).toHaveLength(300);
  });

  it('the corpus yields when a slice is over, also within one text', async () => {
    const { corpus } = vault({ a: 'one', b: 'two', c: 'three' });
    const quick = sliceClock(1);
    await corpus.scan(corpus.ids(), () => undefined, { clock: quick });
    expect(quick.pauses).toBe(0);
    const slow = sliceClock(9);
    await corpus.scan(corpus.ids(), () => undefined, { clock: slow });
    expect(slow.pauses).toBe(3);
    const steps = sliceClock(9);
    await corpus.scan(['a'], () => [1, 2, 3].map(() => undefined).values(), { clock: steps });
    expect(steps.pauses).toBe(4);
  });

  it('the corpus stops on an abort, also within one text', async () => {
    const { corpus } = vault({ a: 'one', b: 'two' });
    const abort = new AbortController();
    const slow = sliceClock(9);
    let seen = 0;
    slow.onPause = () => abort.abort();
    const options = { clock: slow, signal: abort.signal };
    const visit = () => [1, 2, 3].map(() => void seen++).values();
    expect(await corpus.scan(corpus.ids(), visit, options)).toMatchObject({ finished: false });
    expect(slow.pauses).toBe(1);
    expect(seen).toBe(3);
    expect(await corpus.scan(corpus.ids(), visit, options)).toMatchObject({ finished: false });
    expect(seen).toBe(3);
  });

  it('the corpus answers like a new one, whatever happened before', async () => {
    const id = fc.constantFrom('a', 'b', 'c', 'd');
    const action = fc.oneof(
      fc.record({ do: fc.constant('put' as const), id, text: fc.string({ maxLength: 8 }) }),
      fc.record({ do: fc.constant('remove' as const), id }),
      fc.record({ do: fc.constant('read' as const), id }),
      fc.record({ do: fc.constant('scan' as const) }),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(action, { maxLength: 25 }), fc.nat(40), async (actions, room) => {
        const { corpus, notes } = vault({}, room);
        const versions = new Map<string, string>();
        for (const [time, step] of actions.entries()) {
          if (step.do === 'put') {
            notes.set(step.id, step.text);
            versions.set(step.id, `${time}`);
            corpus.put(step.id, `${time}`);
          } else if (step.do === 'remove') {
            notes.delete(step.id);
            versions.delete(step.id);
            corpus.remove(step.id);
          } else if (step.do === 'read') {
            expect(await corpus.text(step.id)).toBe(notes.get(step.id));
          } else await visited(corpus);
        }
        const afresh = vault(Object.fromEntries(notes));
        expect((await visited(corpus)).sort()).toEqual((await visited(afresh.corpus)).sort());
        expect([...corpus.ids()].map((one) => corpus.version(one)).sort()).toEqual(
          [...versions.values()].sort(),
        );
      }),
      cases,
    );
  });
});
