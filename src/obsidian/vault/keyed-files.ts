/** Files by a key of theirs, such as a tag or a name; collected once, and then kept by events. */
import type { App, TFile } from 'obsidian';
import type { NotesByKey, PathSet } from '#ports/metadata';
import { SerialQueue } from '#ports/serial-queue';
import { type SliceClock, Slices } from '#ports/slices';
import { NumberedPaths, PathNumbers } from './numbered-paths';

export class KeyedFiles implements NotesByKey {
  readonly #app: App;
  readonly #clock: SliceClock;
  readonly #keysOf: (file: TFile) => Iterable<string>;
  readonly #numbers: PathNumbers;
  /** The number of the only file, or a set that is replaced when its files change. */
  readonly #byKey = new Map<string, number | NumberedPaths>();
  /** By number of the file: its keys, or the only one. */
  readonly #keys: (string | readonly string[] | undefined)[] = [];
  /** Files that have changed since they were read; null until all have been collected. */
  #changed: Set<string> | null = null;
  readonly #updates = new SerialQueue();
  readonly #close: () => void;

  /** @param numbers several may share them */
  constructor(
    app: App,
    clock: SliceClock,
    keysOf: (file: TFile) => Iterable<string>,
    numbers = new PathNumbers(),
  ) {
    this.#app = app;
    this.#clock = clock;
    this.#keysOf = keysOf;
    this.#numbers = numbers;
    const { vault, metadataCache } = app;
    const touch = ({ path }: { readonly path: string }) => this.#changed?.add(path);
    const refs = [
      vault.on('create', touch),
      vault.on('delete', touch),
      vault.on('rename', (file, from) => {
        touch({ path: from });
        touch(file);
      }),
    ];
    const cacheRefs = [
      metadataCache.on('changed', touch),
      // Metadata that Obsidian kept from its last run appears without `changed`.
      metadataCache.on('resolve', touch),
      metadataCache.on('deleted', touch),
    ];
    this.#close = () => {
      for (const ref of refs) vault.offref(ref);
      for (const ref of cacheRefs) metadataCache.offref(ref);
    };
  }

  close(): void {
    this.#close();
  }

  /** Paths by key. Later changes show in the same object. */
  async all(): Promise<NotesByKey> {
    await this.#updates.run(async () => {
      // What changes during an update is read as well, so that the answer is not older than the call.
      while (this.#changed === null || this.#changed.size > 0) await this.#update();
    });
    return this;
  }

  keys(): IterableIterator<string> {
    return this.#byKey.keys();
  }

  get(key: string): PathSet | undefined {
    const files = this.#byKey.get(key);
    return files === undefined ? undefined : this.#setOf(files);
  }

  *[Symbol.iterator](): Generator<[key: string, paths: PathSet], void> {
    for (const [key, files] of this.#byKey) yield [key, this.#setOf(files)];
  }

  #setOf(files: number | NumberedPaths): NumberedPaths {
    return typeof files === 'number' ? new NumberedPaths(this.#numbers, [files]) : files;
  }

  /** After an error everything is collected again. */
  async #update(): Promise<void> {
    try {
      await this.#read(this.#changed);
    } catch (error) {
      this.#changed = null;
      this.#keys.length = 0;
      this.#byKey.clear();
      throw error;
    }
  }

  /** @param paths of files that may have other keys; null for all */
  async #read(paths: ReadonlySet<string> | null): Promise<void> {
    const { vault } = this.#app;
    const changed = paths ?? vault.getFiles().map(({ path }) => path);
    this.#changed = new Set();
    const slices = new Slices(this.#clock);
    const changes = new Map<string, KeyChange>();
    // Notes that have the same keys share them, which saves memory.
    const names = new Map<string, string>();
    const lists = new Map<string, readonly string[]>();
    const of = (key: string): KeyChange => {
      const change = changes.get(key) ?? { added: [], removed: new Set() };
      changes.set(key, change);
      return change;
    };
    for (const path of changed) {
      const file = vault.getFileByPath(path);
      const number = this.#numbers.of(path);
      const before = new Set([this.#keys[number] ?? []].flat());
      const keys = new Set<string>();
      for (const key of file ? this.#keysOf(file) : []) keys.add(shared(names, key, key));
      for (const key of before) if (!keys.has(key)) of(key).removed.add(number);
      for (const key of keys) if (!before.has(key)) of(key).added.push(number);
      const [only, ...others] = keys;
      this.#keys[number] =
        others.length === 0 ? only : shared(lists, JSON.stringify([...keys]), [...keys]);
      if (slices.isDue) await slices.pause();
    }
    for (const [key, { added, removed }] of changes) {
      const known = this.#byKey.get(key);
      const before =
        known === undefined ? new NumberedPaths(this.#numbers, []) : this.#setOf(known);
      const files = before.changed(added, removed);
      if (files.size > 0) this.#byKey.set(key, files.size === 1 ? files.members[0]! : files);
      else this.#byKey.delete(key);
    }
  }
}

/** Numbers of files that have got or lost a key. */
interface KeyChange {
  readonly added: number[];
  readonly removed: Set<number>;
}

/** The first value that was asked for with this key. */
function shared<Value>(known: Map<string, Value>, key: string, value: Value): Value {
  const first = known.get(key) ?? value;
  known.set(key, first);
  return first;
}
