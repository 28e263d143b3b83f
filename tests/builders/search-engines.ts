/** Search engines for tests. */
import { type GrepOptions, searchTextInSteps, type TextMatches } from '#search/grep';
import type { Pattern } from '#search/pattern';
import { TEXT_RULES } from '#app/search-rules';
import searchProgram from '#app/search-worker?bundled';
import { workerOf } from '#obsidian/platform/workers';
import type { FromEngine, StartEngine } from '#search/engine-protocol';
import { startLocalEngine } from '#search/local-engine';
import type { OwnPendingEdits } from '#tools/vault-documents';
import { NODE } from './node-modules';

/** A search without pending edits. */
export const NO_EDITS: OwnPendingEdits = { ownIds: () => new Map() };

/**
 * An engine on this thread that takes any pattern, although nothing could end its search. It starts
 * at once, which matters to tests with many vaults.
 */
export function localEngine(): StartEngine {
  const pause = () => new Promise<void>((resolve) => void setImmediate(resolve));
  return (events) => ({
    ...startLocalEngine({ rules: TEXT_RULES, now: () => performance.now(), pause }, events),
    isSeparate: true,
  });
}

/** The engine in its worker, as in the app. */
export function workerEngine(): StartEngine {
  return ({ heard, failed }) => {
    const worker = workerOf(NODE, searchProgram, {
      heard: (message) => heard(message as FromEngine),
      failed,
    });
    if (!worker) throw new Error('The worker could not be started.');
    return {
      isSeparate: true,
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
