import { failure } from '#messages/failures';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { planRetry } from '#agent/model-call';
import { isWorthRetrying, type FailureKind } from '#model/failure';
import { cases } from '../cases';
import { settle, testClock } from '../builders/fake-clock';
import { answers, call, fails, says, scriptedModel } from '../builders/model-stream';
import { beginTurn } from '../builders/turns';

const RETRIED = ['rate-limit', 'overloaded', 'network', 'endpoint', 'server', 'cut'] as const;
const NOT_RETRIED = [
  'key',
  'permission',
  'billing',
  'too-long',
  'invalid-request',
  'unknown-model',
] as const;

describe('a model call that failed', () => {
  it.each(RETRIED)(
    'a call that failed with %s is retried after 1, 2 and 4 s, then the turn fails',
    async (kind) => {
      const model = scriptedModel(fails(kind), fails(kind), fails(kind), fails(kind));
      const turn = await beginTurn({ model });
      expect(await turn.run()).toMatchObject({ kind: 'failed', failure: failure(kind) });
      expect(turn.clock.slept).toEqual([1_000, 2_000, 4_000]);
      expect(model.left).toBe(0);
    },
  );

  it.each(NOT_RETRIED)('a call that failed with %s is not retried', async (kind) => {
    const turn = await beginTurn({ model: scriptedModel(fails(kind)) });
    expect(await turn.run()).toMatchObject({ kind: 'failed', failure: failure(kind) });
    expect(turn.clock.slept).toEqual([]);
  });

  it('each step has its own number of retries', async () => {
    const model = scriptedModel(
      fails('cut'),
      fails('cut'),
      fails('cut'),
      answers([call('read')]),
      fails('cut'),
      says('There.'),
    );
    const turn = await beginTurn({ model });
    expect(await turn.run()).toMatchObject({ kind: 'completed' });
    expect(turn.clock.slept).toEqual([1_000, 2_000, 4_000, 1_000]);
  });

  it('the delay has a random addition of up to half', async () => {
    const clock = testClock({ auto: true, random: 0.5 });
    const model = scriptedModel(fails('cut'), fails('cut'), says('There.'));
    const turn = await beginTurn({ model, clock });
    await turn.run();
    expect(clock.slept).toEqual([1_250, 2_500]);
  });

  it('the delay is the one the server asks for, up to a minute', async () => {
    const model = scriptedModel(fails('rate-limit', { retryAfter: 60_000 }), says('There.'));
    const turn = await beginTurn({ model });
    expect(await turn.run()).toMatchObject({ kind: 'completed' });
    expect(turn.clock.slept).toEqual([60_000]);
  });

  it("the delay is never shorter than without the server's value", async () => {
    const model = scriptedModel(fails('rate-limit', { retryAfter: 10 }), says('There.'));
    const turn = await beginTurn({ model });
    await turn.run();
    expect(turn.clock.slept).toEqual([1_000]);
  });

  it('a server that asks for more than a minute ends the turn with the time', async () => {
    const model = scriptedModel(fails('rate-limit', { retryAfter: 60_001 }));
    const turn = await beginTurn({ model });
    const now = turn.clock.now();
    expect(await turn.run()).toMatchObject({
      kind: 'failed',
      failure: {
        kind: 'rate-limit',
        retryAt: now + 60_001,
        next: expect.stringMatching(/^Retry after .*\d.*\.$/) as string,
      },
    });
    expect(turn.clock.slept).toEqual([]);
  });

  it('a failed call reports its next retry and discards what was shown', async () => {
    const clock = testClock();
    const model = scriptedModel(fails('overloaded', { shown: 'Milk is' }), says('Milk is on it.'));
    const turn = await beginTurn({ model, clock });
    const end = turn.run();
    await settle();
    expect(turn.turn.retry).toEqual({
      attempt: 1,
      of: 3,
      at: clock.now() + 1_000,
      failure: failure('overloaded'),
    });
    expect(turn.turn.steps).toMatchObject([{ index: 1, live: [], voided: failure('overloaded') }]);
    await clock.advance(999);
    expect(model.left).toBe(1);
    await clock.advance(1);
    expect(await end).toMatchObject({ reply: 'Milk is on it.' });
    expect(turn.turn.retry).toBeNull();
  });

  it('a retry does not send what the failed call had completed', async () => {
    const begun = answers([{ type: 'text', text: 'Half' }, call('write', { path: 'A.md' })]);
    const model = scriptedModel([...begun.slice(0, -1), ...fails('cut')], says('Whole.'));
    const turn = await beginTurn({ model });
    await turn.run();
    expect(model.requests[1]?.history).toEqual(model.requests[0]?.history);
    expect(turn.tools.trace).toEqual([]);
  });

  it('a retry never runs calls again', async () => {
    const model = scriptedModel(
      answers([call('write', { path: 'A.md' }), call('read')]),
      fails('network'),
      fails('network', { shown: 'Wr' }),
      answers([call('write', { path: 'B.md' })]),
      fails('server'),
      says('Both.'),
    );
    const turn = await beginTurn({ model });
    expect(await turn.run()).toMatchObject({ kind: 'completed' });
    expect([...turn.tools.runs]).toEqual([
      ['write A.md', 1],
      ['read', 1],
      ['write B.md', 1],
    ]);
  });

  it('a stream that ends without a last event counts as cut off', async () => {
    const model = scriptedModel([], says('There.'));
    const turn = await beginTurn({ model });
    expect(await turn.run()).toMatchObject({ kind: 'completed' });
    expect(turn.turn.steps[0]?.voided?.kind).toBe('cut');
  });
});

describe('the retry plan', () => {
  const kinds: FailureKind[] = [...RETRIED, ...NOT_RETRIED, 'refused', 'file', 'unexpected'];

  it('the retry plan is deterministic, bounded, and has at most three retries', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...kinds),
        fc.nat({ max: 6 }),
        fc.option(fc.nat({ max: 200_000 }), { nil: undefined }),
        fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }),
        (kind, attempt, retryAfter, random) => {
          const plan = planRetry(failure(kind), attempt, retryAfter, 1_000, random);
          if (!plan.again) {
            const long = isWorthRetrying(kind) && (retryAfter ?? 0) > 60_000;
            expect(plan.failure.retryAt).toBe(long ? 1_000 + retryAfter! : undefined);
            return;
          }
          expect(isWorthRetrying(kind)).toBe(true);
          expect(attempt).toBeLessThan(3);
          expect(plan.wait).toBeGreaterThanOrEqual(Math.max(1000 * 2 ** attempt, retryAfter ?? 0));
          expect(plan.wait).toBeLessThanOrEqual(60_000);
        },
      ),
      cases,
    );
  });
});
