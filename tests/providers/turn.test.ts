/** Whole turns of the agent loop over HTTP, with every fault of the API. */
import { describe, expect, it } from 'vitest';
import type { FailureKind } from '#model/failure';
import { testClock } from '../builders/fake-clock';
import { beginTurn } from '#tests/builders/turns';
import { servers, until } from '#tests/providers/provider';
import { stall } from '#workbench/model/faults';
import { call, reply, thinking, type Reply } from '#workbench/model/replies';
import { NAMED_FAULTS, troubled } from '#workbench/model/traps';
import { toolResults, type ModelRequest } from '#workbench/model/wire';

const serve = servers();

const PROMPT = {
  system: 'You are a test.',
  tools: [
    { name: 'write', description: 'Writes.', input: { type: 'object' } },
    { name: 'read', description: 'Reads.', input: { type: 'object' } },
  ],
};

/** A model that reads and writes until a result reports that the note was changed. */
function diligent(request: ModelRequest): Reply {
  if (!request.tools) return reply('Milk was added to A.md.');
  const done = toolResults(request.messages).some(
    ({ isError, name }) => !isError && name === 'write',
  );
  if (done || JSON.stringify(request.messages).includes('Milk was added'))
    return reply(thinking('So it is.'), 'Milk is on the list now.');
  return reply(
    thinking('I must add it.'),
    'I look and write.',
    call('read', { path: 'A.md' }),
    call('write', { path: 'A.md' }),
  );
}

/**
 * Expected end of a turn in which a fault occurs once, at its first request or at the one after its
 * calls.
 */
type Expected = 'completed' | FailureKind;
const ONCE: Record<string, Expected | readonly [first: Expected, afterCalls: Expected]> = {
  'status-400': 'invalid-request',
  'status-401': 'key',
  'status-402': 'billing',
  'status-403': 'permission',
  'status-404': 'unknown-model',
  'status-408': 'completed',
  'status-409': 'completed',
  // After its calls the turn can compact them and continue.
  'status-413': ['too-long', 'completed'],
  'status-422': 'invalid-request',
  'status-429': 'completed',
  'status-500': 'completed',
  'status-503': 'completed',
  'status-504': 'completed',
  'status-529': 'completed',
  'rate-limited': 'completed',
  'rate-limited-long': 'rate-limit',
  cors: 'permission',
  'prompt-too-long': ['too-long', 'completed'],
  gateway: 'completed',
  'no-answer': 'completed',
  cut: 'completed',
  'early-end': 'completed',
  'error-event': 'completed',
  stall: 'completed',
  'not-a-stream': 'completed',
  'wrong-type': 'completed',
  'malformed-input': 'completed',
  'deep-input': 'completed',
  'input-cut': 'completed',
  refusal: 'refused',
  'window-exceeded': ['too-long', 'completed'],
  pause: 'completed',
  pings: 'completed',
};

/** Expected failure of a turn in which the fault occurs at every retry. */
const EVERY_TIME: Record<string, FailureKind> = {
  'status-408': 'server',
  'status-409': 'server',
  'status-429': 'rate-limit',
  'status-500': 'server',
  'status-503': 'server',
  'status-504': 'server',
  'status-529': 'overloaded',
  'rate-limited': 'rate-limit',
  gateway: 'server',
  'no-answer': 'endpoint',
  cut: 'cut',
  'early-end': 'cut',
  'error-event': 'overloaded',
  stall: 'cut',
  'not-a-stream': 'cut',
};

async function turnWith(name: string, times: number, afterCalls: boolean) {
  const trap = NAMED_FAULTS.find((each) => each.name === name);
  if (!trap) throw new Error(`There is no trap ${name}.`);
  const model = troubled(diligent);
  const clock = testClock({ auto: true });
  const served = await serve(
    (body, context) => {
      const answered = toolResults(body.messages).length > 0;
      if (answered === afterCalls && !laid) {
        laid = true;
        model.trouble(trap.lay, times);
      }
      return model(body, context);
    },
    { clock },
  );
  let laid = false;
  const turn = await beginTurn({
    model: served.provider,
    prompt: PROMPT,
    clock,
    modelId: 'claude-sonnet-5-5',
  });
  let over = false;
  const end = turn.run().finally(() => (over = true));
  if (name === 'stall') {
    // One delta arrives and then nothing, so the clock advances until the stall timeout aborts the
    // step.
    for (let stalls = 0; stalls < times && !over; stalls += 1) {
      const step = stalls + (afterCalls ? 2 : 1);
      const pieces = () =>
        turn.events.filter((event) => event.type === 'part-delta' && event.step === step).length;
      const given = () => turn.turn.steps.some(({ index, voided }) => index === step && voided);
      await until(() => pieces() > 0 || over);
      while (!given() && !over) await clock.advance(60_000);
    }
  }
  return { turn, served, end: await end };
}

