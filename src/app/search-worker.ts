/** The program of the search worker, in a window and in Node. */
import { parentPort, parentThread } from '#obsidian/platform/parent-thread';
import { EngineLoop } from '#search/engine-loop';
import type { ToEngine } from '#search/engine-protocol';
import { SearchEngine } from '#search/search-engine';
import { TEXT_RULES } from './search-rules';

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
