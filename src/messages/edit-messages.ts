/**
 * Text of changes: pending edits, applied changes, history and undo, and what the agent wrote in a
 * note.
 */
import type { EditRefusal } from '#model/edit/edit-decisions';
import { counted, list } from './plural';

export const changeOf = (note: string) => `the change to ${note}`;
export const whatChangedIn = (note: string) => `Changes in ${note}`;
export const undone = 'Undone';
/** @param act "Undo" or "Redo" */
export const allOfAnswer = 'all changes from this answer';
export const textUnreadable = 'The text could not be read.';
export const textGone = 'The earlier text is no longer available.';
export const accepted = 'Accepted';
export const acceptedEdited = 'Edited and accepted';
export const rejected = 'Rejected';
export const deletedInNote = 'Deleted in the note';
export const decisions = (count: number) => `these ${count} decisions`;
export const decision = 'this decision';
export const replacementText = 'Replacement text';
export const changedText = 'Changed text';
export const accept = 'Accept';
export const cancel = 'Cancel';
export const newNote = 'New note';
export const pendingOf = (count: number, total: number) => `${count} of ${total} to review`;
/** @param answer its number in the chat; 1 if it is the only one that can be meant */
export const editsIn = (note: string, answer = 1) =>
  `Edits in ${note}${answer > 1 ? `, answer ${answer}` : ''}`;
export const moreEdits = (count: number) =>
  counted(count, 'more edit in this note', 'more edits in this note');
export const acceptAll = 'Accept all';
export const rejectAll = 'Reject all';
/** @param words what changes, for example "old → new" */
export const acceptPart = (words: string) => `Accept only: ${words}`;
export const rejectPart = (words: string) => `Reject only: ${words}`;
export const fromOtherDevice = 'From another device';
export const fromEarlier = 'From an earlier answer';
export const fromOtherChat = 'From another chat';
/** @param titles of other chats; empty if not known */
export const alsoChangedIn = (titles: readonly string[]) => {
  const known = titles.filter((title) => title !== '').map((title) => `“${title}”`);
  const chats =
    known.length < titles.length || known.length > 2 ? 'other chats' : known.join(' and ');
  return `Also changed in ${titles.length === 1 && known.length === 0 ? 'another chat' : chats}: decided together`;
};
export const fromThisAnswer = 'From this answer';
/** After the number of this answer's own lines. */
export const fromBefore = (lines: number) => `, ${lines} from before`;
export const staleExplained =
  'The same words of the note have changed since, so this edit can’t be accepted.';
export const proposeAgain = 'Propose again';
/** Sent to the chat of the edit. */
export const proposeAgainRequest = (path: string, proposed: string) =>
  `${path} has changed since you proposed an edit of it, which does not fit any more and was removed. Read the note and propose it again for the text as it is now. You proposed:\n\n${proposed}`;
export const removeEdit = 'Remove';
/** For blocks of which only a part is left. */
export const damagedBlocks = (count: number) =>
  count === 1 ? '1 damaged edit' : `${count} damaged edits`;
export const damagedExplained =
  'Only a part is left in the note. Remove takes what is left of the block, and no other text.';
export const inNote = 'In the note';
export const proposedText = 'Proposed';
export const foreignCount = (count: number) => `${count} from another device`;
/** @param edits for example "3 from another device" */
export const verdictOn = (verdict: 'accept' | 'reject', edits: string) =>
  `${verdict === 'accept' ? accept : reject} ${edits}`;
export const allOf = (count: number) => `all ${editCount(count)}`;
/** For example "2 edits accepted in 2 notes. 1 edit not accepted: …" */
export const decidedTogether = ({
  verdict,
  edits,
  notes,
  refused,
}: {
  readonly verdict: 'accept' | 'reject';
  readonly edits: number;
  readonly notes: { readonly size: number };
  readonly refused: { readonly count: number; readonly reasons: readonly string[] };
}) => {
  const done = verdict === 'accept' ? 'accepted' : 'rejected';
  const where = notes.size > 1 ? ` in ${noteCount(notes.size)}` : '';
  const open = `${editCount(refused.count)} not ${done}: ${refused.reasons.join(' ')}`;
  if (edits === 0) return open;
  return `${editCount(edits)} ${done}${where}${refused.count > 0 ? `. ${open}` : ''}`;
};
export const editOf = (at: number, count: number) => `${at} of ${count}`;
export const previousEdit = 'Previous edit';
export const nextEdit = 'Next edit';
export const editPosition = (at: number, count: number, note: string) =>
  `Edit ${at} of ${count} in ${note}`;
export const changesInNote = 'Parley’s changes to this note';
export const undoEverything = 'Undo all changes here';
export const noChanges = 'Parley hasn’t changed this note.';
export const changesNewestFirst = 'Changes, newest first';
export const redo = 'Redo';
export const undo = 'Undo';
export const otherOrigin = 'Made on another device or by hand';
export const hide = 'Hide';
export const view = 'View';
export const redone = 'Redone';
export const originChat = 'The chat it came from';
export const reject = 'Reject';
export const partTitle = 'Accept or reject these words';
export const partChoice = 'Decide these words';
export const addedPart = (words: string) => `Proposed: ${words}. Accept or reject`;
export const showChange = 'Show change';
/** A tooltip, which a screen reader reads after the name of its button. */
export const keyOf = (key: string) => `Key: ${key}`;
export const edit = 'Edit';
export const showSource = 'Show source';
export const nothingToReview = 'Nothing to review';
export const editsToReview = 'Edits to review';
export const pendingExplained =
  'In Review, edits wait here and in their notes until you accept or reject them.';
