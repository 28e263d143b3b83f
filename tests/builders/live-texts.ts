/** The texts of a vault as they are while edits wait: without the blocks, and without new notes. */
import { ANY_DEVICE, readEdits, textsOf } from '#model/edit/note-edits';

export function liveTexts(files: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).flatMap(([path, text]) => {
      const { before, after } = textsOf(readEdits(text, ANY_DEVICE));
      return before === '' && after !== '' ? [] : [[path, path.endsWith('.md') ? before : text]];
    }),
  );
}
