/** Carries out undos, of the user and of the agent, one after the other. */
import type { UndoChoice } from '#model/pending-edit';
import type { MintId } from '#model/ids';
import type { Clock } from '#ports/clock';
import type { Metadata } from '#ports/metadata';
import type { NoteVault } from '#ports/vault';
import type { ChangeList } from './change-list';
import type { ChangeLog } from './change-log';
import type { PendingEdits } from './pending-edits';
import { undoChanges, type Undone, type UndoingCall } from './undo';
import { chosenChanges } from './undo-plan';
import type { UserDecisions } from './user-action-recovery';

export interface UndoRunnerDeps {
  readonly changeLog: ChangeLog;
  readonly pending: PendingEdits;
  readonly userDecisions: UserDecisions;
  readonly notes: NoteVault;
  readonly metadata: Metadata;
  readonly clock: Pick<Clock, 'now'>;
  readonly mint: MintId;
  /** Records the undo in the conversations that it concerns. */
  record(done: Undone, list: ChangeList, call: UndoingCall | null): Promise<void>;
}

export class UndoRunner {
  readonly #deps: UndoRunnerDeps;

  constructor(deps: UndoRunnerDeps) {
    this.#deps = deps;
  }

  /**
   * Returns a sentence if there is nothing to undo.
   *
   * @param call null if the user undoes
   */
  async undo(choice: UndoChoice, call: UndoingCall | null): Promise<Undone | string> {
    return call?.dryRun
      ? this.#undo(choice, call, call.dryRun.notes)
      : this.#deps.userDecisions.run(() => this.#undo(choice, call, this.#deps.notes));
  }

  async #undo(
    choice: UndoChoice,
    call: UndoingCall | null,
    notes: NoteVault,
  ): Promise<Undone | string> {
    const { pending, changeLog, metadata, clock, mint, record } = this.#deps;
    const list = await changeLog.changes();
    const chosen = chosenChanges(choice, list, (path) => notes.get(path) !== undefined);
    if (typeof chosen === 'string') return chosen;
    const applying = {
      ...{ changeLog, notes, metadata },
      mintChange: () => mint('change'),
      now: () => clock.now(),
    };
    const done = await undoChanges(chosen, list, applying, call);
    if (call?.dryRun) return done;
    await record(done, list, call);
    // Detached edits cause no note event, and those of notes may be read before theirs arrives.
    await pending.lookAtHeld();
    await pending.followed();
    for (const path of done.undone) await pending.look(path);
    return done;
  }
}
