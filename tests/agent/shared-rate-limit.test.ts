import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { complete } from '#agent/model-call';
import { SharedRateLimit } from '#agent/shared-rate-limit';
import type { ModelEvent, ModelProvider } from '#ports/model-provider';
import { cases } from '../cases';
import { settle, testClock, type TestClock } from '../builders/fake-clock';
import { delta, fails, says } from '../builders/model-stream';
import { beginTurn, type BegunTurn } from '../builders/turns';

interface Sent {
  readonly at: number;
  answered: number | null;
  isRefused: boolean;
}

/** A server that takes some time to answer, and what it was sent. */
function server(clock: TestClock, latency: number, answer: (at: number) => readonly ModelEvent[]) {
  const sent: Sent[] = [];
  const provider: ModelProvider = {
    async *stream(_request, signal) {
      const request: Sent = { at: clock.now(), answered: null, isRefused: false };
      sent.push(request);
      if (latency > 0) await clock.sleep(latency, signal);
      if (signal.aborted) return;
      const events = answer(sent.length - 1);
      request.answered = clock.now();
      request.isRefused = events[0]?.type === 'failure';
      yield* events;
    },
  };
  return { sent, provider };
}

function shared(clock: TestClock, provider: ModelProvider, target = () => 'server') {
  return new SharedRateLimit({ provider, clock, target });
}

async function turns(count: number, model: ModelProvider, clock: TestClock) {
  const begun: BegunTurn[] = [];
  for (let at = 0; at < count; at += 1) begun.push(await beginTurn({ model, clock }));
  return begun;
}

