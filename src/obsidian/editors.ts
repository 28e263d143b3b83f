/** Notes that are open in an editor, in whatever window: what the person types there must never be lost. */
import { MarkdownView, type App, type Editor } from 'obsidian';
import type { NoteResult } from '#ports/notes';

/** A view that shows this note in an editor; the active one first. */
export function openEditor(app: App, path: string): MarkdownView | null {
  const active = app.workspace.getActiveViewOfType(MarkdownView);
  if (active?.file?.path === path) return active;
  for (const { view } of app.workspace.getLeavesOfType('markdown')) {
    // A leaf that was not shown yet has another view in place of its own.
    if (view instanceof MarkdownView && view.file?.path === path) return view;
  }
  return null;
}

/** Obsidian's views know whether something was typed since the last save; their published `data` follows the editor. */
interface WithDirt extends MarkdownView {
  readonly dirty?: boolean;
}

export function isUnsaved({ dirty }: WithDirt): boolean {
  return dirty === true;
}

export function unsavedNotes(app: App): string[] {
  return app.workspace
    .getLeavesOfType('markdown')
    .flatMap(({ view }) =>
      view instanceof MarkdownView && view.file && isUnsaved(view) ? [view.file.path] : [],
    );
}

/**
 * Puts `after` in place of `before` as one undoable step of the editor, changing only what differs, so that cursor and
 * selection stay. Waits while the person composes a character.
 */
export async function changeInEditor(
  view: MarkdownView,
  before: string,
  after: string,
): Promise<NoteResult> {
  await compositionEnd(view.editor);
  const { editor } = view;
  const now = editor.getValue();
  if (now !== before) return { ok: false, problem: { kind: 'changed', now } };
  const { from, to, text } = difference(before, after);
  editor.transaction({
    changes: [{ from: editor.offsetToPos(from), to: editor.offsetToPos(to), text }],
  });
  // Obsidian saves two seconds later; a change that was reported must not be lost with the power.
  await view.save();
  return { ok: true, value: undefined };
}

/** The stretch that differs, as offsets of `before`, with what stands there in `after`. */
export function difference(
  before: string,
  after: string,
): { from: number; to: number; text: string } {
  const shorter = Math.min(before.length, after.length);
  let from = 0;
  while (from < shorter && before[from] === after[from]) from += 1;
  let end = 0;
  while (
    end < shorter - from &&
    before[before.length - 1 - end] === after[after.length - 1 - end]
  ) {
    end += 1;
  }
  return { from, to: before.length - end, text: after.slice(from, after.length - end) };
}

/** CodeMirror's view behind Obsidian's editor, which does not tell of a composition itself. */
interface WithCodeMirror extends Editor {
  readonly cm?: { readonly composing: boolean; readonly contentDOM: HTMLElement };
}

async function compositionEnd(editor: WithCodeMirror): Promise<void> {
  const { cm } = editor;
  if (!cm?.composing) return;
  await new Promise<void>((resolve) => {
    // The editor takes the composed text in right after the event.
    cm.contentDOM.addEventListener('compositionend', () => window.setTimeout(resolve, 0), {
      once: true,
    });
  });
}
