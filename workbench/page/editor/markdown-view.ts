/** Notes in panes: the source in CodeMirror, or a reading view; saved two seconds after the last key, as in the app. */
import type { MarkdownFileInfo } from 'obsidian';
import type { Extension } from '@codemirror/state';
import {
  MarkdownView,
  Notice,
  debounce,
  editorInfoField,
  editorLivePreviewField,
  type TFile,
} from 'obsidian-test-mocks/obsidian';
import { reportError } from '#workbench/obsidian/events';
import { setIcon } from '#workbench/obsidian/icons';
import { registrationsOf } from '#workbench/obsidian/registrations';
import type { ShellLeaf } from '../workspace/shell-leaf';
import { onMade, patch } from '../patch';
import { CmEditor } from './cm-editor';
import { createNotePane, type NotePane } from './note-pane';
import { renderMarkdown } from './render';

const SAVE_MS = 2_000;

interface Parts {
  readonly pane: NotePane;
  readonly source: HTMLElement;
  readonly reading: HTMLElement;
  readonly toggle: HTMLElement;
  mode: 'source' | 'preview';
  /** As the file has it, and as the editor had it when it was loaded or saved last. */
  saved: string;
  isSaving: boolean;
}

/** What the app's views have beyond the published types. */
interface Dirty {
  /** Whether something was changed since the last save. */
  dirty: boolean;
}

const partsOf = new WeakMap<MarkdownView, Parts>();

