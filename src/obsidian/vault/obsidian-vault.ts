/**
 * The vault through Obsidian: reads include unsaved changes, and writes go through Obsidian's API
 * and open editors.
 */
import { SerialQueues } from '#ports/serial-queue';
import { folderOf } from '#text/paths';
import { restore, restoreFromTrash, trash } from './trash';
import { TFile, TFolder, type App, type TAbstractFile } from 'obsidian';
import type { ReadFiles } from '../platform/file-reader';
import type {
  NoteEntry,
  NoteEvent,
  NoteProblem,
  NoteResult,
  NoteVault,
  NoteText,
} from '#ports/vault';
import { changeInEditor, textInEditors, unsavedNotes } from './open-editors';
import type { Symlinks } from './symlinks';
import { trashLocation } from './trash';

export function obsidianVault(
  app: App,
  links: Symlinks,
  readFiles: ReadFiles,
): NoteVault & { close(): void } {
  const { vault, fileManager } = app;
  const listeners = new Set<(event: NoteEvent) => void>();
  let entries: NoteEntry[] | null = null;
  let escaping: Promise<ReadonlySet<string>> | null = null;
  /** The rules under which `escaping` was computed. */
  let rules: unknown = null;

  const tell = (event: NoteEvent) => {
    entries = null;
    if (escaping) escaping = updateEscaping(escaping, links, event);
    for (const listener of listeners) listener(event);
  };
  const refs = [
    vault.on('create', ({ path }) => tell({ kind: 'created', path })),
    vault.on('modify', ({ path }) => tell({ kind: 'changed', path })),
    vault.on('delete', ({ path }) => tell({ kind: 'removed', path })),
    vault.on('rename', ({ path }, from) => tell({ kind: 'renamed', path, from })),
  ];

  const making = new SerialQueues<string>();

  const fileAt = (path: string): TFile | null => vault.getFileByPath(path);

  async function read(path: string): Promise<NoteResult<NoteText>> {
    const file = fileAt(path);
    if (!file) return fail({ kind: 'missing' });
    return guarded(async () => {
      const shown = textInEditors(app, path);
      if (shown) return done(shown);
      if (!TEXT_EXTENSIONS.has(file.extension.toLowerCase())) {
        const text = decoded(await vault.readBinary(file));
        return text === null ? fail({ kind: 'not-text' }) : done({ text, unsaved: false });
      }
      const text = await vault.read(file);
      // U+FFFD may stand for bytes that are not UTF-8, which writing the text back would lose. NUL
      // means binary.
      if (/[\0\uFFFD]/.test(text) && decoded(await vault.readBinary(file)) === null) {
        return fail({ kind: 'not-text' });
      }
      return done({ text, unsaved: false });
    });
  }

  async function change(path: string, before: string, after: string): Promise<NoteResult> {
    const file = fileAt(path);
    if (!file) return fail({ kind: 'missing' });
    return guarded(async () => {
      const changed = await changeInEditor(app, path, before, after);
      if (changed) return changed;
      let now = before;
      await vault.process(file, (text) => {
        now = text;
        return text === before ? after : text;
      });
      return now === before ? done(undefined) : fail({ kind: 'changed', now });
    });
  }

  async function makeFolders(path: string): Promise<void> {
    let at = '';
    for (const segment of path.split('/').filter((each) => each !== '')) {
      at = at === '' ? segment : `${at}/${segment}`;
      await makeFolder(at);
    }
  }

  /** Waits until the host knows a folder that is being made for another file. */
  function makeFolder(path: string): Promise<void> {
    return making.run(path, async () => {
      if (vault.getAbstractFileByPath(path)) return;
      try {
        await vault.createFolder(path);
      } catch (error) {
        // The host has not noticed yet that another program made it.
        const stat = await vault.adapter.stat(path).catch(() => null);
        if (stat?.type !== 'folder') throw error;
      }
    });
  }

  return {
    list: () => (entries ??= vault.getAllLoadedFiles().flatMap((file) => entryOf(file) ?? [])),
    get: (path) => {
      const file = vault.getAbstractFileByPath(path);
      return (file && entryOf(file)) ?? undefined;
    },
    read,
    unsaved: () => unsavedNotes(app),
    readBinary: async (path) => {
      const file = fileAt(path);
      if (!file) return fail({ kind: 'missing' });
      return guarded(async () => done(await vault.readBinary(file)));
    },
    readMany: (paths) =>
      readFiles(paths.map((path) => (path === null ? null : (fileAt(path)?.path ?? null)))),
    create: async (path, text) => {
      if (vault.getAbstractFileByPath(path)) return fail({ kind: 'exists' });
      return guarded(async () => {
        await makeFolders(folderOf(path));
        await vault.create(path, text);
        return done(undefined);
      });
    },
    change,
    createFolder: async (path) => {
      if (vault.getAbstractFileByPath(path)) return fail({ kind: 'exists' });
      return guarded(async () => {
        await makeFolders(path);
        return done(undefined);
      });
    },
    move: async (path, to) => {
      const file = vault.getAbstractFileByPath(path);
      if (!file) return fail({ kind: 'missing' });
      if (vault.getAbstractFileByPath(to)) return fail({ kind: 'exists' });
      return guarded(async () => {
        await makeFolders(folderOf(to));
        await fileManager.renameFile(file, to);
        return done(undefined);
      });
    },
    trashGoes: () => trashLocation(app),
    trash: async (path) => {
      const file = vault.getAbstractFileByPath(path);
      if (!file) return fail({ kind: 'missing' });
      return guarded(async () => done(await trash(app, file)));
    },
    restore: async (place, to, went) =>
      guarded(async () => {
        const result = await restore(app, place, to, went, makeFolders);
        return result === 'done' ? done(undefined) : fail({ kind: result });
      }),
    putBack: async (path, bytes) =>
      guarded(async () => {
        await makeFolders(folderOf(path));
        const result = await restoreFromTrash(app, path, bytes);
        return result === 'done' ? done(undefined) : fail({ kind: result });
      }),
    escapes: async (path, fresh) => {
      if (fresh) return links.escapes(path);
      return (await escapingNow()).has(path) ? path : null;
    },
    escaping: () => escapingNow(),
    holdsHidden: (folder) => links.hiddenIn(folder),
    folderCreated: async (folder) => {
      const stat = await vault.adapter.stat(folder === '' ? '/' : folder).catch(() => null);
      return stat?.ctime ?? 0;
    },
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => {
      for (const ref of refs) vault.offref(ref);
      listeners.clear();
    },
  };

  function escapingNow(): Promise<ReadonlySet<string>> {
    if (links.rules() !== rules) {
      rules = links.rules();
      escaping = null;
    }
    escaping ??= links.escapingLinks(
      vault.getAllFolders(true).map(({ path }) => (path === '/' ? '' : path)),
    );
    return escaping;
  }
}

