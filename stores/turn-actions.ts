/** User actions on turns and requests in the chat shown, apart from sending messages. */
import type { Turn } from '#model/conversation';
import type { ConversationId, RequestId } from '#model/ids';
import type { QueuedRequest } from '#model/request';
import type { Mode } from '#model/settings';
import type { ApprovalChoice, Interaction } from '#model/interaction';
import type { PluginState } from './plugin-state.svelte';

export class TurnActions {
  readonly #panel: PluginState;
  readonly #id: () => ConversationId | null;

  /** @param id returns the conversation shown */
  constructor(panel: PluginState, id: () => ConversationId | null) {
    this.#panel = panel;
    this.#id = id;
  }

  /** Stops the conversation. Messages queued behind the stopped turn return to the composer. */
  async stop(): Promise<void> {
    const id = this.#id();
    if (id === null) return;
    const draft = this.#panel.drafts.of(id);
    const stopped = await this.#panel.agent.queue.stop(id);
    void this.#panel.refresh();
    if (stopped.ok) draft.add(stopped.returned, stopped.attached);
  }

  async pause(): Promise<void> {
    const id = this.#id();
    if (id !== null) this.#report(await this.#panel.agent.queue.pause(id));
  }

  async resume(): Promise<void> {
    const id = this.#id();
    if (id !== null) this.#report(await this.#panel.agent.queue.resume(id));
  }

  async answer(question: Interaction, said: { text: string } | { choice: string }): Promise<void> {
    this.#report(await this.#panel.agent.queue.answer({ ...said, question: question.id }));
  }

  async decide(approval: Interaction, choice: ApprovalChoice, reason?: string): Promise<void> {
    this.#report(
      await this.#panel.agent.queue.approve({
        approval: approval.id,
        choice,
        ...(reason ? { reason } : {}),
      }),
    );
  }

  async setMode(mode: Mode): Promise<void> {
    const { agent, settings } = this.#panel;
    const id = this.#id();
    this.#report(
      id === null
        ? await agent.settings.set({ panelMode: mode })
        : await agent.conversations.setMode(id, mode),
    );
    settings.reload();
  }

  async retry(entry: RequestId): Promise<void> {
    this.#report(await this.#panel.agent.queue.retry(entry));
    await this.#panel.refresh();
  }

  async discard(entry: QueuedRequest): Promise<void> {
    this.#report(await this.#panel.agent.queue.discard(entry.request.id));
    await this.#panel.refresh();
  }

  /** Whether the request of a failed turn is still in the inbox, so that it can be retried. */
  mayRetry(turn: Turn): boolean {
    return this.#panel.inbox.entries.some(
      (entry) =>
        entry.state === 'failed' && entry.request.id === turn.requestId && entry.turn === turn.id,
    );
  }

  #report(asked: { ok: true } | { ok: false; problem: string }): void {
    if (!asked.ok) this.#panel.ui.notice(asked.problem);
  }
}
