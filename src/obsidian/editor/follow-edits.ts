/** Reports at once which edits an editor has: its note is saved, and read again, only later. */
import type { EditorState, Extension } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import type { EditsPort } from '#ports/app/edits-port';
import { pathOf } from './authorship-marks';
import { placesField } from './block-places';

/** For example after an undo in the editor, which takes a decision back. */
export function followEdits({ look }: Pick<EditsPort, 'look'>): Extension {
  return EditorView.updateListener.of(({ docChanged, startState, state, view }) => {
    const path = docChanged && hasOtherEdits(startState, state) ? pathOf(view) : null;
    // If the note cannot be read, it is read again when it is saved.
    if (path !== null) void look(path).catch(() => undefined);
  });
}

/** Whether an edit of the note came or went. */
export function hasOtherEdits(before: EditorState, after: EditorState): boolean {
  const [old, now] = [before, after].map((state) =>
    (state.field(placesField, false) ?? []).map(({ edit }) => edit.id).join(' '),
  );
  return old !== now;
}
