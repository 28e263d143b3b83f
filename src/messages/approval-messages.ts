/** What an approval asks, and its reasons. */
import { isNote } from '#text/paths';
import { saidName } from '#text/speech';
import { counted, firstNames } from './plural';

export const runCommandTitle = (name: string) => `Run “${name}”?`;
export const commandReason = (id: string) => `${id}: ${commandEffect}`;
export const commandEffect = 'Parley can’t show or undo what it does.';
export const openTitle = (path: string) => `Open ${path}?`;
export const saidOpenTitle = (path: string) => `Open ${saidName(path)}?`;
export const readPageTitle = (host: string) => `Read a page of ${host}?`;
export const serverToolTitle = (server: string, tool: string) => `Let “${server}” run ${tool}?`;
export const serverToolReason =
  'It acts outside of Parley, which can’t show it for review or undo it.';

/** @param changed such as 2026-11-12 */
export const fileToDelete = (kind: 'note' | 'file', size: string, changed: string | null) =>
  `A ${kind} of ${size}${changed === null ? '' : `, last changed ${dateInWords(changed)}`}.`;
const dateInWords = (date: string) =>
  new Date(`${date}T12:00`).toLocaleDateString('en-US', { dateStyle: 'long' });
export const emptyFolder = 'An empty folder.';
/** @param areListed whether the files are listed elsewhere */
export const folderToDelete = (files: readonly string[], folders: number, areListed: boolean) => {
  const below = folders > 0 ? ` and ${counted(folders, 'folder')}` : '';
  const named = files.length > 0 && !areListed ? `: ${files.join(', ')}` : '';
  return `The folder contains ${counted(files.length, 'file')}${below}${named}.`;
};
/** @param kind what is deleted */
export const brokenLinks = (
  links: ReadonlyMap<string, number>,
  kind: 'file' | 'folder',
  limit: number,
) => {
  const it = kind === 'file' ? 'it' : 'notes in it';
  const isNotes = [...links.keys()].every(isNote);
  const [file, files] = isNotes ? ['note', 'notes'] : ['file', 'files'];
  if (links.size === 0) return `No other note links to ${it}.`;
  const count = [...links.values()].reduce((sum, each) => sum + each, 0);
  const from = counted(links.size, `${file} links`, `${files} link`);
  const would = counted(count, 'link would', 'links would');
  return `${from} to ${it}, and ${would} be broken: in ${firstNames([...links.keys()].sort(), limit)}.`;
};
export const DELETION_DESTINATIONS = {
  vault: 'It goes to the .trash folder of the vault.',
  system: 'It goes to the system trash.',
  nowhere: 'It is deleted permanently.',
} as const;
/** What a deletion loses, for a listener; links are counted by the notes that have them. */
export const saidDeletion = (what: string, links: number, comesBack: boolean) => {
  const led =
    links === 0 ? 'nothing links to it' : counted(links, 'note links to it', 'notes link to it');
  return `${what}, and ${led}; ${comesBack ? 'undo brings it back' : 'it can’t be undone'}.`;
};
export const saidSize = (lines: number | null) =>
  lines === null ? 'A file' : `A note of ${counted(lines, 'line')}`;
export const saidFolder = (files: number) =>
  files === 0 ? 'An empty folder' : `A folder of ${counted(files, 'file')}`;
export const tooLargeToUndo = (megabytes: number) =>
  `It is larger than the ${megabytes} MB that Parley keeps a copy of, so it can’t be undone.`;
export const undoFromTrash = 'Undo brings it back.';
export const undoFromCopy = 'Parley keeps a copy, so undo brings it back.';

export const manyPagesOfSite =
  'Only a search gave this address, and this chat has read other pages of the same site. Which pages are read can tell its owner something.';
export const justWritten =
  'This note, or one it links to, was changed in this turn. Opening it may load what was written.';
export const addressNotGiven =
  'Neither you nor a search gave exactly this address. Its server will see everything in it.';
export const serverSaysItReads =
  'This chat is set to Read only. The server says that this only reads, which Parley cannot check.';
const IN_TITLE = /^It changes [\d,]+ notes? in one step\.$/;
export const changesMany = (count: number) => `It changes ${counted(count, 'note')} in one step.`;
const MAX_LEFT_OUT = 20;
/** What a call names and can't change. */
export const leftOut = (names: readonly string[]) =>
  `Left out, because Parley did not find it or can’t change it: ${firstNames(names, MAX_LEFT_OUT)}.`;
export const changesInstructions = (path: string) => `${path} tells agents or plugins what to do.`;
/** @param line such as "Changes A.md (+1 −1)." */
export const asEdit = (line: string) => line.replace(/\.$/, ', as an edit to review.');
export const saidEdits = 'Some of it becomes edits to review.';
/** @param acts such as "adds an HTML element" */
export const becomeEdits = (paths: readonly string[], acts: readonly string[]) =>
  `In ${firstNames(paths, 5)} it becomes an edit to review, since it ${firstNames(acts, 3)}, which may run code, load from elsewhere, or be unseen.`;
/** @param act such as "adds an HTML element" */
export const uncertainText = (act: string, excerpt: string) => `It ${act}, ${MAY_RUN}: ${excerpt}`;
const MAY_RUN = 'which may run code, load from elsewhere, or be unseen';
/** Reasons as a listener hears them: without excerpts, and without the number in the title. */
export const saidReasons = (reasons: readonly string[]) =>
  reasons.filter((reason) => !IN_TITLE.test(reason)).map(saidReason);
const saidReason = (reason: string) => {
  const at = reason.indexOf(`, ${MAY_RUN}: `);
  return at < 0 ? reason : `${reason.slice(0, at)}, which may run code or load from elsewhere.`;
};

export const undoTitle = (changes: number) => `Undo ${counted(changes, 'change')}?`;
export const undoInReview =
  'In Review, changes of text wait for you. This one can’t wait in a note.';
export const undoDeletes = (path: string) => `It deletes ${path}, which Parley did not create.`;
export const undoTakesWords = (path: string) =>
  `It takes back what you wrote into ${path} yourself.`;
/** @param acts such as "adds an HTML element" */
export const undoUncertain = (acts: readonly string[]) =>
  `It ${acts.join(' and ')}, which may run code, load from elsewhere, or be unseen.`;
