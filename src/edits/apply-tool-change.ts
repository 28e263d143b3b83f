/** A change of the agent's, with what has to be known and kept before it, and with what the user types meanwhile. */
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
 * What a tool wants becomes a change of the vault, or a proposal. Where the note changes in the very moment it is
 * brought together with what it has become, and tried again as another change; refused where the two clash, and then
 * nothing was touched.
 *
 * @param wanted as the tool sees the vault (`afterView`)
 */
export async function applyToolChange(
  wanted: Effect,
  way: ChangeMode,
  origin: Origin,
  hands: EditExecutor,
): Promise<ApplyResult> {
  for (let tries = 1; ; tries += 1) {
    const into = await toProposal(wanted, way);
    if (!into.ok) return into;
    const done = await applyEffect(into.effect, origin, hands);
    if (done.ok) return into.standing === 'made' ? done : { ...done, status: into.standing };
    // The form of a proposal tells where it begins; merged as text, it could take in what the user types.
    if (wanted.kind !== 'write' || done.problem.kind !== 'changed' || tries === MAX_TRIES)
      return done;
  }
}

/** One change of the vault as it is; a problem means that nothing was touched. */
export async function applyEffect(
  effect: Effect,
  origin: Origin,
  hands: EditExecutor,
): Promise<ApplyResult> {
  const id = hands.mintChange();
  const whole = await prepareEffect(effect, id, hands);
  const change: Change = { ...whole, id, time: hands.now(), origin };
  const done = await applyChange(change, hands.changeLog, hands.notes);
  return done.ok ? { ok: true, id, effect: whole } : done;
}

/** With what only the vault of this moment can tell. */
export async function prepareEffect(
  effect: Effect,
  id: ChangeId,
  hands: EditExecutor,
): Promise<Effect> {
  const { changeLog: ledger, notes, metadata } = hands;
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
      return { ...effect, holds: await keepContents(contents, id, ledger, notes) };
    }
    default:
      return effect;
  }
}

function making<Made extends Effect>(effect: Made, made: readonly string[]): Made {
  return made.length === 0 ? effect : { ...effect, made };
}
