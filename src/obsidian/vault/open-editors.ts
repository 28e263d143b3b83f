/** Notes that are open in panes of any window. The user's typing there must never be lost. */
import { openFile } from './open-file';
import * as t from '#messages/notice-messages';
import { type App, type Editor, type EditorChange, MarkdownView, type Plugin } from 'obsidian';
import { textChanges } from '#text/text-changes';
import { appendText, nameForText } from '#text/plain-text';
import type { TextGoal } from '#ports/ui';
import type { NoteResult, NoteText } from '#ports/vault';

/** Panes that show this note; the active one first. */
function panesOf({ workspace }: App, path: string): MarkdownView[] {
  const active = workspace.getActiveViewOfType(MarkdownView);
  return workspace
    .getLeavesOfType('markdown')
    .flatMap(({ view }) =>
      // A leaf that was never shown holds a placeholder view.
      view instanceof MarkdownView && view.file?.path === path ? [view] : [],
    )
    .sort((one, other) => Number(other === active) - Number(one === active));
}

/** In reading view, the hidden editor is out of date. */
function isEditing(view: MarkdownView): boolean {
  return view.getMode() === 'source';
}

/**
 * The pane whose editor has the current text; null if the note is in no editor. Panes of a note
 * share text as it is typed, so any will do; if they differ for a moment, one with unsaved changes
 * wins.
 */
function currentPane(panes: readonly MarkdownView[]): MarkdownView | null {
  const editing = panes.filter(isEditing);
  const [first] = editing;
  if (!first || isUnsaved(first)) return first ?? null;
  const text = first.editor.getValue();
  return editing.find((each) => isUnsaved(each) && each.editor.getValue() !== text) ?? first;
}

/**
 * Obsidian's private flag for changes since the last save; the published `data` follows the editor.
 */
interface DirtyView extends MarkdownView {
  readonly dirty?: boolean;
}

/** Obsidian's private state of saving. */
interface SavingView extends MarkdownView {
  readonly saving?: boolean;
  /** The text of the file, as the view knows it. */
  readonly lastSavedData?: string | null;
}

function isUnsaved({ dirty }: DirtyView): boolean {
  return dirty === true;
}

export function unsavedNotes(app: App): string[] {
  const paths = app.workspace
    .getLeavesOfType('markdown')
    .flatMap(({ view }) =>
      view instanceof MarkdownView && view.file && isUnsaved(view) ? [view.file.path] : [],
    );
  return [...new Set(paths)];
}

/** The text that panes show; null if none is open, so that the file is current. */
export function textInEditors(app: App, path: string): NoteText | null {
  const panes = panesOf(app, path);
  const view = currentPane(panes);
  if (view) return { text: view.editor.getValue(), unsaved: panes.some(isUnsaved) };
  const unsaved = panes.find(isUnsaved);
  return unsaved ? { text: unsaved.getViewData(), unsaved: true } : null;
}

/**
 * Replaces `before` with `after` as one undoable step in an editor of this note. Changes only what
 * differs, so that cursors, selections and other panes keep their places. Waits while the user
 * composes a character in any of them.
 *
 * @returns null if the note is in no editor; unsaved changes are in the file by then
 */
export async function changeInEditor(
  app: App,
  path: string,
  before: string,
  after: string,
): Promise<NoteResult | null> {
  await compositionsEnd(app, path);
  // Nothing is awaited from here to the change, so that no keystroke comes between.
  const panes = panesOf(app, path);
  const view = currentPane(panes);
  if (!view) {
    const unsaved = panes.find(isUnsaved);
    if (unsaved) await save(unsaved);
    return null;
  }
  const { editor } = view;
  const now = editor.getValue();
  if (now !== before) return { ok: false, reason: { kind: 'changed', now } };
  const changes = textChanges(before, after).map(({ from, to, text }): EditorChange => ({
    from: editor.offsetToPos(from),
    to: editor.offsetToPos(to),
    text,
  }));
  if (changes.length > 0) editor.transaction({ changes });
  // Obsidian would save after two seconds, but a reported change must survive a crash.
  await save(view);
  return { ok: true, value: undefined };
}

const SAVE_POLL_MS = 20;
/** A disk that takes longer is not waited for; Obsidian goes on saving. */
const MAX_SAVE_POLLS = 250;

