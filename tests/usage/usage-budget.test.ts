/** The user's money limits, across turns and restarts. */
import { describe, expect, it } from 'vitest';
import { NO_USAGE, type Spending } from '#model/message';
import type { Settings } from '#model/settings';
import type { SendRequest } from '#ports/app/queue-port';
import { settle, testClock } from '../builders/fake-clock';
import { answers, call, isAside, thinkingModel, words } from '../builders/model-stream';
import { memoryWeb } from '../builders/web';
import { memoryStore } from '../builders/fake-storage';
import { tinyVault } from '../edits/vault';
import { eventsOn, makeRig, type Disk, type Rig } from '../queue/app-on-disk';

const DAY_MS = 24 * 3_600_000;
/** Usage that costs one dollar at the price `DEAR`. */
const DOLLAR = { input: 1_000, output: 0, cacheRead: 0, cacheWrite: 0 };
const DEAR = { input: 1_000, output: 0, cacheRead: 0, cacheWrite: 0 };

function newDisk(settings: Partial<Settings>): Disk {
  return {
    store: memoryStore(),
    vault: tinyVault({}),
    clock: testClock(),
    model: thinkingModel((request) =>
      isAside(request)
        ? answers([words('I manage notes.')], 'end', DOLLAR)
        : answers([words('Yes.')], 'end', DOLLAR),
    ),
    settings: { prices: { 'claude-haiku-4-5': DEAR }, ...settings },
  };
}

async function loaded(disk: Disk): Promise<Rig> {
  const rig = makeRig(disk);
  await rig.load();
  return rig;
}

async function asked(
  disk: Disk,
  rig: Rig,
  more: Pick<SendRequest, 'beyondDayLimit'> = {},
): Promise<unknown> {
  await rig.agent.queue.send({ text: 'Hello?', ...more });
  await rig.idle();
  const end = eventsOn(disk, 'turn-end').at(-1)?.end;
  return end?.kind === 'limited' ? end.reason : end?.kind;
}

describe('The daily money limit', () => {
  it('the daily limit lets through the one request that the user sends beyond it', async () => {
    const disk = newDisk({ moneyPerDay: 1 });
    const rig = await loaded(disk);
    expect(await asked(disk, rig)).toBe('completed');
    expect(await asked(disk, rig)).toBe('day-money');
    expect(await asked(disk, rig, { beyondDayLimit: true })).toBe('completed');
    expect(await asked(disk, rig)).toBe('day-money');
  });

  it('a message sent during a turn beyond the daily limit is held to the limit', async () => {
    const disk: Disk = {
      ...newDisk({ moneyPerDay: 1 }),
      model: thinkingModel(({ history }) =>
        history.at(-1)?.role === 'user'
          ? answers([call('list_tags', {})], 'calls', DOLLAR)
          : answers([words('Yes.')], 'end', DOLLAR),
      ),
    };
    const rig = await loaded(disk);
    await asked(disk, rig);
    let isSent = false;
    rig.agent.subscribe(({ type }) => {
      if (type !== 'call-start' || isSent) return;
      isSent = true;
      void rig.agent.queue.send({ text: 'And this?' });
    });
    await asked(disk, rig, { beyondDayLimit: true });
    expect(eventsOn(disk, 'steer-join')).toEqual([]);
    const ends = eventsOn(disk, 'turn-end').map(({ end }) => end.kind);
    expect(ends).toEqual(['completed', 'completed', 'limited']);
  });

  it('the daily limit applies across turns and restarts until the next day', async () => {
    const disk = newDisk({ moneyPerDay: 2, idleMinutes: 10_000 });
    const rig = await loaded(disk);
    expect(await asked(disk, rig)).toBe('completed');
    expect(await asked(disk, rig)).toBe('completed');
    expect(await asked(disk, rig)).toBe('day-money');
    void rig.runner.close();
    const next = await loaded(disk);
    expect(await asked(disk, next)).toBe('day-money');
    await disk.clock.advance(DAY_MS);
    expect(await asked(disk, next)).toBe('completed');
    expect((await next.agent.usage.byDay()).map(({ calls, cost }) => [calls, cost])).toEqual([
      [2, 2],
      [1, 1],
    ]);
  });

  it('turns that run at once exceed the daily limit by the steps at work and one report each', async () => {
    const waiting: (() => void)[] = [];
    const steps = new Map<string, number>();
    const disk: Disk = {
      ...newDisk({ moneyPerDay: 5, turnsAtOnce: 3, stepsPerTurn: 25 }),
      model: {
        async *stream({ history }) {
          // All answers come at the same moment, so that no turn knows of the others' newest cost.
          await new Promise<void>((resolve) => waiting.push(resolve));
          const [first] = history;
          const name = first?.role === 'user' ? (first.texts.at(-1) ?? '') : '';
          steps.set(name, (steps.get(name) ?? 0) + 1);
          yield* answers([call('list_tags', { step: history.length })], 'calls', DOLLAR);
        },
      },
    };
    const rig = await loaded(disk);
    const names = ['First', 'Second', 'Third'];
    for (const text of names) {
      const created = await rig.agent.conversations.create();
      if (created.ok) await rig.agent.queue.send({ text, conversation: created.conversation });
    }
    for (let round = 0; round < 30; round += 1) {
      for (let look = 0; look < 50; look += 1) await settle();
      for (const resolve of waiting.splice(0)) resolve();
    }
    await rig.idle();
    const ends = eventsOn(disk, 'turn-end').map(({ end }) => end);
    expect(ends).toMatchObject(names.map(() => ({ kind: 'limited', reason: 'day-money' })));
    expect([...steps]).toEqual(names.map((name) => [name, 3]));
  });

  it('the daily limit counts generated descriptions, and refuses them once it is reached', async () => {
    const disk = newDisk({ moneyPerDay: 1 });
    const rig = await loaded(disk);
    expect(await rig.agent.settings.describeRouting()).toEqual({
      ok: true,
      description: 'I manage notes.',
    });
    expect(await asked(disk, rig)).toBe('day-money');
    for (const refused of [
      await rig.agent.settings.describeRouting(),
      await rig.agent.settings.describeVault(),
    ])
      expect('reason' in refused && refused.reason).toContain('daily cost limit');
  });
});

