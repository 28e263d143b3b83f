/** An in-memory store that records its writes and can simulate disk errors. */
import type { Storage } from '#ports/storage';

export interface StoreAct {
  readonly act: 'write' | 'append' | 'remove';
  readonly path: string;
  readonly flush: boolean;
}

export interface MemoryStore extends Storage {
  readonly files: Map<string, string>;
  readonly acts: readonly StoreAct[];
  /**
   * Called before each write and append; an error that it throws is the disk's. A failed append
   * keeps `partly` characters.
   */
  refuse: ((act: StoreAct) => void) | null;
  /** How many characters of a failed append reach the file. */
  partly: number;
  /** Errors for reading, by path. */
  readonly unreadable: Map<string, Error>;
}

export function diskError(code: string): Error {
  return Object.assign(new Error(`${code}: the disk says no`), { code });
}

export function memoryStore(files: Readonly<Record<string, string>> = {}): MemoryStore {
  const acts: StoreAct[] = [];
  const binary = new Set<string>();
  const store: MemoryStore = {
    files: new Map(Object.entries(files)),
    acts,
    refuse: null,
    partly: 0,
    unreadable: new Map(),
    async read(path) {
      const error = store.unreadable.get(path);
      if (error) throw error;
      return store.files.get(path) ?? null;
    },
    async write(path, text) {
      const act: StoreAct = { act: 'write', path, flush: true };
      store.refuse?.(act);
      acts.push(act);
      store.files.set(path, text);
      binary.delete(path);
    },
    async readBytes(path) {
      const text = await store.read(path);
      if (text === null) return null;
      // Binary content is stored as Latin-1, one character per byte.
      const bytes = binary.has(path) ? Buffer.from(text, 'latin1') : Buffer.from(text);
      return new Uint8Array(bytes).buffer;
    },
    async writeBytes(path, bytes) {
      await store.write(path, Buffer.from(bytes).toString('latin1'));
      binary.add(path);
    },
    async create(path, text) {
      if (store.files.has(path)) return false;
      store.files.set(path, text);
      return true;
    },
    async append(path, text, { flush }) {
      const act: StoreAct = { act: 'append', path, flush };
      const before = store.files.get(path) ?? '';
      try {
        store.refuse?.(act);
      } catch (error) {
        if (store.partly > 0) store.files.set(path, before + text.slice(0, store.partly));
        throw error;
      }
      acts.push(act);
      store.files.set(path, before + text);
    },
    async list(folder) {
      return [...store.files.keys()]
        .filter(
          (path) => path.startsWith(`${folder}/`) && !path.slice(folder.length + 1).includes('/'),
        )
        .map((path) => path.slice(folder.length + 1))
        .sort();
    },
    async sizes(folder) {
      const names = await store.list(folder);
      return new Map(
        names.map((name) => {
          const path = `${folder}/${name}`;
          const text = store.files.get(path) ?? '';
          return [name, Buffer.byteLength(text, binary.has(path) ? 'latin1' : 'utf8')];
        }),
      );
    },
    async remove(path) {
      acts.push({ act: 'remove', path, flush: true });
      store.files.delete(path);
    },
  };
  return store;
}
