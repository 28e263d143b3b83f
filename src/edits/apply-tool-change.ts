/** A change of the agent's, with what has to be known and kept before it, and with what the person types meanwhile. */
import type { Carried, Change, Effect, Origin } from '#model/change';
import type { ChangeId } from '#model/ids';
import type { Metadata } from '#ports/metadata';
import type { NoteProblem, Notes } from '#ports/vault';
import { applyChange } from './apply-change';
import { contentsOf, foldersToMake, keepContents } from './deleted-files';
import type { Ledger } from './change-log';
import { linkingNotes } from './link-rewrites';
import { wayIn, type Way } from './proposals';

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
 * What a tool wants becomes a change of the vault, or a proposal. Where the note changes in the very moment it is
 * brought together with what it has become, and tried again as another change; refused where the two clash, and then
 * nothing was touched.
 *
 * @param wanted as the tool sees the vault (`afterView`)
 */
export async function carryWanted(
  wanted: Effect,
  way: Way,
  origin: Origin,
  hands: Hands,
): Promise<CarryResult> {
  for (let tries = 1; ; tries += 1) {
    const into = await wayIn(wanted, way);
    if (!into.ok) return into;
    const done = await carryOut(into.effect, origin, hands);
    if (done.ok) return into.standing === 'made' ? done : { ...done, standing: into.standing };
    // The form of a proposal tells where it begins; merged as text, it could take in what the person types.
    if (wanted.kind !== 'write' || done.problem.kind !== 'changed' || tries === TRIES) return done;
  }
}

/** One change of the vault as it is; a problem means that nothing was touched. */
export async function carryOut(effect: Effect, origin: Origin, hands: Hands): Promise<CarryResult> {
  const id = hands.mintChange();
  const whole = await prepared(effect, id, hands);
  const change: Change = { ...whole, id, time: hands.now(), origin };
  const done = await applyChange(change, hands.ledger, hands.notes);
  return done.ok ? { ok: true, id, effect: whole } : done;
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
