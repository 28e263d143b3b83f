/**
 * The list of all conversations, the conversations that views show, updated by events, and user
 * actions on conversations, such as renaming, deleting and restoring.
 */
import type { ActionResult } from '#model/failure';
import { SvelteMap } from 'svelte/reactivity';
import type { Conversation } from '#model/conversation';
import { openWork, type OpenTurn } from '#model/conversation-summary';
import { isLive, type Event, type TurnEnd } from '#model/event';
import { isNews } from '#model/steering';
import type { ConversationId } from '#model/ids';
import type { Agent } from '#ports/app/agent';
import type { ListedConversation } from '#ports/app/conversations-port';
import type { Ui } from '#ports/ui';

/** `live`: only streaming text was added, so the view may wait for the next frame. */
export type Watcher = (live: boolean) => void;

/** `finished`: its last turn ended while no view showed the chat. */
export type ChatStatus = OpenTurn | 'finished';

export class OpenConversations {
  readonly #agent: Agent;
  /**
   * Not reactive; each view copies a conversation into its own state when its window draws a frame.
   */
  readonly #states = new Map<ConversationId, Conversation>();
  readonly #watchers = new Map<ConversationId, Set<Watcher>>();
  #list = $state.raw<readonly ListedConversation[]>([]);
  readonly #forked = $derived(this.#list.filter(({ forks }) => forks.length > 0));
  /** How the last turn ended, of the chats in which one ended while no view showed them. */
  readonly #unseen = new SvelteMap<ConversationId, TurnEnd>();
  #currentId = $state<ConversationId | null>(null);
  readonly close: () => void;

  constructor(agent: Agent) {
    this.#agent = agent;
    this.close = agent.subscribe((event, conversation) => this.#take(event, conversation));
  }

  /** Last written first. */
  get list(): readonly ListedConversation[] {
    return this.#list;
  }

  /** Conversations that are forks. */
  get forked(): readonly ListedConversation[] {
    return this.#forked;
  }

  isListed(id: ConversationId): boolean {
    return this.#list.some((each) => each.id === id);
  }

  /** The vault's current conversation: the one last written in. */
  get currentId(): ConversationId | null {
    return this.#currentId;
  }

  /** Null if the user need not be told of the chat. */
  statusOf(chat: ListedConversation): ChatStatus | null {
    return openWork(chat) ?? (this.#unseen.has(chat.id) ? 'finished' : null);
  }

  /** How the last turn of a finished chat ended; null if the user has seen it. */
  unseenEnd(id: ConversationId): TurnEnd | null {
    return this.#unseen.get(id) ?? null;
  }

  /** Call when a view shows the chat, or the user dismissed it. */
  see(id: ConversationId): void {
    this.#unseen.delete(id);
  }

  /** Whether several views show the conversation. */
  isShared(id: ConversationId): boolean {
    return (this.#watchers.get(id)?.size ?? 0) > 1;
  }

  setList(list: readonly ListedConversation[], current: Conversation | null): void {
    this.#list = list.toReversed();
    this.#currentId = current?.id ?? null;
  }

  get(id: ConversationId): Conversation | null {
    return this.#states.get(id) ?? null;
  }

  /**
   * Loads a conversation and keeps it up to date until its last watcher has unsubscribed. Calls the
   * watcher once it is loaded.
   */
  async watch(id: ConversationId, watcher: Watcher): Promise<() => void> {
    const watchers = this.#watchers.get(id) ?? new Set();
    this.#watchers.set(id, watchers);
    watchers.add(watcher);
    if (!this.#states.has(id)) {
      const found = await this.#agent.conversations.read(id);
      // An event may have brought a newer state meanwhile.
      if (found && watchers.has(watcher) && !this.#states.has(id)) this.#states.set(id, found);
    }
    if (watchers.has(watcher)) watcher(false);
    return () => {
      watchers.delete(watcher);
      if (watchers.size > 0 || this.#watchers.get(id) !== watchers) return;
      this.#watchers.delete(id);
      this.#states.delete(id);
    };
  }

  #take(event: Event, conversation: Conversation): void {
    if (event.type === 'turn-start') this.see(event.conversation);
    else if (event.type === 'turn-end' && isNews(event, conversation))
      this.#unseen.set(conversation.id, event.end);
    const watchers = this.#watchers.get(event.conversation);
    if (!watchers) return;
    this.#states.set(event.conversation, conversation);
    for (const watcher of watchers) watcher(isLive(event));
  }
}

type Named = Pick<ListedConversation, 'id' | 'title'>;

export class ConversationActions {
  readonly #agent: Agent;
  readonly #ui: Ui;
  readonly #refresh: () => Promise<void>;
  /** Conversations deleted last, offered for restoring. */
  gone = $state.raw<readonly Named[]>([]);

  constructor(agent: Agent, ui: Ui, refresh: () => Promise<void>) {
    this.#agent = agent;
    this.#ui = ui;
    this.#refresh = refresh;
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
    if (isDone) this.gone = all;
    return isDone;
  }

  async restore(ids: readonly ConversationId[]): Promise<boolean> {
    this.gone = [];
    return this.#done(this.#agent.conversations.restore(ids));
  }

  async export(id: ConversationId): Promise<void> {
    const folder = await this.#ui.chooseExportFolder();
    if (folder === null) return;
    const asked = await this.#agent.conversations.export(id, folder);
    if (asked.ok) this.#ui.openNote(asked.note, 'tab');
    else this.#ui.notice(asked.reason);
  }

  async #done(action: Promise<ActionResult>): Promise<boolean> {
    const asked = await action;
    if (!asked.ok) this.#ui.notice(asked.reason);
    // No event reports deletions, or pins and archiving of another device's conversation.
    await this.#refresh();
    return asked.ok;
  }
}
