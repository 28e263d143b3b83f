/** User actions on turns and requests in the chat shown, apart from sending messages. */
import type { Turn } from '#model/conversation';
import type { ConversationId, InteractionId, RequestId } from '#model/ids';
import type { QueuedRequest } from '#model/request';
import type { Mode } from '#model/setting-choices';
import { isGrant, type Approval, type ApprovalChoice, type Question } from '#model/interaction';
import * as t from '#messages/answer-messages';
import type { ActionResult } from '#model/failure';
import type { ReturnedMessages } from '#ports/app/queue-port';
import type { ApprovalReading } from './approval-reading.svelte';
import type { PluginState } from './plugin-state.svelte';

export class TurnActions {
  readonly #panel: PluginState;
  readonly #reading: ApprovalReading;
  readonly #id: () => ConversationId | null;
  /** The interactions and requests of which an action is in progress. */
  readonly #busy = new Set<InteractionId | RequestId | 'all failed'>();

  /** @param id returns the conversation shown */
  constructor(panel: PluginState, reading: ApprovalReading, id: () => ConversationId | null) {
    this.#panel = panel;
    this.#reading = reading;
    this.#id = id;
  }

  /** Stops a chat. Messages queued behind the stopped turn return to the composer. */
  async stop(id: ConversationId | null = this.#id()): Promise<void> {
    if (id === null) return;
    const draft = this.#panel.drafts.of(id);
    const stopped = await this.#panel.agent.queue.stop(id);
    void this.#panel.refresh();
    if (stopped.ok) draft.addReturned(stopped);
  }

  /**
   * Stops a message that was just sent. Returns what returns to the composer, and is saved in the
   * draft of the chat shown; nothing if its turn has begun.
   */
  async stopRequest(request: RequestId): Promise<ReturnedMessages> {
    const stopped = await this.#panel.agent.queue.stopRequest(request, this.#id());
    void this.#panel.refresh();
    return stopped.ok ? stopped : { returned: [], attached: [], linked: [] };
  }

  async pause(): Promise<void> {
    const id = this.#id();
    if (id !== null) this.#report(await this.#panel.agent.queue.pause(id));
  }

  async resume(): Promise<void> {
    const id = this.#id();
    if (id !== null) this.#report(await this.#panel.agent.queue.resume(id));
  }

  answer(question: Question, choice: string): Promise<boolean> {
    const { queue } = this.#panel.agent;
    return this.#once(question.id, () => queue.answer({ choice, question: question.id }));
  }

  async decide(approval: Approval, choice: ApprovalChoice): Promise<boolean> {
    const { queue } = this.#panel.agent;
    if (isGrant(choice) && !this.#reading.isDone(approval.id)) {
      this.#panel.ui.notice(t.readApprovalFirst);
      return false;
    }
    return this.#once(approval.id, () => queue.approve({ approval: approval.id, choice }));
  }

  /**
   * Ignores a second click or key while the first is being recorded. Returns false if it was ignored
   * or failed.
   */
  async #once(
    subject: InteractionId | RequestId | 'all failed',
    act: () => Promise<ActionResult<object>>,
  ): Promise<boolean> {
    if (this.#busy.has(subject)) return false;
    this.#busy.add(subject);
    try {
      const asked = await act();
      this.#report(asked);
      return asked.ok;
    } finally {
      this.#busy.delete(subject);
      void this.#panel.refresh();
    }
  }

  /** Returns false if that failed. */
  async setMode(mode: Mode): Promise<boolean> {
    const { agent, settings } = this.#panel;
    const id = this.#id();
    const asked =
      id === null
        ? await agent.settings.set({ panelMode: mode })
        : await agent.conversations.setMode(id, mode);
    this.#report(asked);
    settings.reload();
    return asked.ok;
  }

  retry(requestId: RequestId): Promise<boolean> {
    return this.#once(requestId, () => this.#panel.agent.queue.retry(requestId));
  }

  retryFailed(): Promise<boolean> {
    return this.#once('all failed', () => this.#panel.agent.queue.retryFailed());
  }

  /** Returns false if that failed: its turn has begun, or it has joined one. */
  discard({ request: { id } }: QueuedRequest): Promise<boolean> {
    return this.#once(id, () => this.#panel.agent.queue.discard(id));
  }

  /** Takes a queued message out of the queue, for the draft of the chat shown. */
  takeBack({ request }: QueuedRequest): Promise<boolean> {
    const { queue } = this.#panel.agent;
    const id = this.#id() ?? request.conversation;
    return this.#once(request.id, () =>
      id === null ? queue.discard(request.id) : queue.edit(request.id, id),
    );
  }

  /** Lets a queued message join the open turn. */
  sendNow({ request: { id } }: QueuedRequest): Promise<boolean> {
    return this.#once(id, () => this.#panel.agent.queue.sendNow(id));
  }

  /** Whether the request of a failed turn is still in the inbox, so that it can be retried. */
  mayRetry(turn: Turn): boolean {
    return this.#panel.inbox.requests.some(
      (queued) =>
        queued.state === 'failed' &&
        queued.request.id === turn.requestId &&
        queued.turn === turn.id,
    );
  }

  /** Whether the request of a turn is in the inbox, in any state. */
  isInInbox({ requestId }: Turn): boolean {
    return this.#panel.inbox.requests.some(({ request }) => request.id === requestId);
  }

  #report(asked: { ok: true } | { ok: false; reason: string }): void {
    if (!asked.ok) this.#panel.ui.notice(asked.reason);
  }
}
