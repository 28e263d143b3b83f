/** Describes to the model what the user did with the agent's changes. */
import type { Turn, UserAction } from '#model/conversation';
import type { DecidedEdit, EventOf } from '#model/event';
import type { ChangeId, TurnId } from '#model/ids';
import { neutralize } from '#text/untrusted-text';
import { clip } from '#text/shorten';
import { firstNames } from '#messages/plural';

/** Longer texts are cut; the model can read the full text in the note. */
const MAX_TEXT_CHARS = 1_000;

const MAX_ACTIONS = 20;

/**
 * Describes the user's actions in lines, with the text that replaced the agent's. Empty if there
 * were no actions.
 *
 * @param all all actions of the conversation, including these, to tell a redo from an undo
 * @param turns of the conversation; what the agent undid in one of them, its call has told
 * @param sees whether the model may know about a note; actions in other notes are not mentioned
 */
export function userActionsText(
  userActions: readonly UserAction[],
  all: readonly UserAction[],
  sees: (path: string) => boolean,
  turns: readonly Pick<Turn, 'id'>[],
): readonly string[] {
  const isHere = (by: TurnId) => turns.some(({ id }) => id === by);
  const undos = new Set(all.flatMap((act) => (act.type === 'change-undo' ? act.undos : [])));
  const lines = userActions.flatMap((act) => {
    if (act.type === 'edits-decide') return sees(act.path) ? decisionLines(act) : [];
    if (act.by !== undefined && isHere(act.by)) return [];
    const [undone, left] = [act.undone.filter(sees), act.left.filter(({ path }) => sees(path))];
    return undoLines({ ...act, undone, left }, undos);
  });
  if (lines.length === 0) return [];
  const more = lines.length - MAX_ACTIONS;
  return [
    'Since your last message the user reviewed your changes, as follows. Line numbers that you know still mean the same lines, so these notes need not be read again.',
    ...(more > 0 ? [`(${more} earlier actions are left out.)`] : []),
    ...lines.slice(-MAX_ACTIONS),
  ].map(neutralize);
}

function undoLines(
  { undone, left, changes, by }: EventOf<'change-undo'>,
  undos: ReadonlySet<ChangeId>,
): string[] {
  const isRedo = changes.every((id) => undos.has(id));
  const [did, wanted] = isRedo ? ['Redid', 'redo'] : ['Undid', 'undo'];
  const where = by === undefined ? '' : ', by asking you in another chat';
  const lines =
    undone.length > 0
      ? [`- ${did} what you changed: ${firstNames(undone, MAX_ACTIONS)}${where}.`]
      : [];
  if (by !== undefined) return lines;
  for (const { path, why, conflict } of left) {
    const now = conflict ? ` It now reads there: ${quoted(conflict.now)}` : '';
    lines.push(`- Wanted to ${wanted} your change of ${path}; not done: ${why}${now}`);
  }
  return lines;
}

function decisionLines({ path, decisions, problems }: EventOf<'edits-decide'>): string[] {
  return [
    ...decisions.map((decision) => `- ${path}: ${decisionText(decision)}`),
    ...problems.map((problem) => `- ${path}: could not be applied: ${problem}`),
  ];
}

function decisionText(decision: DecidedEdit): string {
  const { choice, before, proposed, after, isPart, isForeign, isRemoved } = decision;
  if (isForeign) return `${FOREIGN_CHOICES[choice]} an edit that was made on another device`;
  const rest = isPart ? '; the rest of the edit still waits' : '';
  switch (choice) {
    case 'accept':
      return `accepted ${changeText(before, proposed)}${rest}`;
    case 'reject':
      return `rejected ${changeText(before, proposed)}${isRemoved ? ' by deleting the edit from the note' : rest}`;
    case 'choose':
      return `went back to another version of ${changeText(before, proposed)}; it now proposes ${quoted(after ?? '')} and still waits`;
    case 'amend':
      return `amended ${changeText(before, proposed)}; it is now ${quoted(after ?? '')}`;
  }
}

/** Without their texts, which the model has not written. */
const FOREIGN_CHOICES: Readonly<Record<DecidedEdit['choice'], string>> = {
  accept: 'accepted',
  reject: 'rejected',
  amend: 'amended and accepted',
  choose: 'changed',
};

function changeText(before: string, proposed: string): string {
  if (before === proposed) return 'an edit';
  if (before === '') return `the addition of ${quoted(proposed)}`;
  if (proposed === '') return `the removal of ${quoted(before)}`;
  return `${quoted(before)} → ${quoted(proposed)}`;
}

function quoted(text: string): string {
  return JSON.stringify(clip(text, MAX_TEXT_CHARS));
}
