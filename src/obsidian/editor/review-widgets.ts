/** Proposals where the user reads: a widget in place of each block, in live preview and reading view alike. */
import { MarkdownRenderChild, type MarkdownPostProcessorContext, type Plugin } from 'obsidian';
import { parseNote, type ProposalBlock } from '#model/proposal/format';
import { proposalGuard } from './proposal-guard';
import { blockPlaces } from './edit-navigation';

export interface WidgetEdit {
  /** Path of the note. */
  readonly note: string;
  readonly block: ProposalBlock;
}

/** What is asked of whatever is mounted in a widget. */
export interface MountedWidget {
  /** Lets the user change what is proposed. */
  edit(): void;
  close(): void;
}

export type MountEdit = (element: HTMLElement, edit: WidgetEdit) => Promise<MountedWidget>;

export interface ReviewWidgets {
  /** The widget of this block, as far as one is drawn in this element. */
  find(within: HTMLElement, id: ProposalBlock['id']): ReviewWidget | null;
}

const LANGUAGE = 'ai-edit';

export interface ReviewWidgetDeps {
  readonly mount: MountEdit;
  /** The note as the user sees it; null if it can't be read. */
  textOf(note: string): Promise<string | null>;
}

export function addReviewWidgets(plugin: Plugin, parts: ReviewWidgetDeps): ReviewWidgets {
  const widgets = new Set<ReviewWidget>();
  plugin.registerMarkdownCodeBlockProcessor(LANGUAGE, (source, element, context) => {
    const block = blockOf(source);
    // What is no proposal is shown as it would be without us.
    if (!block) return void element.createEl('pre').createEl('code', { text: source });
    const edit = { note: context.sourcePath, block };
    context.addChild(new ReviewWidget(element, edit, parts, widgets));
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

function blockOf(source: string): ProposalBlock | null {
  const [segment] = parseNote(`\`\`\`${LANGUAGE}\n${source}\n\`\`\`\n`);
  return segment?.kind === 'block' ? segment.block : null;
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
    this.#mounted = this.#mount();
  }

  async #mount(): Promise<MountedWidget> {
    const { note, block } = this.edit;
    const { mount, textOf } = this.deps;
    if (block.where !== 'frontmatter') return mount(this.containerEl, this.edit);
    // What it changes stands above it in the note, and the user may have written there since.
    const places = blockPlaces((await textOf(note)) ?? '');
    const found = places.find((place) => place.block.id === block.id);
    return mount(this.containerEl, { note, block: found?.block ?? block });
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

/** In reading view a block's tag would be left as a line of its own. */
function hideTags(section: HTMLElement, context: MarkdownPostProcessorContext): void {
  const [line] = section.querySelectorAll('p');
  const tag = line?.querySelector(':scope > a.tag:only-child');
  if (!tag || tag.textContent !== line?.textContent?.trim()) return;
  const info = context.getSectionInfo(section);
  if (!info) return;
  const text = info.text.replaceAll('\r\n', '\n');
  const at = text.split('\n').slice(0, info.lineStart).join('\n').length + 1;
  const isOfBlock = blockPlaces(text).some(({ fenced }) => fenced + 1 === at);
  if (isOfBlock) section.addClass('parley-edit-tag');
}
