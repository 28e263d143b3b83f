/** Words what happened, or would happen, to a note or folder, from the change itself. */
import type { ChangeNote } from '#model/message';
import type { NoteChange } from '#model/pending-edit';
import { isNote, folderOf, noteName, withoutNoteExtension } from '#text/paths';
import { capitalize } from '#text/shorten';
import { saidName } from '#text/speech';
import { counted, list, listFirst } from './plural';

/** What an effect, a result of a call and an entry of the change log have in common. */
export interface WordedChange {
  readonly kind: ChangeNote['kind'];
  readonly path: string;
  /** Where a move leads. */
  readonly to?: string | null;
}

type Counts = Pick<ChangeNote, 'added' | 'removed'>;

const VERBS: Record<ChangeNote['kind'], string> = {
  create: 'create',
  write: 'change',
  hold: 'change',
  delete: 'delete',
  move: 'move',
  folder: 'create',
};

/** "changed Lists/Shopping.md (+1 −0)" */
export function changeText(change: ChangeNote): string {
  const { kind, path, proposes, undoes } = change;
  if (undoes) return undoText(change);
  if (!proposes && kind !== 'hold') return `${VERBS[kind]}d ${objectOf(change)}`;
  return kind === 'create'
    ? `proposed the note ${path}`
    : `proposed changes in ${path} ${countsOf(change)}`;
}

/** What an undo by the agent did, such as "put Lists/Shopping.md back (+1 −0)". */
function undoText(change: ChangeNote): string {
  const { kind, path } = change;
  switch (kind) {
    case 'create':
    case 'folder':
      return `restored ${path}`;
    case 'delete':
      return `removed ${path}`;
    case 'move':
      return `moved back ${placeOf(change)}`;
    case 'write':
    case 'hold':
      return `put ${path} back ${countsOf(change)}`;
  }
}

const MAX_SAID_NOTES = 3;

/**
 * What happened, for a listener and by note: "2 lines were added to Shopping, and Ideas was deleted."
 * '' for no changes.
 *
 * @param nameFor how a note or folder is called
 */
export function saidChanges(
  changes: readonly ChangeNote[],
  nameFor: (path: string) => string = saidName,
): string {
  const notes = byNote(changes);
  if (notes.length === 0) return '';
  if (notes.length <= MAX_SAID_NOTES)
    return `${capitalize(list(notes.map((each) => noteClause(each, nameFor))))}.`;
  const [verb = 'changed', other] = new Set(notes.map(saidVerb));
  const count = counted(notes.length, notes.every(({ now }) => isNote(now)) ? 'note' : 'file');
  const names = notes.map(({ now }) => nameFor(now));
  const named = listFirst(names, MAX_SAID_NOTES - 1);
  return `${count} were ${other === undefined ? verb : 'changed'}: ${named}.`;
}

/** The same about edits that wait: which notes they are in. */
export function waitingEdits(
  paths: readonly string[],
  nameFor: (path: string) => string = saidName,
): string {
  const named = listFirst(paths.map(nameFor), MAX_SAID_NOTES - 1);
  return `${named} ${paths.length === 1 ? 'waits' : 'wait'} for your review.`;
}

interface ChangedNote {
  /** Where it is after the changes. */
  now: string;
  readonly changes: readonly [ChangeNote, ...ChangeNote[]];
}

function byNote(changes: readonly ChangeNote[]): ChangedNote[] {
  const notes: { now: string; changes: [ChangeNote, ...ChangeNote[]] }[] = [];
  for (const change of changes) {
    const known = notes.find(({ now }) => now === change.path);
    const note = known ?? { now: change.path, changes: [change] };
    if (known) known.changes.push(change);
    else notes.push(note);
    if (change.kind === 'move' && change.to !== undefined) note.now = change.to;
  }
  return notes;
}

function saidVerb({ changes }: ChangedNote): string {
  const [first] = changes;
  if (changes.every(({ proposes }) => proposes)) return 'proposed';
  const isAlike = changes.every(({ kind, undoes }) => kind === first.kind && !undoes);
  return isAlike ? `${VERBS[first.kind]}d` : 'changed';
}

