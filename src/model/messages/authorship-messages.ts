/** Text about what the agent wrote in a note, and about its recent changes. */
import { plural } from './plural';

export const hideWritten = 'Hide what Parley wrote';
/** In the status bar. */
export const showShort = 'Parley’s words';
export const hideShort = 'Parley’s words: shown';
export const onlyWhileEditing = 'Switch this note to the editing view to see what Parley wrote.';
export const nothingLeft = 'Nothing that Parley wrote is left in this note.';
export const notWritten = 'Parley did not write the text at the cursor.';
/** @param when for example "14:05" */
export const writtenAt = (when: string) => `Parley wrote this, ${when}`;
export const youAsked = 'You asked';
export const requestGone = 'The request is no longer available.';
export const undo = 'Undo';
export const openChat = 'Open chat';
export const why = 'Why Parley wrote this';

export const recentChanges = 'Changes since you last looked';
/** @param when for example "Mon 14:05" */
export const since = (when: string) => `Since ${when}`;
export const noRecentChanges = 'Parley changed nothing since then.';
export const showWeek = 'Show the last 7 days';
export const keep = 'Keep';
export const keepAll = 'Keep all';
export const changesIn = (note: string) => `Changes in ${note}`;
export const keepChange = (words: string, note: string) => `Keep: ${words}, ${note}`;
export const undoChange = (words: string, note: string) => `Undo: ${words}, ${note}`;
export const changesInNotes = (changes: number, notes: number) =>
  `${plural(changes, { one: '# change', other: '# changes' })} in ${plural(notes, { one: '# note', other: '# notes' })}`;
