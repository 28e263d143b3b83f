/**
 * Notes in panes: an editor (live preview or source mode) or a reading view, saved two seconds
 * after the last keystroke, as in Obsidian. Panes of the same note share its text as it is typed.
 */
import type { MarkdownFileInfo } from 'obsidian';
import { Prec, type Extension } from '@codemirror/state';
import { vim } from '@replit/codemirror-vim';
import {
  Component,
  MarkdownView,
  Menu,
  Notice,
  debounce,
  type TFile,
} from 'obsidian-test-mocks/obsidian';
import type { DiskAdapter } from '#workbench/obsidian/adapter';
import {
  editorInfoField,
  editorLivePreviewField,
  showsLivePreview,
} from '#workbench/obsidian/editor-fields';
import { reportError } from '#workbench/obsidian/events';
import { setIcon } from '#workbench/obsidian/icons';
import { parseNote } from '#workbench/obsidian/metadata/note-parser';
import { registrationsOf } from '#workbench/obsidian/registrations';
import type { FolderVault } from '#workbench/obsidian/vault';
import type { ShellLeaf } from '../workspace/shell-leaf';
import { afterConstructor, patch } from '../patch';
import { CmEditor } from './cm-editor';
import { livePreview } from './live-preview';
import { createNotePane, type NotePane } from './note-pane';
import { renderMarkdown } from './render';

const SAVE_MS = 2_000;

interface ViewParts {
  readonly pane: NotePane;
  readonly source: HTMLElement;
  readonly reading: HTMLElement;
  readonly toggle: HTMLElement;
  readonly liveToggle: HTMLElement;
  mode: 'source' | 'preview';
  /** Live preview if true, source mode if false. */
  isLive: boolean;
  /** Owns what was rendered in the reading view. */
  drawn: Component | null;
  /** The last write of `save`. */
  writing: Promise<void>;
}

/** Private members of Obsidian's views. */
interface Dirty {
  /** Whether there are changes since the last save. */
  dirty: boolean;
}

interface Saving {
  saving: boolean;
  /** Whether `save` was called during a save. */
  saveAgain: boolean;
  /** The text of the file, as the editor had it at the last load or save. */
  lastSavedData: string;
}

const partsOf = new WeakMap<MarkdownView, ViewParts>();

export function patchMarkdownView(): void {
  afterConstructor(MarkdownView, 'constructor7__', build);
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
      return parts(this).mode === 'source' ? this.editor.getValue() : this.data;
    },
    setViewData(data) {
      this.data = data;
      // A hidden editor gets the text when it is shown.
      if (parts(this).mode === 'source') parts(this).pane.take(data);
    },
    getState() {
      const { mode, isLive } = parts(this);
      return { file: this.file?.path ?? null, mode, source: !isLive };
    },
    async setState(state) {
      const {
        file: path,
        mode,
        source,
      } = (state ?? {}) as {
        file?: string;
        mode?: string;
        source?: boolean;
      };
      const file = path === undefined ? null : this.app.vault.getFileByPath(path);
      if (file && file !== (this.file as unknown)) await openFile(this, file);
      if (source !== undefined) showLive(this, !source);
      if (mode === 'source' || mode === 'preview') await show(this, mode);
    },
    setEphemeralState(state) {
      const { line, subpath } = (state ?? {}) as { line?: number; subpath?: string };
      const heading = subpath?.replace(/^#/, '');
      const at = line ?? (heading ? lineOf(this.getViewData(), heading) : undefined);
      if (at === undefined) return;
      if (parts(this).mode === 'preview') return scrollReading(this, at);
      const position = { line: at, ch: 0 };
      this.editor.setCursor(position);
      this.editor.scrollIntoView({ from: position, to: position }, true);
    },
    async save() {
      const own = saving(this);
      if (own.saving) {
        own.saveAgain = true;
        return;
      }
      own.saving = true;
      const state = parts(this);
      state.writing = write(this);
      try {
        await state.writing;
      } finally {
        own.saving = false;
      }
      if (own.saveAgain) {
        own.saveAgain = false;
        // The caller of `save` has returned already, so a failure is reported here.
        void this.save().catch(reportError);
      }
      // Another process may have written at the same time, and the vault reports both writes as one
      // change.
      await takeOutside(this);
    },
    async onUnloadFile() {
      await saveAll(this);
    },
    async onClose() {
      await saveAll(this);
    },
  } as Partial<MarkdownView> & ThisType<MarkdownView>);
}

