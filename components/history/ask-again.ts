/** Asks an earlier message again, in a fork that starts before it. */
import * as t from '#messages/history-messages';
import type { Turn, UserAction } from '#model/conversation';
import type { ChangeId } from '#model/ids';
import type { AskingAgain, ChatState, RemainingChanges } from '#stores/chat-state';
import type { EditsState } from '#stores/edits-state';
import { turnChanges, reviewedOf, changesSummary } from '../edits/turn-changes';

/**
 * Asks the turn's message again, reworded if `text` is given. If later changes are still in notes,
 * the user is asked first whether to undo them (`UndoOrKeep`); otherwise it is asked at once.
 *
 * Does nothing while the view is already asking a message again.
 */
export async function askAgain(view: ChatState, turn: Turn, text?: string): Promise<void> {
  if (view.askingAgain) return;
  const asking: AskingAgain = { turn: turn.id, text, remaining: null, isDecided: false };
  view.askingAgain = asking;
  const { agent, edits } = view.panel;
  const userActions = view.conversation?.userActions ?? [];
  const place = view.turns.findIndex(({ id }) => id === turn.id);
  try {
    const remaining = await remainingChanges(view.turns.slice(place), userActions, edits, (ids) =>
      agent.changes.undoneAmong(ids),
    );
    // The user may show another conversation by now.
    if (view.askingAgain !== asking) return;
    if (remaining) view.askingAgain = { ...asking, remaining: remaining };
    else await view.fork(turn.id, text);
  } finally {
    if (view.askingAgain === asking) view.askingAgain = null;
  }
}

/** The user's answer to whether the changes are to be undone first. */
export async function decideAskAgain(view: ChatState, undo: boolean): Promise<void> {
  const asked = view.askingAgain;
  if (!asked || asked.isDecided) return;
  const asking = { ...asked, isDecided: true };
  view.askingAgain = asking;
  const { edits, ui } = view.panel;
  try {
    let left = 0;
    for (const { id } of undo ? (asked.remaining?.turns ?? []) : [])
      left += (await edits.undo({ turn: id }))?.unapplied.length ?? 0;
    if (left > 0) ui.notice(t.undoIncomplete);
    if (view.askingAgain === asking) await view.fork(asked.turn, asked.text);
  } finally {
    if (view.askingAgain === asking) view.askingAgain = null;
  }
}

/** Changes that these turns made and that are still in the notes; null if there are none. */
async function remainingChanges(
  turns: readonly Turn[],
  userActions: readonly UserAction[],
  edits: Pick<EditsState, 'find'>,
  undoneAmong: (ids: readonly ChangeId[]) => Promise<ReadonlySet<ChangeId>>,
): Promise<RemainingChanges | null> {
  const all = turns.map((turn) => ({ turn, ...turnChanges(turn) }));
  const find: EditsState['find'] = (id, note) => edits.find(id, note);
  const decided = userActions.flatMap((act) => (act.type === 'edits-decide' ? [act.change] : []));
  const undone = await undoneAmong([
    ...all.flatMap(({ made }) => made.map(({ change }) => change)),
    ...all.flatMap(({ proposed }) => proposed.flatMap(({ changes }) => changes)),
    ...decided,
  ]);
  const isUndone = (id: ChangeId) => undone.has(id);
  const reviewed = all.map(({ turn, made, proposed }) => ({
    turn,
    made: made.filter(({ change }) => !isUndone(change)),
    notes: proposed
      .map((each) => reviewedOf(each, userActions, { find, isUndone }))
      .filter(({ undone: isGone }) => !isGone),
  }));
  // A rejected edit leaves nothing in its note.
  const remaining = reviewed.filter(
    ({ made, notes }) => changesSummary(made, notes, isUndone) !== changesSummary([], [], isUndone),
  );
  if (remaining.length === 0) return null;
  const line = changesSummary(
    remaining.flatMap(({ made }) => made),
    remaining.flatMap(({ notes }) => notes),
    isUndone,
  );
  return { line, turns: remaining.map(({ turn }) => turn).toReversed() };
}
