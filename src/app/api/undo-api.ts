/** Undoes changes of the agent, and lists them for the user. */
import * as t from '#messages/action-messages';
import { undoChanges, type Undone } from '#edits/undo';
import { chosenChanges } from '#edits/undo-plan';
import type { ConversationLog } from '#conversations/conversation-log';
import type { Conversations } from '#conversations/repository';
import type { ChangeList } from '#edits/change-list';
import type { ChangeLog } from '#edits/change-log';
import type { ChangeLogEntry } from '#edits/change-log-files';
import { type FiledChange, hasTakenEffect } from '#edits/change-log-index';
import type { PendingEdits } from '#edits/pending-edits';
import type { UserDecisions } from '#edits/user-action-recovery';
import { changeShown } from '#edits/proposals';
import type { Change } from '#model/change';
import { allCalls, type Conversation } from '#model/conversation';
import type { ChangeId, ConversationId, MintId, TurnId } from '#model/ids';
import type {
  ChangeTexts,
  UnappliedEdit,
  NoteChange,
  UndoChoice,
  UndoReport,
} from '#model/pending-edit';
import type { ActionResult } from '#model/failure';
import type { ChangesPort } from '#ports/app/edits-port';
import type { Clock } from '#ports/clock';
import type { Metadata } from '#ports/metadata';
import type { NoteVault } from '#ports/vault';
import { FOLLOWER_NOTICE } from '#queue/leader-lock';
import { resultOrProblem } from '#queue/action-result';

export interface UndoApiDeps {
  readonly pending: PendingEdits;
  readonly changeLog: ChangeLog;
  readonly userDecisions: UserDecisions;
  readonly notes: NoteVault;
  readonly metadata: Metadata;
  readonly conversations: Conversations;
  readonly clock: Clock;
  readonly mint: MintId;
  /** True while another process writes this device's files. */
  isFollower(): boolean;
  /** The turn that is running. */
  running(): TurnId | null;
}

/** How much of a conflicting text the conversation file keeps; the change log has all of it. */
const MAX_CONFLICT_CHARS = 2_000;

export class UndoApi implements ChangesPort {
  readonly #deps: UndoApiDeps;

  constructor(deps: UndoApiDeps) {
    this.#deps = deps;
  }

  undo(choice: UndoChoice): Promise<ActionResult<UndoReport>> {
    return resultOrProblem(() => this.#undo(choice));
  }

  async #undo(choice: UndoChoice): Promise<ActionResult<UndoReport>> {
    const { pending, changeLog, userDecisions, notes, metadata, clock, mint, isFollower, running } =
      this.#deps;
    if (isFollower()) return { ok: false, reason: FOLLOWER_NOTICE };
    if ('turn' in choice && choice.turn === running()) {
      return { ok: false, reason: t.turnIsOpen };
    }
    return userDecisions.run(async () => {
      const list = await changeLog.changes();
      const chosen = chosenChanges(choice, list, (path) => notes.get(path) !== undefined);
      if (typeof chosen === 'string') return { ok: false, reason: chosen };
      const executor = {
        changeLog,
        notes,
        metadata,
        mintChange: () => mint('change'),
        now: () => clock.now(),
      };
      const done = await undoChanges(chosen, list, executor);
      await this.#report(done, list);
      // Detached edits cause no note event, so look for them explicitly.
      await pending.lookAtHeld();
      const { undos, undone, unapplied: left } = done;
      return { ok: true, undos, undone, unapplied: left };
    });
  }

  /** Records undos that a crash interrupted, unless they are already recorded. */
  async recordInterrupted(entries: readonly ChangeLogEntry[]): Promise<void> {
    const { changeLog } = this.#deps;
    const undos = entries.filter(({ change: { act }, fate }) => {
      return act?.kind === 'undo' && fate !== 'not-done';
    });
    if (undos.length === 0) return;
    const list = await changeLog.changes();
    for (const { change } of undos) await this.#reportRedo(change, list);
  }

  async noteHistory(path: string): Promise<readonly NoteChange[]> {
    const list = await this.#deps.changeLog.changes();
    return list
      .ofNote(path)
      .filter(hasTakenEffect)
      .map((change) => noteChange(change, list));
  }

