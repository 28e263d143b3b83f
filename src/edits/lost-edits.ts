/** Edits that are gone from their note, although no change took them out of it. */
import { ANY_DEVICE, editsOf, NO_DEVICE, type NoteEdit, readEdits } from '#model/edit/note-edits';
import type { ChangeId, ProposalId } from '#model/ids';
import type { PendingNote } from '#model/pending-edit';
import type { NoteVault } from '#ports/vault';
import type { ChangeList } from './change-list';
import type { ChangeLog } from './change-log';
import { hasTakenEffect } from './change-log-index';

/** The undecided edits of this device that the change log has left in this note. */
export async function lostEdits(
  path: string,
  raw: string,
  { changeLog, list }: { readonly changeLog: ChangeLog; readonly list: ChangeList },
): Promise<NoteEdit[]> {
  const idsIn = (text: string) => editsOf(readEdits(text, ANY_DEVICE)).map(({ id }) => id);
  const isOwn = list.ownEdits(path);
  const texts = list
    .ofNote(path)
    .filter((each) => ['write', 'create'].includes(each.kind) && hasTakenEffect(each));
  const left = new Set(idsIn(raw));
  const open = new Set(
    texts
      .flatMap(({ proposes }) => proposes)
      .filter((id) => isOwn(id) && !left.has(id) && list.decisionsOn(id).length === 0),
  );
  const lost: NoteEdit[] = [];
  for (const each of texts) {
    const change = open.size > 0 ? (await changeLog.read([each])).get(each.id) : null;
    if (change?.kind !== 'write' && change?.kind !== 'create') break;
    for (const edit of editsOf(readEdits(change.after, ANY_DEVICE))) {
      if (open.delete(edit.id)) lost.push(edit);
    }
    // This change took out what only its text before has.
    if (change.kind === 'write') for (const id of idsIn(change.before)) open.delete(id);
  }
  return lost;
}

export interface RemovedEdit {
  readonly path: string;
  /** The change that proposed it. */
  readonly change: ChangeId;
  readonly edit: NoteEdit;
}

/** Those of the edits of which the user has deleted all of the block; the rest is damaged. */
export async function removedEdits(
  ids: readonly ProposalId[],
  deps: {
    readonly changeLog: ChangeLog;
    readonly notes: Pick<NoteVault, 'read'>;
    readonly pending: { all(): readonly PendingNote[]; found(): Promise<void> };
  },
): Promise<RemovedEdit[]> {
  const { changeLog, notes, pending } = deps;
  const list = await changeLog.changes();
  const open = ids.filter(
    (id) => list.versions(id).length > 0 && list.decisionsOn(id).length === 0,
  );
  if (open.length === 0) return [];
  await pending.found();
  const waiting = new Set(pending.all().flatMap(({ edits }) => edits.map(({ id }) => id)));
  const proposing = open.flatMap((id) => (waiting.has(id) ? [] : (list.proposing(id) ?? [])));
  const places = proposing.map(({ id, path }) => list.placeNow(id, path));
  const removed: RemovedEdit[] = [];
  for (const path of new Set(places)) {
    const read = await notes.read(path);
    if (!read.ok) continue;
    const raw = read.value.text;
    if (readEdits(raw, NO_DEVICE).damaged.length > 0) continue;
    for (const edit of await lostEdits(path, raw, { changeLog, list })) {
      const change = open.includes(edit.id) ? list.proposing(edit.id) : undefined;
      if (change) removed.push({ path, change: change.id, edit });
    }
  }
  return removed;
}