/** Saves the text as it is now; `save` alone returns early while another save runs. */
async function save(view: SavingView): Promise<void> {
  const { file } = view;
  const text = view.getViewData();
  for (let polls = 0; view.saving === true && polls < MAX_SAVE_POLLS; polls += 1) {
    await new Promise<void>((resolve) => void window.setTimeout(resolve, SAVE_POLL_MS));
  }
  // The user may have opened another note, for which Obsidian saves this one.
  if (view.file !== file || view.lastSavedData === text) return;
  await view.save();
}

/** CodeMirror's view behind Obsidian's editor, which does not expose compositions itself. */
interface WithCodeMirror extends Editor {
  readonly cm?: {
    readonly composing: boolean;
    readonly compositionStarted: boolean;
    readonly contentDOM: HTMLElement;
  };
}

/**
 * Milliseconds after which to check again, in case a composition ends without an event, as when its
 * pane is closed.
 */
const COMPOSITION_POLL_MS = 250;

async function compositionsEnd(app: App, path: string): Promise<void> {
  for (;;) {
    const composing = panesOf(app, path)
      .map(({ editor }) => (editor as WithCodeMirror).cm)
      .find((cm) => cm?.composing || cm?.compositionStarted);
    if (!composing) return;
    const { contentDOM } = composing;
    // Timers of a hidden window are throttled; use the visible one.
    const own = contentDOM.ownerDocument.defaultView ?? window;
    await new Promise<void>((resolve) => {
      // The editor takes in the composed text right after the event.
      const soon = () => own.setTimeout(resolve, 0);
      contentDOM.addEventListener('compositionend', soon, { once: true });
      own.setTimeout(() => {
        contentDOM.removeEventListener('compositionend', soon);
        resolve();
      }, COMPOSITION_POLL_MS);
    });
  }
}

/** Returns a sentence about the problem; null on success. */
export async function insertText(app: App, text: string, goal: TextGoal): Promise<string | null> {
  return goal === 'new' ? newNote(app, text) : intoNote(app, text, goal);
}

function intoNote(app: App, text: string, goal: 'cursor' | 'end'): string | null {
  const view = activeMarkdownView(app);
  if (!view?.file) return t.openNoteFirst;
  const { basename } = view.file;
  if (view.getMode() === 'preview') {
    return t.inReadingView(basename);
  }
  const { editor } = view;
  const before = editor.getValue();
  const from = goal === 'cursor' ? editor.getCursor('to') : editor.offsetToPos(before.length);
  const added = goal === 'cursor' ? text : appendText(before, text);
  const at = editor.posToOffset(from);
  editor.transaction({ changes: [{ from, text: added }] });
  const grown = editor.getValue().length - before.length;
  if (grown === 0) return t.editAtCursor(basename);
  app.workspace.setActiveLeaf(view.leaf, { focus: true });
  const end = editor.offsetToPos(at + grown);
  editor.setCursor(end);
  editor.scrollIntoView({ from: end, to: end }, true);
  return null;
}

/** Creates the note in the user's folder for new notes and opens it in a new tab. */
async function newNote(app: App, text: string): Promise<string | null> {
  const { fileManager, vault, workspace } = app;
  const { path: folder } = fileManager.getNewFileParent(workspace.getActiveFile()?.path ?? '');
  const base = `${folder === '/' ? '' : `${folder}/`}${nameForText(text)}`;
  let path = `${base}.md`;
  // `exists` also finds names that differ only in case, on file systems that ignore it.
  for (let count = 1; await vault.adapter.exists(path); count += 1) path = `${base} ${count}.md`;
  try {
    await vault.create(path, text);
  } catch (error) {
    return t.noteNotCreated(error instanceof Error ? error.message : String(error));
  }
  await openFile(app, path, true);
  return null;
}

const lastActive = new WeakMap<App, MarkdownView>();

/** Remembers the Markdown pane that was active last, which a chat in the main area would hide. */
export function rememberMarkdownViews(plugin: Plugin): void {
  const { app } = plugin;
  plugin.registerEvent(
    app.workspace.on('active-leaf-change', (leaf) => {
      if (leaf?.view instanceof MarkdownView) lastActive.set(app, leaf.view);
    }),
  );
}

/**
 * The active Markdown pane, or the last one while a chat has focus; null if there is none.
 */
export function activeMarkdownView(app: App): MarkdownView | null {
  const { workspace } = app;
  const active = workspace.getActiveViewOfType(MarkdownView);
  if (active) return active;
  const last = lastActive.get(app);
  const isOpen = workspace.getLeavesOfType('markdown').some(({ view }) => view === last);
  if (last && isOpen) return last;
  const view = workspace.getMostRecentLeaf()?.view;
  return view instanceof MarkdownView ? view : null;
}
