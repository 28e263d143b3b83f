/** Words what happened, or would happen, to a note or folder, from the change itself. */
import type { ChangeNote } from '#model/message';
import type { NoteChange } from '#model/pending-edit';
import { isNote, folderOf, noteName, withoutNoteExtension } from '#text/paths';
import { capitalize } from '#text/shorten';
import { counted } from './plural';

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

/** What an approval asks, such as "Change AGENTS.md?" */
export function changeQuestion(change: WordedChange): string {
  return `${capitalize(VERBS[change.kind])} ${placeOf(change)}?`;
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
