/** Search and filter of conversations in one view, with the results so far. */
import {
  filterCount,
  NO_FILTER,
  matchesFilter,
  type ConversationFilter,
} from '#model/conversation-summary';
import type { ConversationId } from '#model/ids';
import type { ListedConversation, SearchHit } from '#ports/app/conversations-port';
import type { PluginState } from './plugin-state.svelte';

/** A conversation with its matches. */
export interface FoundConversation {
  readonly conversation: ListedConversation;
  readonly hits: readonly SearchHit[];
}

export class HistoryState {
  readonly #panel: PluginState;
  #query = $state('');
  #filter = $state.raw(NO_FILTER);
  #hits = $state.raw<readonly SearchHit[]>([]);
  #searching = $state(false);
  /** Whether there may be more matches than were found. */
  #partly = $state(false);
  #touched = $state.raw<ReadonlySet<ConversationId>>(new Set());
  #deleted = $state.raw<readonly ListedConversation[]>([]);
  readonly #edits = $derived.by(() => {
    const counts = new Map<ConversationId, number>();
    for (const { conversation } of this.#panel.edits.notes.flatMap(({ edits }) => edits)) {
      if (conversation) counts.set(conversation, (counts.get(conversation) ?? 0) + 1);
    }
    return counts;
  });
  readonly #passing = $derived.by(() => {
    const known = { edits: this.#edits, touched: this.#touched };
    const all = this.#filter.state === 'deleted' ? this.#deleted : this.#panel.conversations.list;
    return all.filter((each) => each.title !== '' && matchesFilter(each, this.#filter, known));
  });
  #stop = new AbortController();

  constructor(panel: PluginState) {
    this.#panel = panel;
  }

  get query(): string {
    return this.#query;
  }

  get filter(): ConversationFilter {
    return this.#filter;
  }

  get isSearch(): boolean {
    return this.#query.trim() !== '' && this.#filter.state !== 'deleted';
  }

  get searching(): boolean {
    return this.#searching;
  }

  get partly(): boolean {
    return this.#partly;
  }

  /** Conversations that pass the filter. Without a filter, archived ones are left out. */
  get list(): readonly ListedConversation[] {
    return filterCount(this.#filter) > 0
      ? this.#passing
      : this.#passing.filter(({ archived }) => !archived);
  }

  /** Conversations with matches, in the order of their first match. */
  get found(): readonly FoundConversation[] {
    const listed = new Map(this.#passing.map((each) => [each.id, each]));
    const groups = new Map<ConversationId, SearchHit[]>();
    for (const hit of this.#hits) {
      if (!listed.has(hit.conversation)) continue;
      const group = groups.get(hit.conversation);
      if (group) group.push(hit);
      else groups.set(hit.conversation, [hit]);
    }
    return [...groups].flatMap(([id, hits]) => {
      const conversation = listed.get(id);
      return conversation ? [{ conversation, hits }] : [];
    });
  }

  /** Number of pending edits that the conversation has proposed. */
  editsOf(id: ConversationId): number {
    return this.#edits.get(id) ?? 0;
  }

  /** Tools used in any conversation, as filter values. */
  get tools(): readonly string[] {
    return namesIn(this.#panel.conversations.list, 'tools');
  }

  get notes(): readonly string[] {
    return namesIn(this.#panel.conversations.list, 'notes');
  }

  /** Conversations that have ended, are not pinned and have no open turn. */
  get ended(): readonly ListedConversation[] {
    return this.#panel.conversations.list.filter(
      ({ ended, pinned, openTurn }) => ended !== null && !pinned && openTurn === null,
    );
  }

  /** Number of deleted conversations that can still be restored. */
  get deletedCount(): number {
    return this.#deleted.length;
  }

  /** Must be called when conversations were deleted or restored. */
  async lookForDeleted(): Promise<void> {
    const removed = await this.#panel.agent.conversations.removed().catch(() => []);
    this.#deleted = removed.toReversed();
  }

  async search(query: string): Promise<void> {
    this.#query = query;
    await this.#search();
  }

  async narrow(change: Partial<ConversationFilter>): Promise<void> {
    const filter = { ...this.#filter, ...change };
    this.#filter = filter;
    const { agent } = this.#panel;
    const looking = this.lookForDeleted();
    if (filter.state === 'deleted') await looking;
    const { note } = filter;
    if ('note' in change) {
      const history = note === null ? [] : await agent.changes.noteHistory(note);
      if (this.#filter.note !== note) return;
      this.#touched = new Set(history.flatMap(({ conversation }) => conversation ?? []));
    }
    await this.#search();
  }

  clear(): Promise<void> {
    this.#query = '';
    return this.narrow(NO_FILTER);
  }

  async #search(): Promise<void> {
    this.#stop.abort();
    const stop = new AbortController();
    this.#stop = stop;
    this.#searching = this.isSearch;
    if (!this.#searching) {
      this.#hits = [];
      return;
    }
    // Keep earlier results until there are new ones.
    let hits: readonly SearchHit[] = [];
    const found = await this.#panel.agent.conversations.search(this.#query, {
      signal: stop.signal,
      ...(filterCount(this.#filter) > 0
        ? { among: new Set(this.#passing.map(({ id }) => id)) }
        : {}),
      onHit: (hit) => {
        if (stop.signal.aborted) return;
        hits = [...hits, hit];
        this.#hits = hits;
      },
    });
    if (stop.signal.aborted) return;
    this.#hits = hits;
    this.#searching = false;
    this.#partly = found.ok && (!found.complete || found.unread > 0);
    if (!found.ok) this.#panel.ui.notice(found.reason);
  }
}

function namesIn(list: readonly ListedConversation[], key: 'tools' | 'notes'): readonly string[] {
  return [...new Set(list.flatMap((each) => each[key]))].sort();
}