describe('Turns with faults of the API', () => {
  it('every fault is tested in a turn', () => {
    expect(Object.keys(ONCE).sort()).toEqual(NAMED_FAULTS.map(({ name }) => name).sort());
  });

  const rows = Object.entries(ONCE).flatMap(([name, expected]) => {
    const [first, afterCalls] = typeof expected === 'string' ? [expected, expected] : expected;
    return [
      [name, 'at its first request', false, first] as const,
      [name, 'after its calls have run', true, afterCalls] as const,
    ];
  });

  it.each(rows)(
    'a turn with the fault %s %s ends as expected',
    async (name, _when, afterCalls, expected) => {
      const { turn, served, end } = await turnWith(name, 1, afterCalls);
      if (expected === 'completed') {
        expect(end).toMatchObject({ kind: 'completed', outcome: 'done' });
        expect(end?.reply).toContain('Milk is on the list now.');
      } else {
        expect(end).toMatchObject({ kind: 'failed', failure: { kind: expected } });
      }
      const ran = afterCalls || expected === 'completed' ? 1 : undefined;
      expect(turn.tools.runs.get('write A.md')).toBe(ran);
      if (name === 'rate-limited') expect(turn.clock.slept).toEqual([4_000]);
      if (name === 'rate-limited-long') {
        expect(end).toMatchObject({ failure: { retryAt: turn.clock.now() + 3_600_000 } });
      }
      expect(served.server.violations).toEqual([]);

      // The conversation continues, and no call runs again.
      served.server.setRespond(() => reply('Here I am.'));
      await turn.next('Are you there?');
      expect(await turn.run()).toMatchObject({ kind: 'completed', reply: 'Here I am.' });
      expect(turn.tools.runs.get('write A.md')).toBe(ran);
      expect(served.server.violations).toEqual([]);
      expect(turn.clock.pending).toBe(0);
    },
  );

  it.each(Object.entries(EVERY_TIME))(
    'a turn in which the fault %s persists fails as %s after four attempts',
    async (name, kind) => {
      const { turn, served, end } = await turnWith(name, 4, true);
      expect(end).toMatchObject({ kind: 'failed', failure: { kind } });
      expect(end?.reply).toContain('Changed A.md');
      expect(turn.tools.runs.get('write A.md')).toBe(1);
      expect(turn.clock.slept).toHaveLength(3);
      expect(served.server.requests).toHaveLength(5);
      expect(served.server.violations).toEqual([]);
    },
  );
});

describe('Turns over HTTP', () => {
  it('a turn that is stopped while streaming ends, and the conversation continues', async () => {
    const stop = new AbortController();
    const served = await serve((body) => stall(diligent(body), 1));
    const turn = await beginTurn({ model: served.provider, prompt: PROMPT, clock: served.clock });
    const end = turn.run(stop.signal);
    await until(() => turn.events.some(({ type }) => type === 'part-delta'));
    stop.abort();
    expect(await end).toMatchObject({ kind: 'stopped' });
    served.server.setRespond(() => reply('Here I am.'));
    await turn.next('Are you there?');
    expect(await turn.run()).toMatchObject({ reply: 'Here I am.' });
    expect(served.server.violations).toEqual([]);
  });

  it('a turn that is stopped between its calls keeps their results for the next turn', async () => {
    const stop = new AbortController();
    const served = await serve(diligent);
    const turn = await beginTurn({
      model: served.provider,
      prompt: PROMPT,
      clock: served.clock,
      tools: {
        write: {
          effect: 'change',
          run: () => {
            stop.abort();
            return { text: 'Changed A.md.', failed: false };
          },
        },
      },
    });
    expect(await turn.run(stop.signal)).toMatchObject({ kind: 'stopped' });
    await turn.next('Was it added?');
    expect(await turn.run()).toMatchObject({ reply: 'Milk is on the list now.' });
    expect(served.server.violations).toEqual([]);
  });

  it.each([
    ['said nothing', reply()],
    ['sent an empty text', reply('')],
    ['sent nothing but line breaks', reply('\n\n')],
    ['only thought', reply(thinking('Hm.'))],
  ])('a conversation continues after a turn in which the model %s', async (_words, silent) => {
    const served = await serve(silent);
    const turn = await beginTurn({
      model: served.provider,
      prompt: PROMPT,
      clock: served.clock,
      modelId: 'claude-sonnet-5-5',
    });
    expect(await turn.run()).toMatchObject({ kind: 'completed', outcome: 'not_done' });
    served.server.setRespond(() => reply('Here I am.'));
    await turn.next('Are you there?');
    expect(await turn.run()).toMatchObject({ reply: 'Here I am.' });
    expect(served.server.violations).toEqual([]);
  });

  it('a conversation continues under another prompt without its earlier thinking', async () => {
    const served = await serve(diligent);
    const turn = await beginTurn({
      model: served.provider,
      prompt: PROMPT,
      clock: served.clock,
      modelId: 'claude-sonnet-5-5',
    });
    await turn.run();
    await turn.setPrompt('prompt-2', { ...PROMPT, system: 'You are another.' });
    await turn.next('And now?');
    expect(await turn.run()).toMatchObject({ kind: 'completed' });
    expect(served.server.violations).toEqual([]);
  });
});
