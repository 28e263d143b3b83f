/** User actions on conversations, such as renaming, deleting and restoring. */
import type { ConversationId } from '#model/ids';
import type { Agent, ActionResult } from '#ports/app/agent';
import type { ListedConversation } from '#ports/app/conversations-port';
import type { Ui } from '#ports/ui';

type Named = Pick<ListedConversation, 'id' | 'title'>;

export class ConversationActions {
  readonly #agent: Agent;
  readonly #ui: Ui;
  readonly #refresh: () => Promise<void>;
  #gone = $state.raw<readonly Named[]>([]);

  constructor(agent: Agent, ui: Ui, refresh: () => Promise<void>) {
    this.#agent = agent;
    this.#ui = ui;
    this.#refresh = refresh;
  }

  /** Conversations deleted last, offered for restoring. */
  get gone(): readonly Named[] {
    return this.#gone;
  }

  rename(id: ConversationId, title: string): Promise<boolean> {
    return this.#done(this.#agent.conversations.rename(id, title));
  }

  pin(id: ConversationId, pinned: boolean): Promise<boolean> {
    return this.#done(this.#agent.conversations.pin(id, pinned));
  }

  archive(id: ConversationId, archived: boolean): Promise<boolean> {
    return this.#done(this.#agent.conversations.archive(id, archived));
  }

  async remove(all: readonly Named[]): Promise<boolean> {
    const isDone = await this.#done(this.#agent.conversations.remove(all.map(({ id }) => id)));
    if (isDone) this.#gone = all;
    return isDone;
  }

  async restore(ids: readonly ConversationId[]): Promise<boolean> {
    this.#gone = [];
    return this.#done(this.#agent.conversations.restore(ids));
  }

  dismissGone(): void {
    this.#gone = [];
  }

  async export(id: ConversationId): Promise<void> {
    const asked = await this.#agent.conversations.export([id]);
    if (asked.ok) this.#ui.openNote(asked.note, 'tab');
    else this.#ui.notice(asked.problem);
  }

  async #done(action: Promise<ActionResult>): Promise<boolean> {
    const asked = await action;
    if (!asked.ok) this.#ui.notice(asked.problem);
    // No event reports deletions, or pins and archiving of another device's conversation.
    await this.#refresh();
    return asked.ok;
  }
}
