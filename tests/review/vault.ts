/** Just enough of a vault for changes to be applied, cut short and found again. */
import type { NoteEntry, NoteProblem, NoteResult, Notes } from '#ports/notes';

export interface TinyVault extends Notes {
  readonly texts: Map<string, string>;
  readonly folders: Set<string>;
  /** What the vault does about the next act, instead of it. */
  refuse: NoteProblem | null;
  /** Called before each act on the vault. */
  onAct: ((act: string) => void) | null;
}

const DONE: NoteResult = { ok: true, value: undefined };
const no = (problem: NoteProblem): NoteResult<never> => ({ ok: false, problem });

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
  const act = async (name: string, change: () => NoteResult): Promise<NoteResult> => {
    vault.onAct?.(name);
    if (vault.refuse) return no(vault.refuse);
    return change();
  };
  const vault: TinyVault = {
    texts: new Map(Object.entries(texts)),
    folders: new Set(folders),
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
    readBinary: async () => no({ kind: 'missing' }),
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
        vault.texts.delete(path);
        vault.texts.set(to, text);
        return DONE;
      }),
    trash: (path) =>
      act('trash', () => (vault.texts.delete(path) ? DONE : no({ kind: 'missing' }))),
    escapes: async () => null,
    escaping: async () => new Set(),
    onChange: () => () => {},
  };
  return vault;
}
