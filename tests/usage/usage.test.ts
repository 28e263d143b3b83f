import { describe, expect, it, vi } from 'vitest';
import type { DeviceId } from '#model/ids';
import { NO_USAGE, type Spending, type Usage } from '#model/message';
import { DEFAULT_SETTINGS } from '#model/settings';
import type { ModelEvent, ModelProvider } from '#ports/model-provider';
import { priceOf } from '#providers/anthropic/anthropic-models';
import { UsageLog } from '#usage/usage-log';
import { testClock, type TestClock } from '../builders/fake-clock';
import {
  answers,
  call as toolCall,
  delta,
  fails,
  scriptedModel,
  words,
} from '../builders/model-stream';
import { beginTurn } from '../builders/turns';
import { diskError, memoryStore, type MemoryStore } from '../builders/fake-storage';
import { DEATHS, mortalStore, newLife, type KillableProcess } from '../queue/killable-process';

const FILE = 'plugin/usage-device-1.jsonl';
const DAY_MS = 24 * 3_600_000;
const HAIKU = 'claude-haiku-4-5-20251001';
/** Costs one dollar with Haiku 4.5. */
const DOLLAR: Usage = { ...NO_USAGE, input: 1_000_000 };

interface Place {
  readonly store: MemoryStore;
  readonly clock: TestClock;
}

function place(): Place {
  return { store: memoryStore(), clock: testClock() };
}

function open({ store, clock }: Place, life: KillableProcess = newLife(), device = 'device-1') {
  const problems: string[] = [];
  const book = new UsageLog({
    store: mortalStore(store, life),
    folder: 'plugin',
    device: device as DeviceId,
    clock,
    price: (model) => priceOf(model, DEFAULT_SETTINGS),
    report: (problem) => problems.push(problem),
  });
  return Object.assign(book, { problems });
}

/** Makes one metered call to a model that answers with these events. */
async function call(
  book: UsageLog,
  events: readonly ModelEvent[] | ModelProvider,
  options: {
    model?: string;
    what?: 'compaction' | 'background' | 'search';
    signal?: AbortSignal;
    fee?: number;
    told?: (spent: Spending) => void;
  } = {},
): Promise<void> {
  const { model = HAIKU, what = 'background', signal = new AbortController().signal } = options;
  const { fee, told } = options;
  const stream = 'stream' in events ? events : scriptedModel(events);
  const request = {
    model,
    prompt: { system: '', tools: [] },
    history: [{ role: 'user', texts: ['Hello.'] }] as const,
  };
  for await (const event of book.metered(stream, what, fee, told).stream(request, signal)) {
    if (event.type === 'end') break;
  }
}

const costing = (usage: Usage) => answers([words('Yes.')], 'end', usage);
const linesOn = ({ store }: Place) => (store.files.get(FILE) ?? '').split('\n').filter(Boolean);

