/**
 * A vault in memory with a change log, in which the agent makes changes and the user undoes them.
 */
import type { UserDecision, Effect, Origin } from '#model/change';
import type { UndoChoice } from '#model/pending-edit';
import type { CallId, ChangeId, ConversationId, TurnId } from '#model/ids';
import { applyChange, applyEffect, type ApplyDeps, recoverChange } from '#edits/apply-change';
import { ChangeLog } from '#edits/change-log';
import type { ApplyResult } from '#ports/vault';
import { undoChanges, type Undone } from '#edits/undo';
import { chosenChanges } from '#edits/undo-plan';
import { memoryMetadata } from '../builders/fake-metadata';
import { MemoryNotes, type NoteFiles } from '../builders/fake-vault';
import { memoryStore, type MemoryStore } from '../builders/fake-storage';
import { DEVICE } from './changes';

export class UndoHarness {
  readonly notes: MemoryNotes;
  readonly store: MemoryStore;
  changeLog: ChangeLog;
  #count = 0;
  #stop: () => void;

  constructor(files: NoteFiles = {}, store = memoryStore()) {
    this.notes = new MemoryNotes(files);
    this.store = store;
    this.changeLog = new ChangeLog(store, 'ledger', DEVICE);
    this.#stop = this.#watch();
  }

  /** Continues as another process on the same vault and change log. */
  async restart(): Promise<void> {
    // Reading the changes waits until pending writes are on disk.
    await this.changeLog.changes();
    this.#stop();
    this.changeLog = new ChangeLog(this.store, 'ledger', DEVICE);
    this.#stop = this.#watch();
  }

  /** Determines missing outcomes, as the product does when it starts. */
  async recover(): Promise<void> {
    const list = await this.changeLog.changes();
    const open = list.all().filter(({ fate }) => fate === null);
    for (const change of (await this.changeLog.read(open)).values())
      await recoverChange(change, this.changeLog, this.notes);
  }

  #watch(): () => void {
    return this.notes.onChange((event) => {
      if (event.kind === 'renamed')
        void this.changeLog.renamed(event.from, event.path, this.#count);
    });
  }

  get executor(): ApplyDeps {
    const { changeLog, notes } = this;
    return {
      ...{ changeLog, notes, metadata: memoryMetadata(notes) },
      mintChange: () => `change-${String((this.#count += 1)).padStart(4, '0')}` as ChangeId,
      now: () => (this.#count += 1),
    };
  }

  /** Applies an effect as a tool call of the agent does. */
  apply(effect: Effect, turn = 'turn-1'): Promise<ApplyResult> {
    return applyEffect(effect, origin(turn), this.executor);
  }

  /** Like `carry`, but throws if the effect was not applied. */
  async applyOrThrow(effect: Effect, turn?: string): Promise<ChangeId> {
    const made = await this.apply(effect, turn);
    if (!made.ok) throw new Error(`${effect.kind} of ${effect.path}: ${made.reason.kind}`);
    return made.id;
  }

  /** Applies the user's decision on a proposal. */
  async decide(effect: Effect, act: UserDecision, turn = 'turn-1'): Promise<ChangeId> {
    const { changeLog, notes, mintChange, now } = this.executor;
    const id = mintChange();
    const change = { ...effect, id, time: now(), origin: { ...origin(turn), call: null }, act };
    const done = await applyChange(change, changeLog, notes);
    if (!done.ok) throw new Error(done.reason.kind);
    return id;
  }

  /** Returns a sentence for the user if there is nothing to undo. */
  async undo(choice: UndoChoice): Promise<Undone | string> {
    const list = await this.changeLog.changes();
    const chosen = chosenChanges(choice, list, (path) => this.notes.get(path) !== undefined);
    return typeof chosen === 'string' ? chosen : undoChanges(chosen, list, this.executor);
  }

  undoTurn(turn = 'turn-1'): Promise<Undone | string> {
    return this.undo({ turn: turn as TurnId });
  }

  /** Reverts the undos, newest first. */
  async redo(undone: Undone | string): Promise<void> {
    if (typeof undone === 'string') throw new Error(undone);
    for (const change of undone.undos.toReversed()) await this.undo({ change });
  }

  /** Visible files with their bytes, and folders with a trailing slash. */
  visibleFiles(): Record<string, string> {
    return Object.fromEntries(
      this.notes
        .paths()
        .filter((path) => !path.startsWith('.'))
        .map((path) => [path, path.endsWith('/') ? '' : this.notes.latin(path)]),
    );
  }
}

function origin(turn: string): Origin {
  return {
    device: DEVICE,
    conversation: 'conversation-1' as ConversationId,
    turn: turn as TurnId,
    call: 'call-1' as CallId,
    tool: 'edit_file',
    source: 'typed',
  };
}
