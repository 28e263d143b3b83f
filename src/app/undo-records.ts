/** Records undos in the conversations whose changes they undo, and in the one that undid them. */
import type { ConversationLog } from '#conversations/conversation-log';
import type { Conversations } from '#conversations/repository';
import type { ChangeList } from '#edits/change-list';
import type { ChangeLog } from '#edits/change-log';
import type { ChangeLogEntry } from '#edits/change-log-files';
import type { Undone, UndoingCall } from '#edits/undo';
import { allCalls, type Conversation } from '#model/conversation';
import type { ChangeId, ConversationId, TurnId } from '#model/ids';
import type { UnappliedEdit } from '#model/pending-edit';

export interface UndoRecordsDeps {
  readonly changeLog: ChangeLog;
  readonly conversations: Conversations;
}

/** How much of a conflicting text the conversation file keeps; the change log has all of it. */
const MAX_CONFLICT_CHARS = 2_000;

/** What a conversation records of an undo. */
type UndoRecord = Pick<Undone, 'undos' | 'unapplied'> & {
  /** The undone changes. */
  readonly ids: readonly ChangeId[];
  /** The turn whose call undid them; null for the user. */
  readonly by: TurnId | null;
};

export class UndoRecords {
  readonly #deps: UndoRecordsDeps;

  constructor(deps: UndoRecordsDeps) {
    this.#deps = deps;
  }

  /** @param call null if the user undid */
  async record(done: Undone, list: ChangeList, call: UndoingCall | null): Promise<void> {
    const { undos, taken, unapplied } = done;
    const ids = taken.map(({ id }) => id);
    const by = call?.origin ?? null;
    await this.#recordEach({ undos, ids, unapplied, by: by?.turn ?? null }, list, by?.conversation);
  }

  /** Records undos that a crash interrupted, unless they are already recorded. */
  async recordInterrupted(entries: readonly ChangeLogEntry[]): Promise<void> {
    const list = await this.#deps.changeLog.changes();
    for (const { change, fate } of entries) {
      if (change.act?.kind !== 'undo' || fate === 'not-done') continue;
      const { call, turn, conversation } = change.origin;
      const { changes: ids } = change.act;
      const record = { undos: [change.id], ids, unapplied: [], by: call === null ? null : turn };
      await this.#recordEach(record, list, call === null ? null : conversation);
    }
  }

  /**
   * Records an undo in each conversation that made some of the changes, in its forks, and in the one
   * whose agent undid them.
   */
  async #recordEach(
    { ids, ...record }: UndoRecord,
    list: ChangeList,
    undoing: ConversationId | null = null,
  ): Promise<void> {
    const { conversations } = this.#deps;
    const byConversation = new Map<ConversationId, readonly ChangeId[]>();
    for (const id of ids) {
      for (const conversation of concernedBy(id, list)) {
        byConversation.set(conversation, [...(byConversation.get(conversation) ?? []), id]);
      }
    }
    // Also what could not be undone is shown where it was asked for.
    if (undoing !== null) byConversation.set(undoing, ids);
    for (const [conversation, own] of byConversation) {
      await this.#append(await conversations.open(conversation), { ...record, ids: own }, list);
    }
    const informed = new Set(byConversation.keys());
    for (const { log, ids: own } of await forksHolding(conversations, ids, informed)) {
      await this.#append(log, { ...record, ids: own }, list);
    }
  }

  /** Only this device's own conversations can be appended to. */
  async #append(
    log: ConversationLog | null,
    { undos, ids, unapplied, by }: UndoRecord,
    list: ChangeList,
  ): Promise<void> {
    if (!log?.isOwn) return;
    const recorded = new Set(
      log.state.userActions.flatMap((act) => (act.type === 'change-undo' ? act.undos : [])),
    );
    const own = undos.filter(
      (undo) =>
        !recorded.has(undo) && list.get(undo)?.about.some((id) => ids.includes(id as ChangeId)),
    );
    if (own.length === 0 && unapplied.length === 0) return;
    const undone = [...new Set(pathsOf(own, list))];
    const left = unapplied.map(withShortTexts);
    const agent = by === null ? {} : { by };
    await log.append(
      { type: 'change-undo', undos: own, changes: ids, undone, left, ...agent },
      { flush: true },
    );
  }
}

/** The conversation that made a change, and those whose edits it decided. */
function concernedBy(id: ChangeId, list: ChangeList): ReadonlySet<ConversationId> {
  const { origin, act = null, about = [] } = list.get(id) ?? {};
  const decided = act === 'decide' ? about.flatMap((each) => list.conversationsOf(each)) : [];
  const undone =
    act === 'undo' ? about.flatMap((each) => [...concernedBy(each as ChangeId, list)]) : [];
  const all = [origin?.conversation ?? null, ...decided, ...undone];
  return new Set(all.filter((each) => each !== null));
}

function pathsOf(ids: readonly ChangeId[], list: ChangeList): string[] {
  return ids.flatMap((id) => {
    const change = list.get(id);
    return change ? [change.to ?? change.path] : [];
  });
}

function withShortTexts(left: UnappliedEdit): UnappliedEdit {
  if (!left.conflict) return left;
  const { now, wanted } = left.conflict;
  return {
    ...left,
    conflict: {
      now: now.slice(0, MAX_CONFLICT_CHARS),
      wanted: wanted.slice(0, MAX_CONFLICT_CHARS),
    },
  };
}

export interface ConversationHolding<Id> {
  readonly log: ConversationLog;
  /** The ids among the wanted ones that the conversation contains. */
  readonly ids: readonly Id[];
}

/**
 * Forks of this device that contain any of these changes or proposals.
 *
 * @param but conversations that are informed anyway
 */
export async function forksHolding<Id extends string>(
  conversations: Conversations,
  wanted: readonly Id[],
  but: ReadonlySet<ConversationId | null>,
): Promise<readonly ConversationHolding<Id>[]> {
  const holding: ConversationHolding<Id>[] = [];
  for (const { id, own, forks } of await conversations.list()) {
    if (!own || forks.length === 0 || but.has(id)) continue;
    const log = await conversations.open(id);
    if (!log) continue;
    const held = heldIn(log.state);
    const ids = wanted.filter((each) => held.has(each));
    if (ids.length > 0) holding.push({ log, ids });
  }
  return holding;
}

/** Ids of the changes and proposals, and of the user's actions on them. */
function heldIn({ turns, userActions }: Conversation): ReadonlySet<string> {
  const made = turns.flatMap(allCalls).flatMap((call) => {
    const details = call.state === 'finished' ? call.result.details : undefined;
    if (details?.kind !== 'changes') return [];
    return details.changes.flatMap(({ change, proposes = [] }) => [change, ...proposes]);
  });
  const done = userActions.flatMap((act): string[] =>
    act.type === 'change-undo' ? [...act.undos] : [act.change],
  );
  return new Set<string>([...made, ...done]);
}
