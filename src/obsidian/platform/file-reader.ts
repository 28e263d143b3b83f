/** Reads many files through Node, which takes a fraction of the time that Obsidian's adapter takes. */
import type { FileSystemAdapter } from 'obsidian';
import type { FileBatch } from '#ports/vault';
import type { NodeModules } from './node-modules';

/** Reads files; null for one that is not there. */
export type ReadFiles = (files: readonly (ExpectedFile | null)[]) => Promise<FileBatch>;

export interface ExpectedFile {
  /** In the vault. */
  readonly path: string;
  /** In bytes, as listed; a file that has another size now takes longer to read. */
  readonly size: number;
}

/** Files read at a time, so that the disk stays busy. */
const MAX_OPEN_FILES = 32;

/** @param adapter knows by which name a file is stored, which may be decomposed */
export function fileReader(
  { fs }: NodeModules,
  adapter: Pick<FileSystemAdapter, 'getFullPath'>,
): ReadFiles {
  /** Reads into the buffer, which `readFile` cannot. Returns the number of bytes, or -1. */
  const readInto = (path: string, target: Uint8Array) =>
    new Promise<number>((resolve) => {
      fs.open(path, 'r', (problem, file) => {
        if (problem) return resolve(-1);
        fs.read(file, target, 0, target.length, 0, (failure, length) => {
          fs.close(file, () => undefined);
          resolve(failure ? -1 : length);
        });
      });
    });
  const readWhole = (path: string) =>
    new Promise<Uint8Array | null>((resolve) => {
      fs.readFile(path, (problem, bytes) => resolve(problem ? null : bytes));
    });
  return async (files) => {
    // One byte more than expected shows that a file has grown.
    const room = (file: ExpectedFile | null) => (file === null ? 0 : file.size + 1);
    const bytes = new Uint8Array(files.reduce((sum, file) => sum + room(file), 0));
    const parts: { readonly at: number; length: number }[] = [];
    let end = 0;
    for (const file of files) {
      parts.push({ at: end, length: -1 });
      end += room(file);
    }
    const others = new Map<number, Uint8Array>();
    let next = 0;
    const work = async () => {
      while (next < files.length) {
        const place = next++;
        const file = files[place];
        const part = parts[place]!;
        if (!file) continue;
        const path = adapter.getFullPath(file.path);
        const length = await readInto(path, bytes.subarray(part.at, part.at + file.size + 1));
        if (length === file.size) part.length = length;
        else {
          const other = length < 0 ? null : await readWhole(path);
          if (other) others.set(place, other);
        }
      }
    };
    await Promise.all(Array.from({ length: MAX_OPEN_FILES }, work));
    if (others.size === 0) return { bytes: bytes.buffer, parts };
    return batchOf(
      parts.map(({ at, length }, place) =>
        length < 0 ? (others.get(place) ?? null) : bytes.subarray(at, at + length),
      ),
    );
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
