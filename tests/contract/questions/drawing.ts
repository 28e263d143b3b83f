/** What a plugin adds to notes in reading view and in the editor. */
import { type EditorState, type Extension, Prec, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';
import {
  MarkdownRenderChild,
  MarkdownView,
  Plugin,
  editorInfoField,
  editorLivePreviewField,
  type App,
  type MarkdownPostProcessorContext,
} from 'obsidian';
import { errorOf, type Host, type ContractQuestion } from '../question';

const NOTE = '---\na: 1\n---\n# Head\n\n```contract\none\ntwo\n```\n\nBelow.\n';

export const drawingQuestions: readonly ContractQuestion[] = [
  {
    name: 'code block processors, post processors and editor extensions can be registered',
    about: [
      'Plugin.registerMarkdownCodeBlockProcessor',
      'Plugin.registerMarkdownPostProcessor',
      'Plugin.registerEditorExtension',
    ],
    async ask({ plugin }) {
      const register = async () => {
        plugin.registerMarkdownCodeBlockProcessor('contract', () => undefined);
        plugin.registerMarkdownPostProcessor(() => undefined);
        plugin.registerEditorExtension([]);
      };
      return errorOf(register());
    },
    answer: 'none',
  },
  {
    name: 'a code block processor receives the block’s source in live preview and in reading view',
    about: [
      ...['Plugin.registerMarkdownCodeBlockProcessor', 'MarkdownPostProcessorContext.sourcePath'],
      'View.containerEl',
    ],
    onScreen: true,
    async ask(host) {
      const answers: unknown[] = [];
      for (const mode of ['source', 'preview']) {
        const { source, el, context, view } = await drawn(host, mode);
        el.setText('words');
        answers.push([source, context.sourcePath, el.className]);
        await shown(() => view.containerEl.textContent.includes('words'));
      }
      return answers;
    },
    answer: [
      ['one\ntwo', 'A.md', 'block-language-contract'],
      ['one\ntwo', 'A.md', 'block-language-contract'],
    ],
  },
  {
    name: 'getSectionInfo returns a rendered block’s lines and the note’s text once the block is shown',
    about: [
      ...['MarkdownPostProcessorContext.getSectionInfo', 'MarkdownSectionInformation.text'],
      'MarkdownSectionInformation.lineStart',
      'MarkdownSectionInformation.lineEnd',
    ],
    onScreen: true,
    async ask(host) {
      const answers: unknown[] = [];
      for (const mode of ['source', 'preview']) {
        const { el, context } = await drawn(host, mode);
        await shown(() => el.isConnected);
        const info = context.getSectionInfo(el);
        answers.push([info?.text === NOTE, info?.lineStart, info?.lineEnd]);
      }
      return answers;
    },
    answer: [
      [true, 5, 8],
      [true, 5, 8],
    ],
  },
  {
    name: 'a render child is unloaded when its block is removed from view',
    about: [
      ...['MarkdownPostProcessorContext.addChild', 'MarkdownRenderChild'],
      ...['MarkdownRenderChild.containerEl', 'Component.onload', 'Component.onunload'],
    ],
    onScreen: true,
    async ask(host) {
      const answers: unknown[] = [];
      for (const mode of ['source', 'preview']) {
        const { el, context, view } = await drawn(host, mode);
        const child = new Child(el);
        context.addChild(child);
        const before = [...child.lived, child.containerEl === el];
        await view.setState({ mode: 'source', source: true }, { history: false });
        answers.push([before, child.lived]);
      }
      return answers;
    },
    answer: [
      [
        ['loaded', true],
        ['loaded', 'unloaded'],
      ],
      [
        ['loaded', true],
        ['loaded', 'unloaded'],
      ],
    ],
  },
  {
    name: 'a MarkdownRenderChild has its element and is notified of loading and unloading',
    about: [
      ...['MarkdownRenderChild', 'MarkdownRenderChild.containerEl'],
      ...['Component.onload', 'Component.onunload'],
    ],
    async ask() {
      const el = createDiv();
      const child = new Child(el);
      child.load();
      child.unload();
      return [child.containerEl === el, child.lived];
    },
    answer: [true, ['loaded', 'unloaded']],
  },
  {
    name: 'a post processor receives each section of the reading view with its lines',
    about: [
      'Plugin.registerMarkdownPostProcessor',
      ...['MarkdownPostProcessorContext.getSectionInfo', 'MarkdownSectionInformation.lineStart'],
    ],
    onScreen: true,
    async ask(host) {
      const sections: unknown[] = [];
      host.plugin.registerMarkdownPostProcessor((el, context) => {
        sections.push([el.textContent.trim(), context.getSectionInfo(el)?.lineStart]);
      });
      await drawn(host, 'preview');
      await shown(() => sections.length === 3);
      return sections;
    },
    answer: [
      ['Head', 3],
      ['', 5],
      ['Below.', 10],
    ],
  },
  {
    name: 'editorLivePreviewField tells whether live preview is shown, also after it changes',
    about: ['Plugin.registerEditorExtension', 'editorLivePreviewField'],
    onScreen: true,
    async ask(host) {
      const seen: (boolean | undefined)[] = [];
      const note = (state: EditorState) => {
        const isLive = state.field(editorLivePreviewField, false);
        if (seen.at(-1) !== isLive) seen.push(isLive);
        return null;
      };
      const field = StateField.define<null>({
        create: note,
        update: (_, { state }) => note(state),
      });
      host.plugin.registerEditorExtension(field);
      const { view } = await drawn(host, 'source');
      seen.splice(0);
      note(stateOf(view));
      for (const source of [true, false]) {
        await view.setState({ mode: 'source', source }, { history: false });
      }
      return seen;
    },
    answer: [true, false, true],
  },
  {
    name: 'editorInfoField tells the file of the editor, also after another note is opened in it',
    about: ['editorInfoField', 'MarkdownFileInfo.file'],
    onScreen: true,
    async ask(host) {
      const { view } = await drawn(host, 'source');
      const paths = [stateOf(view).field(editorInfoField, false)?.file?.path];
      const other = await host.app.vault.create('Other.md', 'three');
      await view.leaf.openFile(other);
      paths.push(stateOf(view).field(editorInfoField, false)?.file?.path);
      return paths;
    },
    answer: ['A.md', 'Other.md'],
  },
  {
    name: 'in live preview a plugin’s block decoration is drawn in place of a processed fence, and its marks and widgets on the lines around',
    about: ['Plugin.registerEditorExtension', 'View.containerEl'],
    onScreen: true,
    async ask(host) {
      const { view } = await drawn(host, 'source');
      host.plugin.registerEditorExtension(contractDrawing());
      const count = (selector: string) => view.containerEl.querySelectorAll(selector).length;
      await shown(() => count('.contract-bar') > 0);
      const kinds = ['bar', 'mark', 'words'].map((kind) => count(`.cm-content .contract-${kind}`));
      return [...kinds, count('.cm-content .block-language-contract')];
    },
    answer: [1, 1, 1, 0],
  },
  {
    name: 'an element between the header and the content of a note stays there in both modes and with another note',
    about: ['View.containerEl', 'ItemView.contentEl'],
    onScreen: true,
    async ask(host) {
      const { view } = await drawn(host, 'source');
      const added = view.containerEl.createDiv();
      added.addClass('contract-above');
      view.containerEl.insertBefore(added, view.contentEl);
      added.setText('above');
      const isBetween = () => {
        const { bottom, height } = added.getBoundingClientRect();
        const isAbove = bottom <= view.contentEl.getBoundingClientRect().top;
        return added.previousElementSibling !== null && height > 0 && isAbove;
      };
      const answers = [isBetween()];
      await view.leaf.setViewState({ type: 'markdown', state: { mode: 'preview' } });
      answers.push(isBetween());
      const other = await host.app.vault.create('Other.md', 'three');
      await view.leaf.openFile(other);
      return [...answers, isBetween()];
    },
    answer: [true, true, true],
  },
  {
    name: 'a MarkdownView returns its mode, and the note’s text in both modes',
    about: ['MarkdownView.getMode', 'MarkdownView.getViewData'],
    onScreen: true,
    async ask(host) {
      const answers: unknown[] = [];
      for (const mode of ['source', 'preview']) {
        const { view } = await drawn(host, mode);
        answers.push([view.getMode(), view.getViewData() === NOTE]);
      }
      return answers;
    },
    answer: [
      ['source', true],
      ['preview', true],
    ],
  },
  {
    name: 'setCursor moves the cursor to a line and character',
    about: ['Editor.setCursor', 'Editor.getCursor', 'Editor.posToOffset'],
    onScreen: true,
    async ask(host) {
      const { editor } = (await drawn(host, 'source')).view;
      editor.setCursor({ line: 3, ch: 2 });
      const { line, ch } = editor.getCursor();
      return [line, ch, editor.posToOffset({ line, ch })];
    },
    answer: [3, 2, 15],
  },
  {
    name: 'a position in a long note can be scrolled into view in the editor and in reading view',
    about: [
      ...['Editor.scrollIntoView', 'EditorRange.from', 'EditorRange.to'],
      'View.setEphemeralState',
    ],
    onScreen: true,
    async ask(host) {
      const long = `${'Above.\n\n'.repeat(200)}${NOTE.slice(NOTE.indexOf('```'))}`;
      const editing = await openNote(host.app, long);
      const last = { line: 404, ch: 0 };
      const isSeen = () => {
        const found = editing.containerEl.textContent.includes('Below.');
        return found && seenText(editing).includes('Below.');
      };
      const before = isSeen();
      editing.editor.scrollIntoView({ from: last, to: last }, true);
      await shown(isSeen);
      await editing.setState({ mode: 'preview' }, { history: false });
      const reading = isSeen();
      editing.setEphemeralState({ line: 404 });
      await shown(isSeen);
      return [before, reading];
    },
    answer: [false, false],
  },
  {
    name: 'getMostRecentLeaf returns the note’s leaf while a sidebar leaf is active, and setActiveLeaf focuses it',
    about: ['Workspace.getMostRecentLeaf', 'Workspace.setActiveLeaf', 'focus', 'View.leaf'],
    onScreen: true,
    async ask({ app }) {
      const { workspace } = app;
      const view = await openNote(app, NOTE);
      const side = workspace.getRightLeaf(false);
      if (side) workspace.setActiveLeaf(side, { focus: true });
      const away = workspace.getActiveViewOfType(MarkdownView) === null;
      const known = workspace.getMostRecentLeaf()?.view === view;
      workspace.setActiveLeaf(view.leaf, { focus: true });
      const back = workspace.getActiveViewOfType(MarkdownView) === view;
      return [away, known, back, view.editor.hasFocus()];
    },
    answer: [true, true, true, true],
  },
  {
    name: 'a command with checkCallback runs only if the check succeeds',
    about: ['Plugin.addCommand', 'Command.checkCallback'],
    async ask({ app, plugin }) {
      const { commands } = app as unknown as WithCommands;
      const runs: boolean[] = [];
      let can = false;
      plugin.addCommand({
        ...{ id: 'check', name: 'Check' },
        checkCallback: (checking) => {
          if (can) runs.push(checking);
          return can;
        },
      });
      const before = commands.executeCommandById('contract:check');
      can = true;
      const after = commands.executeCommandById('contract:check');
      return [before, after, runs];
    },
    answer: [false, true, [true, false]],
  },
  {
    name: 'editorCheckCallback receives the editor and view of the active note',
    about: ['Command.editorCheckCallback'],
    onScreen: true,
    async ask(host) {
      const { commands } = host.app as unknown as WithCommands;
      const given: unknown[] = [];
      host.plugin.addCommand({
        ...{ id: 'edit', name: 'Edit' },
        editorCheckCallback: (checking, editor, view) => {
          if (!checking) given.push(editor.getValue() === NOTE, view instanceof MarkdownView);
          return true;
        },
      });
      await drawn(host, 'source');
      const ran = commands.executeCommandById('contract:edit');
      return [ran, given];
    },
    answer: [true, [true, true]],
  },
];

class Child extends MarkdownRenderChild {
  readonly lived: string[] = [];

  override onload(): void {
    this.lived.push('loaded');
  }

  override onunload(): void {
    this.lived.push('unloaded');
  }
}

interface Drawn {
  readonly source: string;
  readonly el: HTMLElement;
  readonly context: MarkdownPostProcessorContext;
  readonly view: MarkdownView;
}

class DrawnWords extends WidgetType {
  constructor(readonly kind: string) {
    super();
  }

  override toDOM(): HTMLElement {
    return createSpan({ cls: `contract-${this.kind}`, text: this.kind });
  }
}

/** A bar in place of the fence, and a mark and a widget on the line below it. */
function contractDrawing(): Extension {
  const draw = ({ doc }: EditorState): DecorationSet => {
    const text = doc.toString();
    const from = text.indexOf('```contract');
    const below = text.indexOf('Below.');
    if (from < 0 || below < 0) return Decoration.none;
    const bar = Decoration.replace({ widget: new DrawnWords('bar'), block: true });
    const words = Decoration.widget({ widget: new DrawnWords('words'), side: 1 });
    return Decoration.set([
      bar.range(from, text.indexOf('```', from + 3) + 3),
      Decoration.mark({ class: 'contract-mark' }).range(below, below + 5),
      words.range(below + 5),
    ]);
  };
  const field = StateField.define<DecorationSet>({
    create: draw,
    update: (_, { state }) => draw(state),
    provide: (own) => EditorView.decorations.from(own),
  });
  return Prec.highest(field);
}

class Passing extends Plugin {}

/** Opens a note with a code block in this mode and waits until the block is rendered. */
async function drawn({ app, plugin }: Host, mode: string): Promise<Drawn> {
  const passing = new Passing(app, plugin.manifest);
  passing.load();
  const block = new Promise<Omit<Drawn, 'view'>>((resolve) => {
    passing.registerMarkdownCodeBlockProcessor('contract', (source, el, context) =>
      resolve({ source, el, context }),
    );
  });
  const known = app.vault.getFileByPath('A.md');
  if (known) await app.vault.delete(known);
  const view = await openNote(app, NOTE);
  await view.setState({ mode, source: false }, { history: false });
  const found = { ...(await block), view };
  plugin.register(() => passing.unload());
  return found;
}

async function openNote({ vault, workspace }: App, text: string): Promise<MarkdownView> {
  const file = await vault.create('A.md', text);
  const leaf = workspace.getLeaf('tab');
  await leaf.openFile(file);
  if (!(leaf.view instanceof MarkdownView)) throw new Error('The note is in no editor.');
  return leaf.view;
}

function stateOf({ editor }: MarkdownView): EditorState {
  return (editor as unknown as { cm: { state: EditorState } }).cm.state;
}

/** The text that is visible in the view's viewport. */
function seenText({ contentEl }: MarkdownView): string {
  const frame = contentEl.getBoundingClientRect();
  const parts = contentEl.querySelectorAll<HTMLElement>('.cm-line, .markdown-rendered p');
  return [...parts]
    .filter((part) => {
      const { top, bottom } = part.getBoundingClientRect();
      return part.isShown() && bottom > frame.top && top < frame.bottom;
    })
    .map(({ textContent }) => textContent)
    .join('\n');
}

async function shown(isThere: () => boolean): Promise<void> {
  while (!isThere()) await new Promise((resolve) => window.requestAnimationFrame(resolve));
}

/** Obsidian's command registry, which is not in the published types. */
interface WithCommands {
  readonly commands: { executeCommandById(id: string): boolean };
}
