/** What was taken back, and how it is brought back. */
import type { PersonAct } from '#model/conversation';
import type { EditLeft } from '#model/pending-edit';
import type { EventOf } from '#model/event';
import type { ChangeId } from '#model/ids';

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
