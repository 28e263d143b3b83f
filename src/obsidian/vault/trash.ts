/**
 * Deletes files to the trash and restores them. The vault's own trash is not in Obsidian's index,
 * so it is reached through the adapter.
 */
import type { App, TAbstractFile, TFile } from 'obsidian';
import type { DeletedFile } from '#model/change';
import type { NoteVault } from '#ports/vault';
import { composedPath, folderOf, stemOf } from '#text/paths';

const TRASH = '.trash';

/** @returns the path in the vault's own trash; null if the file went elsewhere */
export async function trash(app: App, file: TAbstractFile): Promise<string | null> {
  const before = new Set(await inTrash(app));
  await app.fileManager.trashFile(file);
  // The trash appends a number to a taken name, and Obsidian falls back to it on systems without a
  // trash.
  const name = stemOf(file.name);
  const matchesDeletedFile = (place: string) =>
    !before.has(place) && place.startsWith(`${TRASH}/${name}`);
  return (await inTrash(app)).find(matchesDeletedFile) ?? null;
}

async function inTrash({ vault: { adapter } }: App): Promise<string[]> {
  if (!(await adapter.exists(TRASH))) return [];
  const { files, folders } = await adapter.list(TRASH);
  return [...files, ...folders];
}

export type TrashRestore = 'done' | 'exists';

/** Restores file by file through the vault, so that Obsidian indexes each of them at once. */
export async function restore(
  app: App,
  place: string,
  to: string,
  went: readonly DeletedFile[],
  makeFolders: (path: string) => Promise<void>,
): Promise<TrashRestore | 'missing'> {
  const { adapter } = app.vault;
  const stat = await adapter.stat(place);
  if (!stat) return 'missing';
  const found = stat.type === 'file' ? { files: [place], folders: [] } : await below(app, place);
  // Hidden files are listed by their names on disk, which may be decomposed.
  const target = (each: string) => composedPath(to + each.slice(place.length));
  for (const file of found.files) {
    const known = went.find(({ path }) => path === target(file));
    if (known && !(await matchesDeletedFile(app, file, known))) return 'missing';
  }
  for (const file of found.files) {
    if (await isConflicting(app, target(file), () => adapter.readBinary(file))) return 'exists';
  }
  if (stat.type === 'folder') await makeFolders(to);
  for (const folder of found.folders) await makeFolders(target(folder));
  for (const file of found.files) {
    const path = target(file);
    await makeFolders(folderOf(path));
    if ((await restoreFromTrash(app, path, await adapter.readBinary(file))) === 'exists')
      return 'exists';
  }
  if (stat.type === 'file') await adapter.remove(place);
  else await adapter.rmdir(place, true);
  return 'done';
}

async function matchesDeletedFile(
  { vault: { adapter } }: App,
  file: string,
  went: DeletedFile,
): Promise<boolean> {
  if (went.text === undefined) return (await adapter.stat(file))?.size === went.size;
  const there = new TextDecoder().decode(await adapter.readBinary(file));
  return there === went.text.replace(/^\uFEFF/, '');
}

async function below(app: App, folder: string): Promise<{ files: string[]; folders: string[] }> {
  const { files, folders } = await app.vault.adapter.list(folder);
  const all = { files: [...files], folders: [...folders] };
  for (const each of folders) {
    const deeper = await below(app, each);
    all.files.push(...deeper.files);
    all.folders.push(...deeper.folders);
  }
  return all;
}

async function isConflicting(
  app: App,
  path: string,
  wanted: () => Promise<ArrayBuffer>,
): Promise<boolean> {
  const there = app.vault.getAbstractFileByPath(path);
  if (!there) return false;
  const file = app.vault.getFileByPath(path);
  return !file || !isPrefix(await app.vault.readBinary(file), await wanted());
}

export async function restoreFromTrash(
  app: App,
  path: string,
  bytes: ArrayBuffer,
): Promise<TrashRestore> {
  const there = app.vault.getAbstractFileByPath(path);
  if (!there) {
    await app.vault.createBinary(path, bytes);
    return 'done';
  }
  const file: TFile | null = app.vault.getFileByPath(path);
  const now = file && (await app.vault.readBinary(file));
  if (!file || !now || !isPrefix(now, bytes)) return 'exists';
  if (now.byteLength < bytes.byteLength) await app.vault.modifyBinary(file, bytes);
  return 'done';
}

function isPrefix(now: ArrayBuffer, whole: ArrayBuffer): boolean {
  if (now.byteLength > whole.byteLength) return false;
  const wanted = new Uint8Array(whole);
  return new Uint8Array(now).every((byte, at) => byte === wanted[at]);
}

/** The setting for deleted files, which is missing from Obsidian's published types. */
interface WithConfig {
  getConfig?(key: string): unknown;
}

/**
 * If the setting can't be read, assumes the system trash, so that the change log keeps the deleted
 * content.
 */
export function trashLocation(app: App): ReturnType<NoteVault['trashGoes']> {
  const option = (app.vault as WithConfig).getConfig?.('trashOption');
  if (option === 'local') return 'vault';
  return option === 'none' ? 'nowhere' : 'system';
}
