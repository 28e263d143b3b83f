/**
 * Live preview: renders code blocks in a language that a plugin processes, unless a selection
 * touches them.
 */
import { type EditorState, type Extension, type Range, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';
import type { MarkdownPostProcessorContext } from 'obsidian';
import { Component, type MarkdownView } from 'obsidian-test-mocks/obsidian';
import { editorLivePreviewField } from '../../obsidian/editor-fields';
import { reportError } from '../../obsidian/events';
import { setIcon } from '../../obsidian/icons';
import { type CodeBlockProcessor, registrationsOf } from '../../obsidian/registrations';

export function livePreview(view: MarkdownView): Extension {
  return StateField.define<DecorationSet>({
    create: (state) => drawnBlocks(state, view),
    update: (drawn, { docChanged, selection, startState, state }) =>
      docChanged || selection || isLive(startState) !== isLive(state)
        ? drawnBlocks(state, view)
        : drawn,
    provide: (field) => EditorView.decorations.from(field),
  });
}

/** Undefined before the editor has its extensions. */
function isLive(state: EditorState): boolean | undefined {
  return state.field(editorLivePreviewField, false);
}

function drawnBlocks(state: EditorState, view: MarkdownView): DecorationSet {
  if (!isLive(state)) return Decoration.none;
  const { codeBlockProcessors } = registrationsOf(view.app);
  const { ranges } = state.selection;
  const drawn = codeBlocksIn(state.doc.toString()).flatMap((block): Range<Decoration>[] => {
    const { language, from, to } = block;
    const process = codeBlockProcessors.get(language);
    if (!process || ranges.some((each) => each.from <= to && each.to >= from)) return [];
    const widget = new BlockWidget(block, process, view);
    return [Decoration.replace({ widget, block: true }).range(from, to)];
  });
  return Decoration.set(drawn);
}

/** Components that are unloaded together with their widget's element. */
const owners = new WeakMap<HTMLElement, Component>();

class BlockWidget extends WidgetType {
  constructor(
    readonly block: CodeBlock,
    readonly process: CodeBlockProcessor,
    readonly view: MarkdownView,
  ) {
    super();
  }

  override eq({ block, process }: BlockWidget): boolean {
    const { language, source } = this.block;
    return block.language === language && block.source === source && process === this.process;
  }

  override toDOM(cm: EditorView): HTMLElement {
    const { language, source } = this.block;
    const dom = createDiv('cm-preview-code-block cm-embed-block markdown-rendered');
    const place = dom.createDiv(`block-language-${language}`);
    this.#addEditButton(dom, cm);
    const owner = new Component();
    owner.load();
    owners.set(dom, owner);
    // The height changes while content is loading.
    const watch = new ResizeObserver(() => cm.requestMeasure());
    watch.observe(dom);
    owner.register(() => watch.disconnect());
    const context = this.#context(owner, dom, cm);
    const drawing = async (): Promise<unknown> => this.process(source, place, context);
    drawing().catch(reportError);
    return dom;
  }

  override destroy(dom: HTMLElement): void {
    owners.get(dom)?.unload();
  }

  /** Clicks go to the rendered content, not to the editor. */
  override ignoreEvent(): boolean {
    return true;
  }

  #addEditButton(dom: HTMLElement, cm: EditorView): void {
    const edit = dom.createDiv({
      cls: 'edit-block-button',
      attr: { 'aria-label': 'Edit this block' },
    });
    setIcon(edit, 'code-2');
    edit.addEventListener('click', () => {
      const found = this.#found(dom, cm);
      if (found) cm.dispatch({ selection: { anchor: found.inside } });
      cm.focus();
    });
  }

  #context(owner: Component, dom: HTMLElement, cm: EditorView): MarkdownPostProcessorContext {
    const { app, file } = this.view;
    const sourcePath = file?.path ?? '';
    const { frontmatter } = app.metadataCache.getCache(sourcePath) ?? {};
    return {
      ...{ docId: sourcePath, sourcePath, frontmatter },
      addChild: (child) => void owner.addChild(child as unknown as Component),
      getSectionInfo: () => {
        const found = this.#found(dom, cm);
        if (!found) return null;
        const { doc } = cm.state;
        const line = (at: number): number => doc.lineAt(at).number - 1;
        return { text: doc.toString(), lineStart: line(found.from), lineEnd: line(found.to) };
      },
    };
  }

  /** The block at its current position in the text. */
  #found(dom: HTMLElement, cm: EditorView): CodeBlock | undefined {
    if (!cm.dom.contains(dom)) return undefined;
    const at = cm.posAtDOM(dom);
    return codeBlocksIn(cm.state.doc.toString()).find(({ from, to }) => from <= at && at <= to);
  }
}

interface CodeBlock {
  readonly language: string;
  /** Text between the fences. */
  readonly source: string;
  /** From the start of the opening fence to the end of the closing fence. */
  readonly from: number;
  readonly to: number;
  /** Start of the text between the fences. */
  readonly inside: number;
}

/** Finds fenced code blocks without indentation. */
function codeBlocksIn(text: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let open: { from: number; inside: number; fence: string; language: string } | null = null;
  let at = 0;
  for (const line of text.split('\n')) {
    const from = at;
    at += line.length + 1;
    if (!open) {
      const [, fence, language = ''] = /^(`{3,}|~{3,})\s*([^\s`]*)[^`]*$/.exec(line) ?? [];
      if (fence) open = { from, inside: at, fence, language };
      continue;
    }
    const [closing = ''] = /^(`{3,}|~{3,})(?=\s*$)/.exec(line) ?? [];
    if (!closing.startsWith(open.fence)) continue;
    const { fence: _, ...begun } = open;
    const source = text.slice(open.inside, Math.max(open.inside, from - 1));
    blocks.push({ ...begun, source, to: from + line.length });
    open = null;
  }
  return blocks;
}
