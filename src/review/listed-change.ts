/** A change as the ledger's index has it: all of it but the texts. */
import type { Change, ChangeFate, Decision, Origin } from '#model/change';
import type { ChangeId, DeviceId, ProposalId } from '#model/ids';
import { lineCounts, type LineCounts } from '#model/line-counts';
import { changeShown } from './after-view';

export interface ListedChange {
  readonly id: ChangeId;
  readonly kind: Change['kind'];
  readonly path: string;
  /** Where a move leads. */
  readonly to: string | null;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly origin: Origin;
  readonly act: 'decide' | 'undo' | null;
  /** How all that was decided was decided; null where that differs, and for every other change. */
  readonly choice: Decision['choice'] | null;
  /** What the act is about: changes taken back, or proposals decided. */
  readonly about: readonly (ChangeId | ProposalId)[];
  readonly proposes: readonly ProposalId[];
  readonly added: number;
  readonly removed: number;
  /** Bytes of its line in the ledger. */
  readonly size: number;
}

/** The same with where it lies and what became of it. */
export interface FiledChange extends ListedChange {
  readonly device: DeviceId;
  /** The number of its file; null where that is gone, and with it the texts. */
  readonly file: number | null;
  readonly fate: ChangeFate | null;
  /** Where in the vault's own trash a deletion lies. */
  readonly place: string | null;
}

export function listed(change: Change, size: number): ListedChange {
  const { id, kind, path, time, origin, act } = change;
  return {
    ...{ id, kind, path, time, origin, size },
    to: change.kind === 'move' ? change.to : null,
    act: act?.kind ?? null,
    choice: act?.kind === 'decide' ? onlyChoice(act.decisions) : null,
    about: !act
      ? []
      : act.kind === 'undo'
        ? act.changes
        : act.decisions.map((each) => each.proposal),
    proposes: change.kind === 'create' || change.kind === 'write' ? (change.proposes ?? []) : [],
    ...countsOf(change),
  };
}

function onlyChoice([first, ...others]: readonly Decision[]): Decision['choice'] | null {
  return first && others.every(({ choice }) => choice === first.choice) ? first.choice : null;
}

function countsOf(change: Change): LineCounts {
  if (change.kind !== 'create' && change.kind !== 'write') return lineCounts(change);
  const { path, after } = change;
  const shown = changeShown(path, change.kind === 'write' ? change.before : '', after);
  return lineCounts({ kind: 'write', path, ...shown });
}

/** Whether it may have touched the vault, as far as is known. */
export function tookEffect({ fate }: Pick<FiledChange, 'fate'>): boolean {
  return fate !== 'not-done';
}
