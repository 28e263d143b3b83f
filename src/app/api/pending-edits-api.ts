/** Applies the user's decisions about pending edits and records them in the conversations. */
import * as t from '#messages/action-messages';
import type { Conversations } from '#conversations/repository';
import type { ConversationLog } from '#conversations/conversation-log';
import type { EventOf } from '#model/event';
import type {
  DecideReport,
  EditChoice,
  EditVersion,
  PendingNote,
  UnappliedEdit,
} from '#model/pending-edit';
import type { ChangeId, ConversationId, DeviceId, MintId, ProposalId } from '#model/ids';
import type { ActionResult } from '#model/failure';
import type { EditsPort } from '#ports/app/edits-port';
import type { Clock } from '#ports/clock';
import type { PartChoice } from '#ports/app/edits-port';
import type { NoteVault } from '#ports/vault';
import {
  decidedBy,
  decidedElsewhere,
  decideDetached,
  decideInNote,
  type EditDecision,
  type DecidedChange,
  type DecisionDeps,
  removeDamaged,
} from '#edits/decide-edits';
import { chooseVersion, chosenBy, versionsOf } from '#edits/edit-versions';
import type { DetachedProposals, PendingEdits } from '#edits/pending-edits';
import type { ChangeList } from '#edits/change-list';
import type { ChangeLog } from '#edits/change-log';
import type { ChangeLogEntry } from '#edits/change-log-files';
import type { UserDecisions } from '#edits/user-action-recovery';
import { forksHolding } from '../undo-records';
import { FOLLOWER_NOTICE } from '#queue/leader-lock';

export interface ReviewApiDeps {
  readonly pending: PendingEdits;
  readonly detached: DetachedProposals;
  readonly changeLog: ChangeLog;
  readonly userDecisions: UserDecisions;
  readonly notes: NoteVault;
  readonly conversations: Conversations;
  readonly clock: Clock;
  readonly mint: MintId;
  readonly device: DeviceId;
  tag(): string;
  /** True while another process writes this device's files. */
  isFollower(): boolean;
  /**
   * The conversation in which to record decisions about edits that belong to no conversation of
   * this device.
   */
  current(): Promise<ConversationLog | null>;
}

export class ReviewApi implements EditsPort {
  readonly #deps: ReviewApiDeps;

  constructor(deps: ReviewApiDeps) {
    this.#deps = deps;
  }

  pending(): readonly PendingNote[] {
    return this.#deps.pending.all();
  }

  onChange(listener: () => void): () => void {
    return this.#deps.pending.onChange(listener);
  }

  look(note: string): Promise<void> {
    return this.#deps.pending.look(note);
  }

  accept(choice: EditChoice): Promise<ActionResult<DecideReport>> {
    return this.#decide(choice, 'accept');
  }

  reject(choice: EditChoice): Promise<ActionResult<DecideReport>> {
    return this.#decide(choice, 'reject');
  }

  async amend({
    after,
    ...choice
  }: EditChoice & { after: string }): Promise<ActionResult<DecideReport>> {
    if (choice.edit === 'all') return { ok: false, reason: t.editMissing };
    return this.#decide(choice, { amend: after });
  }

  decidePart({ edit, note, ...decision }: PartChoice): Promise<ActionResult<DecideReport>> {
    return this.#decide({ edit, note }, decision);
  }

  async removeDamaged(note: string): Promise<ActionResult<DecideReport>> {
    const { pending, userDecisions, isFollower } = this.#deps;
    if (isFollower()) return { ok: false, reason: FOLLOWER_NOTICE };
    return userDecisions.run(async () => {
      const { decided, unapplied } = await removeDamaged(note, await this.#decisionDeps());
      // Blocks without a known edit decide nothing.
      await this.#report(
        decided.filter(({ decisions }) => decisions.length > 0),
        [],
      );
      await pending.look(note);
      return { ok: true, decided: 0, changes: decided.map(({ change }) => change), unapplied };
    });
  }

