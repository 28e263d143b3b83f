/** Requests in the inbox of the whole vault, as last reported by the agent. */
import type { ConversationId, DeviceId } from '#model/ids';
import type { Interaction } from '#model/interaction';
import type { QueuedRequest } from '#model/request';
import type { AgentState } from '#ports/app/agent';

/**
 * Status of a request as shown to the user. `unsigned`: its file came with the vault. `claimed`: its
 * chat shows it. `stuck`: its file cannot be written. `foreign`: it belongs to another device, and
 * only that device knows its status.
 */
export type EntryState = 'unsigned' | 'queued' | 'claimed' | 'stuck' | 'failed' | 'foreign';

type AgentQueue = Pick<AgentState, 'device' | 'inbox' | 'stuck' | 'problems' | 'interactions'>;

export class QueueState {
  #current = $state.raw<AgentQueue | null>(null);
  /** Errors of the panel itself. */
  #own = $state.raw<readonly string[]>([]);
  #dismissed = $state.raw<readonly string[]>([]);

  get requests(): readonly QueuedRequest[] {
    return this.#current?.inbox ?? [];
  }

  /** Problems that the user has not dismissed. */
  get problems(): readonly string[] {
    const problems = new Set([...(this.#current?.problems ?? []), ...this.#own]);
    return [...problems].filter((problem) => !this.#dismissed.includes(problem));
  }

  /** Shows a problem until it is dismissed; the same text only once. */
  addProblem(problem: string): void {
    if (!this.#own.includes(problem)) this.#own = [...this.#own, problem];
  }

  dismiss(problem: string): void {
    this.#dismissed = [...this.#dismissed, problem];
  }

  set(queue: AgentQueue): void {
    this.#current = queue;
  }

  stateOf(queued: QueuedRequest): EntryState {
    if (this.isForeign(queued)) return 'foreign';
    if (queued.state !== 'failed' && this.#current?.stuck.includes(queued.request.id))
      return 'stuck';
    return queued.state;
  }

  /** The open questions and approvals of a chat. */
  interactionsIn(id: ConversationId): readonly Interaction[] {
    const open = this.#current?.interactions ?? [];
    return open.flatMap(({ conversation, interaction }) =>
      conversation === id ? [interaction] : [],
    );
  }

  /**
   * Whether a request or conversation belongs to another device; false until this device's id is
   * known.
   */
  isForeign({ device }: { readonly device: DeviceId }): boolean {
    const own = this.#current?.device;
    return own !== undefined && device !== own;
  }
}
