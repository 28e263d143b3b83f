/** The vault as tools read it: every file with all that waits for the user as if it were accepted. */
import { parseNote } from '#model/proposal/format';
import { sidesOf } from '#model/proposal/sides';
import { mergeThreeWay } from '#model/diff/three-way-merge';
import type { NoteVault } from '#ports/vault';

/** What waits outside of notes, by path. */
export interface DetachedTexts {
  /** Files that something waits for. */
  paths(): readonly string[];
  of(path: string): { readonly before: string | null; readonly after: string } | null;
}

const BLOCKS_IN = /\.md$/i;

/** Whether proposals can stand in the file itself. */
export function takesBlocks(path: string): boolean {
  return BLOCKS_IN.test(path);
}

/** What the file's own text comes to once its blocks are accepted. */
export function afterOf(path: string, raw: string): string {
  return takesBlocks(path) ? sidesOf(parseNote(raw)).after : raw;
}

/** Two texts of a note as a change of what stands there; where that is the same, of what waits. */
export function changeShown(
  path: string,
  before: string,
  after: string,
): { before: string; after: string } {
  if (!takesBlocks(path)) return { before, after };
  const [old, now] = [sidesOf(parseNote(before)), sidesOf(parseNote(after))];
  const side = old.before === now.before ? 'after' : 'before';
  return { before: old[side], after: now[side] };
}

/** What is only looked at, with nothing of what waits. @param notes whose methods need no `this` */
export function beforeView(notes: NoteVault): NoteVault {
  return {
    ...notes,
    async read(path) {
      const read = await notes.read(path);
      if (!read.ok || !takesBlocks(path)) return read;
      const { before } = sidesOf(parseNote(read.value.text));
      return { ok: true, value: { ...read.value, text: before } };
    },
  };
}

export function afterView(notes: NoteVault, held: DetachedTexts): NoteVault {
  return {
    list: () => notes.list(),
    get: (path) => notes.get(path),
    async read(path) {
      const read = await notes.read(path);
      if (!read.ok) return read;
      const text = afterOf(path, read.value.text);
      const waits = held.of(path);
      const seen = waits ? mergeThreeWay(waits.before ?? '', text, waits.after).text : text;
      return { ok: true, value: { ...read.value, text: seen } };
    },
    unsaved: () => [...notes.unsaved(), ...held.paths()],
    readBinary: (path) => notes.readBinary(path),
    create: (path, text) => notes.create(path, text),
    change: (path, before, after) => notes.change(path, before, after),
    createFolder: (path) => notes.createFolder(path),
    move: (path, to) => notes.move(path, to),
    trashGoes: () => notes.trashGoes(),
    trash: (path) => notes.trash(path),
    restore: (place, to, went) => notes.restore(place, to, went),
    putBack: (path, bytes) => notes.putBack(path, bytes),
    escapes: (path, fresh) => notes.escapes(path, fresh),
    escaping: () => notes.escaping(),
    holdsHidden: (folder) => notes.holdsHidden(folder),
    onChange: (listener) => notes.onChange(listener),
  };
}