function noteClause({ now, changes }: ChangedNote, nameFor: (path: string) => string): string {
  const [first, second] = changes;
  const name = nameFor(now);
  if (!second) return first.undoes ? undoClause(first, name) : changeClause(first, name, nameFor);
  const last = changes.at(-1)!;
  const edits = changes.reduce((sum, { proposes = [] }) => sum + proposes.length, 0);
  if (last.kind === 'delete') return `${name} was deleted`;
  if (first.kind === 'create' && !first.undoes)
    return first.proposes ? `the note ${name} is proposed` : `${name} was created`;
  if (changes.every(({ proposes }) => proposes)) return proposedClause(edits, name);
  const moves = changes.filter(({ kind }) => kind === 'move');
  const changed =
    moves.length > 0
      ? moveClause({ ...first, path: first.path, to: now }, nameFor)
      : `${name} was changed ${changes.length} times`;
  return edits > 0 ? `${changed}, with ${counted(edits, 'edit')} to review` : changed;
}

function changeClause(change: ChangeNote, name: string, nameFor: (path: string) => string): string {
  const { kind, proposes, added, removed } = change;
  switch (kind) {
    case 'create':
      return proposes ? `the note ${name} is proposed` : `${name} was created`;
    case 'folder':
      return `the folder ${name} was created`;
    case 'delete':
      return `${name} was deleted`;
    case 'move':
      return moveClause(change, nameFor);
    case 'write':
    case 'hold':
      if (proposes || kind === 'hold') return proposedClause(proposes?.length ?? 1, name);
      return linesClause(added, removed, name);
  }
}

function undoClause({ kind }: ChangeNote, name: string): string {
  switch (kind) {
    case 'create':
    case 'folder':
      return `${name} is back`;
    case 'delete':
      return `${name} was removed`;
    case 'move':
      return `${name} was moved back`;
    case 'write':
    case 'hold':
      return `the change in ${name} was taken back`;
  }
}

function proposedClause(edits: number, name: string): string {
  return `${counted(edits, 'edit')} to ${name} ${edits === 1 ? 'is' : 'are'} proposed`;
}

function linesClause(added: number, removed: number, name: string): string {
  if (added === 0 && removed === 0) return `${name} was changed`;
  const lines = (count: number) => counted(count, 'line was', 'lines were');
  if (added === removed) return `${lines(added)} changed in ${name}`;
  if (removed === 0) return `${lines(added)} added to ${name}`;
  if (added === 0) return `${lines(removed)} removed from ${name}`;
  return `${lines(added)} added to ${name} and ${removed} removed`;
}

function moveClause({ path, to = path }: WordedMove, nameFor: (path: string) => string): string {
  const [old, name] = [nameFor(path), nameFor(to)];
  const folder = saidPlace(folderOf(to));
  if (folderOf(path) === folderOf(to)) return `${old} was renamed to ${name}`;
  return `${old} was moved to ${folder}${old === name ? '' : ` as ${name}`}`;
}

function saidPlace(folder: string): string {
  return folder === '' ? 'the top folder' : saidName(folder);
}

type WordedMove = Pick<ChangeNote, 'path' | 'to'>;

/** What an approval asks, such as "Change AGENTS.md?" */
export function changeQuestion(change: WordedChange): string {
  const { kind, path } = change;
  // A name that contains quotation marks would be ambiguous within them.
  if (kind === 'delete' && isNote(path) && !/[“”]/.test(path)) {
    const folder = folderOf(path);
    return `Delete “${noteName(path)}”${folder === '' ? '' : ` in ${folder}`}?`;
  }
  return `${capitalize(VERBS[change.kind])} ${placeOf(change)}?`;
}

/** The same question for a listener, such as "Change AGENTS?" */
export function saidQuestion({ kind, path, to }: WordedChange): string {
  const name = kind === 'folder' ? `the folder ${saidName(path)}` : saidName(path);
  if (kind !== 'move' || !to) return `${capitalize(VERBS[kind])} ${name}?`;
  return folderOf(path) === folderOf(to)
    ? `Rename ${name} to ${saidName(to)}?`
    : `Move ${name} to ${saidPlace(folderOf(to))}?`;
}

