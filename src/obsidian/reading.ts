/** The note and the passage that the person is at; still so when they have turned to the panel. */
import { EditorView } from '@codemirror/view';
import type { Plugin } from 'obsidian';
import type { Reading } from '#ports/ui';
import { noteView } from './note-views';
import { selectedWhileReading } from './selected-while-reading';

export interface ReadingNow {
  now(): Reading;
  /** Calls back a moment after it is another. */
  onChange(listener: () => void): () => void;
}

/** Milliseconds that a selection rests before anybody is told. */
const REST = 100;

export function readingNow(plugin: Plugin): ReadingNow {
  const { app } = plugin;
  const listeners = new Set<() => void>();
  let timer: number | undefined;
  const changed = () => {
    window.clearTimeout(timer);
    if (listeners.size === 0) return;
    timer = window.setTimeout(() => {
      for (const listener of listeners) listener();
    }, REST);
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

  function selected(): Reading['selection'] {
    const view = noteView(app);
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
