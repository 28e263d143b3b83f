/** Reads many files through Node, which takes a fraction of the time that Obsidian's adapter takes. */
import type { FileBatch } from '#ports/vault';
import type { NodeModules } from './node-modules';

/** Reads files by their path in the vault and expected size. */
export type ReadFiles = (files: readonly ExpectedFile[]) => Promise<FileBatch>;

export interface ExpectedFile {
  readonly path: string;
  readonly size: number;
}

/** Files read at a time, so that the disk stays busy. */
const MAX_OPEN_FILES = 32;

/** @param base absolute path of the vault folder */
export function fileReader({ fs, path }: NodeModules, base: string): ReadFiles {
  const read = (file: string, target: Uint8Array) =>
    new Promise<number>((resolve) => {
      fs.open(file, 'r', (problem, handle) => {
        if (problem) return resolve(-1);
        fs.read(handle, target, 0, target.length, 0, (failure, length) => {
          fs.close(handle, () => undefined);
          resolve(failure ? -1 : length);
        });
      });
    });
  return async (files) => {
    // One byte more than expected shows that a file has grown.
    const room = files.reduce((sum, { size }) => sum + size + 1, 0);
    const bytes = new Uint8Array(room);
    const parts: { at: number; length: number }[] = [];
    let at = 0;
    for (const { size } of files) {
      parts.push({ at, length: -1 });
      at += size + 1;
    }
    let next = 0;
    const work = async () => {
      while (next < files.length) {
        const place = next++;
        const { path: name, size } = files[place]!;
        const { at: start } = parts[place]!;
        const target = bytes.subarray(start, start + size + 1);
        const length = await read(path.join(base, name), target);
        // The caller handles files whose size has changed.
        parts[place] = { at: start, length: length === size ? size : -1 };
      }
    };
    await Promise.all(Array.from({ length: MAX_OPEN_FILES }, work));
    return { bytes: bytes.buffer, parts };
  };
}
