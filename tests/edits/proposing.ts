/**
 * A vault in memory in which the agent proposes edits and the user decides on them, across
 * restarts.
 */
import { ANY_DEVICE } from '#model/edit/note-edits';
import type { Effect } from '#model/change';
import {
  type CallId,
  type ChangeId,
  type ConversationId,
  idMinter,
  type ProposalId,
  type TurnId,
} from '#model/ids';
import { acceptedText } from '#edits/own-edits';
import { afterView } from '#edits/proposals';
import { ToolChanges } from '#edits/apply-change';
import {
  decideDetached,
  decideInNote,
  type DecisionDeps,
  removeDamaged,
  type EditDecision,
  type DecisionReport,
} from '#edits/decide-edits';
import type { HunkTarget } from '#edits/edit-revision';
import { DetachedProposals, PendingEdits } from '#edits/pending-edits';
import { undoChanges, type Undone } from '#edits/undo';
import { chosenChanges } from '#edits/undo-plan';
import { ChangeLog } from '#edits/change-log';
import { memoryMetadata } from '../builders/fake-metadata';
import { MemoryNotes, type NoteFiles } from '../builders/fake-vault';
import { memoryStore } from '../builders/fake-storage';
import { DEVICE } from './changes';

export class ProposalHarness {
  readonly notes: MemoryNotes;
  readonly #store = memoryStore();
  ledger!: ChangeLog;
  detached!: DetachedProposals;
  pending!: PendingEdits;
  tag = 'ai_edit';
  conversation = 'conversation-1' as ConversationId;
  #count = 0;

  constructor(files: NoteFiles = {}) {
    this.notes = new MemoryNotes(files);
    this.#open();
  }

  #open(): void {
    this.ledger = new ChangeLog(this.#store, 'ledger', DEVICE);
    this.detached = new DetachedProposals(this.ledger);
    const { notes, ledger: changeLog, detached } = this;
    this.pending = new PendingEdits({
      ...{ notes, changeLog, detached },
      metadata: memoryMetadata(notes),
      clock: { now: () => 0, pause: async () => undefined },
      tag: () => this.tag,
    });
  }

  /** Continues as another process that has found the pending edits. */
  async restart(): Promise<void> {
    await this.ledger.changes();
    this.pending.close();
    this.#open();
    await this.pending.start();
  }

  /** The text as tools read it. */
  async seen(path: string): Promise<string> {
    const read = await afterView(this.notes, this.detached, this.ledger).read(path);
    if (!read.ok) throw new Error(`${path}: ${read.reason.kind}`);
    return read.value.text;
  }

  /**
   * Makes a change as a tool call does. Returns the effect as the tool sees it, or the kind of
   * problem.
   */
  async propose(
    effect: Effect,
    mode: 'review' | 'apply' = 'review',
    hunk: HunkTarget | null = null,
  ): Promise<Effect | string> {
    const changes = new ToolChanges(
      {
        ...{ changeLog: this.ledger, notes: this.notes, metadata: memoryMetadata(this.notes) },
        ...{ pending: this.pending, clock: { now: () => (this.#count += 1) } },
        mint: idMinter(
          () => (this.#count += 1),
          () => 'abcdefgh',
        ),
        settings: () => ({ proposalTag: this.tag }),
      },
      { origin: this.#origin, proposes: mode === 'review', hunk: async () => hunk },
    );
    const done = await changes.apply(effect, false);
    return done.ok ? done.effect : done.reason.kind;
  }

  /** Changes what tools read in the note to `after`. */
  async proposeText(
    path: string,
    after: string,
    mode: 'review' | 'apply' = 'review',
  ): Promise<Effect | string> {
    return this.propose({ kind: 'write', path, before: await this.seen(path), after }, mode);
  }

  /** Lets one pending edit propose another text, so that tools read `after` in the note. */
  async revise(path: string, hunk: ProposalId, after: string): Promise<Effect | string> {
    const effect = { kind: 'write', path, before: await this.seen(path), after } as const;
    return this.propose(effect, 'review', { path, hunk });
  }

  /** Renames a file as the user does. */
  async rename(from: string, to: string): Promise<void> {
    await this.notes.move(from, to);
    await this.ledger.renamed(from, to, (this.#count += 1));
    await this.pending.followed();
  }

  /** Decides on these pending edits, or on all of the note. */
  async decide(
    path: string,
    choice: EditDecision,
    ids?: readonly string[],
  ): Promise<DecisionReport> {
    const executor = await this.#executor();
    const detached = this.detached.of(path);
    if (detached && (!ids || ids.includes(detached.id))) {
      const report = await decideDetached(detached, choice, executor);
      await this.pending.lookAtHeld();
      return report;
    }
    const chosen = (ids ?? this.ids(path)) as readonly ProposalId[];
    const report = await decideInNote(path, chosen, choice, executor);
    await this.pending.look(path);
    return report;
  }

  async undo(change: ChangeId): Promise<Undone | string> {
    const list = await this.ledger.changes();
    const chosen = chosenChanges({ change }, list, () => true);
    const metadata = memoryMetadata(this.notes);
    const deps = { ...(await this.#executor()), metadata };
    return typeof chosen === 'string' ? chosen : undoChanges(chosen, list, deps);
  }

  async removeDamaged(path: string): Promise<DecisionReport> {
    const report = await removeDamaged(path, await this.#executor());
    await this.pending.look(path);
    return report;
  }

  async #executor(): Promise<DecisionDeps> {
    const list = await this.ledger.changes();
    return {
      ...{ changeLog: this.ledger, notes: this.notes, list, device: DEVICE, tag: this.tag },
      mint: () => this.#mint<ProposalId>('proposal'),
      mintChange: () => this.#mint<ChangeId>('change'),
      now: () => (this.#count += 1),
    };
  }

  /** Ids of the pending edits in the note, from top to bottom. */
  ids(path: string): string[] {
    const note = this.pending.all().find((each) => each.path === path);
    return note?.edits.map(({ id }) => id) ?? [];
  }

  /** The note as it would be if all edits were accepted. */
  after(path: string): string {
    return acceptedText(path, this.notes.text(path), ANY_DEVICE);
  }

  #mint<Id extends string>(kind: string): Id {
    return `${kind}-${String((this.#count += 1)).padStart(5, '0')}` as Id;
  }

  get #origin() {
    return {
      device: DEVICE,
      conversation: this.conversation,
      turn: 'turn-1' as TurnId,
      call: 'call-1' as CallId,
      tool: 'edit_file',
      source: 'typed',
    } as const;
  }
}
