/** Reports how far a slow call is, as a count. */
import { progressCount } from '#messages/tool-messages';
import type { Clock } from '#ports/clock';

/** @param all how many there are, of which `done` are done */
export type CountProgress = (done: number, all: number) => void;

interface Reporter {
  readonly clock: Clock;
  reportProgress(words: string, doing?: string): void;
}

const PROGRESS_MS = 1_000;

/**
 * Counts for the user, once a second, if it takes longer than that.
 *
 * @param thing what is counted
 * @param doing the verb, such as "Reading"; by default that of the tool
 */
export function countProgress(
  { clock, reportProgress }: Reporter,
  thing = 'note',
  doing?: string,
): CountProgress {
  let reported = clock.now();
  return (done, all) => {
    if (clock.now() - reported < PROGRESS_MS) return;
    reported = clock.now();
    reportProgress(progressCount(done, all, thing), doing);
  };
}