/** Writes the text of the editor if it is not that of the file. */
async function write(view: MarkdownView): Promise<void> {
  const { file } = view;
  const text = view.getViewData();
  const state = saving(view);
  if (!file || file.deleted__) return;
  if (text !== state.lastSavedData) {
    await view.app.vault.modify(file, text);
    if (view.file === file) state.lastSavedData = text;
  }
  if (view.getViewData() === text) setDirty(view, false);
}

/** Saves before the view gets another file, and never returns during a save. */
async function saveAll(view: MarkdownView): Promise<void> {
  await parts(view).writing.catch(reportError);
  await view.save();
  await parts(view).writing;
}

const saving = (view: MarkdownView) => view as MarkdownView & Saving;

function parts(view: MarkdownView): ViewParts {
  const found = partsOf.get(view);
  if (!found) throw new Error('This view was not made by the page.');
  return found;
}

export async function show(view: MarkdownView, mode: ViewParts['mode']): Promise<void> {
  const state = parts(view);
  // Still from the previous mode.
  view.data = view.getViewData();
  state.mode = mode;
  state.source.toggle(mode === 'source');
  state.reading.toggle(mode === 'preview');
  state.liveToggle.toggle(mode === 'source');
  setIcon(state.toggle, mode === 'preview' ? 'pencil' : 'book-open');
  if (mode === 'preview') return drawReading(view);
  state.pane.take(view.data);
  endReading(view);
  state.reading.empty();
}

/** Switches the editor between live preview and source mode. */
export function toggleLive(view: MarkdownView): void {
  showLive(view, !parts(view).isLive);
}

function showLive(view: MarkdownView, isLive: boolean): void {
  const state = parts(view);
  state.isLive = isLive;
  state.source.toggleClass('is-live-preview', isLive);
  const title = isLive ? 'Source mode' : 'Live preview';
  setIcon(state.liveToggle, isLive ? 'code' : 'eye');
  state.liveToggle.setAttribute('aria-label', title);
  state.liveToggle.title = title;
  state.pane.cm.dispatch({ effects: showsLivePreview.of(isLive) });
}

function extensionsOf(view: MarkdownView): Extension[] {
  const isVim = (view.app.vault as FolderVault).getConfig('vimMode') === true;
  return [
    isVim ? Prec.highest(vim()) : [],
    editorInfoField.init(() => view as unknown as MarkdownFileInfo),
    editorLivePreviewField.init(() => parts(view).isLive),
    livePreview(view),
    ...([...registrationsOf(view.app).editorExtensions] as Extension[]),
  ];
}

function setDirty(view: MarkdownView, dirty: boolean): void {
  (view as MarkdownView & Dirty).dirty = dirty;
}

