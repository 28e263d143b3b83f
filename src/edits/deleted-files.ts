/**
 * Keeps what a deletion removes, so that an undo can restore it: binary files, and folders with
 * everything in them.
 */
import type { Change, DeletedContents, DeletedFile } from '#model/change';
import type { ChangeId } from '#model/ids';
import type { NoteVault, NoteResult } from '#ports/vault';
import { folderOf, isWithin } from '#text/paths';
import type { ChangeLog } from './change-log';

type Restore = Extract<Change, { kind: 'restore' }>;

/**
 * Maximum number of bytes that the change log keeps for one deletion, unless the files go to the
 * vault's trash.
 */
export const MAX_DELETION_BYTES = 50_000_000;

/** Lists the files and folders at this path, without keeping their bytes. */
export function deletedContents(path: string, notes: NoteVault): DeletedContents {
  const inside = notes.list().filter((entry) => isWithin(entry.path, path));
  const files = inside.flatMap((entry): DeletedFile[] =>
    entry.kind === 'file' ? [{ path: entry.path, size: entry.size, kept: null }] : [],
  );
  const folders = inside.flatMap((entry) => (entry.kind === 'folder' ? [entry.path] : []));
  return { files: files.sort(byPath), folders: folders.sort() };
}

/**
 * Keeps all bytes in the change log, unless the files go to the vault's trash or are too large
 * together. Returns the contents with the names under which they are kept.
 */
export async function keepContents(
  contents: DeletedContents,
  change: ChangeId,
  changeLog: ChangeLog,
  notes: NoteVault,
): Promise<DeletedContents> {
  if (notes.trashGoes() === 'vault' || sizeOf(contents.files) > MAX_DELETION_BYTES) return contents;
  const files: DeletedFile[] = [];
  for (const file of contents.files) {
    const read = await notes.readBinary(file.path);
    // An unreadable file cannot be kept, but is listed.
    if (!read.ok) files.push(file);
    else {
      const kept = await changeLog.keep(change, files.length, read.value);
      files.push({ path: file.path, size: read.value.byteLength, kept });
    }
  }
  return { ...contents, files };
}

/** Restores from the vault's trash if the files are there, otherwise from the change log. */
export async function restoreFiles(
  change: Restore,
  changeLog: ChangeLog,
  notes: NoteVault,
): Promise<NoteResult> {
  const { path, holds, trash } = change;
  if (trash !== null) {
    const restored = await notes.restore(trash, path, holds.files);
    if (restored.ok || restored.reason.kind !== 'missing') return restored;
  }
  for (const folder of holds.folders) {
    const made = notes.get(folder) ? null : await notes.createFolder(folder);
    if (made && !made.ok) return made;
  }
  let lost = holds.files.length === 0 && holds.folders.length === 0;
  for (const file of holds.files) {
    const bytes = file.kept === null ? null : await changeLog.kept(file.kept);
    const back = bytes && (await notes.putBack(file.path, bytes));
    if (back && !back.ok) return back;
    lost ||= bytes === null;
  }
  return lost ? { ok: false, reason: { kind: 'missing' } } : { ok: true, value: undefined };
}

/** Whether everything that the change restores exists, judged by file sizes. */
export async function areFilesRestored(
  { path, holds }: Restore,
  notes: NoteVault,
): Promise<boolean> {
  const now = deletedContents(path, notes);
  const sizes = new Map(now.files.map((file) => [file.path, file.size]));
  return (
    holds.files.every((file) => sizes.get(file.path) === file.size) &&
    holds.folders.every((folder) => now.folders.includes(folder))
  );
}

/** Whether no file was added, removed or changed in size. */
export function hasSameBytes(now: DeletedContents, then: DeletedContents): boolean {
  const fingerprint = ({ files, folders }: DeletedContents) =>
    [...folders, ...files.map(({ path, size }) => `${path} ${size}`)].sort().join('\n');
  return fingerprint(now) === fingerprint(then);
}

/** Parent folders of a path that do not exist yet, outermost first. */
export function foldersToMake(path: string, notes: NoteVault): string[] {
  const folders: string[] = [];
  for (let at = folderOf(path); at !== '' && !notes.get(at); at = folderOf(at)) folders.unshift(at);
  return folders;
}

/**
 * Moves the folders that are empty to the trash, innermost first.
 * @param folders outermost first
 */
export async function removeEmpty(folders: readonly string[], notes: NoteVault): Promise<void> {
  for (const folder of [...folders].reverse()) {
    if (await isEmptyFolder(folder, notes)) await notes.trash(folder);
  }
}

export async function isEmptyFolder(folder: string, notes: NoteVault): Promise<boolean> {
  if (notes.get(folder)?.kind !== 'folder') return false;
  if (notes.list().some(({ path }) => path !== folder && isWithin(path, folder))) return false;
  return (await notes.holdsHidden(folder)) === null;
}

function sizeOf(files: readonly DeletedFile[]): number {
  return files.reduce((sum, { size }) => sum + size, 0);
}

function byPath(a: DeletedFile, b: DeletedFile): number {
  return a.path < b.path ? -1 : 1;
}
