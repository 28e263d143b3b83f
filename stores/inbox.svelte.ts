/** What was asked and is not answered yet, as the agent last told it. */
import type { Entry } from '#model/inbound';

export class Inbox {
  #entries = $state.raw<readonly Entry[]>([]);
  #problems = $state.raw<readonly string[]>([]);
  #dismissed = $state.raw<readonly string[]>([]);

  get entries(): readonly Entry[] {
    return this.#entries;
  }

  /** What the person has to know and has not put away. */
  get problems(): readonly string[] {
    return this.#problems.filter((problem) => !this.#dismissed.includes(problem));
  }

  dismiss(problem: string): void {
    this.#dismissed = [...this.#dismissed, problem];
  }

  setEntries(entries: readonly Entry[], problems: readonly string[]): void {
    this.#entries = entries.slice();
    this.#problems = problems.slice();
  }
}
