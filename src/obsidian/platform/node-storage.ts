/**
 * The plugin's own files through Node. `write` replaces a file atomically and flushes it to disk.
 */
import { SerialQueues } from '#ports/serial-queue';
import type { Storage } from '#ports/storage';
import type { NodeModules } from './node-modules';

const MAX_PARALLEL_STATS = 64;

/** @param base absolute path of the vault folder */
export function nodeStorage({ fs, path }: NodeModules, base: string): Storage {
  const files = fs.promises;
  /** Runs the operations on each file one at a time, in call order. */
  const byFile = new SerialQueues<string>();

  const onDisk = (relative: string) => path.join(base, relative);

  async function openForWriting(file: string, flags: string) {
    try {
      return await files.open(file, flags);
    } catch (error) {
      if (!isMissing(error)) throw error;
      await files.mkdir(path.dirname(file), { recursive: true });
      return files.open(file, flags);
    }
  }

  async function list(folder: string): Promise<string[]> {
    try {
      const entries = await files.readdir(onDisk(folder), { withFileTypes: true });
      return entries.flatMap((entry) => (entry.isFile() ? [entry.name] : [])).sort();
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  /** Null for a file that was removed since it was listed. */
  async function sizeOf(file: string): Promise<number | null> {
    try {
      return (await files.stat(file)).size;
    } catch (error) {
      if (isMissing(error)) return null;
      throw error;
    }
  }

  function write(relative: string, content: string | Uint8Array): Promise<void> {
    const file = onDisk(relative);
    return byFile.run(file, async () => {
      const temporary = `${file}.new`;
      let folder: ReturnType<typeof openFolder> = Promise.resolve(null);
      try {
        const handle = await openForWriting(temporary, 'w');
        folder = openFolder(path.dirname(file));
        try {
          await handle.writeFile(content);
          await handle.sync();
        } finally {
          await handle.close();
        }
        await files.rename(temporary, file);
      } catch (error) {
        // A part of the text is of no use, and takes space on a full disk.
        await files.rm(temporary, { force: true }).catch(() => undefined);
        await (await folder)?.close();
        throw error;
      }
      const opened = await folder;
      // Makes the rename survive a power cut, on systems that can flush folders.
      await opened?.sync().catch(() => undefined);
      void opened?.close().catch(() => undefined);
    });
  }

  return {
    async read(relative) {
      try {
        return await files.readFile(onDisk(relative), 'utf8');
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    write,
    async readBytes(relative) {
      try {
        const { buffer, byteOffset, byteLength } = await files.readFile(onDisk(relative));
        return buffer.slice(byteOffset, byteOffset + byteLength);
      } catch (error) {
        if (isMissing(error)) return null;
        throw error;
      }
    },
    writeBytes: (relative, bytes) => write(relative, new Uint8Array(bytes)),
    create: (relative, text) => {
      const file = onDisk(relative);
      return byFile.run(file, async () => {
        try {
          const handle = await openForWriting(file, 'wx');
          try {
            await handle.writeFile(text).finally(() => handle.close());
          } catch (error) {
            await files.rm(file, { force: true }).catch(() => undefined);
            throw error;
          }
          return true;
        } catch (error) {
          // A file where the folder should be also gives EEXIST, when the folder is made.
          const { code, syscall } = (error ?? {}) as { code?: unknown; syscall?: unknown };
          if (code === 'EEXIST' && syscall === 'open') return false;
          throw error;
        }
      });
    },
    append: (relative, text, { flush }) => {
      const file = onDisk(relative);
      return new Promise((resolve, reject) => {
        // The next operation on the file waits until it is closed; who appended waits for the text.
        byFile
          .run(file, async () => {
            const handle = await openForWriting(file, 'a');
            try {
              await handle.writeFile(text);
              if (!flush) return;
              await handle.datasync();
              resolve();
            } finally {
              await handle.close();
            }
          })
          .then(resolve, reject);
      });
    },
    list,
    async sizes(folder) {
      const names = await list(folder);
      const sizes = new Map<string, number>();
      // In batches, because a thousand results at once would block the thread.
      for (let at = 0; at < names.length; at += MAX_PARALLEL_STATS) {
        const some = names.slice(at, at + MAX_PARALLEL_STATS);
        const found = await Promise.all(
          some.map((name) => sizeOf(path.join(onDisk(folder), name))),
        );
        some.forEach((name, place) => {
          const size = found[place] ?? null;
          if (size !== null) sizes.set(name, size);
        });
      }
      return sizes;
    },
    remove: (relative) => {
      const file = onDisk(relative);
      return byFile.run(file, () => files.rm(file, { force: true }));
    },
  };

  /** Null on Windows, which has no handles on folders. */
  function openFolder(folder: string) {
    return files.open(folder, 'r').catch(() => null);
  }
}

function isMissing(error: unknown): boolean {
  const code = (error as { code?: unknown } | null)?.code;
  return code === 'ENOENT' || code === 'ENOTDIR';
}