describe('The usage log', () => {
  it('the usage log writes one line for each model call when it ends', async () => {
    const at = place();
    const book = open(at);
    await call(book, costing(DOLLAR));
    await call(book, costing({ ...DOLLAR, output: 2 }), { what: 'compaction', model: 'llama4' });
    await book.kept();
    const time = at.clock.now();
    expect(linesOn(at).map((line): unknown => JSON.parse(line))).toEqual([
      { version: 1, time, model: HAIKU, what: 'background', usage: DOLLAR, cost: 1 },
      {
        ...{ version: 1, time, model: 'llama4', what: 'compaction' },
        ...{ usage: { ...DOLLAR, output: 2 }, cost: null },
      },
    ]);
  });

  it('the usage log counts the steps of turns once, also failed and stopped ones', async () => {
    const at = place();
    const book = open(at);
    const stop = new AbortController();
    const begun: ModelEvent = { type: 'usage', usage: { ...NO_USAGE, input: 500, output: 1 } };
    const turn = await beginTurn({
      modelId: HAIKU,
      model: scriptedModel(
        answers([toolCall('write')], 'calls', DOLLAR),
        [begun, ...fails('overloaded', { shown: 'a'.repeat(400) })],
        fails('network'),
        async function* () {
          yield begun;
          yield delta('a'.repeat(80));
          stop.abort();
          yield delta('a');
        },
      ),
      took: (event, conversation) => book.take(event, conversation),
    });
    expect(await turn.run(stop.signal)).toMatchObject({ kind: 'stopped' });
    await book.kept();
    expect(linesOn(at).map((line): unknown => JSON.parse(line))).toMatchObject([
      { model: HAIKU, what: 'turn', usage: DOLLAR, cost: 1 },
      { what: 'turn', usage: { ...NO_USAGE, input: 500, output: 100 } },
      { what: 'turn', usage: { ...NO_USAGE, input: 500, output: 20 } },
    ]);
  });

  it('the usage log includes fees, even after a restart', async () => {
    const at = place();
    const book = open(at);
    await call(book, costing(DOLLAR), { what: 'search', fee: 0.25 });
    await book.kept();
    expect(book.today()).toBe(1.25);
    const again = open(at);
    await again.load();
    expect(again.today()).toBe(1.25);
  });

  it('the usage log calls back with the usage and fee of a call, unless the model was not reached', async () => {
    const book = open(place());
    const told = vi.fn();
    await call(book, costing(DOLLAR), { what: 'search', fee: 0.25, told });
    await call(book, fails('network'), { what: 'search', fee: 0.25, told });
    expect(told.mock.calls).toEqual([[{ usage: DOLLAR, fee: 0.25 }]]);
  });

  it('the usage log counts interrupted calls by the reported usage and the length of the streamed text', async () => {
    const at = place();
    const book = open(at);
    const begun: ModelEvent = { type: 'usage', usage: { ...NO_USAGE, input: 500, output: 1 } };
    await call(book, [begun, ...fails('cut', { shown: 'a'.repeat(400) })]);
    const stop = new AbortController();
    const hanging: ModelProvider = {
      async *stream() {
        yield begun;
        yield delta('a'.repeat(80));
        stop.abort();
      },
    };
    await call(book, hanging, { signal: stop.signal });
    await call(book, fails('network'));
    await book.kept();
    expect(linesOn(at).map((line) => (JSON.parse(line) as { usage: Usage }).usage)).toEqual([
      { ...NO_USAGE, input: 500, output: 100 },
      { ...NO_USAGE, input: 500, output: 20 },
    ]);
  });

  it('the total of today is complete after a restart, including calls made before the log was loaded', async () => {
    const at = place();
    const first = open(at);
    await call(first, costing(DOLLAR));
    await first.kept();

    const next = open(at);
    await call(next, costing(DOLLAR));
    expect(next.today()).toBe(1);
    await next.load();
    expect(next.today()).toBe(2);
    await next.kept();
    await next.load();
    expect(next.today()).toBe(2);
    expect(linesOn(at)).toHaveLength(2);
  });

  it('the total of today starts from zero the next day', async () => {
    const at = place();
    const book = open(at);
    await call(book, costing(DOLLAR));
    await at.clock.advance(DAY_MS);
    expect(book.today()).toBe(0);
    await call(book, costing(DOLLAR));
    expect(book.today()).toBe(1);
    await book.kept();
    const next = open(at);
    await next.load();
    expect(next.today()).toBe(1);
    await at.clock.advance(DAY_MS);
    expect(next.today()).toBe(0);
  });

  it('the total of today includes other devices', async () => {
    const at = place();
    const other = open(at, newLife(), 'device-2');
    await call(other, costing(DOLLAR));
    await other.kept();
    const book = open(at);
    await call(book, costing(DOLLAR));
    await book.load();
    expect(book.today()).toBe(2);
    await book.kept();
    expect(linesOn(at)).toHaveLength(1);
  });

  it('calls of a model with an unknown price cost nothing and are counted as unpriced', async () => {
    const at = place();
    const book = open(at);
    await call(book, costing(DOLLAR), { model: 'llama4' });
    expect(book.today()).toBe(0);
    expect(await book.byDay()).toMatchObject([{ model: 'llama4', calls: 1, cost: 0, unpriced: 1 }]);
  });

  it('byDay groups usage by day and model', async () => {
    const at = place();
    const book = open(at);
    await call(book, costing(DOLLAR));
    await call(book, costing(DOLLAR), { model: 'claude-opus-5-5' });
    await at.clock.advance(DAY_MS);
    await call(book, costing(DOLLAR));
    await call(book, costing({ ...DOLLAR, cacheRead: 5 }));
    const date = at.clock.date(at.clock.now());
    expect(await book.byDay()).toMatchObject([
      { model: 'claude-haiku-4-5-20251001', calls: 1, cost: 1 },
      { model: 'claude-opus-5-5', calls: 1, cost: 4 },
      { date, model: HAIKU, calls: 2, usage: { ...NO_USAGE, input: 2_000_000, cacheRead: 5 } },
    ]);
  });
});

