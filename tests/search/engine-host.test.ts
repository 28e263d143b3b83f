import { expect, it, onTestFinished } from 'vitest';
import type { EngineAnswer } from '#search/engine-host';
import { EngineHost } from '#search/engine-host';
import type { StartEngine } from '#search/engine-protocol';
import type { SearchResult } from '#search/grep';
import { localEngine, workerEngine } from '#tests/builders/search-engines';
import { testClock } from '#tests/builders/fake-clock';

const HOSTILE = { text: `b\n${'a'.repeat(60)}!`, written: '(a+)+b' };

/** A host with one note, and a clock that stands still until it is advanced. */
function opened(start: StartEngine = workerEngine()) {
  const clock = testClock();
  const host = new EngineHost(start, clock);
  onTestFinished(() => host.close());
  const fill = (text: string) => host.putText(1, 'a.md', text);
  const search = (written: string, signal = new AbortController().signal) => {
    const scope = { among: Uint32Array.of(1), excludedTag: '' };
    return host.search('grep', { ...scope, written, contextLines: 0, maxExcerpts: 9 }, signal);
  };
  return { clock, host, fill, search };
}

function matches(answer: EngineAnswer<SearchResult>): number | string {
  return answer.ok ? answer.result.matches : answer.why;
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
  expect(await searching).toMatchObject({ why: 'broken', problem: 'out of memory' });
  fill('apple');
  expect(matches(await search('apple'))).toBe(1);
  expect(starts).toBe(2);
});
