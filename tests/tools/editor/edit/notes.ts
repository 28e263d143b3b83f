import { planEdits, type Edit } from '#tools/editor/edit/edit-plan';
import { NoteView } from '#tools/editor/edit/note-view';
import { ShownNotes, type StepNotes } from '#tools/shown-notes';

/** Number of runs of a property test; set `CASES` for more. */
export const CASES = Number(process.env.CASES ?? 300);

const PATH = 'Garden.md';

/**
 * The lines shown to a model that has read these versions of a note completely, one after the
 * other.
 */
export function shownWhole(...texts: readonly string[]): StepNotes {
  const all = new ShownNotes();
  texts.forEach((text, at) => {
    const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/);
    if (lines.at(-1) === '') lines.pop();
    all.during(`${at}`).show(
      PATH,
      text,
      lines.map((line, index) => [index + 1, line]),
    );
  });
  return all.during('now');
}

/**
 * Plans edits of a note whose current text was read, unless `read` is another text or null for
 * unread.
 */
export function plan(now: string, edits: Edit[], read: string | null = now) {
  const shown = (read === null ? shownWhole() : shownWhole(read)).of(PATH);
  return planEdits(new NoteView(PATH, now, shown), edits);
}

/** The note after the edits; fails the test if the edits are refused. */
export function after(now: string, edits: Edit[], read: string | null = now): string {
  const result = plan(now, edits, read);
  if (!result.ok) throw new Error(result.reason);
  return result.after;
}

/** The reason why the edits are refused; fails the test if they are not. */
export function problem(now: string, edits: Edit[], read: string | null = now): string {
  const result = plan(now, edits, read);
  if (result.ok) throw new Error(`not refused, but became ${JSON.stringify(result.after)}`);
  return result.reason;
}

export function notes(now: string, edits: Edit[], read: string | null = now): string {
  const result = plan(now, edits, read);
  if (!result.ok) throw new Error(result.reason);
  return result.notes.join('\n');
}

export function swap(old_text: string, new_text: string, replace_all?: boolean): Edit {
  return replace_all === undefined ? { old_text, new_text } : { old_text, new_text, replace_all };
}

export function at(position: string, content?: string): Edit {
  return content === undefined ? { position } : { position, content };
}