  async versions(edit: ProposalId | ChangeId, note: string): Promise<readonly EditVersion[]> {
    const { pending, notes } = this.#deps;
    const path = await pending.placeOf(edit as ProposalId, note);
    const read = path === null ? null : await notes.read(path);
    return read?.ok ? versionsOf(edit as ProposalId, read.value.text, this.#deps) : [];
  }

  async chooseVersion({
    edit,
    note,
    version,
  }: {
    edit: ProposalId | ChangeId;
    note: string;
    version: number;
  }): Promise<ActionResult> {
    const { pending, userDecisions, isFollower } = this.#deps;
    if (isFollower()) return { ok: false, reason: FOLLOWER_NOTICE };
    return userDecisions.run(async () => {
      const hunk = edit as ProposalId;
      const path = await pending.placeOf(hunk, note);
      if (path === null) return { ok: false, reason: t.editNotPending };
      const deps = await this.#decisionDeps();
      const chosen = await chooseVersion({ path, hunk }, version, deps);
      if (typeof chosen === 'string') return { ok: false, reason: chosen };
      if (chosen) {
        const { change, conversation, decision } = chosen;
        await this.#record({ conversation, path, change, decisions: [decision] }, deps.list);
        await pending.look(path);
      }
      return { ok: true };
    });
  }

  /** Records decisions that a crash interrupted. */
  async recordInterrupted(entries: readonly ChangeLogEntry[]): Promise<void> {
    const list = await this.#deps.changeLog.changes();
    for (const { change, fate } of entries) {
      const { id, path, origin, act } = change;
      if (act === undefined || act.kind === 'undo' || fate === 'not-done') continue;
      // Removing damaged blocks decides nothing.
      if (act.kind === 'decide' && act.decisions.length === 0) continue;
      const decisions =
        act.kind === 'choose' ? [chosenBy(change, act.proposal)] : decidedBy(change);
      const { conversation } = origin;
      await this.#record({ conversation, path, change: id, decisions }, list);
    }
  }

  /** @throws if the file system refuses */
  async #decide(choice: EditChoice, decision: EditDecision): Promise<ActionResult<DecideReport>> {
    const { pending, detached, userDecisions, isFollower } = this.#deps;
    if (isFollower()) return { ok: false, reason: FOLLOWER_NOTICE };
    return userDecisions.run(async () => {
      // Right after a start, the pending edits may not have been found again yet.
      if (choice.note === undefined) await pending.found();
      else await pending.look(choice.note);
      const chosen = chosenAmong(pending.all(), choice);
      if (typeof chosen === 'string') return { ok: false, reason: chosen };
      const deps = await this.#decisionDeps();
      const decided: DecidedChange[] = [];
      const left: UnappliedEdit[] = [];
      for (const { path, edits } of chosen.flatMap(inOneWay)) {
        const waits = detached.of(path);
        const isHeld = waits !== null && edits.some(({ id }) => id === waits.id);
        if (isHeld && typeof decision === 'object' && 'part' in decision) {
          return { ok: false, reason: t.editMissing };
        }
        const report = isHeld
          ? await decideDetached(waits, decision, deps)
          : await decideInNote(
              path,
              edits.map(({ id }) => id as ProposalId),
              decision,
              deps,
            );
        decided.push(...report.decided);
        left.push(...report.unapplied);
        await this.#report(report.decided, report.unapplied);
        if (report.decided.length === 0)
          await this.#reportRefusal(path, edits, report.unapplied, deps);
        await (isHeld ? pending.lookAtHeld() : pending.look(path));
      }
      const count = decided.reduce((sum, { decisions }) => sum + decisions.length, 0);
      const changes = decided.map(({ change }) => change);
      return { ok: true, decided: count, changes, unapplied: left };
    });
  }

