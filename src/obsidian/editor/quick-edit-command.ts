/** The command and the menu entry that open the field of a quick edit. */
import * as t from '#messages/quick-edit-messages';
import { MarkdownView, Notice, type Editor, type Plugin } from 'obsidian';
import type { Text } from '@codemirror/state';
import { EditorView } from '@codemirror/view';
import { quickEditPlace, type TargetProblem, type TextRange } from '#model/quick-edit-range';
import { ownEditsOf } from '#model/pending-edit';
import type { Agent } from '#ports/app/agent';
import type { EditsPort, QuickEditField, QuickEditHost } from '#ports/app/edits-port';
import { keepKeys } from '../key-scope';
import { openQuickEdit, quickEditField, quickEditIn, QuickEditWidget } from './open-quick-edit';

export interface QuickEditDeps {
  /** Draws the field. */
  mount(element: HTMLElement, host: QuickEditHost): Promise<QuickEditField>;
  /** Resolves when the agent is built; to null if it could not be. */
  agent(): Promise<Agent | null>;
}

/** CodeMirror's view behind Obsidian's editor. */
interface WithCodeMirror extends Editor {
  readonly cm?: EditorView;
}

const PROBLEMS: Readonly<Record<TargetProblem, string>> = {
  'front-matter': t.inProperties,
  deleted: t.inDeletedText,
};

export function addQuickEdit(plugin: Plugin, { mount, agent }: QuickEditDeps): void {
  const fields = new WeakMap<QuickEditWidget, QuickEditField>();
  /** Where the context menu of an editor was opened last, in its text of then. */
  const clicked = new WeakMap<EditorView, { readonly at: number; readonly doc: Text }>();
  plugin.registerEditorExtension([
    quickEditField(),
    EditorView.domEventObservers({
      contextmenu({ clientX: x, clientY: y }, cm) {
        clicked.set(cm, { at: cm.posAtCoords({ x, y }, false), doc: cm.state.doc });
      },
    }),
  ]);
  plugin.addCommand({
    id: 'quick-edit',
    name: t.quickEdit,
    editorCheckCallback: (checking, editor, info) => {
      if (!isNoteEditor(editor, info)) return false;
      if (!checking) void open(editor, info);
      return true;
    },
  });
  plugin.registerEvent(
    plugin.app.workspace.on('editor-menu', (menu, editor, info) => {
      if (!isNoteEditor(editor, info)) return;
      menu.addItem((item) =>
        item
          .setTitle(t.quickEdit)
          .setIcon('sparkles')
          .onClick(() => void open(editor, info, clickedIn(editor))),
      );
    }),
  );

  /** Where the menu was opened; null if that is in the selection, or the text has changed since. */
  function clickedIn(editor: Editor): number | null {
    const cm = codeMirrorOf(editor);
    const place = cm && clicked.get(cm);
    if (!cm || !place || place.doc !== cm.state.doc) return null;
    const isIn = cm.state.selection.ranges.some(
      ({ from, to }) => from < to && from <= place.at && place.at <= to,
    );
    return isIn ? null : place.at;
  }

  /** @param at where to open it, if not at the selection or cursor */
  async function open(editor: Editor, view: MarkdownView, at: number | null = null): Promise<void> {
    const cm = codeMirrorOf(editor);
    const note = view.file?.path;
    if (!cm || note === undefined) return;
    const before = quickEditIn(cm.state);
    const shown = before && fields.get(before.widget);
    if (shown && !shown.isIdle()) return shown.focus();
    if (at !== null) cm.dispatch({ selection: { anchor: at } });
    if (editor.listSelections().length > 1) return void new Notice(t.severalCursors);
    const built = await agent();
    if (!built) return;
    const { quickEdits, edits } = built;
    const checked = await quickEdits.check(note);
    if (!checked.ok) return void new Notice(checked.reason);
    // The user may have opened another note, or moved the cursor.
    if (view.file?.path !== note || view.getMode() !== 'source') return;
    const { from, to } = cm.state.selection.main;
    const place = quickEditPlace(
      note,
      cm.state.doc.toString(),
      { from, to },
      ownEditsOf(edits.pending(), note),
    );
    if (typeof place === 'string') return void new Notice(PROBLEMS[place]);
    await show(cm, view, edits, { lines: place.lines, selected: { from, to } });
  }

  async function show(
    cm: EditorView,
    view: MarkdownView,
    edits: EditsPort,
    place: { readonly lines: TextRange; readonly selected: TextRange },
  ): Promise<void> {
    // In the editor's own window; the widget moves it to its place.
    const element = cm.dom.createDiv();
    const releaseKeys = keepKeys(plugin.app, element);
    let isRemoved = false;
    const widget: QuickEditWidget = new QuickEditWidget(element, () => {
      isRemoved = true;
      releaseKeys();
      fields.get(widget)?.close();
    });
    const host: QuickEditHost = {
      get note() {
        return view.file?.path ?? '';
      },
      target(isWhole) {
        const open = quickEditIn(cm.state);
        if (open?.widget !== widget) return t.placeGone;
        const isSelected = !isWhole && open.selected.from < open.selected.to;
        const range = isSelected ? open.selected : open.lines;
        const text = cm.state.doc.toString();
        const note = view.file?.path ?? '';
        const own = ownEditsOf(edits.pending(), note);
        const now = quickEditPlace(note, text, range, own, !isSelected);
        return typeof now === 'string' ? PROBLEMS[now] : now.target;
      },
      close() {
        const { selected } = quickEditIn(cm.state) ?? place;
        cm.dispatch({
          effects: openQuickEdit.of(null),
          selection: { anchor: selected.from, head: Math.max(selected.from, selected.to) },
        });
        cm.focus();
      },
    };
    // A selection would show the source of an edit that is proposed in its place.
    cm.dispatch({
      effects: openQuickEdit.of({ widget, ...place }),
      selection: { anchor: place.selected.to },
    });
    const field = await mount(element, host);
    if (isRemoved) return field.close();
    fields.set(widget, field);
    field.focus();
    element.scrollIntoView({ block: 'nearest' });
  }
}

/** Whether the editor has the whole text of the note, unlike that of a table cell. */
function isNoteEditor(editor: Editor, info: unknown): info is MarkdownView {
  const cm = codeMirrorOf(editor);
  return info instanceof MarkdownView && cm !== undefined && codeMirrorOf(info.editor) === cm;
}

function codeMirrorOf(editor: WithCodeMirror): EditorView | undefined {
  return editor.cm;
}
