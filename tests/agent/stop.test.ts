import { describe, expect, it } from 'vitest';
import type { CallResult } from '#model/message';
import { settle, testClock } from '../builders/fake-clock';
import {
  answers,
  call,
  delta,
  ended,
  fails,
  says,
  scriptedModel,
  thought,
  words,
} from '#tests/builders/model-stream';
import {
  beginTurn,
  callNamed,
  succeeded,
  resultOf,
  wrote,
  type FakeTool,
} from '#tests/builders/turns';

const STOPPED = { kind: 'stopped', reply: 'Stopped.' };

/** A call that ends on request with this result. */
function held(effect: FakeTool['effect'], gives: CallResult = succeeded()) {
  const open: (() => void)[] = [];
  const tool: FakeTool = {
    effect,
    run: () => new Promise((resolve) => open.push(() => resolve(gives))),
  };
  return { tool, finish: () => open.splice(0).forEach((go) => go()) };
}

/** An answer that starts and then hangs until it is stopped. */
const hanging = (...shown: readonly ReturnType<typeof delta>[]) =>
  async function* (_request: unknown, signal: AbortSignal) {
    yield* shown;
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  };

describe('stopping', () => {
  it('Stop before the first step sends nothing', async () => {
    const model = scriptedModel();
    const turn = await beginTurn({ model });
    expect(await turn.run(AbortSignal.abort())).toEqual(STOPPED);
    expect(model.requests).toEqual([]);
  });

  it('Stop during an answer keeps its text on screen as cut off, and does not send it', async () => {
    const stop = new AbortController();
    const model = scriptedModel(hanging(delta('Milk is '), delta('on ')), says('Yes?'));
    const turn = await beginTurn({ model });
    const end = turn.run(stop.signal);
    await settle();
    stop.abort();
    expect(await end).toEqual(STOPPED);
    expect(turn.turn.steps).toMatchObject([
      { stop: 'cut', live: [], parts: [{ type: 'text', text: 'Milk is on ' }] },
    ]);
    await turn.next('Go on.');
    await turn.run();
    expect(model.requests[1]?.history.slice(1)).toMatchObject([
      {
        role: 'user',
        texts: [
          expect.stringContaining('The user stopped the turn above'),
          expect.anything(),
          'Go on.',
        ],
      },
    ]);
  });

  it("Stop during a call's input does not run the call, and says so", async () => {
    const stop = new AbortController();
    const write = call('write', { path: 'A.md' });
    const model = scriptedModel(
      hanging(ended(thought('Hm.'), 0), ended(write, 1), {
        type: 'delta',
        index: 2,
        delta: { type: 'call', name: 'write', text: '{"pa' },
      }),
    );
    const turn = await beginTurn({ model });
    const end = turn.run(stop.signal);
    await settle();
    stop.abort();
    expect(await end).toEqual(STOPPED);
    expect(turn.tools.trace).toEqual([]);
    expect(resultOf(callNamed(turn.turn, 'write')).text).toContain('the user stopped the turn');
  });

  it('Stop during the only call names what was being written, and never sends it', async () => {
    const stop = new AbortController();
    const model = scriptedModel(
      hanging({
        type: 'delta',
        index: 0,
        delta: { type: 'call', name: 'write', text: '{"path":"A.md","te' },
      }),
      says('Yes?'),
    );
    const turn = await beginTurn({ model });
    const end = turn.run(stop.signal);
    await settle();
    stop.abort();
    expect(await end).toEqual(STOPPED);
    expect(callNamed(turn.turn, 'write')).toMatchObject({
      part: { malformed: '{"path":"A.md","te' },
      result: { failed: true, text: 'Not run: the user stopped the turn.' },
    });
    await turn.next('Go on.');
    await turn.run();
    expect(model.requests[1]?.history.slice(1)).toMatchObject([
      {
        role: 'user',
        texts: [
          expect.stringContaining('The user stopped the turn above'),
          expect.anything(),
          'Go on.',
        ],
      },
    ]);
  });

  it('events after Stop are ignored', async () => {
    const stop = new AbortController();
    const model = scriptedModel(async function* () {
      yield delta('One ');
      stop.abort();
      yield delta('two ');
      yield* says('three');
    });
    const turn = await beginTurn({ model });
    expect(await turn.run(stop.signal)).toEqual(STOPPED);
    expect(turn.turn.steps[0]?.parts).toEqual([words('One ')]);
  });

  it('Stop during a read abandons the read at once', async () => {
    const stop = new AbortController();
    const { tool } = held('read');
    const model = scriptedModel(
      answers([call('write', { path: 'A.md' }), call('look'), call('write', { path: 'B.md' })]),
    );
    const turn = await beginTurn({ model, tools: { look: tool } });
    const end = turn.run(stop.signal);
    await settle();
    stop.abort();
    expect(await end).toEqual({
      kind: 'stopped',
      reply: 'Stopped. Changed A.md (+1 −0).',
    });
    const texts = turn.turn.steps[0]?.calls.map((each) => resultOf(each).text);
    expect(texts?.[0]).toBe('Changed A.md.');
    expect(texts?.[1]).toContain('Stopped by the user');
    expect(texts?.[2]).toBe('Not run: the user stopped the turn.');
    expect(turn.tools.runs.has('write B.md')).toBe(false);
  });

  it('an error of an abandoned read is ignored', async () => {
    const loud: unknown[] = [];
    const hear = (reason: unknown) => void loud.push(reason);
    process.on('unhandledRejection', hear);
    const stop = new AbortController();
    const look: FakeTool = {
      effect: 'read',
      run: async (_input, signal) => {
        stop.abort();
        await settle();
        signal.throwIfAborted();
        return succeeded();
      },
    };
    const model = scriptedModel(answers([call('look', { n: 1 }), call('look', { n: 2 })]));
    const turn = await beginTurn({ model, tools: { look } });
    expect(await turn.run(stop.signal)).toEqual(STOPPED);
    await settle();
    await settle();
    process.off('unhandledRejection', hear);
    expect(loud).toEqual([]);
  });

  it('Stop during a write lets it finish, keeps its result, and starts no other', async () => {
    const stop = new AbortController();
    const { tool, finish } = held('change', wrote('A.md'));
    const model = scriptedModel(
      answers([call('write', { path: 'A.md' }), call('write', { path: 'B.md' })]),
    );
    const turn = await beginTurn({ model, tools: { write: tool } });
    const end = turn.run(stop.signal);
    let over = false;
    void end.then(() => (over = true));
    await settle();
    stop.abort();
    await settle();
    expect(over).toBe(false);
    finish();
    expect(await end).toMatchObject({ kind: 'stopped', reply: 'Stopped. Changed A.md (+1 −0).' });
    expect([...turn.tools.runs]).toEqual([['write A.md', 1]]);
  });

  it('Stop while a write is being recorded prevents it', async () => {
    const stop = new AbortController();
    const turn = await beginTurn({
      model: scriptedModel(answers([call('write', { path: 'A.md' })])),
    });
    turn.store.refuse = ({ flush }) => {
      if (flush) stop.abort();
    };
    expect(await turn.run(stop.signal)).toEqual(STOPPED);
    expect(turn.tools.trace).toEqual([]);
    expect(resultOf(callNamed(turn.turn, 'write')).text).toContain('Not run');
  });

  it('Stop during a retry delay ends the delay', async () => {
    const clock = testClock();
    const stop = new AbortController();
    const model = scriptedModel(fails('overloaded'));
    const turn = await beginTurn({ model, clock });
    const end = turn.run(stop.signal);
    await settle();
    expect(clock.pending).toBe(1);
    stop.abort();
    expect(await end).toEqual(STOPPED);
    expect(clock.pending).toBe(0);
    expect(turn.turn.retry).toBeNull();
  });

  it('Stop counts even if the model fails at the same moment', async () => {
    const stop = new AbortController();
    const model = scriptedModel(() => {
      stop.abort();
      return fails('billing');
    });
    const turn = await beginTurn({ model });
    expect(await turn.run(stop.signal)).toEqual(STOPPED);
  });

  it('Stop asks the user nothing more', async () => {
    const stop = new AbortController();
    const { tool } = held('read');
    const model = scriptedModel(answers([call('ask_user'), call('look')]));
    const turn = await beginTurn({ model, tools: { look: tool } });
    const end = turn.run(stop.signal);
    await settle();
    stop.abort();
    expect(await end).toEqual(STOPPED);
    expect(turn.events.some(({ type }) => type === 'interaction-start')).toBe(false);
  });

  it('Stop closes open interactions', async () => {
    const model = scriptedModel(answers([call('delete'), call('ask_user')]), says('Next.'));
    const turn = await beginTurn({ model });
    await turn.run();
    expect(await turn.run(AbortSignal.abort())).toEqual(STOPPED);
    const closed = turn.events.filter(({ type }) => type === 'interaction-end');
    expect(closed).toMatchObject([
      { resolution: { kind: 'closed' } },
      { resolution: { kind: 'closed' } },
    ]);
    expect(turn.tools.trace).toEqual([]);
    await turn.next('And now?');
    expect(await turn.run()).toMatchObject({ reply: 'Next.' });
  });

  it('Stop keeps finished calls and their results in the history', async () => {
    const stop = new AbortController();
    const model = scriptedModel(
      answers([words('I add it.'), call('write', { path: 'A.md' })]),
      () => {
        stop.abort();
        return [];
      },
      says('It was added.'),
    );
    const turn = await beginTurn({ model });
    await turn.run(stop.signal);
    await turn.next('Was it added?');
    await turn.run();
    expect(model.requests[2]?.history.map(({ role }) => role)).toEqual([
      'user',
      'model',
      'results',
      'model',
      'user',
    ]);
  });
});