  async #decisionDeps(): Promise<DecisionDeps> {
    const { changeLog, notes, clock, mint, device, tag } = this.#deps;
    return {
      changeLog,
      notes,
      device,
      list: await changeLog.changes(),
      tag: tag(),
      mint: () => mint('proposal'),
      mintChange: (): ChangeId => mint('change'),
      now: () => clock.now(),
    };
  }

  /** Records the decisions of each change. Problems go with the first one. */
  async #report(decided: readonly DecidedChange[], left: readonly UnappliedEdit[]): Promise<void> {
    const problems = left.map(({ why }) => why);
    const list = await this.#deps.changeLog.changes();
    for (const [at, each] of decided.entries()) {
      await this.#record({ ...each, problems: at === 0 ? problems : [] }, list);
    }
  }

  /**
   * Records decisions in each conversation that proposed a text for one of the edits, and in their
   * forks, unless they are recorded there.
   */
  async #record(record: DecisionRecord, list: ChangeList): Promise<void> {
    const { conversations } = this.#deps;
    const { conversation, decisions, withEarlier = decisions } = record;
    const log = await this.#logOf(conversation);
    await append(log, record, decisions);
    const informed = new Set([log?.state.id ?? null]);
    for (const [other, own] of decidedElsewhere(withEarlier, conversation, list)) {
      if (informed.has(other)) continue;
      informed.add(other);
      await append(await conversations.open(other), record, own);
    }
    const proposals = decisions.map(({ proposal }) => proposal);
    for (const { log: fork, ids } of await forksHolding(conversations, proposals, informed)) {
      const inFork = decisions.filter(({ proposal }) => ids.includes(proposal));
      await append(fork, record, inFork);
    }
  }

  /** Records the refusal under the change that proposed the edit, because no change was made. */
  async #reportRefusal(
    path: string,
    edits: PendingNote['edits'],
    left: readonly UnappliedEdit[],
    { list }: DecisionDeps,
  ): Promise<void> {
    const [first] = edits;
    const proposed = first && list.proposing(first.id);
    if (!proposed || left.length === 0) return;
    const log = await this.#logOf(proposed.origin.conversation);
    const problems = left.map(({ why }) => why);
    await append(log, { path, change: proposed.id, problems }, []);
  }

  /** Only this device's own conversations can be appended to. */
  async #logOf(conversation: ConversationId | null): Promise<ConversationLog | null> {
    const { conversations, current } = this.#deps;
    const log = conversation === null ? null : await conversations.open(conversation);
    if (log?.isOwn) return log;
    const instead = await current();
    return instead?.isOwn ? instead : null;
  }
}

type Decisions = EventOf<'edits-decide'>['decisions'];

/** What one change decided, for the conversations. */
interface DecisionRecord {
  readonly conversation: ConversationId | null;
  readonly path: string;
  readonly change: ChangeId;
  readonly decisions: Decisions;
  readonly withEarlier?: Decisions;
  readonly problems?: readonly string[];
}

/** Only this device's own conversations can be appended to. */
async function append(
  log: ConversationLog | null,
  { path, change, problems = [] }: Pick<DecisionRecord, 'path' | 'change' | 'problems'>,
  decisions: Decisions,
): Promise<void> {
  if (!log?.isOwn) return;
  const known = log.state.userActions.flatMap((act) =>
    act.type === 'edits-decide' && act.change === change ? act.decisions : [],
  );
  const isNew = ({ proposal }: Decisions[number]) =>
    known.every((each) => each.proposal !== proposal);
  if (decisions.length > 0 && !decisions.some(isNew)) return;
  await log.append({ type: 'edits-decide', path, change, decisions, problems }, { flush: true });
}

/**
 * Splits the edits of a note: first those in the text, then the detached ones, which are merged
 * into the result.
 */
function inOneWay(note: PendingNote): PendingNote[] {
  const groups = [
    note.edits.filter(({ line }) => line !== null),
    note.edits.filter(({ line }) => line === null),
  ];
  return groups.flatMap((edits) => (edits.length > 0 ? [{ ...note, edits }] : []));
}

/** Returns a sentence if there is no such edit. */
function chosenAmong(
  notes: readonly PendingNote[],
  { edit: proposal, note, among: wanted, withForeign = false }: EditChoice,
): readonly PendingNote[] | string {
  const among = note === undefined ? notes : notes.filter(({ path }) => path === note);
  if (proposal === 'all') {
    const own = among.flatMap((each) => {
      const edits = each.edits.filter(
        ({ id, isForeign }) => (withForeign || !isForeign) && (wanted?.includes(id) ?? true),
      );
      return edits.length > 0 ? [{ ...each, edits }] : [];
    });
    if (own.length > 0) return own;
    return among.some(({ edits }) => edits.length > 0) && !wanted
      ? t.onlyForeignEdits
      : t.noPendingEdit(note);
  }
  const found = among.flatMap((each) => {
    const edits = each.edits.filter(({ id }) => id === proposal);
    return edits.length > 0 ? [{ ...each, edits }] : [];
  });
  return found.length > 0 ? found : t.editNotPending;
}
