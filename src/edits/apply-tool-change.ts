/**
 * Applies a change requested by a tool, or turns it into a proposal, while the user may be typing
 * in the note.
 */
import type { AppliedChange, Change, Effect, Origin } from '#model/change';
import type { ChangeId } from '#model/ids';
import type { Metadata } from '#ports/metadata';
import type { NoteProblem, NoteVault } from '#ports/vault';
import { applyChange } from './apply-change';
import { contentsOf, foldersToMake, keepContents } from './deleted-files';
import type { ChangeLog } from './change-log';
import { linkingNotes } from './link-rewrites';
import { toProposal, type ChangeMode } from './proposals';

export interface EditExecutor {
  readonly changeLog: ChangeLog;
  readonly notes: NoteVault;
  readonly metadata: Metadata;
  mintChange(): ChangeId;
  /** Milliseconds since 1970. */
  now(): number;
}

export type ApplyResult =
  ({ readonly ok: true } & AppliedChange) | { readonly ok: false; readonly problem: NoteProblem };

/** The user may keep typing; give up after this many tries. */
const MAX_TRIES = 5;

/**
 * Makes a tool's change in the vault, or proposes it. If the note changes at the same moment, the
 * change is merged with the new text and tried again. If the two conflict, it is refused and
 * nothing is touched.
 * @param wanted as the tool sees the vault (`afterView`)
 */
export async function applyToolChange(
  wanted: Effect,
  mode: ChangeMode,
  origin: Origin,
  executor: EditExecutor,
): Promise<ApplyResult> {
  for (let tries = 1; ; tries += 1) {
    const into = await toProposal(wanted, mode);
    if (!into.ok) return into;
    const done = await applyEffect(into.effect, origin, executor);
    if (done.ok) return into.status === 'made' ? done : { ...done, status: into.status };
    // The next try converts the change again, because a proposal block merged as text could swallow
    // what the user types.
    if (wanted.kind !== 'write' || done.problem.kind !== 'changed' || tries === MAX_TRIES)
      return done;
  }
}

/**
 * Applies one change to the vault in its current state; a problem means that nothing was touched.
 */
export async function applyEffect(
  effect: Effect,
  origin: Origin,
  executor: EditExecutor,
): Promise<ApplyResult> {
  const id = executor.mintChange();
  const whole = await prepareEffect(effect, id, executor);
  const change: Change = { ...whole, id, time: executor.now(), origin };
  const done = await applyChange(change, executor.changeLog, executor.notes);
  return done.ok ? { ok: true, id, effect: whole } : done;
}

/** Adds details that depend on the current state of the vault, such as the folders to create. */
export async function prepareEffect(
  effect: Effect,
  id: ChangeId,
  executor: EditExecutor,
): Promise<Effect> {
  const { changeLog, notes, metadata } = executor;
  switch (effect.kind) {
    case 'create':
    case 'folder':
      return making(effect, foldersToMake(effect.path, notes));
    case 'move': {
      const linking = await linkingNotes(effect.path, notes, metadata);
      return { ...making(effect, foldersToMake(effect.to, notes)), linking };
    }
    case 'delete': {
      if (effect.before !== null) return effect;
      const contents = contentsOf(effect.path, notes);
      return { ...effect, holds: await keepContents(contents, id, changeLog, notes) };
    }
    default:
      return effect;
  }
}

function making<Made extends Effect>(effect: Made, made: readonly string[]): Made {
  return made.length === 0 ? effect : { ...effect, made };
}
