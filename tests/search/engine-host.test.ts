import { expect, it, onTestFinished } from 'vitest';
import type { EngineAnswer } from '#search/engine-host';
import { EngineHost } from '#search/engine-host';
import type { FromEngine, StartEngine } from '#search/engine-protocol';
import type { SearchResult } from '#search/grep';
import { engineHere, localEngine, workerEngine } from '#tests/builders/search-engines';
import { testClock } from '#tests/builders/fake-clock';

const HOSTILE = { text: `b\n${'a'.repeat(60)}!`, written: '(a+)+b' };

/** A host with one note, and a clock that stands still until it is advanced. */
function opened(start: StartEngine = workerEngine()) {
  const clock = testClock();
  const host = new EngineHost(start, clock);
  onTestFinished(() => host.close());
  const fill = (text: string) => host.putText(host.engine, 1, 'a.md', text);
  const search = (written: string, signal = new AbortController().signal) => {
    const scope = { among: Uint32Array.of(1), excludedTag: '' };
    const whole = { ...scope, written, contextLines: 0, maxExcerpts: 9 };
    return host.search(host.engine, 'grep', whole, signal);
  };
  return { clock, host, fill, search };
}

function matches(answer: EngineAnswer<SearchResult>): number | string {
  return answer.ok ? answer.result.matches : answer.kind;
}

it('a search in the worker leaves this thread free, and ends when its time is up', async () => {
  const { clock, host, fill, search } = opened();
  fill(HOSTILE.text);
  const searching = search(HOSTILE.written);
  while (clock.pending === 0) await new Promise((resolve) => setImmediate(resolve));
  await clock.advance(1_400);
  expect(host.isRunning).toBe(true);
  await clock.advance(200);
  expect(matches(await searching)).toBe('too-slow');
});

it('a stop ends a search at once, whatever its pattern does, and the next search works', async () => {
  const { clock, host, fill, search } = opened();
  fill(HOSTILE.text);
  const stop = new AbortController();
  const searching = search(HOSTILE.written, stop.signal);
  while (clock.pending === 0) await new Promise((resolve) => setImmediate(resolve));
  stop.abort();
  expect(matches(await searching)).toBe('stopped');
  await clock.advance(400);
  expect(host.isRunning).toBe(false);
  fill('apple');
  expect(matches(await search('apple'))).toBe(1);
});

it('a stop keeps an engine that stops by itself', async () => {
  const { host, fill, search } = opened(localEngine());
  fill('apple');
  const stop = new AbortController();
  const searching = search('apple', stop.signal);
  await Promise.resolve();
  stop.abort();
  expect(matches(await searching)).toBe('stopped');
  expect(matches(await search('apple'))).toBe(1);
  expect(host.isRunning).toBe(true);
});

it('a search with a signal that is already aborted is not begun', async () => {
  const { fill, search } = opened(localEngine());
  fill('apple');
  expect(matches(await search('apple', AbortSignal.abort()))).toBe('stopped');
});

it('a search ends as broken when the host is closed, and no engine is started afterwards', async () => {
  let starts = 0;
  const start = localEngine();
  const { host, fill, search } = opened((events) => {
    starts += 1;
    return start(events);
  });
  fill('apple');
  const searching = search('apple');
  await Promise.resolve();
  host.close();
  expect(matches(await searching)).toBe('broken');
  expect(matches(await search('apple'))).toBe('broken');
  expect(starts).toBe(1);
});

it('a search ends as broken if the engine fails, and the next one starts a new engine', async () => {
  let starts = 0;
  let fail: (problem: string) => void = () => undefined;
  const start = localEngine();
  const { fill, search } = opened((events) => {
    starts += 1;
    fail = events.failed;
    return start(events);
  });
  fill('apple');
  const searching = search('apple');
  await Promise.resolve();
  fail('out of memory');
  expect(await searching).toMatchObject({ kind: 'broken', reason: 'out of memory' });
  fill('apple');
  expect(matches(await search('apple'))).toBe(1);
  expect(starts).toBe(2);
});

it('a search is broken if the engine that knows the documents has ended', async () => {
  let fail: (problem: string) => void = () => undefined;
  const start = localEngine();
  const { host, fill, search } = opened((events) => {
    fail = events.failed;
    return start(events);
  });
  fill('apple');
  const { engine } = host;
  fail('out of memory');
  const whole = { written: 'apple', contextLines: 0, maxExcerpts: 9 };
  const scope = { among: Uint32Array.of(1), excludedTag: '' };
  const { signal } = new AbortController();
  const answer = await host.search(engine, 'grep', { ...whole, ...scope }, signal);
  expect(matches(answer)).toBe('broken');
  fill('apple');
  host.putText(engine, 1, 'a.md', 'quince');
  expect(matches(await search('apple'))).toBe(1);
});

it('a search that ends while it waits for its turn is stopped before the work ahead of it ends', async () => {
  const messages: FromEngine[] = [];
  const link = engineHere(
    (message) => void messages.push(message),
    () => new Promise(() => undefined),
  );
  onTestFinished(() => link.close());
  const search = { among: Uint32Array.of(1), excludedTag: '', query: 'apple', limit: 9 };
  link.post({ do: 'search', id: 1, kind: 'rank', search });
  link.post({ do: 'stop', id: 1 });
  expect(messages).toEqual([{ says: 'stopped', id: 1 }]);
});

it('a search that cannot hang is not ended, however busy the computer is', async () => {
  const { clock, host, fill } = opened();
  fill('apple');
  const scope = { among: Uint32Array.of(1), excludedTag: '', contextLines: 0, maxExcerpts: 9 };
  const { signal } = new AbortController();
  const searching = host.search(host.engine, 'grep', { ...scope, written: 'apple' }, signal);
  await clock.advance(60_000);
  expect(matches(await searching)).toBe(1);
});

it('a search in one long text is stopped at once', async () => {
  const stop = new AbortController();
  const start = workerEngine();
  const { clock, fill, search } = opened(({ heard, failed }) =>
    start({
      failed,
      heard(message) {
        heard(message);
        if (message.says === 'progress') stop.abort();
      },
    }),
  );
  fill('an unsaved line of a long note\n'.repeat(600_000));
  const searching = search('[a-z]+ing [a-z]+', stop.signal);
  expect(matches(await searching)).toBe('stopped');
  // The engine stops by itself, or is ended.
  await clock.advance(400);
  fill('morning tea');
  expect(matches(await search('[a-z]+ing [a-z]+'))).toBe(1);
});
