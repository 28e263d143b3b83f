/** What a turn did to notes, as the screen lists it. */
import { allCalls, type Turn } from '#model/conversation';
import type { ChangeId, ProposalId } from '#model/ids';
import type { ChangeNote } from '#model/message';

/** A change that was made at once. */
export interface Made extends ChangeNote {
  readonly tool: string;
}

/** All that a turn proposes for one note. */
export interface Proposed {
  readonly path: string;
  readonly changes: readonly ChangeId[];
  readonly parts: readonly (ProposalId | ChangeId)[];
  readonly added: number;
  readonly removed: number;
}

export interface TurnChanges {
  readonly made: readonly Made[];
  readonly proposed: readonly Proposed[];
}

export function changesOf(turn: Turn): TurnChanges {
  const all = allCalls(turn).flatMap((call): Made[] =>
    call.state === 'finished' && call.result.details?.kind === 'changes'
      ? call.result.details.changes.map((change) => ({ ...change, tool: call.part.name }))
      : [],
  );
  const paths = new Map<string, Made[]>();
  for (const change of all) {
    if (change.proposes) paths.set(change.path, [...(paths.get(change.path) ?? []), change]);
  }
  const proposed = [...paths].map(([path, changes]) => ({
    path,
    changes: changes.map(({ change }) => change),
    parts: [...new Set(changes.flatMap(({ proposes = [] }) => proposes))],
    added: sumOf(changes, 'added'),
    removed: sumOf(changes, 'removed'),
  }));
  return { made: all.filter(({ proposes }) => !proposes), proposed };
}

function sumOf(
  changes: readonly Pick<ChangeNote, 'added' | 'removed'>[],
  key: 'added' | 'removed',
): number {
  return changes.reduce((sum, change) => sum + change[key], 0);
}
