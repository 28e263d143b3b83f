import { planEdits, type Edit } from '#tools/editor/edit/edit-plan';

/** How many cases a property tries; a longer run sets `CASES`. */
export const CASES = Number(process.env.CASES ?? 300);

/** Plans edits of a note that was read as it is, unless said otherwise. */
export function plan(now: string, edits: Edit[], read: string | null = now) {
  return planEdits({ path: 'Garden.md', now, read, edits });
}

/** The note after the edits; fails the test with the problem if there is one. */
export function after(now: string, edits: Edit[], read: string | null = now): string {
  const result = plan(now, edits, read);
  if (!result.ok) throw new Error(result.problem);
  return result.after;
}

/** Why the edits were refused. */
export function problem(now: string, edits: Edit[], read: string | null = now): string {
  const result = plan(now, edits, read);
  if (result.ok) throw new Error(`not refused, but became ${JSON.stringify(result.after)}`);
  return result.problem;
}

export function notes(now: string, edits: Edit[], read: string | null = now): string {
  const result = plan(now, edits, read);
  if (!result.ok) throw new Error(result.problem);
  return result.notes.join('\n');
}

export function swap(old_text: string, new_text: string, replace_all?: boolean): Edit {
  return replace_all === undefined ? { old_text, new_text } : { old_text, new_text, replace_all };
}

export function at(position: string, content?: string): Edit {
  return content === undefined ? { position } : { position, content };
}
