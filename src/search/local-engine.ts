/** Runs the search engine on this thread, in slices, for hosts without workers. */
import type { SliceClock } from '#ports/slices';
import type { EngineEvents, EngineLink } from './engine-protocol';
import { EngineLoop } from './engine-loop';
import { SearchEngine } from './search-engine';
import type { TextRules } from './searched-documents';

export interface LocalEngineDeps extends SliceClock {
  readonly rules: TextRules;
}

export function startLocalEngine(
  { rules, now, pause }: LocalEngineDeps,
  { heard }: Pick<EngineEvents, 'heard'>,
): EngineLink {
  const loop = new EngineLoop({ engine: new SearchEngine(rules), send: heard, now, pause });
  return {
    isSeparate: false,
    post: (message) => loop.take(message),
    close: () => loop.close(),
  };
}