export const keyMove = 'next, previous';
export const keyAccept = 'accept';
export const keyReject = 'reject';
export const keyEdit = 'edit';
export const changedNotes = 'Changed notes';
export const showMore = (count: number) => `Show ${count} more`;
export const currentText = 'Current text';
export const currentTextName = 'the current text';
export const intendedText = 'Intended text';
export const intendedTextName = 'the intended text';
export const nothing = 'Nothing';
export const unchangedLines = (count: number) => counted(count, 'unchanged line');
/** Heads source that the drawing of a change does not show. */
export const notVisible = 'Not visible above:';
export const andMore = (count: number) => `and ${count} more`;
export const noTextChanges = 'No text changes';
export const showLess = 'Show less';
export const showUnchanged = 'Show unchanged text';
export const showAll = 'Show all';
export const before = 'Before';
export const after = 'After';
export const properties = 'Properties';
export const added = 'added:';
export const removed = 'removed:';
export const emptyValue = 'empty';
export const noNotesChanged = 'No changes';
export const editIn = (note: string) => `Edit in ${note}`;
export const noSuchVersion = 'There is no such version of this edit.';
export const versionDoesNotFit = 'This version no longer fits into the note.';

export const noteCount = (count: number) => counted(count, 'note');
export const editCount = (count: number) => counted(count, 'edit');
export const notesToReview = (count: number) => counted(count, 'note to review', 'notes to review');
export const notesChanged = (count: number) => counted(count, 'note changed', 'notes changed');
export const foldersCreated = (count: number) =>
  counted(count, 'folder created', 'folders created');
export const editsInNotes = (edits: number, notes: number) =>
  `${editCount(edits)} in ${noteCount(notes)}`;
/** @param changes for example "1 deletion, 3 moves" */
export const undoneChanges = (changes: string) => `Undone: ${changes}`;
/** What an undone answer had done, such as "1 deletion, 3 moves, changes in 2 notes". */
export const UNDONE_KINDS = {
  delete: (count: number) => counted(count, 'deletion'),
  move: (count: number) => counted(count, 'move'),
  rename: (count: number) => counted(count, 'rename'),
  create: (count: number) => counted(count, 'new note'),
  folder: (count: number) => counted(count, 'new folder'),
  write: (count: number) => `changes in ${noteCount(count)}`,
};
/** @param notes the names of the notes, such as in "1 deletion (Budget)" */
export const undoneOf = (change: string, notes: readonly string[]) => `${change} (${list(notes)})`;
/** Unchanged blocks or list items that are left out. */
export const unchangedCount = (count: number) => `${count} unchanged`;
export const editGone = 'This edit is no longer in the note.';
export const EDIT_REFUSALS: Record<EditRefusal, string> = {
  stale: 'The same words have been changed in the note since this edit was proposed.',
  changed: 'This edit has changed since these words were shown.',
  'holds-edit': 'The text would itself be read as an edit.',
  unreadable: 'Another edit of the note could not be read afterward. Decide both together.',
};
export const fileChangedSince =
  'The same part of the file has changed since this edit was proposed.';
export const alreadyUndone = 'This is already undone.';
export const neverDone = 'This was never done, so there is nothing to undo.';
export const allUndone = 'Everything is already undone.';
export const changesGone =
  'This change is no longer in the undo history, so it can’t be undone. You can change the size of the history in the settings.';
export const changeGone = 'This change is no longer in the undo history.';
export const busy = 'It is being changed right now.';
export const changedSince = (path: string) =>
  `${path} has changed since then, so it was left as is.`;
export const movedSince = (path: string) => `${path} was moved again, so it stays there.`;
export const folderNotEmpty = (path: string) =>
  `The folder ${path} is no longer empty, so it was kept.`;
export const noCopy = (path: string) =>
  `Parley kept no copy of ${path}. If it went to the system trash, you can restore it from there.`;
export const copyGone = (path: string) => `There is no longer a copy of ${path}.`;
export const changedSinceRestore = (path: string) =>
  `${path} was changed since it was restored, so it was kept.`;
export const linesChangedSince = 'These lines have changed since then, so your version was kept.';
export const beingTyped = (path: string) =>
  `${path} is being edited right now, so it was left as is.`;
export const notTextNow = (path: string) => `${path} is no longer text, so it was left as is.`;
export const writtenPartly = (path: string) =>
  `${path} could not be written completely. Its full text is in the undo history; undo to restore it.`;
export const diskFull = (path: string) => `The disk is full, so ${path} was left as is.`;
export const refusedByDisk = (path: string, detail: string) =>
  `The file system refused ${path}: ${detail}`;
export const goneSince = (path: string) => `${path} no longer exists.`;
export const placeTaken = (path: string) => `Something else is at ${path} now.`;

export const turnChangedNothing = 'This answer has no changes to undo.';
export const nothingChangedHere = 'There is no change to undo here.';

export const onlyWhileEditing = 'Switch this note to the editing view to see what Parley wrote.';
export const nothingLeft = 'Nothing that Parley wrote is left in this note.';
export const notWritten = 'Parley did not write the text at the cursor.';
/** @param when for example "14:05" */
export const writtenAt = (when: string) => `Parley wrote this, ${when}`;
export const youAsked = 'You asked';
export const requestGone = 'The request is no longer available.';
export const openChat = 'Open chat';
export const why = 'Why Parley wrote this';