  async changeTexts(id: ChangeId): Promise<ChangeTexts | null> {
    const { changeLog } = this.#deps;
    const found = (await changeLog.changes()).get(id);
    const change = found && (await changeLog.read([found])).get(id);
    if (!change) return null;
    if (change.kind === 'create' || change.kind === 'write') {
      const old = change.kind === 'write' ? change.before : null;
      const { before, after } = changeShown(change.path, old ?? '', change.after);
      return { before: old && before, after };
    }
    return {
      before: 'before' in change ? change.before : null,
      after: 'after' in change ? change.after : null,
    };
  }

  async undoneAmong(changes: readonly ChangeId[]): Promise<ReadonlySet<ChangeId>> {
    const list = await this.#deps.changeLog.changes();
    return new Set(changes.filter((id) => list.isUndone(id)));
  }

  /** Records the undo in each conversation that made some of the changes, and in its forks. */
  async #report({ undos, taken, unapplied }: Undone, list: ChangeList): Promise<void> {
    const { conversations } = this.#deps;
    const own = new Set(taken.map(({ origin }) => origin.conversation));
    for (const conversation of own) {
      if (conversation === null) continue;
      const changes = taken.filter(({ origin }) => origin.conversation === conversation);
      const ids = changes.map(({ id }) => id);
      await this.#append(await conversations.open(conversation), { undos, ids, unapplied }, list);
    }
    const all = taken.map(({ id }) => id);
    for (const { log, ids } of await forksHolding(conversations, all, own)) {
      await this.#append(log, { undos, ids, unapplied }, list);
    }
  }

  async #reportRedo(undo: Change, list: ChangeList): Promise<void> {
    const { conversation } = undo.origin;
    if (conversation === null || undo.act?.kind !== 'undo') return;
    const { conversations } = this.#deps;
    const { changes } = undo.act;
    const log = await conversations.open(conversation);
    const forks = await forksHolding(conversations, changes, new Set([conversation]));
    for (const each of [{ log, ids: changes }, ...forks]) {
      const isRecorded = each.log?.state.userActions.some(
        (act) => act.type === 'change-undo' && act.undos.includes(undo.id),
      );
      const undone = { undos: [undo.id], ids: each.ids, unapplied: [] };
      if (!isRecorded) await this.#append(each.log, undone, list);
    }
  }

  /** Only this device's own conversations can be appended to. */
  async #append(
    log: ConversationLog | null,
    { undos, ids, unapplied }: Pick<Undone, 'undos' | 'unapplied'> & { ids: readonly ChangeId[] },
    list: ChangeList,
  ): Promise<void> {
    if (!log?.isOwn) return;
    const own = undos.filter((undo) =>
      list.get(undo)?.about.some((id) => ids.includes(id as ChangeId)),
    );
    const undone = [...new Set(pathsOf(own, list))];
    const left = unapplied.map(withShortTexts);
    await log.append(
      { type: 'change-undo', undos: own, changes: ids, undone, left },
      { flush: true },
    );
  }
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

function noteChange(change: FiledChange, list: ChangeList): NoteChange {
  const { id, choice, path, to, time, origin, added, removed, fate } = change;
  const { conversation, turn, tool, source } = origin;
  return {
    change: id,
    kind: KINDS[change.kind],
    act: actOf(change),
    choice,
    path,
    to,
    time,
    conversation,
    turn,
    tool,
    source,
    added,
    removed,
    fate,
    undone: list.isUndone(id),
  };
}

/** The kind of a change as the user sees what undo does to it. */
const KINDS: Record<Change['kind'], NoteChange['kind']> = {
  create: 'create',
  write: 'write',
  hold: 'hold',
  delete: 'delete',
  move: 'move',
  folder: 'folder',
  restore: 'create',
  nothing: 'write',
};

function actOf({ act, kind, proposes }: FiledChange): NoteChange['act'] {
  if (act !== null) return act;
  return kind === 'hold' || proposes.length > 0 ? 'propose' : 'change';
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
