/** The requests that an empty chat suggests. They depend on the notes that exist. */
import * as t from '#messages/chat-messages';
import type { Mentionable } from '#ports/app/composer-port';
import { isNote, noteName } from '#text/paths';

const SHOPPING = /\b(?:shopping|groceries|grocery)\b/i;
const TASKS = /\b(?:to-?dos?|tasks)\b/i;

/** @param open path of the open note */
export function examplesFor(
  { files }: Pick<Mentionable, 'files'>,
  open: string | null,
): readonly string[] {
  const notes = files.filter(isNote);
  if (notes.length === 0) return [t.exampleStartList, t.exampleCreate, t.exampleHelp];
  const ofNote = open !== null && isNote(open) ? t.exampleOfNote(noteName(open)) : t.exampleTour;
  return [ofNote, t.exampleRecent, changeFor(notes)];
}

/** Adds to a list that exists, or else starts one. */
function changeFor(notes: readonly string[]): string {
  const names = notes.map(noteName);
  if (names.some((name) => SHOPPING.test(name))) return t.exampleChange;
  const tasks = names.find((name) => TASKS.test(name));
  return tasks === undefined ? t.exampleStartList : t.exampleAddTask(tasks);
}
