import type { DataWriteOptions, ListedFiles, Stat } from 'obsidian';
import { FileSystemAdapter } from 'obsidian-test-mocks/obsidian';
import { type Disk, type DiskStat, nameOf, parentOf } from '../disk/disk';
import { diskPath } from './paths';

/** Receives what an adapter found on disk, always from inside the queue of the path. */
export interface AdapterListener {
  /** `own`: written through the adapter, and therefore changed even if the stats are the same. */
  settled(path: string, stat: DiskStat | null, own: boolean): void;
  moved(from: string, to: string): void;
}

/**
 * The app's file system adapter. It keeps nothing in memory, so every answer comes from the disk.
 */
export class DiskAdapter extends FileSystemAdapter {
  listener: AdapterListener | null = null;
  readonly #disk: Disk;
  readonly #queue = new PathQueue();

  constructor(disk: Disk) {
    super(disk.base);
    this.#disk = disk;
  }

  get disk(): Disk {
    return this.#disk;
  }

  /** Checks a path that may have changed outside of the app. */
  notice(path: string): void {
    void this.#queue
      .run([path], () => this.#settle(path, false))
      .catch((error: unknown) => console.error(error));
  }

  /** Resolves when nothing is being written or checked. */
  idle(): Promise<void> {
    return this.#queue.idle();
  }

  override getName(): string {
    return nameOf(this.#disk.base.replace(/\\/g, '/'));
  }

  override getResourcePath(path: string): string {
    return `app://local${encodeURI(this.getFullPath(path))}`;
  }

  override getFullPath(path: string): string {
    return this.#disk.fullPath(diskPath(path));
  }

  override getFilePath(path: string): string {
    return `file://${encodeURI(this.getFullPath(path))}`;
  }

  override async exists(path: string): Promise<boolean> {
    return (await this.#disk.stat(diskPath(path))) !== null;
  }

  override async stat(path: string): Promise<Stat | null> {
    const stat = await this.#disk.stat(diskPath(path));
    return stat && { type: stat.type, ctime: stat.ctime, mtime: stat.mtime, size: stat.size };
  }

  override async list(path: string): Promise<ListedFiles> {
    const listed: ListedFiles = { files: [], folders: [] };
    for (const entry of await this.#disk.list(diskPath(path))) {
      (entry.type === 'folder' ? listed.folders : listed.files).push(entry.path);
    }
    return listed;
  }

  override read(path: string): Promise<string> {
    return this.#disk.readText(diskPath(path));
  }

  /** Reads a text after this process has finished its writes, so that it is not half-written. */
  readSettled(path: string): Promise<string> {
    const file = diskPath(path);
    return this.#queue.run([file], () => this.#disk.readText(file));
  }

  override readBinary(path: string): Promise<ArrayBuffer> {
    return this.#disk.readBinary(diskPath(path));
  }

  override write(path: string, data: string, options?: DataWriteOptions): Promise<void> {
    return this.#change(path, (file) => this.#disk.write(file, data, options));
  }

  override writeBinary(path: string, data: ArrayBuffer, options?: DataWriteOptions): Promise<void> {
    return this.#change(path, (file) => this.#disk.write(file, data, options));
  }

  override append(path: string, data: string, options?: DataWriteOptions): Promise<void> {
    return this.#change(path, (file) => this.#disk.append(file, data, options));
  }

  override appendBinary(
    path: string,
    data: ArrayBuffer,
    options?: DataWriteOptions,
  ): Promise<void> {
    return this.#change(path, (file) => this.#disk.append(file, data, options));
  }

  /** Atomic within this process only; another process may write between the read and the write. */
  override process(
    path: string,
    change: (data: string) => string,
    options?: DataWriteOptions,
  ): Promise<string> {
    const file = diskPath(path);
    return this.#queue.run([file], async () => {
      const before = await this.#disk.readText(file);
      const after = change(before);
      if (after === before) return after;
      await this.#disk.write(file, after, options);
      await this.#settle(file, true);
      return after;
    });
  }

  override async mkdir(path: string): Promise<void> {
    const folder = diskPath(path);
    await this.#queue.run([folder], async () => {
      await this.#disk.makeFolder(folder);
      for (const each of fromTheTop(folder)) await this.#settle(each, true);
    });
  }

  override remove(path: string): Promise<void> {
    return this.#change(path, (file) => this.#disk.remove(file));
  }

  override rmdir(path: string, recursive: boolean): Promise<void> {
    return this.#change(path, (folder) => this.#disk.removeFolder(folder, recursive));
  }

  override async rename(path: string, newPath: string): Promise<void> {
    const [from, to] = [diskPath(path), diskPath(newPath)];
    await this.#queue.run([from, to], async () => {
      await this.#disk.rename(from, to);
      this.listener?.moved(from, to);
    });
  }

  override async copy(path: string, newPath: string): Promise<void> {
    const [from, to] = [diskPath(path), diskPath(newPath)];
    await this.#queue.run([from, to], async () => {
      await this.#disk.copy(from, to);
      await this.#settleTree(to);
    });
  }

  /** There is no system trash here, so Obsidian falls back to the vault's own. */
  override async trashSystem(): Promise<boolean> {
    return false;
  }

  override async trashLocal(path: string): Promise<void> {
    await this.mkdir('.trash');
    await this.rename(path, await this.#freeName(`.trash/${nameOf(diskPath(path))}`));
  }

  async #freeName(wanted: string): Promise<string> {
    const dot = nameOf(wanted).lastIndexOf('.');
    const cut = dot > 0 ? wanted.length - nameOf(wanted).length + dot : wanted.length;
    for (let count = 1; ; count++) {
      const suffix = count === 1 ? '' : ` ${count}`;
      const name = wanted.slice(0, cut) + suffix + wanted.slice(cut);
      if (!(await this.exists(name))) return name;
    }
  }

  #change(path: string, work: (path: string) => Promise<void>): Promise<void> {
    const file = diskPath(path);
    return this.#queue.run([file], async () => {
      try {
        await work(file);
      } finally {
        // A write that failed halfway may have changed the file.
        await this.#settle(file, true);
      }
    });
  }

  async #settle(path: string, own: boolean): Promise<void> {
    this.listener?.settled(path, await this.#disk.stat(path), own);
  }

  async #settleTree(path: string): Promise<void> {
    const stat = await this.#disk.stat(path);
    this.listener?.settled(path, stat, true);
    if (stat?.type !== 'folder') return;
    for (const child of await this.#disk.list(path)) await this.#settleTree(child.path);
  }
}

function fromTheTop(path: string): string[] {
  return path === '' ? [] : [...fromTheTop(parentOf(path)), path];
}

/**
 * Runs operations on a path one at a time, in call order. An operation on a file also waits for
 * those on the folders above it, so that a check of a note in a folder that is being renamed sees
 * the result.
 */
export class PathQueue {
  readonly #tails = new Map<string, Promise<unknown>>();

  run<T>(paths: string[], work: () => Promise<T>): Promise<T> {
    const before = paths
      .flatMap(selfAndAbove)
      .map((path) => this.#tails.get(path) ?? Promise.resolve());
    const done = Promise.all(before).then(work);
    // The next operation runs even if this one fails; its caller handles the failure.
    const tail = done.catch(() => undefined);
    for (const path of paths) this.#tails.set(path, tail);
    void tail.then(() => {
      for (const path of paths) if (this.#tails.get(path) === tail) this.#tails.delete(path);
    });
    return done;
  }

  async idle(): Promise<void> {
    while (this.#tails.size > 0) await Promise.all(this.#tails.values());
  }
}

function selfAndAbove(path: string): string[] {
  const all = [path];
  for (let at = path; at !== ''; at = parentOf(at)) all.push(parentOf(at));
  return all;
}
