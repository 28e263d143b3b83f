import { EditorView } from '@codemirror/view';
import { editorInfoField, MarkdownView, Menu, type App, type Editor } from 'obsidian';
import type { Host, ContractQuestion } from '../question';

/** All of these need a screen, because the headless host opens no editors. */
export const editorQuestions: readonly ContractQuestion[] = [
  {
    name: 'a note opens in a MarkdownView with its file and an editor with its text',
    about: ['MarkdownView', 'MarkdownView.editor', 'Editor.getValue', 'FileView.file'],
    onScreen: true,
    async ask({ app }) {
      const file = await app.vault.create('A.md', 'one\ntwo');
      const view = await openNote(app, 'A');
      return [view.file === file, view.editor.getValue()];
    },
    answer: [true, 'one\ntwo'],
  },
  {
    name: 'an editor normalizes line endings without marking the note as changed (observed)',
    about: ['Editor.getValue', 'MarkdownView.dirty'],
    onScreen: true,
    async ask({ app, folder }) {
      await app.vault.create('A.md', 'one\r\ntwo\r\n');
      const view: WithDirt = await openNote(app, 'A');
      return [view.editor.getValue(), view.dirty, await folder.read('A.md')];
    },
    answer: ['one\ntwo\n', false, 'one\r\ntwo\r\n'],
  },
  {
    name: 'getSelection and getCursor return the selection even if the editor has lost focus',
    about: ['Editor.getSelection', 'Editor.getCursor', 'EditorPosition.line', 'EditorPosition.ch'],
    onScreen: true,
    async ask({ app }) {
      const editor = await editorOf(app, 'one\ntwo\nthree');
      editor.setSelection({ line: 2, ch: 2 }, { line: 1, ch: 1 });
      const field = document.body.createEl('input');
      field.focus();
      const [from, to] = [editor.getCursor('from'), editor.getCursor('to')];
      field.remove();
      return [editor.getSelection(), from.line, from.ch, to.line, to.ch];
    },
    answer: ['wo\nth', 1, 1, 2, 2],
  },
  {
    name: 'offsetToPos returns the line and character, counted from zero',
    about: ['Editor.offsetToPos'],
    onScreen: true,
    async ask({ app }) {
      const editor = await editorOf(app, 'one\n😀 two');
      return [0, 3, 4, 7, 10].map((offset) => {
        const { line, ch } = editor.offsetToPos(offset);
        return [line, ch];
      });
    },
    answer: [
      [0, 0],
      [0, 3],
      [1, 0],
      [1, 3],
      [1, 6],
    ],
  },
  {
    name: 'a transaction is one undo step, uses positions of the text before it, and maps the cursor',
    about: [
      ...['Editor.transaction', 'EditorTransaction.changes', 'EditorChange.text'],
      ...['EditorRangeOrCaret.from', 'EditorRangeOrCaret.to', 'Editor.getValue'],
    ],
    onScreen: true,
    async ask({ app }) {
      const editor = await editorOf(app, 'one two three');
      editor.setCursor(editor.offsetToPos(9));
      editor.transaction({
        changes: [
          { from: editor.offsetToPos(0), to: editor.offsetToPos(3), text: 'first' },
          { from: editor.offsetToPos(4), to: editor.offsetToPos(7), text: '' },
        ],
      });
      const after = [editor.getValue(), editor.getCursor().ch];
      editor.undo();
      return [...after, editor.getValue()];
    },
    answer: ['first  three', 8, 'one two three'],
  },
  {
    name: 'changes in an editor are not saved immediately, and save writes them',
    about: ['TextFileView.save', 'Editor.getValue'],
    onScreen: true,
    async ask({ app, folder }) {
      await app.vault.create('A.md', 'one');
      const view = await openNote(app, 'A');
      view.editor.setValue('two');
      const before = await folder.read('A.md');
      await view.save();
      return [before, view.editor.getValue(), await folder.read('A.md')];
    },
    answer: ['one', 'two', 'two'],
  },
  {
    name: 'a view is dirty from a change in its editor until it is saved (observed)',
    about: ['MarkdownView.dirty', 'TextFileView.save'],
    onScreen: true,
    async ask({ app }) {
      await app.vault.create('A.md', 'one');
      const view: WithDirt = await openNote(app, 'A');
      const before = view.dirty;
      view.editor.setValue('two');
      const typed = [view.dirty, view.data];
      await view.save();
      return [before, typed, view.dirty];
    },
    answer: [false, [true, 'two'], false],
  },
  {
    name: 'a change through the vault appears in an open editor of the note',
    about: ['Vault.process', 'Editor.getValue'],
    onScreen: true,
    async ask({ app, plugin }) {
      const file = await app.vault.create('A.md', 'one');
      const view = await openNote(app, 'A');
      const shown = new Promise<string>((resolve) => {
        plugin.registerEvent(
          app.workspace.on('editor-change', (editor) => resolve(editor.getValue())),
        );
      });
      await app.vault.process(file, (text) => `${text} two`);
      return [await shown, view.editor.getValue()];
    },
    answer: ['one two', 'one two'],
  },
  {
    name: 'getActiveViewOfType returns the view of the active note',
    about: ['Workspace.getActiveViewOfType', 'MarkdownView', 'FileView.file'],
    onScreen: true,
    async ask({ app }) {
      await app.vault.create('A.md', '');
      await openNote(app, 'A');
      return app.workspace.getActiveViewOfType(MarkdownView)?.file?.path;
    },
    answer: 'A.md',
  },
  {
    name: 'an editor exposes its CodeMirror view, which reports whether an IME composition is active (observed)',
    about: ['Editor.cm'],
    onScreen: true,
    async ask({ app }) {
      const { cm } = (await editorOf(app, 'one')) as WithCodeMirror;
      return [cm?.composing, cm?.contentDOM.isContentEditable, cm?.contentDOM.textContent];
    },
    answer: [false, true, 'one'],
  },
  {
    name: 'listSelections returns every cursor and selection',
    about: ['Editor.listSelections'],
    onScreen: true,
    async ask({ app }) {
      const editor = await editorOf(app, 'one\ntwo\nthree');
      editor.setSelections([
        { anchor: { line: 0, ch: 1 } },
        { anchor: { line: 2, ch: 0 }, head: { line: 2, ch: 3 } },
      ]);
      return editor.listSelections().map(({ anchor, head }) => [anchor.line, anchor.ch, head.ch]);
    },
    answer: [
      [0, 1, 1],
      [2, 0, 3],
    ],
  },
  {
    name: 'the context menu of an editor triggers editor-menu with the menu, the editor and its view',
    about: ["Workspace.on('editor-menu')"],
    onScreen: true,
    async ask({ app, plugin }) {
      const view = await openNote(app, await noteWith(app, 'one'));
      const given: unknown[] = [];
      plugin.registerEvent(
        app.workspace.on('editor-menu', (menu, editor, info) => {
          given.push(menu instanceof Menu, editor === view.editor, info === view);
          // Opens only afterwards.
          window.setTimeout(() => menu.hide(), 0);
        }),
      );
      const { cm } = view.editor as WithCodeMirror;
      const place = { bubbles: true, cancelable: true, clientX: 10, clientY: 10 };
      cm?.contentDOM.firstElementChild?.dispatchEvent(new MouseEvent('contextmenu', place));
      return given;
    },
    answer: [true, true, true],
  },
  {
    name: 'Vim mode moves the cursor without a user event (observed)',
    about: ['Plugin.registerEditorExtension'],
    onScreen: true,
    ownVault: 'It changes settings of the app.',
    async ask({ app, plugin }) {
      const { vault } = app as unknown as { vault: Configurable };
      vault.setConfig('vimMode', true);
      try {
        const events: unknown[] = [];
        plugin.registerEditorExtension(
          EditorView.updateListener.of(({ transactions }) => {
            for (const each of transactions) {
              if (each.selection) events.push(each.isUserEvent('select'));
            }
          }),
        );
        const editor = await editorOf(app, 'one\ntwo');
        editor.focus();
        events.length = 0;
        const key = { key: 'j', code: 'KeyJ', keyCode: 74, bubbles: true, cancelable: true };
        const { cm } = editor as WithCodeMirror;
        cm?.contentDOM.dispatchEvent(new KeyboardEvent('keydown', key));
        return [editor.getCursor().line, events.length > 0, events.includes(true)];
      } finally {
        vault.setConfig('vimMode', undefined);
      }
    },
    answer: [1, true, false],
  },
  {
    name: 'the editor of a note is that of its view, as extensions see it (observed)',
    about: ['editorInfoField', 'MarkdownFileInfo.editor', 'Editor.cm'],
    onScreen: true,
    async ask({ app, plugin }) {
      const seen: boolean[] = [];
      plugin.registerEditorExtension(
        EditorView.updateListener.of(({ view, docChanged }) => {
          const editor: WithCodeMirror | undefined = view.state.field(editorInfoField).editor;
          if (docChanged) seen.push(editor?.cm === view);
        }),
      );
      const editor = await editorOf(app, 'one');
      editor.setValue('two');
      return [seen.length > 0, seen.includes(false)];
    },
    answer: [true, false],
  },
  {
    name: 'save during a save returns before the text is in the file, which follows (observed)',
    about: ['TextFileView.save', 'MarkdownView.saving', 'MarkdownView.lastSavedData'],
    onScreen: true,
    async ask({ app, folder }) {
      await app.vault.create('A.md', 'one');
      const view: WithSaves = await openNote(app, 'A');
      view.editor.setValue('two');
      const first = view.save();
      const during = view.saving;
      view.editor.setValue('three');
      await view.save();
      const returned = view.lastSavedData;
      await first;
      while (view.saving === true || view.lastSavedData !== 'three') {
        await new Promise((resolve) => window.setTimeout(resolve, 20));
      }
      return [during, returned === 'three', await folder.read('A.md')];
    },
    answer: [true, false, 'three'],
  },
];

interface Configurable {
  setConfig(name: string, value: unknown): void;
}

interface WithSaves extends MarkdownView {
  readonly saving?: boolean;
  readonly lastSavedData?: string | null;
}

interface WithDirt extends MarkdownView {
  readonly dirty?: boolean;
}

interface WithCodeMirror extends Editor {
  readonly cm?: { readonly composing: boolean; readonly contentDOM: HTMLElement };
}

async function editorOf(app: Host['app'], text: string): Promise<Editor> {
  return (await openNote(app, await noteWith(app, text))).editor;
}

async function noteWith({ vault }: App, text: string): Promise<string> {
  return (await vault.create('A.md', text)).basename;
}

async function openNote({ workspace }: App, link: string): Promise<MarkdownView> {
  await workspace.openLinkText(link, '', false);
  const view = workspace.getActiveViewOfType(MarkdownView);
  if (!view) throw new Error('The note is in no editor.');
  return view;
}
