/**
 * Determines what a tool call would change, by running it against a vault that records changes
 * instead of making them.
 */
import type { Effect } from '#model/change';
import type { ChangeId } from '#model/ids';
import type { ApplyResult, ChangeApplier, NoteVault, TouchedFiles } from '#ports/vault';
import type { Decision } from './decide';
import type { PlannedEffect } from './planned-effect';
import { PlannedVault } from './planned-vault';
import type { ChangeApproval } from './change-judge';

export class DryRun implements ChangeApplier, ChangeApproval {
  readonly effects: PlannedEffect[] = [];
  /** The vault that the call sees. */
  readonly notes: NoteVault;
  readonly #planned: PlannedVault;
  /** The first refusal of a change. */
  refusal: Extract<Decision, { answer: 'refuse' }> | null = null;

  constructor(notes: NoteVault) {
    this.#planned = new PlannedVault(notes);
    this.notes = this.#planned.notes;
  }

  async apply(effect: Effect): Promise<ApplyResult> {
    return { ok: true, id: 'planned' as ChangeId, effect };
  }

  /** Nothing is made, so nothing is locked. */
  alone<Value>(_files: TouchedFiles, task: () => Promise<Value>): Promise<Value> {
    return task();
  }

  allows(planned: PlannedEffect, place = planned.effect.path): boolean {
    this.effects.push(planned);
    this.#planned.plan({ ...planned.effect, path: place });
    return true;
  }

  refused(decision: Extract<Decision, { answer: 'refuse' }>): void {
    this.refusal ??= decision;
  }
}
