/** Search engines for tests. */
import { type GrepOptions, searchTextInSteps, type TextMatches } from '#search/grep';
import type { Pattern } from '#search/pattern';
import { TEXT_RULES } from '#app/search-rules';
import searchProgram from '#app/search-worker?bundled';
import { workerOf } from '#obsidian/platform/workers';
import type { EngineLink, FromEngine, StartEngine } from '#search/engine-protocol';
import { EngineLoop, type EngineLoopDeps } from '#search/engine-loop';
import { SearchEngine } from '#search/search-engine';
import type { OwnPendingEdits } from '#tools/vault-documents';
import { NODE } from './node-modules';

/** A search without pending edits. */
export const NO_EDITS: OwnPendingEdits = { ownIds: () => new Map() };

/** An engine on this thread. */
export function engineHere(
  send: EngineLoopDeps['send'],
  pause: () => Promise<void>,
  engine = new SearchEngine(TEXT_RULES),
): EngineLink {
  const loop = new EngineLoop({ engine, send, now: () => performance.now(), pause });
  return { post: (message) => loop.take(message), close: () => loop.close() };
}

/**
 * Starts an engine on this thread at once, which matters to tests with many vaults.
 *
 * @param maxNewChars of notes that a search by words indexes
 */
export function localEngine(maxNewChars?: number): StartEngine {
  const pause = () => new Promise<void>((resolve) => void setImmediate(resolve));
  return ({ heard }) =>
    engineHere(heard, pause, new SearchEngine(TEXT_RULES, undefined, maxNewChars));
}

/** The engine in its worker, as in the app. */
export function workerEngine(node = NODE): StartEngine {
  return ({ heard, failed }) => {
    const worker = workerOf(node, searchProgram, {
      heard: (message) => heard(message as FromEngine),
      failed,
    });
    if (!worker) throw new Error('The worker could not be started.');
    return {
      post: (message, transfer = []) => worker.post(message, transfer),
      close: () => worker.close(),
    };
  };
}

/** Finds all matches in one text. */
export function searchText(text: string, pattern: Pattern, options: GrepOptions = {}): TextMatches {
  const steps = searchTextInSteps(text, pattern, options);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
