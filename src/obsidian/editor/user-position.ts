/**
 * Watches the active note and the selection in it; both stay the same while the panel has focus.
 */
import { EditorView } from '@codemirror/view';
import type { MarkdownPostProcessorContext, MarkdownView, Plugin } from 'obsidian';
import type { ActiveNote } from '#ports/ui';
import { activeMarkdownView, rememberMarkdownViews } from '../vault/open-editors';
import { pathOf } from './authorship-marks';

export interface ActiveNoteWatch {
  now(): ActiveNote;
  /** Calls the listener shortly after the note or the selection changes. */
  onChange(listener: () => void): () => void;
}

/** Milliseconds without another change before listeners are called. */
const SETTLE_DELAY_MS = 100;

export function watchActiveNote(plugin: Plugin): ActiveNoteWatch {
  const { app } = plugin;
  const listeners = new Set<() => void>();
  let cancel: () => void = () => undefined;
  const changed = () => {
    cancel();
    if (listeners.size === 0) return;
    // The timers of a hidden window are late, and the main window may be hidden.
    const own = activeWindow;
    const timer = own.setTimeout(() => {
      for (const listener of listeners) listener();
    }, SETTLE_DELAY_MS);
    cancel = () => own.clearTimeout(timer);
  };
  rememberMarkdownViews(plugin);
  const whileReading = selectedWhileReading(plugin, changed);
  const opened = app.workspace.on('file-open', changed);
  // Closing the last note, or deleting it, opens no file.
  const closed = app.workspace.on('layout-change', changed);
  const moved = [app.vault.on('rename', changed), app.vault.on('delete', changed)];
  plugin.registerEditorExtension(
    EditorView.updateListener.of(({ view, selectionSet, docChanged }) => {
      if ((selectionSet || docChanged) && pathOf(view) !== null) changed();
    }),
  );
  plugin.register(() => {
    for (const each of [opened, closed]) app.workspace.offref(each);
    for (const each of moved) app.vault.offref(each);
    cancel();
  });

  return {
    now: () => ({ note: app.workspace.getActiveFile()?.path ?? null, selection: selected() }),
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };

  function selected(): ActiveNote['selection'] {
    const view = activeMarkdownView(app);
    const path = view?.file?.path;
    if (!view || path === undefined) return null;
    // Called in both modes, because the first call starts listening in this window.
    const read = whileReading(view);
    if (view.getMode() !== 'source') return read;
    const { editor } = view;
    const text = editor.getSelection();
    if (text.trim() === '') return null;
    const from = editor.getCursor('from').line + 1;
    const end = editor.getCursor('to');
    // A selection that ends before the first character of a line does not include that line.
    const to = Math.max(from, end.ch === 0 ? end.line : end.line + 1);
    return { kind: 'selection', path, text, from, to };
  }
}

/** A rendered section of a note. */
interface Section {
  readonly path: string;
  /** Lines of the whole note. */
  readonly lines: readonly string[];
  /** One-based and inclusive. */
  readonly from: number;
  readonly to: number;
}

/** @param changed called when the selection may have changed */
export function selectedWhileReading(
  plugin: Plugin,
  changed: () => void,
): (view: MarkdownView) => ActiveNote['selection'] {
  const sections = new WeakMap<Node, MarkdownPostProcessorContext>();
  const pages = new WeakSet<Document>();
  const unloaded = new AbortController();
  plugin.register(() => unloaded.abort());
  let last: { readonly within: Element; readonly selection: ActiveNote['selection'] } | null = null;

  plugin.registerMarkdownPostProcessor((section, context) => void sections.set(section, context));
  return ({ contentEl, file }) => {
    listen(contentEl.ownerDocument);
    return last && contentEl.contains(last.within) && last.selection?.path === file?.path
      ? last.selection
      : null;
  };

  /** Each window has its own document. */
  function listen(page: Document): void {
    if (pages.has(page)) return;
    pages.add(page);
    page.addEventListener('selectionchange', () => look(page.getSelection()), {
      signal: unloaded.signal,
    });
  }

  function look(selection: Selection | null): void {
    const within = selection?.anchorNode?.parentElement?.closest('.markdown-reading-view');
    // Selections outside of a reading view do not count.
    if (!selection || !within) return;
    last = { within, selection: selection.isCollapsed ? null : selectedIn(selection) };
    changed();
  }

  function selectedIn(selection: Selection): ActiveNote['selection'] {
    const range = selection.getRangeAt(0);
    const [first, end] = [range.startContainer, range.endContainer].map(sectionOf);
    if (!first || !end || first.path !== end.path) return null;
    // A triple click selects a paragraph up to the start of the next one.
    const isBefore = range.endOffset === 0 && end.from > first.to;
    const to = isBefore ? end.from - 1 : end.to;
    // Embedded text belongs to another note, so use this note's source lines instead.
    const text = range.cloneContents().querySelector('.internal-embed')
      ? first.lines.slice(first.from - 1, to).join('\n')
      : selection.toString();
    return text.trim() === ''
      ? null
      : { kind: 'selection', path: first.path, text, from: first.from, to };
  }

  /** Obsidian renders a note in sections and knows the source lines of each. */
  function sectionOf(node: Node): Section | null {
    for (let at: Node | null = node; at; at = at.parentNode) {
      const context = sections.get(at);
      const info = context?.getSectionInfo(at as HTMLElement);
      if (context && info)
        return {
          path: context.sourcePath,
          lines: info.text.split('\n'),
          from: info.lineStart + 1,
          to: info.lineEnd + 1,
        };
    }
    return null;
  }
}