/** What an approval of several changes asks, such as "Move 12 notes?" */
export function changesQuestion(changes: readonly WordedChange[]): string {
  const [verb = 'change', other] = new Set(changes.map(({ kind }) => VERBS[kind]));
  const thing = changes.every(({ path }) => isNote(path)) ? 'note' : 'file';
  const paths = new Set(changes.map(({ path }) => path));
  return `${capitalize(other === undefined ? verb : 'change')} ${counted(paths.size, thing)}?`;
}

/** What an approval allows, such as "Changes AGENTS.md (+2 −1)." */
export function changeEffect(change: WordedChange & Counts): string {
  return `${capitalize(VERBS[change.kind])}s ${objectOf(change)}.`;
}

/** The same about a folder and the files that it takes along. */
export function folderEffect(change: WordedChange & Counts, contents: readonly string[]): string {
  if (contents.length === 0) return changeEffect(change);
  const effect = changeEffect(change).slice(0, -1);
  return `${effect}, with ${counted(contents.length, 'file')}: ${contents.join(', ')}.`;
}

function objectOf(change: WordedChange & Counts): string {
  const hasCounts = change.kind === 'write' || change.kind === 'hold';
  return hasCounts ? `${placeOf(change)} ${countsOf(change)}` : placeOf(change);
}

function placeOf({ kind, path, to }: WordedChange): string {
  if (kind === 'move') return `${path} to ${to ?? ''}`;
  return kind === 'folder' ? `the folder ${path}` : path;
}

function countsOf({ added, removed }: Counts): string {
  return `(+${added} −${removed})`;
}

/** For screen readers, such as "1 line added, 2 lines removed". */
export function countWords({ added, removed }: Counts): string {
  const words = [
    ...(added > 0 ? [counted(added, 'line added', 'lines added')] : []),
    ...(removed > 0 ? [counted(removed, 'line removed', 'lines removed')] : []),
  ];
  return words.join(', ') || 'no lines changed';
}

/** Replaces the counts of a text that is read aloud, which would be read as signs. */
export function withCountWords(text: string): string {
  return text.replace(
    /\(\+(\d+) −(\d+)\)/g,
    (_, added, removed) => `(${countWords({ added: Number(added), removed: Number(removed) })})`,
  );
}

/** Beside the note's name, such as "Renamed from Boat, 3 links updated". */
export function changeLabel(
  change: WordedChange & {
    readonly tool: string;
    readonly links?: number;
    readonly undoes?: true;
  },
): string {
  const { kind, tool, path, to } = change;
  if (change.undoes) return 'Undid a change';
  if (kind === 'write' && tool === 'update_properties') return 'Changed properties';
  if (kind === 'write' && tool === 'add_tags') return 'Added tags';
  if (kind === 'write' && tool === 'rename_tag') return 'Changed tags';
  if (kind !== 'move' || !to) return capitalize(`${VERBS[kind]}d`);
  const links = change.links ? `, ${counted(change.links, 'link updated', 'links updated')}` : '';
  const from = folderOf(path);
  if (noteName(path) === noteName(to)) return `Moved from ${from || 'vault root'}${links}`;
  const old = from === folderOf(to) ? noteName(path) : withoutNoteExtension(path);
  return `Renamed from ${old}${links}`;
}

const DECIDED: Record<NonNullable<NoteChange['choice']>, string> = {
  accept: 'You accepted the edit',
  reject: 'You rejected the edit',
  amend: 'You changed and accepted the edit',
};

/** An entry of a note's history. */
export function historyText(change: NoteChange): string {
  const { act, choice, kind, isByAgent } = change;
  switch (act) {
    case 'undo':
      return isByAgent ? 'Undid a change' : 'You undid a change';
    case 'choose':
      return 'You went back to another version of an edit';
    case 'decide':
      return choice === null ? 'You reviewed edits' : DECIDED[choice];
    case 'propose':
      return kind === 'create' ? 'Proposed a new note' : 'Proposed an edit';
    case 'change':
      return changeLabel(change);
  }
}

/** Why it may not be complete; '' if all is well. */
export function outcomeText({ fate }: NoteChange): string {
  if (fate === 'not-done') return 'It was not done.';
  return fate === 'unknown' ? 'Parley can’t tell whether this happened.' : '';
}
