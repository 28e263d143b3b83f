/** The conversations that are looked at, folded as their events come, and the list of all. */
import type { Conversation } from '#model/conversation';
import { isLive, type Event } from '#model/event';
import { emptyConversation, reduce } from '#model/reducer';
import type { ConversationId } from '#model/ids';
import type { Agent } from '#ports/agent';
import type { ListedConversation } from '#ports/history';

/** `live`: only text has grown, which can wait for the next frame. */
export type Watcher = (live: boolean) => void;

export class OpenConversations {
  readonly #agent: Agent;
  /** Plain data: a view takes it over into its own state when its window is ready to draw. */
  readonly #folded = new Map<ConversationId, Conversation>();
  readonly #watchers = new Map<ConversationId, Set<Watcher>>();
  /** Conversations that are being loaded and had an event meanwhile. */
  readonly #missed = new Set<ConversationId>();
  #list = $state.raw<readonly ListedConversation[]>([]);
  readonly #forked = $derived(this.#list.filter(({ forks }) => forks.length > 0));
  #currentId = $state<ConversationId | null>(null);

  constructor(agent: Agent) {
    this.#agent = agent;
  }

  /** The one last written in first. */
  get list(): readonly ListedConversation[] {
    return this.#list;
  }

  /** Those that parted from others. */
  get forked(): readonly ListedConversation[] {
    return this.#forked;
  }

  isListed(id: ConversationId): boolean {
    return this.#list.some((each) => each.id === id);
  }

  /** The vault's current conversation: the one that was last written in. */
  get currentId(): ConversationId | null {
    return this.#currentId;
  }

  setList(list: readonly ListedConversation[], current: Conversation | null): void {
    this.#list = list.toReversed();
    this.#currentId = current?.id ?? null;
  }

  get(id: ConversationId): Conversation | null {
    return this.#folded.get(id) ?? null;
  }

  /** Loads it, and keeps it up to date for as long as somebody watches it. */
  async watch(id: ConversationId, watcher: Watcher): Promise<() => void> {
    const watchers = this.#watchers.get(id) ?? new Set();
    this.#watchers.set(id, watchers);
    watchers.add(watcher);
    while (!this.#folded.has(id)) {
      this.#missed.delete(id);
      const found = await this.#agent.conversations.read(id);
      // An event told while it was on its way may be inside or not: so it is asked for once more.
      if (found && this.#missed.has(id)) continue;
      if (found && watchers.has(watcher) && !this.#folded.has(id)) this.#folded.set(id, found);
      break;
    }
    if (watchers.has(watcher)) watcher(false);
    return () => {
      watchers.delete(watcher);
      if (watchers.size > 0 || this.#watchers.get(id) !== watchers) return;
      this.#watchers.delete(id);
      this.#folded.delete(id);
    };
  }

  take(event: Event): void {
    const { conversation: id } = event;
    const watchers = this.#watchers.get(id);
    if (!watchers) return;
    const before =
      this.#folded.get(id) ?? (event.type === 'conversation-start' ? emptyConversation(id) : null);
    if (!before) {
      this.#missed.add(id);
      return;
    }
    this.#folded.set(id, reduce(before, event));
    for (const watcher of watchers) watcher(isLive(event));
  }
}