describe('Web search by the model', () => {
  const found = (spent: Spending) => ({ ...memoryWeb(), search: searching(spent) });
  const searching = (spent: Spending) => async () => ({ ok: true as const, hits: [], spent });
  const searches = (settings: Partial<Settings>, spent: Spending): Disk => ({
    ...newDisk({ tools: { web_search: 'allow' }, ...settings }),
    web: found(spent),
    model: thinkingModel(({ history }) =>
      history.length === 1
        ? answers([
            call('web_search', { query: 'trees' }),
            call('ask_user', { question: 'Which?' }),
          ])
        : answers(history.length === 3 ? [call('list_tags', {})] : [words('Yes.')]),
    ),
  });

  it.each([
    ['money', { moneyPerTurn: 1 }, { usage: DOLLAR, fee: 0 }, 'turn-money'],
    ['its fee', { moneyPerTurn: 1 }, { usage: NO_USAGE, fee: 1 }, 'turn-money'],
    [
      'tokens',
      { tokensPerTurn: 900_000 },
      { usage: { ...DOLLAR, input: 900_000 }, fee: 0 },
      'tokens',
    ],
    ['less', { moneyPerTurn: 2 }, { usage: DOLLAR, fee: 0.25 }, null],
  ] as const)(
    "a turn's limits count what a web search used, even after a restart: %s",
    async (_what, settings, spent, reason) => {
      const disk = searches(settings, spent);
      const rig = await loaded(disk);
      await asked(disk, rig);
      void rig.runner.close();
      const next = await loaded(disk);
      await next.agent.queue.answer({ text: 'Old ones.' });
      await next.idle();
      const [turn] = eventsOn(disk, 'turn-end');
      expect(turn?.end.kind === 'limited' ? turn.end.reason : null).toBe(reason);
      expect(turn?.usage.input).toBeGreaterThanOrEqual(spent.usage.input);
    },
  );
});

describe('A model with an unknown price', () => {
  const notices = (disk: Disk) => eventsOn(disk, 'turn-notice').map(({ text }) => text);

  it('each turn notes once that money limits do not apply to a model with an unknown price', async () => {
    const disk = newDisk({ moneyPerDay: 0.5, moneyPerTurn: 0.5, model: 'llama4' });
    const rig = await loaded(disk);
    expect(await asked(disk, rig)).toBe('completed');
    expect(await asked(disk, rig)).toBe('completed');
    expect(notices(disk)).toEqual(
      Array(2).fill(expect.stringMatching(/don’t apply here: the price of llama4 is unknown/)),
    );
  });

  it('a turn does not repeat the note about the unknown price after a question', async () => {
    const disk = {
      ...newDisk({ moneyPerTurn: 1, model: 'llama4' }),
      model: thinkingModel(({ history }) =>
        history.length === 1
          ? answers([call('ask_user', { question: 'Which?' })])
          : answers([words('Yes.')]),
      ),
    };
    const rig = await loaded(disk);
    await asked(disk, rig);
    await rig.agent.queue.answer({ text: 'This' });
    await rig.idle();
    expect(eventsOn(disk, 'turn-end')).toHaveLength(1);
    expect(notices(disk)).toHaveLength(1);
  });

  it('a turn has no note about the unknown price if no limit is set or the user has set a price', async () => {
    const free = { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 };
    for (const settings of [{}, { moneyPerTurn: 1, prices: { llama4: free } }]) {
      const disk = newDisk({ model: 'llama4', ...settings });
      expect(await asked(disk, await loaded(disk))).toBe('completed');
      expect(notices(disk)).toEqual([]);
    }
  });
});
