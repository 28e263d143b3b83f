/** The note and the passage that the user is at; still so when they have turned to the panel. */
import { EditorView } from '@codemirror/view';
import type { MarkdownPostProcessorContext, MarkdownView, Plugin } from 'obsidian';
import type { ActiveNote } from '#ports/ui';
import { activeMarkdownView } from '../vault/open-editors';

export interface ActiveNoteWatch {
  now(): ActiveNote;
  /** Calls back a moment after it is another. */
  onChange(listener: () => void): () => void;
}

/** Milliseconds that a selection rests before anybody is told. */
const SETTLE_DELAY_MS = 100;

export function watchActiveNote(plugin: Plugin): ActiveNoteWatch {
  const { app } = plugin;
  const listeners = new Set<() => void>();
  let timer: number | undefined;
  const changed = () => {
    window.clearTimeout(timer);
    if (listeners.size === 0) return;
    timer = window.setTimeout(() => {
      for (const listener of listeners) listener();
    }, SETTLE_DELAY_MS);
  };
  const whileReading = selectedWhileReading(plugin, changed);
  const opened = app.workspace.on('file-open', changed);
  const renamed = app.vault.on('rename', changed);
  plugin.registerEditorExtension(
    EditorView.updateListener.of(({ selectionSet, docChanged }) => {
      if (selectionSet || docChanged) changed();
    }),
  );
  plugin.register(() => {
    app.workspace.offref(opened);
    app.vault.offref(renamed);
    window.clearTimeout(timer);
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
    // Asked in either mode, since it listens from then on.
    const read = whileReading(view);
    if (view.getMode() !== 'source') return read;
    const { editor } = view;
    const text = editor.getSelection();
    if (text.trim() === '') return null;
    const from = editor.getCursor('from').line + 1;
    const end = editor.getCursor('to');
    // A line that is selected with its end, and no letter of the next, is selected alone.
    const to = Math.max(from, end.ch === 0 ? end.line : end.line + 1);
    return { kind: 'selection', path, text, from, to };
  }
}

/** Of a note, which is drawn section by section. */
interface Section {
  readonly path: string;
  /** Of the whole note. */
  readonly lines: readonly string[];
  /** Lines from 1, inclusive. */
  readonly from: number;
  readonly to: number;
}

/** @param changed told when it may be another */
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

  /** Notes lie in several windows. */
  function listen(page: Document): void {
    if (pages.has(page)) return;
    pages.add(page);
    page.addEventListener('selectionchange', () => look(page.getSelection()), {
      signal: unloaded.signal,
    });
  }

  function look(selection: Selection | null): void {
    const within = selection?.anchorNode?.parentElement?.closest('.markdown-reading-view');
    // Elsewhere nothing is selected to be asked about.
    if (!selection || !within) return;
    last = { within, selection: selection.isCollapsed ? null : selectedIn(selection) };
    changed();
  }

  function selectedIn(selection: Selection): ActiveNote['selection'] {
    const range = selection.getRangeAt(0);
    const [first, end] = [range.startContainer, range.endContainer].map(sectionOf);
    if (!first || !end || first.path !== end.path) return null;
    // Three clicks select a paragraph with its end, which is where the next one begins.
    const isBefore = range.endOffset === 0 && end.from > first.to;
    const to = isBefore ? end.from - 1 : end.to;
    // What is embedded there is another note's; its own lines only name it.
    const text = range.cloneContents().querySelector('.internal-embed')
      ? first.lines.slice(first.from - 1, to).join('\n')
      : selection.toString();
    return text.trim() === ''
      ? null
      : { kind: 'selection', path: first.path, text, from: first.from, to };
  }

  /** Obsidian draws a note section by section, and tells of each which lines it was made of. */
  function sectionOf(node: Node): Section | null {
    for (let at: Node | null = node; at; at = at.parentNode) {
      const context = sections.get(at);
      const info = context?.getSectionInfo(at as HTMLElement);
      if (context && info)
        return {
          path: context.sourcePath,
          lines: info.text.split('\n'),
          ...{ from: info.lineStart + 1, to: info.lineEnd + 1 },
        };
    }
    return null;
  }
}
