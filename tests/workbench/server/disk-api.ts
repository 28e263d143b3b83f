/** Gives the page access to the vault's folder: one request for each operation of `Disk`. */
import { realpathSync } from 'node:fs';
import path from 'node:path';
import { type Disk, type DiskEntry, type DiskTimes, parentOf } from '../disk/disk';
import { fullPath } from '../disk/node-disk';

export interface DiskCall {
  readonly op: string;
  readonly args: readonly unknown[];
  /** The data to write. */
  readonly body: Uint8Array;
}

/** Bytes are sent as they are, other values as JSON. */
export type DiskAnswer =
  | { readonly value: unknown }
  /** The lengths are those of several files; null for one that cannot be read. */
  | { readonly bytes: ArrayBuffer; readonly lengths?: readonly (number | null)[] };

export async function answerDisk(disk: Disk, { op, args, body }: DiskCall): Promise<DiskAnswer> {
  const at = (index: number): Promise<string> => confined(disk.base, args[index]);
  switch (op) {
    case 'tree':
      return { value: await disk.tree() };
    case 'list':
      return { value: await disk.list(await at(0)) };
    case 'stat':
      return { value: await disk.stat(await at(0)) };
    case 'read':
      return { bytes: await disk.readBinary(await at(0)) };
    case 'list-many':
      return { value: await ofAll(disk, args[0], (folders) => listAll(disk, folders)) };
    case 'read-many':
      return parts(await ofAll(disk, args[0], (files) => disk.readMany(files)));
    case 'read-texts':
      return { value: await ofAll(disk, args[0], (files) => disk.readTexts(files)) };
    case 'write':
      return done(disk.write(await at(0), bytesOf(body), timesOf(args[1])));
    case 'append':
      return done(disk.append(await at(0), bytesOf(body), timesOf(args[1])));
    case 'replace':
      return done(disk.replace(await at(0), bytesOf(body)));
    case 'make-folder':
      return done(disk.makeFolder(await at(0)));
    case 'remove':
      return done(disk.remove(await at(0)));
    case 'remove-folder':
      return done(disk.removeFolder(await at(0), args[1] === true));
    case 'rename':
      return done(disk.rename(await at(0), await at(1)));
    case 'copy':
      return done(disk.copy(await at(0), await at(1)));
    default:
      throw new Error(`The disk has no ${JSON.stringify(op)}.`);
  }
}

function parts(files: readonly (ArrayBuffer | null)[]): DiskAnswer {
  const bytes = new Uint8Array(files.reduce((sum, file) => sum + (file?.byteLength ?? 0), 0));
  let end = 0;
  const lengths = files.map((file) => {
    if (!file) return null;
    bytes.set(new Uint8Array(file), end);
    end += file.byteLength;
    return file.byteLength;
  });
  return { bytes: bytes.buffer, lengths };
}

function listAll(disk: Disk, folders: readonly string[]): Promise<(DiskEntry[] | null)[]> {
  return Promise.all(folders.map((folder) => disk.list(folder).catch(() => null)));
}

/** Null for a path outside of the vault, where reading fails, and for all if the vault is gone. */
async function ofAll<Value>(
  disk: Disk,
  paths: unknown,
  read: (paths: readonly string[]) => Promise<readonly (Value | null)[]>,
): Promise<(Value | null)[]> {
  if (!Array.isArray(paths)) throw new Error('Paths are missing.');
  let root: string | undefined;
  const inside = paths.map((path: unknown) => {
    try {
      return within((root ??= realpathSync.native(disk.base)), disk.base, path);
    } catch {
      return null;
    }
  });
  const values = await read(inside.filter((path) => path !== null));
  let next = 0;
  return inside.map((path) => (path === null ? null : (values[next++] ?? null)));
}

async function done(act: Promise<void>): Promise<DiskAnswer> {
  await act;
  return { value: null };
}

function bytesOf(body: Uint8Array): ArrayBuffer {
  return new Uint8Array(body).buffer;
}

function timesOf(given: unknown): DiskTimes | undefined {
  const times = (given ?? {}) as Record<string, unknown>;
  return typeof times['mtime'] === 'number' ? { mtime: times['mtime'] } : undefined;
}

/**
 * Rejects paths outside of the vault. The page can't detect symbolic links that lead out of the
 * vault, so its server has to.
 */
export async function confined(base: string, given: unknown): Promise<string> {
  return within(realpathSync.native(base), base, given);
}

/**
 * Synchronous, because a page reads thousands of files, and promises take several times as long.
 *
 * @param root the real path of `base`
 */
function within(root: string, base: string, given: unknown): string {
  if (typeof given !== 'string' || given.includes('\0') || given.includes('\\'))
    throw outside(given);
  const parts = given.split('/');
  if (given !== '' && parts.some((part) => part === '' || part === '.' || part === '..')) {
    throw outside(given);
  }
  if (process.platform === 'win32' && given.includes(':')) throw outside(given);
  const real = realPlace(base, given);
  if (real !== root && !real.startsWith(root + path.sep)) throw outside(given);
  return given;
}

/** The real path; for a missing file, that of the nearest existing folder above it. */
function realPlace(base: string, given: string): string {
  try {
    return realpathSync.native(fullPath(base, given));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (given === '' || (code !== 'ENOENT' && code !== 'ENOTDIR')) throw error;
    return realPlace(base, parentOf(given));
  }
}

function outside(given: unknown): Error {
  return new Error(`${JSON.stringify(given)} is outside the vault.`);
}
