/** The vault as it would be after changes that are only planned: texts, and which files exist. */
import type { Effect, UndoEffect } from '#model/change';
import type { NoteEntry, NoteVault } from '#ports/vault';
import { folderOf, isWithin, movedPath } from '#text/paths';

interface PlannedEntry {
  readonly entry: NoteEntry;
  /** Where the file is now; null if it does not exist yet. */
  readonly from: string | null;
}

/**
 * A view of a vault in which nothing can be changed, except by `plan`. What other programs do to
 * files once the first of them is planned to appear or go is not seen.
 */
export class PlannedVault {
  readonly #now: NoteVault;
  /** The newest planned text of each path. */
  readonly #texts = new Map<string, string>();
  /** All files and folders, by planned path; null while they are those of the vault. */
  #entries: Map<string, PlannedEntry> | null = null;

  constructor(notes: NoteVault) {
    this.#now = notes;
  }

  plan(effect: Effect | UndoEffect): void {
    switch (effect.kind) {
      case 'write':
        this.#texts.set(effect.path, effect.after);
        return;
      case 'create':
        this.#texts.set(effect.path, effect.after);
        return this.#add(effect.path, 'file', new TextEncoder().encode(effect.after).length);
      case 'folder':
        return this.#add(effect.path, 'folder', 0);
      case 'restore':
        for (const folder of effect.holds.folders) this.#add(folder, 'folder', 0);
        for (const { path, size, text } of effect.holds.files) {
          if (text !== undefined) this.#texts.set(path, text);
          this.#add(path, 'file', size);
        }
        return;
      case 'delete':
        this.#leave(effect.path, null);
        return this.#removeEmpty(effect.emptied);
      case 'move':
        this.#leave(effect.path, effect.to);
        for (const { path, after } of effect.linking ?? []) {
          const place = movedPath(path, effect.path, effect.to);
          if (after !== undefined) this.#texts.set(place, after);
        }
        return this.#removeEmpty(effect.emptied);
      case 'hold':
      case 'nothing':
    }
  }

  /** The vault after what was planned so far, and after what will be. */
  get notes(): NoteVault {
    const notes = this.#now;
    return {
      list: () =>
        this.#entries ? Array.from(this.#entries.values(), ({ entry }) => entry) : notes.list(),
      get: (path) => (this.#entries ? this.#entries.get(path)?.entry : notes.get(path)),
      read: async (path) => {
        const text = this.#texts.get(path);
        if (text !== undefined) return { ok: true, value: { text, unsaved: false } };
        const from = this.#originOf(path);
        return from === null ? { ok: false, reason: { kind: 'missing' } } : notes.read(from);
      },
      unsaved: () => notes.unsaved(),
      readBinary: (path) => notes.readBinary(this.#originOf(path) ?? path),
      readMany: (paths) => notes.readMany(paths),
      escapes: (path, fresh) => notes.escapes(path, fresh),
      escaping: () => notes.escaping(),
      holdsHidden: (folder) => notes.holdsHidden(this.#originOf(folder) ?? folder),
      folderCreated: (folder) => notes.folderCreated(folder),
      onChange: () => () => undefined,
      create: changesNothing,
      change: changesNothing,
      createFolder: changesNothing,
      move: changesNothing,
      trash: changesNothing,
      trashGoes: () => notes.trashGoes(),
      restore: changesNothing,
      putBack: changesNothing,
    };
  }

  /** Where the file or folder of a planned path is now; null if there is none. */
  #originOf(path: string): string | null {
    return this.#entries ? (this.#entries.get(path)?.from ?? null) : path;
  }

  #all(): Map<string, PlannedEntry> {
    return (this.#entries ??= new Map(
      this.#now.list().map((entry) => [entry.path, { entry, from: entry.path }]),
    ));
  }

  #add(path: string, kind: NoteEntry['kind'], size: number): void {
    const entries = this.#all();
    const folder = folderOf(path);
    if (folder !== '' && !entries.has(folder)) this.#add(folder, 'folder', 0);
    if (entries.has(path)) return;
    entries.set(path, { entry: { path, kind, size, created: 0, modified: 0 }, from: null });
  }

  /** @param to null to delete */
  #leave(path: string, to: string | null): void {
    const entries = this.#all();
    const isFile = entries.get(path)?.entry.kind === 'file';
    const leaving = isFile ? [path] : [...entries.keys()].filter((each) => isWithin(each, path));
    if (to !== null && leaving.length > 0 && folderOf(to) !== '')
      this.#add(folderOf(to), 'folder', 0);
    for (const each of leaving) {
      const { entry, from } = entries.get(each)!;
      const text = this.#texts.get(each);
      entries.delete(each);
      this.#texts.delete(each);
      if (to === null) continue;
      const place = movedPath(each, path, to);
      entries.set(place, { entry: { ...entry, path: place }, from });
      if (text !== undefined) this.#texts.set(place, text);
    }
  }

  #removeEmpty(folders: readonly string[] = []): void {
    const entries = this.#all();
    for (const folder of [...folders].reverse()) {
      const isUsed = [...entries.keys()].some((each) => each.startsWith(`${folder}/`));
      if (!isUsed) entries.delete(folder);
    }
  }
}

function changesNothing(): never {
  throw new Error('A plan changes nothing.');
}
