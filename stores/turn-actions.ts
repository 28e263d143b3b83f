/** User actions on turns and requests in the chat shown, apart from sending messages. */
import type { Turn } from '#model/conversation';
import type { ConversationId, InteractionId, RequestId } from '#model/ids';
import type { QueuedRequest } from '#model/request';
import type { Mode } from '#model/setting-choices';
import { isGrant, type Approval, type ApprovalChoice, type Question } from '#model/interaction';
import * as t from '#messages/answer-messages';
import type { ActionResult } from '#model/failure';
import type { ApprovalReading } from './approval-reading.svelte';
import type { PluginState } from './plugin-state.svelte';

export class TurnActions {
  readonly #panel: PluginState;
  readonly #reading: ApprovalReading;
  readonly #id: () => ConversationId | null;
  readonly #deciding = new Set<InteractionId>();

  /** @param id returns the conversation shown */
  constructor(panel: PluginState, reading: ApprovalReading, id: () => ConversationId | null) {
    this.#panel = panel;
    this.#reading = reading;
    this.#id = id;
  }

  /** Stops the conversation. Messages queued behind the stopped turn return to the composer. */
  async stop(): Promise<void> {
    const id = this.#id();
    if (id === null) return;
    const draft = this.#panel.drafts.of(id);
    const stopped = await this.#panel.agent.queue.stop(id);
    void this.#panel.refresh();
    if (!stopped.ok) return;
    draft.noteLinked(stopped.linked);
    draft.add(stopped.returned, stopped.attached);
  }

  async pause(): Promise<void> {
    const id = this.#id();
    if (id !== null) this.#report(await this.#panel.agent.queue.pause(id));
  }

  async resume(): Promise<void> {
    const id = this.#id();
    if (id !== null) this.#report(await this.#panel.agent.queue.resume(id));
  }

  answer(question: Question, choice: string): Promise<void> {
    const { queue } = this.#panel.agent;
    return this.#once(question.id, () => queue.answer({ choice, question: question.id }));
  }

  decide(approval: Approval, choice: ApprovalChoice): Promise<void> {
    const { queue } = this.#panel.agent;
    if (isGrant(choice) && !this.#reading.isDone(approval.id)) {
      this.#panel.ui.notice(t.readApprovalFirst);
      return Promise.resolve();
    }
    return this.#once(approval.id, () => queue.approve({ approval: approval.id, choice }));
  }

  /** Ignores a second click or key for an interaction while the first is being recorded. */
  async #once(id: InteractionId, act: () => Promise<ActionResult<object>>): Promise<void> {
    if (this.#deciding.has(id)) return;
    this.#deciding.add(id);
    try {
      this.#report(await act());
    } finally {
      this.#deciding.delete(id);
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

  async retry(requestId: RequestId): Promise<void> {
    this.#report(await this.#panel.agent.queue.retry(requestId));
    await this.#panel.refresh();
  }

  async retryFailed(): Promise<void> {
    this.#report(await this.#panel.agent.queue.retryFailed());
    await this.#panel.refresh();
  }

  /** Returns false if that failed: its turn has begun, or it has joined one. */
  async discard(queued: QueuedRequest): Promise<boolean> {
    const asked = await this.#panel.agent.queue.discard(queued.request.id);
    this.#report(asked);
    await this.#panel.refresh();
    return asked.ok;
  }

  /** Lets a queued message join the open turn. */
  async sendNow(queued: QueuedRequest): Promise<void> {
    this.#report(await this.#panel.agent.queue.sendNow(queued.request.id));
    await this.#panel.refresh();
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

  #report(asked: { ok: true } | { ok: false; reason: string }): void {
    if (!asked.ok) this.#panel.ui.notice(asked.reason);
  }
}
