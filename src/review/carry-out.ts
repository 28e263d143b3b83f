/** A change of the agent's, with what has to be known and kept before it, and with what the person types meanwhile. */
import type { Carried, Change, Effect, Origin } from '#model/change';
import type { ChangeId } from '#model/ids';
import { mergeThree } from '#model/three-way';
import type { Metadata } from '#ports/metadata';
import type { NoteProblem, Notes } from '#ports/notes';
import { applyChange } from './apply-change';
import { contentsOf, foldersToMake, keepContents } from './contents';
import type { Ledger } from './ledger';
import { linkingNotes } from './linking-notes';

export interface Hands {
  readonly ledger: Ledger;
  readonly notes: Notes;
  readonly metadata: Metadata;
  mintChange(): ChangeId;
  /** Milliseconds since 1970. */
  now(): number;
}

export type CarryResult =
  ({ readonly ok: true } & Carried) | { readonly ok: false; readonly problem: NoteProblem };

/** Somebody who types all the time would otherwise keep it for ever. */
const TRIES = 5;

/**
 * Where a note reads otherwise than the effect takes it to, both changes are brought together and it is tried again,
 * as another change; refused where they clash, and then nothing was touched.
 */
export async function carryOut(effect: Effect, origin: Origin, hands: Hands): Promise<CarryResult> {
  let wanted = effect;
  for (let tries = 1; ; tries += 1) {
    const id = hands.mintChange();
    const whole = await prepared(wanted, id, hands);
    const change: Change = { ...whole, id, time: hands.now(), origin };
    const done = await applyChange(change, hands.ledger, hands.notes);
    if (done.ok) return { ok: true, id, effect: whole };
    const { problem } = done;
    if (wanted.kind !== 'write' || problem.kind !== 'changed' || tries === TRIES) return done;
    const { text, conflicts } = mergeThree(wanted.before, problem.now, wanted.after);
    if (conflicts.length > 0) {
      return { ok: false, problem: { kind: 'clash', now: problem.now, conflicts } };
    }
    wanted = { ...wanted, before: problem.now, after: text };
  }
}

/** With what only the vault of this moment can tell. */
export async function prepared(effect: Effect, id: ChangeId, hands: Hands): Promise<Effect> {
  const { ledger, notes, metadata } = hands;
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