/**
 * A file may have become a link, or may have replaced one, in any event. If a link replaces a folder,
 * only what was in the folder has events.
 */
async function updateEscaping(
  known: Promise<ReadonlySet<string>>,
  links: Symlinks,
  event: NoteEvent,
): Promise<ReadonlySet<string>> {
  const { kind, path } = event;
  const places = [...(kind === 'removed' ? [] : [path]), folderOf(path)].filter(Boolean);
  const [before, ...locations] = await Promise.all([
    known,
    ...places.map((place) => links.escapes(place).catch(() => place)),
  ]);
  const after = new Set(before);
  if (kind === 'removed') after.delete(path);
  if (kind === 'renamed') after.delete(event.from);
  for (const [at, place] of places.entries()) {
    if (locations[at] === null) after.delete(place);
    else after.add(place);
  }
  return after;
}

const TEXT_EXTENSIONS = new Set([
  'md',
  'txt',
  'canvas',
  'base',
  'json',
  'csv',
  'css',
  'yaml',
  'yml',
]);

function entryOf(file: TAbstractFile): NoteEntry | null {
  if (file instanceof TFile) {
    const { size, ctime, mtime } = file.stat;
    return { path: file.path, kind: 'file', size, created: ctime, modified: mtime };
  }
  if (!(file instanceof TFolder) || file.isRoot()) return null;
  return { path: file.path, kind: 'folder', size: 0, created: 0, modified: 0 };
}

function decoded(bytes: ArrayBuffer): string | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

function done<Value>(value: Value): NoteResult<Value> {
  return { ok: true, value };
}

function fail(problem: NoteProblem): { ok: false; reason: NoteProblem } {
  return { ok: false, reason: problem };
}

/** Turns exceptions of Obsidian and the file system into results. */
async function guarded<Value>(act: () => Promise<NoteResult<Value>>): Promise<NoteResult<Value>> {
  try {
    return await act();
  } catch (error) {
    const code = (error as { code?: unknown } | null)?.code;
    const message = error instanceof Error ? error.message : String(error);
    // Node appends the absolute path (", open '/home/…'"), which must not leave this computer.
    const detail = typeof code === 'string' ? message.replace(/, \w+ '.*$/s, '') : message;
    if (code === 'ENOENT') return fail({ kind: 'missing' });
    if (/already exists/i.test(detail)) return fail({ kind: 'exists' });
    return fail({ kind: 'disk', detail, full: code === 'ENOSPC' || code === 'EDQUOT' });
  }
}
