/** Shows pending edits as widgets in place of their blocks, in live preview and reading view. */
import {
  type App,
  MarkdownRenderChild,
  type MarkdownPostProcessorContext,
  type Plugin,
} from 'obsidian';
import { EDIT_LANGUAGE, type EditBlock, readFields } from '#model/edit/edit-block';
import { keepKeys } from '../key-scope';
import { proposalGuard } from './proposal-guard';
import { blockPlaces } from './edit-navigation';

export interface WidgetEdit {
  readonly note: string;
  readonly block: EditBlock;
}

/** The component mounted in a widget. */
export interface MountedWidget {
  /** Starts editing the proposed text. */
  edit(): void;
  /** Opens the field in which the user says something about the edit. */
  reply(): void;
  close(): void;
}

export type MountEdit = (element: HTMLElement, edit: WidgetEdit) => Promise<MountedWidget>;

export interface ReviewWidgets {
  /** The widget of this block if it is rendered inside this element. */
  find(within: HTMLElement, id: EditBlock['id']): ReviewWidget | null;
}

export interface ReviewWidgetDeps {
  readonly app: App;
  readonly mount: MountEdit;
}

export function addReviewWidgets(
  plugin: Plugin,
  deps: Omit<ReviewWidgetDeps, 'app'>,
): ReviewWidgets {
  const widgets = new Set<ReviewWidget>();
  plugin.registerMarkdownCodeBlockProcessor(EDIT_LANGUAGE, (source, element, context) => {
    const block = readFields(source);
    // Anything that is not a proposal is shown as a plain code block.
    if (!block) return void element.createEl('pre').createEl('code', { text: source });
    const edit = { note: context.sourcePath, block };
    context.addChild(new ReviewWidget(element, edit, { app: plugin.app, ...deps }, widgets));
  });
  plugin.registerMarkdownPostProcessor(hideTags);
  plugin.registerEditorExtension(proposalGuard());
  return {
    find: (within, id) =>
      [...widgets].find(
        ({ containerEl, edit }) => edit.block.id === id && within.contains(containerEl),
      ) ?? null,
  };
}

export class ReviewWidget extends MarkdownRenderChild {
  #mounted: Promise<MountedWidget> | null = null;

  constructor(
    element: HTMLElement,
    readonly edit: WidgetEdit,
    readonly deps: ReviewWidgetDeps,
    readonly among: Set<ReviewWidget>,
  ) {
    super(element);
  }

  override onload(): void {
    this.among.add(this);
    this.register(keepKeys(this.deps.app, this.containerEl));
    this.#mounted = this.deps.mount(this.containerEl, this.edit);
  }

  override onunload(): void {
    this.among.delete(this);
    void this.#mounted?.then((mounted) => mounted.close());
    this.#mounted = null;
  }

  async with(work: (mounted: MountedWidget) => void): Promise<void> {
    if (this.#mounted) work(await this.#mounted);
  }
}

/** Hides the tag of a block in reading view, where it would remain as a separate line. */
function hideTags(section: HTMLElement, context: MarkdownPostProcessorContext): void {
  const [line] = section.querySelectorAll('p');
  const tag = line?.querySelector(':scope > a.tag:only-child');
  if (!tag || tag.textContent !== line?.textContent?.trim()) return;
  const info = context.getSectionInfo(section);
  if (!info) return;
  const text = info.text.replaceAll('\r\n', '\n');
  const at = text.split('\n').slice(0, info.lineStart).join('\n').length + 1;
  const isOfBlock = blockPlaces(text).some(({ fenceEnd }) => fenceEnd + 1 === at);
  if (isOfBlock) section.addClass('parley-edit-tag');
}
