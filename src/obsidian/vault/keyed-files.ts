/** Files by a key of theirs, such as a tag or a name; collected once, and then kept by events. */
import type { App, TFile } from 'obsidian';
import { SerialQueue } from '#ports/serial-queue';
import { type SliceClock, Slices } from '#ports/slices';

export class KeyedFiles {
  readonly #app: App;
  readonly #clock: SliceClock;
  readonly #keysOf: (file: TFile) => Iterable<string>;
  /** A set is replaced when its files change. */
  readonly #byKey = new Map<string, Set<string>>();
  readonly #keys = new Map<string, readonly string[]>();
  /** Files that have changed since they were read; null until all have been collected. */
  #changed: Set<string> | null = null;
  readonly #updates = new SerialQueue();
  readonly #close: () => void;

  constructor(app: App, clock: SliceClock, keysOf: (file: TFile) => Iterable<string>) {
    this.#app = app;
    this.#clock = clock;
    this.#keysOf = keysOf;
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

  /** Paths by key. Later changes show in the same map. */
  async all(): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
    await this.#updates.run(async () => {
      // What changes during an update is read as well, so that the answer is not older than the call.
      while (this.#changed === null || this.#changed.size > 0) await this.#update();
    });
    return this.#byKey;
  }

  /** After an error everything is collected again. */
  async #update(): Promise<void> {
    try {
      await this.#read(this.#changed);
    } catch (error) {
      this.#changed = null;
      this.#keys.clear();
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
    const replaced = new Map<string, Set<string>>();
    // Notes that have the same keys share them, which saves memory.
    const names = new Map<string, string>();
    const lists = new Map<string, readonly string[]>();
    const of = (key: string): Set<string> => {
      const paths = replaced.get(key) ?? new Set(this.#byKey.get(key));
      replaced.set(key, paths);
      return paths;
    };
    for (const path of changed) {
      const file = vault.getFileByPath(path);
      const before = new Set(this.#keys.get(path));
      const keys = new Set<string>();
      for (const key of file ? this.#keysOf(file) : []) keys.add(shared(names, key, key));
      for (const key of before) if (!keys.has(key)) of(key).delete(path);
      for (const key of keys) if (!before.has(key)) of(key).add(path);
      if (keys.size > 0) this.#keys.set(path, shared(lists, JSON.stringify([...keys]), [...keys]));
      else this.#keys.delete(path);
      if (slices.isDue) await slices.pause();
    }
    for (const [key, paths] of replaced) {
      if (paths.size > 0) this.#byKey.set(key, paths);
      else this.#byKey.delete(key);
    }
  }
}

/** The first value that was asked for with this key. */
function shared<Value>(known: Map<string, Value>, key: string, value: Value): Value {
  const first = known.get(key) ?? value;
  known.set(key, first);
  return first;
}