describe('The usage file', () => {
  it('the usage log skips only torn or unknown lines of its file', async () => {
    const at = place();
    const book = open(at);
    for (let n = 0; n < 3; n += 1) await call(book, costing(DOLLAR));
    await book.kept();
    const [one = '', two = '', three = ''] = linesOn(at);
    const strange = ['{"version":2}', 'null', '[]', two.replace('"background"', '"gift"'), '{"ver'];
    at.store.files.set(FILE, [one, ...strange, two, three.slice(0, 40)].join('\n'));
    const next = open(at);
    await call(next, costing(DOLLAR));
    await next.load();
    expect(next.today()).toBe(3);
    expect(await next.byDay()).toMatchObject([{ calls: 3, cost: 3 }]);
    expect(at.store.files.get(FILE)?.split('\n')).toHaveLength(10);
  });

  it('a line that costs less than nothing does not lower the total of today', async () => {
    const at = place();
    const book = open(at);
    await call(book, costing(DOLLAR));
    await book.kept();
    const [line = ''] = linesOn(at);
    expect(line).toContain('"cost":1');
    at.store.files.set(FILE, `${line}\n${line.replace('"cost":1', '"cost":-5')}\n`);
    const next = open(at);
    await next.load();
    expect(next.today()).toBe(1);
  });

  it.each(DEATHS)(
    'the usage file loses at most the last call when the process is killed around a write: %s',
    async (death) => {
      for (let made = 0; made < 3; made += 1) {
        const at = place();
        const life = newLife(made, death);
        const book = open(at, life);
        for (let n = 0; n <= made; n += 1) {
          await call(book, costing(DOLLAR));
          if (n < made) await book.kept();
        }
        await at.clock.advance(1);
        expect(life.isDead).toBe(true);
        const next = open(at);
        await next.load();
        expect(next.today()).toBe(death === 'after' ? made + 1 : made);
        await call(next, costing(DOLLAR));
        await next.kept();
        expect((await open(at).byDay())[0]?.calls).toBe(made + (death === 'after' ? 2 : 1));
      }
    },
  );

  it('a usage file that cannot be written is reported once, and the total of today is still counted', async () => {
    const at = place();
    const book = open(at);
    at.store.refuse = () => {
      throw diskError('ENOSPC');
    };
    await call(book, costing(DOLLAR));
    await call(book, costing(DOLLAR));
    await book.kept();
    expect(book.today()).toBe(2);
    expect(book.problems).toEqual([expect.stringMatching(/limit of money.*The disk is full/)]);
    at.store.refuse = null;
    await call(book, costing(DOLLAR));
    expect((await book.byDay())[0]?.calls).toBe(1);
  });

  it('a usage file that cannot be read is reported, and calls are still counted', async () => {
    const at = place();
    at.store.files.set(FILE, '');
    at.store.unreadable.set(FILE, diskError('EBUSY'));
    const book = open(at);
    await book.load();
    await call(book, costing(DOLLAR));
    expect(book.today()).toBe(1);
    expect(book.problems).toHaveLength(1);
  });

  it('a closed usage log writes nothing', async () => {
    const at = place();
    const book = open(at);
    book.close();
    await call(book, costing(DOLLAR));
    await book.kept();
    expect(at.store.files.size).toBe(0);
  });
});
