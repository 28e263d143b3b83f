/** The program of the search worker, in a window and in Node. */
import { EngineLoop } from '#search/engine-loop';
import type { ToEngine } from '#search/engine-protocol';
import { SearchEngine } from '#search/search-engine';
import { TEXT_RULES } from './search-rules';

/** Node's `require`, which exists in its own workers and in those of Obsidian's windows. */
declare const require: ((name: string) => unknown) | undefined;

/** What a worker of a window sees of the window. */
interface ParentThread {
  postMessage(message: unknown): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
}

const find = typeof require === 'function' ? require : null;
const threads = find?.('node:worker_threads') as typeof import('node:worker_threads') | undefined;
/** Null in a worker of a window. */
const parentPort = threads?.parentPort ?? null;

function parentThread(): ParentThread {
  if (!parentPort) return self;
  return {
    postMessage: (message) => parentPort.postMessage(message),
    addEventListener: (type, listener) =>
      parentPort.on(type, (data: unknown) => listener({ data })),
  };
}

/** Resolves after the messages that wait. A timer would take longer. */
function pauses(): () => Promise<void> {
  // In a worker of a window, `setImmediate` may not let messages in.
  if (parentPort) {
    return () => new Promise((resolve) => void setImmediate(resolve));
  }
  const { port1, port2 } = new MessageChannel();
  const waiting: (() => void)[] = [];
  port1.onmessage = () => waiting.shift()?.();
  return () =>
    new Promise((resolve) => {
      waiting.push(resolve);
      port2.postMessage(null);
    });
}

const parent = parentThread();
const loop = new EngineLoop({
  engine: new SearchEngine(TEXT_RULES),
  send: (message) => parent.postMessage(message),
  now: () => performance.now(),
  pause: pauses(),
});
parent.addEventListener('message', ({ data }) => loop.take(data as ToEngine));