function build(view: MarkdownView): void {
  const { contentEl, app } = view;
  const source = contentEl.createDiv('markdown-source-view cm-s-obsidian mod-cm6');
  const reading = contentEl.createDiv('markdown-reading-view');
  reading.hide();
  const saveSoon = debounce(() => void view.save().catch(reportError), SAVE_MS, true);
  const { vault, workspace } = app;
  const pane = createNotePane(source, {
    changed() {
      // `data` follows the editor, as in Obsidian, whether saved or not.
      view.data = view.editor.getValue();
      setDirty(view, true);
      saveSoon();
      if (view.file) workspace.trigger('quick-preview', view.file, view.data);
    },
    shown: () => void workspace.trigger('editor-change', view.editor, view),
  });
  view.editor = new CmEditor(pane.cm);
  const openLink = (event: MouseEvent): void => {
    if (event.button !== 0 || !(event.ctrlKey || event.metaKey)) return;
    const at = pane.cm.posAtCoords({ x: event.clientX, y: event.clientY });
    const { links = [] } = parseNote(pane.cm.state.doc.toString());
    const link = links.find(({ position: { start, end } }) => {
      return at !== null && start.offset <= at && at < end.offset;
    });
    if (!link || !view.file) return;
    // Otherwise the editor would add a cursor there.
    event.preventDefault();
    event.stopPropagation();
    workspace.openLinkText(link.link, view.file.path).catch(reportError);
  };
  source.addEventListener('mousedown', openLink, { capture: true });
  source.addEventListener('contextmenu', (event) => {
    const menu = Menu.create2__();
    workspace.trigger('editor-menu', menu, view.editor, view);
    if (menu.items__.length > 0) menu.showAtMouseEvent(event);
  });
  view.requestSave = saveSoon;
  const toggle = view.addAction('book-open', 'Reading view', () => {
    show(view, view.getMode() === 'source' ? 'preview' : 'source').catch(reportError);
  });
  const liveToggle = view.addAction('code', 'Source mode', () => toggleLive(view));

  setDirty(view, false);
  partsOf.set(view, {
    ...{ pane, source, reading, toggle, liveToggle, mode: 'source', isLive: true, drawn: null },
    writing: Promise.resolve(),
  });
  Object.assign(view, { saving: false, saveAgain: false, lastSavedData: '' });
  pane.setExtensions(extensionsOf(view));
  showLive(view, true);

  const leaf = view.leaf as unknown as ShellLeaf;
  view.registerEvent(
    workspace.on('workbench:editor-extensions', () => pane.setExtensions(extensionsOf(view))),
  );
  view.registerEvent(
    workspace.on('quick-preview', (file, data) => {
      const isElsewhere = file === (view.file as unknown) && data !== view.getViewData();
      if (isElsewhere) showText(view, data as string).catch(reportError);
    }),
  );
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

/** Reads the file after the writes in progress, for example the save of another pane. */
function readFile(view: MarkdownView, file: TFile): Promise<string> {
  return (view.app.vault.adapter as DiskAdapter).readSettled(file.path);
}

/** Shows the text of another pane or of the changed file. */
async function showText(view: MarkdownView, text: string): Promise<void> {
  view.setViewData(text, false);
  if (view.getMode() === 'preview') await drawReading(view);
}

async function openFile(view: MarkdownView, file: TFile): Promise<void> {
  await saveAll(view);
  const text = await readFile(view, file);
  view.file = file;
  parts(view).pane.load(text);
  // CodeMirror normalizes line endings, so what it shows counts as saved.
  saving(view).lastSavedData = view.data = view.editor.getValue();
  setDirty(view, false);
  if (view.getMode() === 'preview') await drawReading(view);
}

async function takeOutside(view: MarkdownView): Promise<void> {
  const { file } = view;
  const state = saving(view);
  if (!file || state.saving) return;
  const found = await readFile(view, file).catch(unlessGone);
  // The pane may show another note after the wait.
  if (view.file !== file) return;
  const text = found?.replace(/\r\n?/g, '\n') ?? state.lastSavedData;
  if (text === state.lastSavedData || state.saving) return;
  if (view.getViewData() !== state.lastSavedData && view.getViewData() !== text) {
    Notice.create__(`${file.path} was changed outside. Your unsaved text is kept.`);
    return;
  }
  state.lastSavedData = text;
  setDirty(view, false);
  await showText(view, text);
}

/** A `delete` event will follow for a missing file. */
function unlessGone(error: unknown): null {
  if ((error as { code?: unknown }).code === 'ENOENT') return null;
  throw error;
}

async function drawReading(view: MarkdownView): Promise<void> {
  const state = parts(view);
  endReading(view);
  const drawn = (state.drawn = view.addChild(new Component()));
  const page = createDiv('markdown-preview-view markdown-rendered');
  await renderMarkdown(view.app, view.getViewData(), page, view.file?.path ?? '', drawn);
  // Skipped if it was rendered again in the meantime.
  if (state.drawn === drawn) state.reading.replaceChildren(page);
}

function scrollReading(view: MarkdownView, line: number): void {
  const sections = [...parts(view).reading.querySelectorAll<HTMLElement>('[data-line]')];
  const section = sections.findLast((each) => Number(each.dataset['line']) <= line);
  section?.scrollIntoView({ block: 'center' });
}

function endReading(view: MarkdownView): void {
  const state = parts(view);
  if (state.drawn) view.removeChild(state.drawn);
  state.drawn = null;
}

function lineOf(text: string, heading: string): number | undefined {
  const at = text
    .split('\n')
    .findIndex((line) => /^#{1,6}\s/.test(line) && line.replace(/^#+\s+/, '').trim() === heading);
  return at < 0 ? undefined : at;
}