export function patchMarkdownView(): void {
  onMade(MarkdownView, 'constructor7__', build);
  patch(MarkdownView, {
    getMode() {
      return parts(this).mode;
    },
    getIcon() {
      return 'file-text';
    },
    getDisplayText() {
      const file = this.file;
      return file ? (file.extension === 'md' ? file.basename : file.name) : 'Note';
    },
    getViewData() {
      return this.editor.getValue();
    },
    setViewData(data) {
      this.data = data;
      this.editor.setValue(data);
    },
    getState() {
      return { file: this.file?.path ?? null, mode: parts(this).mode, source: true };
    },
    async setState(state) {
      const { file: path, mode } = (state ?? {}) as { file?: string; mode?: string };
      const file = path === undefined ? null : this.app.vault.getFileByPath(path);
      if (file && file !== (this.file as unknown)) await openFile(this, file);
      if (mode === 'source' || mode === 'preview') await show(this, mode);
    },
    setEphemeralState(state) {
      const { line, subpath } = (state ?? {}) as { line?: number; subpath?: string };
      const heading = subpath?.replace(/^#/, '');
      const at = line ?? (heading ? lineOf(this.getViewData(), heading) : undefined);
      if (at === undefined) return;
      const position = { line: at, ch: 0 };
      this.editor.setCursor(position);
      this.editor.scrollIntoView({ from: position, to: position }, true);
    },
    async save() {
      const { file } = this;
      const state = parts(this);
      const text = this.getViewData();
      if (!file || file.deleted__) return;
      if (text === state.saved) return setDirty(this, false);
      state.isSaving = true;
      try {
        await this.app.vault.modify(file, text);
        state.saved = text;
      } finally {
        state.isSaving = false;
      }
      if (this.getViewData() === text) setDirty(this, false);
      // Somebody may have written right after us, and the vault tells both as one change.
      await takeOutside(this);
    },
    async onUnloadFile() {
      await this.save();
    },
    async onClose() {
      await this.save();
    },
  } as Partial<MarkdownView> & ThisType<MarkdownView>);
}

function parts(view: MarkdownView): Parts {
  const found = partsOf.get(view);
  if (!found) throw new Error('This view was not made by the page.');
  return found;
}

export async function show(view: MarkdownView, mode: Parts['mode']): Promise<void> {
  const state = parts(view);
  state.mode = mode;
  state.source.toggle(mode === 'source');
  state.reading.toggle(mode === 'preview');
  setIcon(state.toggle, mode === 'preview' ? 'pencil' : 'book-open');
  if (mode === 'preview') await drawReading(view);
}

function setDirty(view: MarkdownView, dirty: boolean): void {
  (view as MarkdownView & Dirty).dirty = dirty;
}

function build(view: MarkdownView): void {
  const { contentEl, app } = view;
  const source = contentEl.createDiv('markdown-source-view cm-s-obsidian mod-cm6');
  const reading = contentEl.createDiv('markdown-reading-view');
  reading.hide();
  const own = (): Extension[] => [
    editorInfoField.init(() => view as unknown as MarkdownFileInfo),
    editorLivePreviewField.init(() => false),
    ...([...registrationsOf(app).editorExtensions] as Extension[]),
  ];
  const saveSoon = debounce(() => void view.save().catch(reportError), SAVE_MS, true);
  const pane = createNotePane(source, own(), () => {
    // In memory, as the app has it: what is saved is another matter.
    view.data = view.getViewData();
    setDirty(view, true);
    saveSoon();
    app.workspace.trigger('editor-change', view.editor, view);
  });
  view.editor = new CmEditor(pane.cm);
  view.requestSave = saveSoon;
  const toggle = view.addAction('book-open', 'Reading view', () => {
    show(view, view.getMode() === 'source' ? 'preview' : 'source').catch(reportError);
  });

  setDirty(view, false);
  partsOf.set(view, {
    ...{ pane, source, reading, toggle, mode: 'source', saved: '', isSaving: false },
  });

  const { vault, workspace } = app;
  const leaf = view.leaf as unknown as ShellLeaf;
  view.registerEvent(workspace.on('workbench:editor-extensions', () => pane.setExtensions(own())));
  view.registerEvent(
    vault.on('modify', (file) => {
      if (file === (view.file as unknown)) takeOutside(view).catch(reportError);
    }),
  );
  view.registerEvent(
    vault.on('rename', (file) => {
      if (file === (view.file as unknown)) leaf.updateHeader();
    }),
  );
  view.registerEvent(
    vault.on('delete', (file) => {
      if (file === (view.file as unknown)) leaf.detach();
    }),
  );
  view.register(() => pane.cm.destroy());
}

async function openFile(view: MarkdownView, file: TFile): Promise<void> {
  await view.save();
  const text = await view.app.vault.read(file);
  const state = parts(view);
  view.file = file;
  state.pane.load(text);
  // CodeMirror makes every end of a line the same; what it shows is what counts as saved.
  state.saved = view.data = view.getViewData();
  setDirty(view, false);
  if (view.getMode() === 'preview') await drawReading(view);
}

async function takeOutside(view: MarkdownView): Promise<void> {
  const { file } = view;
  const state = parts(view);
  if (!file || state.isSaving) return;
  const found = await view.app.vault.read(file).catch(unlessGone);
  const text = found?.replace(/\r\n?/g, '\n') ?? state.saved;
  if (text === state.saved || state.isSaving) return;
  if (view.getViewData() !== state.saved && view.getViewData() !== text) {
    Notice.create__(`${file.path} was changed outside. Your unsaved text is kept.`);
    return;
  }
  state.saved = text;
  view.setViewData(text, false);
  setDirty(view, false);
  if (state.mode === 'preview') await drawReading(view);
}

/** A file that is gone by now is told of as deleted. */
function unlessGone(error: unknown): null {
  if ((error as { code?: unknown }).code === 'ENOENT') return null;
  throw error;
}

async function drawReading(view: MarkdownView): Promise<void> {
  const { reading } = parts(view);
  const page = createDiv('markdown-preview-view markdown-rendered');
  await renderMarkdown(view.app, view.getViewData(), page, view.file?.path ?? '', view);
  reading.replaceChildren(page);
}

function lineOf(text: string, heading: string): number | undefined {
  const at = text
    .split('\n')
    .findIndex((line) => /^#{1,6}\s/.test(line) && line.replace(/^#+\s+/, '').trim() === heading);
  return at < 0 ? undefined : at;
}
