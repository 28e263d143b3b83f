import { promises as fs, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import {
  isHidden,
  joinPath,
  type Disk,
  type DiskEntry,
  type DiskStat,
  type DiskTimes,
  type WriteInPieces,
} from './disk';
import { describe } from './node-stat';
import { walkVisible } from './node-walk';
import { watchFolder } from './node-watch';

/** Accesses a real folder, which must exist. */
export function createNodeDisk(folder: string, options: { pieces?: WriteInPieces } = {}): Disk {
  const base = path.resolve(folder);
  const full = (relative: string): string => path.join(base, relative);

  return {
    base,
    tree: async () => walkVisible(base),
    async list(folderPath) {
      const names = await fs.readdir(full(folderPath));
      const entries = await Promise.all(
        names.map(async (name): Promise<DiskEntry | null> => {
          const child = joinPath(folderPath, name);
          const stat = await statOrNull(full(child));
          return stat && { path: child, ...stat };
        }),
      );
      return entries.filter((entry) => entry !== null);
    },
    stat: (file) => statOrNull(full(file)),
    readText: (file) => fs.readFile(full(file), 'utf8'),
    async readBinary(file) {
      const bytes = await fs.readFile(full(file));
      return bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    },
    // For thousands of small notes, reading synchronously is several times faster than promises.
    readTexts: async (files) => files.map((file) => readNow(full(file))),
    readTextNow: (file) => readNow(full(file)),
    async write(file, data, times) {
      if (options.pieces && !isHidden(file)) {
        await writeSlowly(full(file), bytesOf(data), options.pieces);
      } else {
        await fs.writeFile(full(file), bytesOf(data));
      }
      await setTimes(full(file), times);
    },
    async append(file, data, times) {
      await fs.appendFile(full(file), bytesOf(data));
      await setTimes(full(file), times);
    },
    async replace(file, data) {
      const beside = `${full(file)}.${process.pid}.new`;
      await fs.writeFile(beside, data);
      await fs.rename(beside, full(file));
    },
    async makeFolder(folderPath) {
      await fs.mkdir(full(folderPath), { recursive: true });
    },
    remove: (file) => fs.unlink(full(file)),
    async removeFolder(folderPath, recursive) {
      if (recursive) await fs.rm(full(folderPath), { recursive: true });
      else await fs.rmdir(full(folderPath));
    },
    async rename(from, to) {
      await refuseTaken(full(from), full(to));
      await fs.rename(full(from), full(to));
    },
    async copy(from, to) {
      await refuseTaken(full(from), full(to));
      await fs.cp(full(from), full(to), { recursive: true, dereference: true });
    },
    watch: (notice) => watchFolder(base, notice),
  };
}

async function statOrNull(file: string): Promise<DiskStat | null> {
  try {
    return describe(await fs.stat(file));
  } catch (error) {
    // Dangling and circular links count as missing.
    if (isAbsence(error)) return null;
    throw error;
  }
}

function readNow(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}

async function writeSlowly(file: string, bytes: Uint8Array, pieces: WriteInPieces): Promise<void> {
  const handle = await fs.open(file, 'w');
  try {
    for (let at = 0; at < bytes.length; at += pieces.bytes) {
      await sleep(pieces.pauseMs);
      await handle.write(bytes.subarray(at, at + pieces.bytes));
    }
  } finally {
    await handle.close();
  }
}

async function setTimes(file: string, times: DiskTimes | undefined): Promise<void> {
  // No system call sets the creation time, and Obsidian cannot set it on every platform either.
  if (times?.mtime === undefined) return;
  await fs.utimes(file, new Date(), new Date(times.mtime));
}

async function refuseTaken(from: string, to: string): Promise<void> {
  const isCaseChange = from !== to && from.toLowerCase() === to.toLowerCase();
  if (isCaseChange && sameFile(from, to)) return;
  if (await statOrNull(to)) throw new Error('Destination file already exists!');
}

/**
 * On a case-insensitive disk `a.md` and `A.md` are the same file, so renaming one to the other is
 * allowed.
 */
function sameFile(one: string, other: string): boolean {
  const [first, second] = [one, other].map((file) => statSync(file, { throwIfNoEntry: false }));
  return !first || !second || (first.ino === second.ino && first.dev === second.dev);
}

function bytesOf(data: string | ArrayBuffer): Uint8Array {
  return typeof data === 'string' ? Buffer.from(data, 'utf8') : new Uint8Array(data);
}

function isAbsence(error: unknown): boolean {
  const code = (error as NodeJS.ErrnoException).code;
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP';
}
