/** What was asked and is not answered yet, in the whole vault, as the agent last told it. */
import type { ConversationId, DeviceId } from '#model/ids';
import type { QueuedRequest } from '#model/request';
import type { AgentState } from '#ports/agent';

/** Where an entry stands, as the user reads it; `foreign`: on another device, which alone knows. */
export type EntryState = 'queued' | 'running' | 'waiting' | 'paused' | 'failed' | 'foreign';

type Told = Pick<AgentState, 'device' | 'inbox' | 'problems' | 'interactions' | 'paused'>;

export class QueueState {
  #told = $state.raw<Told | null>(null);
  /** What went wrong on the screen itself. */
  #own = $state.raw<readonly string[]>([]);
  #dismissed = $state.raw<readonly string[]>([]);

  get entries(): readonly QueuedRequest[] {
    return this.#told?.inbox ?? [];
  }

  /** What the user has to know and has not put away. */
  get problems(): readonly string[] {
    const problems = new Set([...(this.#told?.problems ?? []), ...this.#own]);
    return [...problems].filter((problem) => !this.#dismissed.includes(problem));
  }

  /** Shows it until it is dismissed. The same sentence is shown once. */
  addProblem(problem: string): void {
    if (!this.#own.includes(problem)) this.#own = [...this.#own, problem];
  }

  dismiss(problem: string): void {
    this.#dismissed = [...this.#dismissed, problem];
  }

  set(told: Told): void {
    const { device, inbox, problems, interactions: waiting, paused } = told;
    this.#told = {
      device,
      inbox: inbox.slice(),
      problems: problems.slice(),
      interactions: waiting,
      paused,
    };
  }

  stateOf(entry: QueuedRequest): EntryState {
    if (this.isForeign(entry)) return 'foreign';
    if (entry.state !== 'claimed') return entry.state;
    const isIn = ({ conversation }: { conversation: ConversationId }) =>
      conversation === entry.conversation;
    if (this.#told?.interactions.some(isIn)) return 'waiting';
    return this.#told?.paused.some(({ turn }) => turn === entry.turn) ? 'paused' : 'running';
  }

  /** Whether another device owns it; false while that is not known. */
  isForeign({ device }: { readonly device: DeviceId }): boolean {
    const own = this.#told?.device;
    return own !== undefined && device !== own;
  }
}
