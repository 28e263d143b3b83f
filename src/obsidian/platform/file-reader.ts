/** Reads many files through Node, which takes a fraction of the time that Obsidian's adapter takes. */
import type { FileSystemAdapter } from 'obsidian';
import type { FileBatch } from '#ports/vault';
import type { NodeModules } from './node-modules';

/** Reads files by their path in the vault; null for one that is not there. */
export type ReadFiles = (paths: readonly (string | null)[]) => Promise<FileBatch>;

/** Files read at a time, so that the disk stays busy. */
const MAX_OPEN_FILES = 32;

/** @param adapter knows by which name a file is stored, which may be decomposed */
export function fileReader(
  { fs }: NodeModules,
  adapter: Pick<FileSystemAdapter, 'getFullPath'>,
): ReadFiles {
  const read = (path: string) =>
    new Promise<Uint8Array | null>((resolve) => {
      fs.readFile(adapter.getFullPath(path), (problem, bytes) => resolve(problem ? null : bytes));
    });
  return async (paths) => {
    const files: (Uint8Array | null)[] = [];
    let next = 0;
    const work = async () => {
      while (next < paths.length) {
        const place = next++;
        const path = paths[place] ?? null;
        files[place] = path === null ? null : await read(path);
      }
    };
    await Promise.all(Array.from({ length: MAX_OPEN_FILES }, work));
    return batchOf(files);
  };
}

/** Joins the bytes of files; null is one that cannot be read. */
export function batchOf(files: readonly (Uint8Array | null)[]): FileBatch {
  const bytes = new Uint8Array(files.reduce((sum, file) => sum + (file?.length ?? 0), 0));
  let end = 0;
  const parts = files.map((file) => {
    if (!file) return { at: 0, length: -1 };
    bytes.set(file, end);
    end += file.length;
    return { at: end - file.length, length: file.length };
  });
  return { bytes: bytes.buffer, parts };
}
