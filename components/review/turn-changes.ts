/** What a turn did to notes, and what became of it, as the screen lists it. */
import { allCalls, type PersonAct, type Turn } from '#model/conversation';
import type { EditLeft } from '#model/edits';
import type { DecidedEdit, EventOf } from '#model/event';
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

export function counted(count: number, one: string): string {
  return `${count} ${one}${count === 1 ? '' : 's'}`;
}

/** Parts that were decided at once. */
export interface Decided {
  /** The change that it made. */
  readonly change: ChangeId;
  readonly path: string;
  readonly decisions: readonly DecidedEdit[];
  readonly problems: readonly string[];
}

/** What was last decided of these parts, the earlier first. */
export function decidedOf(acts: readonly PersonAct[], parts: readonly string[]): Decided[] {
  const open = new Set<string>(parts);
  const found: Decided[] = [];
  for (const act of acts.toReversed()) {
    if (act.type !== 'edits-decide') continue;
    const decisions = act.decisions.filter(({ proposal }) => open.has(proposal));
    for (const { proposal } of decisions) open.delete(proposal);
    const { change, path, problems } = act;
    if (decisions.length > 0) found.unshift({ change, path, decisions, problems });
  }
  return found;
}

/** The first words of what was decided, to know it by. */
export function excerptOf({ before, proposed, after = proposed }: DecidedEdit): string {
  const [text, other] = after.trim() === '' ? [before, ''] : [after, before];
  const lines = text.split('\n').filter((each) => /[\p{L}\p{N}]/u.test(each));
  const line = lines.find((each) => !other.includes(each)) ?? lines[0] ?? '';
  return line
    .replace(/^[\s>#|*+-]+(?:\[.\]\s+)?|^\d+[.)]\s+|\|\s*$/g, '')
    .replace(/\*+|==|~~|\[\[|\]\]|`/g, '')
    .replace(/\s*\|\s*/g, ', ')
    .trim();
}

type UndoAct = EventOf<'change-undo'>;

function undoActs(acts: readonly PersonAct[], changes: readonly ChangeId[]): UndoAct[] {
  return acts.filter(
    (act): act is UndoAct & PersonAct =>
      act.type === 'change-undo' && act.changes.some((id) => changes.includes(id)),
  );
}

/** All that took these changes back, or some of them with others. */
export function undosAbout(acts: readonly PersonAct[], changes: readonly ChangeId[]): ChangeId[] {
  return undoActs(acts, changes).flatMap(({ undos }) => undos);
}

/**
 * What has to be undone so that these changes are there again, the oldest first; none where that can't be told from
 * what would bring others back, too.
 */
export function standingUndos(
  acts: readonly PersonAct[],
  changes: readonly ChangeId[],
  isUndone: (undo: ChangeId) => boolean,
): ChangeId[] {
  const found = undoActs(acts, changes).flatMap((act) => {
    if (act.undos.length === 1) return act.undos;
    if (act.undos.length === act.changes.length) {
      return act.undos.filter((_, at) => changes.includes(act.changes[at] ?? ('' as ChangeId)));
    }
    return changes.length > 1 ? act.undos : [];
  });
  return found.filter((undo) => !isUndone(undo));
}

/** What the last undo of these changes could not take back, as long as it stands. */
export function undoLeft(
  acts: readonly PersonAct[],
  changes: readonly ChangeId[],
  isUndone: (undo: ChangeId) => boolean,
): readonly EditLeft[] {
  const last = undoActs(acts, changes).at(-1);
  return last && !last.undos.every(isUndone) ? last.left : [];
}

/** "Lisbon trip" of "Projects/Lisbon trip.md" */
export function noteName(path: string): string {
  return (path.split('/').at(-1) ?? path).replace(/\.md$/, '');
}

/** "Projects/" of "Projects/Lisbon trip.md"; '' for what lies in none. */
export function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1);
}
