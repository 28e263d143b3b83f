/** The one view of notes that the agent has: what a note reads as once everything that waits in it is accepted. */
import { holdsProposal, parseNote } from '#model/proposal/form';
import { sidesOf } from '#model/proposal/sides';
import type { Notes } from '#ports/notes';

/** The text that stands there with all proposals accepted. */
export function textAfter(raw: string): string {
  return holdsProposal(raw) ? sidesOf(parseNote(raw)).after : raw;
}

/** The same notes, read so. Whatever changes one has to know what it really holds, and goes by another way. */
export function proposedNotes(notes: Notes): Notes {
  return {
    list: () => notes.list(),
    get: (path) => notes.get(path),
    async read(path) {
      const read = await notes.read(path);
      if (!read.ok) return read;
      return { ok: true, value: { ...read.value, text: textAfter(read.value.text) } };
    },
    unsaved: () => notes.unsaved(),
    readBinary: (path) => notes.readBinary(path),
    escapes: (path, fresh) => notes.escapes(path, fresh),
    escaping: () => notes.escaping(),
    holdsHidden: (folder) => notes.holdsHidden(folder),
    trashGoes: () => notes.trashGoes(),
    onChange: (listener) => notes.onChange(listener),
    create: (path, text) => notes.create(path, text),
    createFolder: (path) => notes.createFolder(path),
    move: (path, to) => notes.move(path, to),
    trash: (path) => notes.trash(path),
    restore: (path, from) => notes.restore(path, from),
    putBack: (path, bytes) => notes.putBack(path, bytes),
    change() {
      throw new Error('A note is changed by what it holds, not by how it reads.');
    },
  };
}