describe('the rate limit that calls share', () => {
  it('one refused call makes the other turns wait as long, and each chat shows it', async () => {
    const clock = testClock();
    const { sent, provider } = server(clock, 100, (at) =>
      at === 0 ? fails('rate-limit', { retryAfter: 20_000 }) : says('Done.'),
    );
    const [first, second, third] = await turns(3, shared(clock, provider), clock);
    const ends = [first!.run()];
    await clock.advance(100);
    const until = clock.now() + 20_000;
    await clock.advance(5_000);
    ends.push(second!.run(), third!.run());
    await settle();
    for (const { turn } of [first!, second!, third!]) {
      expect(turn.retry).toMatchObject({ at: until, failure: { kind: 'rate-limit' } });
    }
    await clock.advance(14_999);
    expect(sent).toHaveLength(1);
    await clock.advance(1);
    // One asks whether the wait is over; the others follow when it is.
    expect(sent).toHaveLength(2);
    await clock.advance(1_000);
    expect(sent).toHaveLength(4);
    expect(await Promise.all(ends)).toMatchObject(ends.map(() => ({ kind: 'completed' })));
  });

  it('an overloaded server gets as many requests from three turns as from one', async () => {
    const counts: number[] = [];
    for (const count of [1, 3]) {
      const clock = testClock();
      const { sent, provider } = server(clock, 10, () => fails('overloaded'));
      const [first, ...others] = await turns(count, shared(clock, provider), clock);
      const ends = [first!.run()];
      await clock.advance(20);
      ends.push(...others.map((each) => each.run()));
      await clock.advance(60_000);
      for (const end of await Promise.all(ends)) {
        expect(end).toMatchObject({ kind: 'failed', failure: { kind: 'overloaded' } });
      }
      counts.push(sent.length);
    }
    expect(counts).toEqual([4, 4]);
  });

  it('a wait of more than a minute ends every turn that calls, with its time', async () => {
    const clock = testClock();
    const { sent, provider } = server(clock, 0, () => fails('rate-limit', { retryAfter: 90_000 }));
    const [first, second] = await turns(2, shared(clock, provider), clock);
    const retryAt = clock.now() + 90_000;
    expect(await first!.run()).toMatchObject({ kind: 'failed', failure: { retryAt } });
    await clock.advance(10_000);
    expect(await second!.run()).toMatchObject({ kind: 'failed', failure: { retryAt } });
    expect(sent).toHaveLength(1);
  });

  it('background calls send nothing while the limit lasts, and learn how long', async () => {
    const clock = testClock();
    const { sent, provider } = server(clock, 0, () => fails('rate-limit', { retryAfter: 9_000 }));
    const limit = shared(clock, provider);
    const ask = () =>
      complete(
        limit,
        {
          model: 'm',
          task: 'Name it.',
          history: [{ role: 'user', texts: ['Hi'] }],
          outputLimit: 9,
        },
        new AbortController().signal,
      );
    await ask();
    await clock.advance(4_000);
    expect(await ask()).toMatchObject({ failure: { kind: 'rate-limit' }, retryAfter: 5_000 });
    expect(sent).toHaveLength(1);
  });

  it('another endpoint, key or model has a limit of its own', async () => {
    const clock = testClock();
    let endpoint = 'one';
    const { sent, provider } = server(clock, 0, () =>
      endpoint === 'one' ? fails('rate-limit', { retryAfter: 90_000 }) : says('Done.'),
    );
    const limit = shared(clock, provider, () => endpoint);
    const [first, second] = await turns(2, limit, clock);
    expect(await first!.run()).toMatchObject({ kind: 'failed' });
    endpoint = 'two';
    expect(await second!.run()).toMatchObject({ kind: 'completed' });
    expect(sent).toHaveLength(2);
  });

  it('a server that names a time far away is asked again after ten minutes', async () => {
    const clock = testClock();
    const { sent, provider } = server(clock, 0, (at) =>
      at === 0 ? fails('rate-limit', { retryAfter: 30 * 24 * 3_600_000 }) : says('Done.'),
    );
    const [first, second, third] = await turns(3, shared(clock, provider), clock);
    await first!.run();
    await clock.advance(599_999);
    expect(await second!.run()).toMatchObject({ kind: 'failed' });
    await clock.advance(1);
    expect(await third!.run()).toMatchObject({ kind: 'completed' });
    expect(sent).toHaveLength(2);
  });

  it('a retry of the user asks the server at once, and once for all', async () => {
    const clock = testClock();
    const { sent, provider } = server(clock, 10, () => fails('rate-limit', { retryAfter: 90_000 }));
    const limit = shared(clock, provider);
    const [first, ...others] = await turns(3, limit, clock);
    const failed = first!.run();
    await clock.advance(10);
    await failed;
    limit.askAgain();
    const ends = others.map((each) => each.run());
    await clock.advance(10);
    const retryAt = clock.now() + 90_000;
    expect(await Promise.all(ends)).toMatchObject(ends.map(() => ({ failure: { retryAt } })));
    expect(sent).toHaveLength(2);
  });

  it('a call that is stopped or cut while it asks whether the wait is over blocks no other', async () => {
    const clock = testClock();
    const { sent, provider } = server(
      clock,
      1_000,
      (at) => [fails('rate-limit'), [], fails('network'), says('Done.')][at] ?? says('Done.'),
    );
    const [first, second, third] = await turns(3, shared(clock, provider), clock);
    const stop = new AbortController();
    const ends = [first!.run(stop.signal)];
    await clock.advance(1_500);
    ends.push(second!.run(), third!.run());
    await clock.advance(700);
    expect(sent).toHaveLength(2);
    stop.abort();
    await clock.advance(20_000);
    expect(await Promise.all(ends)).toMatchObject([
      { kind: 'stopped' },
      { kind: 'completed' },
      { kind: 'completed' },
    ]);
  });

  it('a turn that waits for another call can be stopped at once', async () => {
    const clock = testClock();
    const { provider } = server(clock, 50_000, () => fails('rate-limit'));
    const [first, second] = await turns(2, shared(clock, provider), clock);
    void first!.run();
    await clock.advance(51_500);
    const stop = new AbortController();
    const end = second!.run(stop.signal);
    await settle();
    stop.abort();
    expect(await end).toMatchObject({ kind: 'stopped' });
  });

  it('no request is sent before a wait is over, and only one to ask whether it is', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.nat(9_000), { minLength: 1, maxLength: 4 }),
        fc.array(
          fc.record({
            kind: fc.constantFrom('rate-limit', 'overloaded', 'accepted', 'cut'),
            retryAfter: fc.option(fc.integer({ min: 0, max: 59_000 }), { nil: undefined }),
          }),
          { maxLength: 12 },
        ),
        fc.integer({ min: 1, max: 3_000 }),
        async (starts, answers, latency) => {
          const clock = testClock();
          const waits: (number | null)[] = [];
          const { sent, provider } = server(clock, latency, (at) => {
            const { kind, retryAfter } = answers[at] ?? { kind: 'accepted' };
            const isRefused = kind === 'rate-limit' || kind === 'overloaded';
            waits[at] = isRefused ? Math.max(1_000, retryAfter ?? 0) : null;
            if (isRefused) return fails(kind, retryAfter === undefined ? {} : { retryAfter });
            return kind === 'cut' ? [delta('Ha'), ...fails('cut')] : says('Done.');
          });
          const all = await turns(starts.length, shared(clock, provider), clock);
          const ends = all.map(async (each, at) => {
            await clock.sleep(starts[at]!);
            return each.run();
          });
          await clock.advance(600_000);
          await Promise.all(ends);
          sent.forEach(({ answered }, at) => {
            const wait = waits[at];
            if (wait == null || answered === null) return;
            const later = sent.filter((each) => each.at >= answered && each !== sent[at]);
            for (const each of later) expect(each.at - answered).toBeGreaterThanOrEqual(wait);
            const [trial, ...others] = later;
            const isAccepted = (each: Sent) => !each.isRefused && each.answered! >= answered;
            const accepted = sent.filter(isAccepted).map((each) => each.answered!);
            const known = Math.min(trial?.answered ?? Infinity, ...accepted);
            for (const each of others) expect(each.at).toBeGreaterThanOrEqual(known);
          });
        },
      ),
      cases,
    );
  });
});
