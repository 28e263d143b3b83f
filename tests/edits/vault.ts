/** A minimal fake vault for tests that apply, interrupt, and recover changes. */
import type { NoteEntry, NoteEvent, NoteProblem, NoteResult, NoteVault } from '#ports/vault';
import { readOneByOne } from '#tests/builders/read-one-by-one';

export interface TinyVault extends NoteVault {
  readonly texts: Map<string, string>;
  readonly folders: Set<string>;
  /** Files in the vault's own trash, which is used if `trashIsHere`. */
  readonly trashed: Map<string, string>;
  trashIsHere: boolean;
  /** If set, every operation fails with this problem. */
  refuse: NoteProblem | null;
  /** Called before each operation that changes the vault. */
  onAct: ((act: string) => void) | null;
}

const DONE: NoteResult = { ok: true, value: undefined };
const no = (problem: NoteProblem): NoteResult<never> => ({ ok: false, reason: problem });

type Tell = (kind: 'created' | 'changed' | 'removed', path: string) => void;

/** Reports every change, also those that tests make. */
class ReportedTexts extends Map<string, string> {
  readonly #tell: Tell;

  constructor(tell: Tell, texts: Readonly<Record<string, string>>) {
    super();
    this.#tell = tell;
    for (const [path, text] of Object.entries(texts)) this.set(path, text);
  }

  override set(path: string, text: string): this {
    const kind = this.has(path) ? 'changed' : 'created';
    super.set(path, text);
    this.#tell(kind, path);
    return this;
  }

  override delete(path: string): boolean {
    const isGone = super.delete(path);
    if (isGone) this.#tell('removed', path);
    return isGone;
  }
}

class ReportedFolders extends Set<string> {
  readonly #tell: Tell;

  constructor(tell: Tell, folders: readonly string[]) {
    super();
    this.#tell = tell;
    for (const path of folders) this.add(path);
  }

  override add(path: string): this {
    const isNew = !this.has(path);
    super.add(path);
    if (isNew) this.#tell('created', path);
    return this;
  }

  override delete(path: string): boolean {
    const isGone = super.delete(path);
    if (isGone) this.#tell('removed', path);
    return isGone;
  }
}

export function tinyVault(
  texts: Readonly<Record<string, string>> = {},
  folders: readonly string[] = [],
): TinyVault {
  const entry = (path: string, kind: NoteEntry['kind']): NoteEntry => ({
    path,
    kind,
    size: 0,
    created: 0,
    modified: 0,
  });
  const act = async <Value>(
    name: string,
    change: () => NoteResult<Value>,
  ): Promise<NoteResult<Value>> => {
    vault.onAct?.(name);
    if (vault.refuse) return no(vault.refuse);
    return change();
  };
  const listeners = new Set<(event: NoteEvent) => void>();
  const tell = (kind: 'created' | 'changed' | 'removed', path: string) => {
    for (const listener of listeners) listener({ kind, path });
  };
  const vault: TinyVault = {
    texts: new ReportedTexts(tell, texts),
    folders: new ReportedFolders(tell, folders),
    trashed: new Map(),
    trashIsHere: false,
    refuse: null,
    onAct: null,
    list: () => [
      ...[...vault.texts.keys()].map((path) => entry(path, 'file')),
      ...[...vault.folders].map((path) => entry(path, 'folder')),
    ],
    get: (path) => vault.list().find((each) => each.path === path),
    async read(path) {
      const text = vault.texts.get(path);
      if (vault.refuse) return no(vault.refuse);
      return text === undefined
        ? no({ kind: 'missing' })
        : { ok: true, value: { text, unsaved: false } };
    },
    unsaved: () => [],
    holdsHidden: async () => null,
    folderCreated: async () => 0,
    readBinary: async () => no({ kind: 'missing' }),
    readMany: (paths) => readOneByOne(vault, paths),
    create: (path, text) =>
      act('create', () => {
        if (vault.get(path)) return no({ kind: 'exists' });
        vault.texts.set(path, text);
        return DONE;
      }),
    change: (path, before, after) =>
      act('change', () => {
        const now = vault.texts.get(path);
        if (now === undefined) return no({ kind: 'missing' });
        if (now !== before) return no({ kind: 'changed', now });
        vault.texts.set(path, after);
        return DONE;
      }),
    createFolder: (path) =>
      act('createFolder', () => {
        vault.folders.add(path);
        return DONE;
      }),
    move: (path, to) =>
      act('move', () => {
        const text = vault.texts.get(path);
        if (text === undefined) return no({ kind: 'missing' });
        if (vault.texts.has(to)) return no({ kind: 'exists' });
        // The app reports a move as one event.
        Map.prototype.delete.call(vault.texts, path);
        Map.prototype.set.call(vault.texts, to, text);
        for (const listener of listeners) listener({ kind: 'renamed', path: to, from: path });
        return DONE;
      }),
    trashGoes: () => (vault.trashIsHere ? 'vault' : 'system'),
    trash: (path) =>
      act<string | null>('trash', () => {
        if (vault.folders.delete(path)) return { ok: true, value: null };
        const text = vault.texts.get(path);
        if (text === undefined) return no({ kind: 'missing' });
        vault.texts.delete(path);
        if (!vault.trashIsHere) return { ok: true, value: null };
        const place = `.trash/${path.slice(path.lastIndexOf('/') + 1)}`;
        vault.trashed.set(place, text);
        return { ok: true, value: place };
      }),
    restore: (place, to) =>
      act('restore', () => {
        const text = vault.trashed.get(place);
        if (text === undefined) return no({ kind: 'missing' });
        if (!text.startsWith(vault.texts.get(to) ?? '')) return no({ kind: 'exists' });
        vault.texts.set(to, text);
        vault.trashed.delete(place);
        return DONE;
      }),
    putBack: (path, bytes) =>
      act('putBack', () => {
        const text = new TextDecoder().decode(bytes);
        if (!text.startsWith(vault.texts.get(path) ?? '')) return no({ kind: 'exists' });
        vault.texts.set(path, text);
        return DONE;
      }),
    escapes: async () => null,
    escaping: async () => new Set(),
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
  return vault;
}
