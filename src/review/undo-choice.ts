/** Which changes an undo is about. */
import type { UndoChoice } from '#model/edits';
import type { ChangeId } from '#model/ids';
import type { ChangeList } from './change-list';
import { tookEffect, type FiledChange } from './listed-change';

/** Newest first; a sentence where there is nothing to undo. */
export function chosenChanges(
  choice: UndoChoice,
  list: ChangeList,
  isThere: (path: string) => boolean,
): readonly FiledChange[] | string {
  if ('change' in choice) {
    const change = list.get(choice.change);
    if (!change || change.file === null) return GONE;
    if (list.isUndone(change.id)) return 'This is undone already.';
    if (!tookEffect(change)) return 'This was never done, so there is nothing to undo.';
    return withDecisions([change], list);
  }
  const all = 'turn' in choice ? list.ofTurn(choice.turn).toReversed() : list.ofNote(choice.note);
  const done = all.filter((change) => change.act !== 'undo' && tookEffect(change));
  const open = done.filter(({ id }) => !list.isUndone(id));
  const standing =
    'turn' in choice ? open : sinceItIsThere(open, choice.note, isThere(choice.note));
  if (standing.length === 0) {
    const what = 'turn' in choice ? 'This turn changed nothing' : 'Nothing was changed here';
    return done.length > 0
      ? 'All of it is undone already.'
      : `${what} that the change ledger knows of.`;
  }
  if (standing.every(({ file }) => file === null)) return GONE;
  return withDecisions(standing, list);
}

const GONE =
  'The change ledger does not have this any more, so it can’t be undone. It keeps as much as the settings say.';

/** A proposal and what the person decided about it go together: the note no longer holds what was proposed. */
function withDecisions(changes: readonly FiledChange[], list: ChangeList): readonly FiledChange[] {
  const all = new Map(changes.map((change) => [change.id, change]));
  for (const change of changes) {
    const parts = change.kind === 'hold' ? [change.id] : change.proposes;
    for (const part of parts) {
      for (const decision of list.decisionsOn(part)) all.set(decision.id, decision);
    }
  }
  const places = new Map<ChangeId, number>(list.all().map(({ id }, place) => [id, place]));
  return [...all.values()].sort((a, b) => (places.get(b.id) ?? 0) - (places.get(a.id) ?? 0));
}

/** What was done to a note that lay here before this one, or to the folder it lies in, is not meant. */
function sinceItIsThere(
  changes: readonly FiledChange[],
  note: string,
  isThere: boolean,
): readonly FiledChange[] {
  const own = changes.filter(({ kind, path, to }) => {
    const isOfFolder = (kind === 'move' || kind === 'delete') && note.startsWith(`${to ?? path}/`);
    return !isOfFolder;
  });
  const ends = own.findIndex(({ kind }, at) => kind === 'delete' && (isThere || at > 0));
  return ends < 0 ? own : own.slice(0, ends);
}
