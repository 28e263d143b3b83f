/**
 * The plugin's own files through Obsidian's adapter, for hosts without Node. The adapter writes in
 * place and cannot flush, so each write goes to a `.new` file first: one of the two files is
 * complete at all times.
 */
import type { DataAdapter } from 'obsidian';
import { SerialQueues } from '#ports/serial-queue';
import type { Storage } from '#ports/storage';
import { folderOf, nameOf } from '#text/paths';

export function adapterStorage(adapter: DataAdapter): Storage {
  /** Runs the operations on each file one at a time, in call order. */
  const byFile = new SerialQueues<string>();
  /** Files to which this process has appended and that it has not replaced since: they are there. */
  const appended = new Set<string>();

  async function makeParent(path: string): Promise<void> {
    const folder = folderOf(path);
    if (folder !== '' && !(await adapter.exists(folder))) await adapter.mkdir(folder);
  }

  /**
   * Completes a write that was interrupted before its rename. Otherwise the next operation would
   * lose or truncate that text.
   */
  async function finishWrite(path: string): Promise<void> {
    if ((await adapter.exists(path)) || !(await adapter.exists(temporary(path)))) return;
    await adapter.rename(temporary(path), path);
  }

  async function removeIfThere(path: string): Promise<void> {
    if (await adapter.exists(path)) await adapter.remove(path);
  }

  async function list(folder: string): Promise<string[]> {
    if (!(await adapter.exists(folder))) return [];
    const { files } = await adapter.list(folder);
    const names = files.map(nameOf);
    // A `.new` file without its counterpart counts as that file; next to it, it is an interrupted
    // write.
    const whole = names.map((name) => (name.endsWith(NEW) ? name.slice(0, -NEW.length) : name));
    return [...new Set(whole)].sort();
  }

  async function sizeOf(path: string): Promise<number> {
    const stat = (await adapter.stat(path)) ?? (await adapter.stat(temporary(path)));
    return stat?.size ?? 0;
  }

  /** Queued, so that a read never happens between the removal and the rename of a write. */
  function reading<Value>(
    path: string,
    read: (path: string) => Promise<Value>,
  ): Promise<Value | null> {
    return byFile.run(path, async () => {
      if (await adapter.exists(path)) return read(path);
      // A write was interrupted between its removal and its rename; its `.new` file is complete.
      return (await adapter.exists(temporary(path))) ? read(temporary(path)) : null;
    });
  }

  function writing(path: string, write: (path: string) => Promise<void>): Promise<void> {
    return byFile.run(path, async () => {
      appended.delete(path);
      await makeParent(path);
      await finishWrite(path);
      try {
        await write(temporary(path));
      } catch (error) {
        // Without a file beside it, a part of the text would count as the file.
        await removeIfThere(temporary(path)).catch(() => undefined);
        throw error;
      }
      // `rename` fails if the target exists.
      await removeIfThere(path);
      await adapter.rename(temporary(path), path);
    });
  }

  return {
    read: (path) => reading(path, (file) => adapter.read(file)),
    write: (path, text) => writing(path, (file) => adapter.write(file, text)),
    readBytes: (path) => reading(path, (file) => adapter.readBinary(file)),
    writeBytes: (path, bytes) => writing(path, (file) => adapter.writeBinary(file, bytes)),
    create: (path, text) =>
      byFile.run(path, async () => {
        await makeParent(path);
        await finishWrite(path);
        if (await adapter.exists(path)) return false;
        await adapter.write(temporary(path), text);
        try {
          // Fails if another process created the file first.
          await adapter.rename(temporary(path), path);
          return true;
        } catch {
          await removeIfThere(temporary(path));
          return false;
        }
      }),
    append: (path, text) =>
      byFile.run(path, async () => {
        // Forgotten until this append has succeeded.
        const isThere = appended.delete(path);
        if (!isThere) {
          await makeParent(path);
          await finishWrite(path);
        }
        await adapter.append(path, text);
        appended.add(path);
      }),
    list,
    async sizes(folder) {
      const names = await list(folder);
      const sizes = await Promise.all(names.map((name) => sizeOf(`${folder}/${name}`)));
      return new Map(names.map((name, at) => [name, sizes[at] ?? 0]));
    },
    remove: (path) =>
      byFile.run(path, async () => {
        appended.delete(path);
        // The `.new` file first: alone, it would count as the file itself.
        await removeIfThere(temporary(path));
        await removeIfThere(path);
      }),
  };
}

const NEW = '.new';

const temporary = (path: string) => `${path}${NEW}`;
