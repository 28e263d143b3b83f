/** What a turn did to notes, as the screen lists it. */
import { allCalls, type Turn } from '#model/conversation';
import type { ChangeId, ProposalId } from '#model/ids';
import type { ChangeNote } from '#model/message';
import { counted } from './words';

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

/** "3 notes changed, 1 to review, +12 −4" */
export function turnLine(
  { made, proposed }: TurnChanges,
  isPending: (path: string) => boolean,
): string {
  const waiting = proposed.filter(({ path }) => isPending(path));
  const done = [...made, ...proposed.filter((each) => !waiting.includes(each))];
  const isFolder = (each: Made | Proposed) => 'kind' in each && each.kind === 'folder';
  const notes = new Set(done.filter((each) => !isFolder(each)).map(placeOf));
  const folders = done.filter(isFolder).length;
  const all = [...made, ...proposed];
  const [added, removed] = [sumOf(all, 'added'), sumOf(all, 'removed')];
  const counts = [...(added > 0 ? [`+${added}`] : []), ...(removed > 0 ? [`−${removed}`] : [])];
  return [
    ...(waiting.length > 0 ? [`${counted(waiting.length, 'note')} to review`] : []),
    ...(notes.size > 0 ? [`${counted(notes.size, 'note')} changed`] : []),
    ...(folders > 0 ? [`${counted(folders, 'folder')} made`] : []),
    ...(counts.length > 0 ? [counts.join('\u00a0')] : []),
  ].join(', ');
}

function placeOf(each: Made | Proposed): string {
  return ('to' in each ? each.to : undefined) ?? each.path;
}
