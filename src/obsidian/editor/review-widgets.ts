/** Shows pending edits in notes: bars in live preview, and their changes in reading view. */
import {
  type App,
  MarkdownRenderChild,
  type MarkdownPostProcessorContext,
  type MarkdownSectionInformation,
  type Plugin,
} from 'obsidian';
import { EDIT_LANGUAGE, type EditBlock, printFields, readFields } from '#model/edit/edit-block';
import { keepKeys } from '../key-scope';
import { blockGuard } from './block-guard';
import { editDrawing, type MountBar } from './edit-drawing';
import { blockPlaces } from './block-places';
import type { EditFocus, EditMove } from './edit-focus';
import { type DecidePart, partDecisions } from './part-decisions';

export interface WidgetEdit {
  readonly note: string;
  /** With the id that the edit has in its note, where it may be a copy. */
  readonly block: EditBlock;
  /** Whether the words that would change are marked in the lines above it. */
  readonly isMarked: boolean;
}

/** The component mounted in a widget. */
export interface MountedWidget {
  /** Starts editing the proposed text. */
  edit(): void;
  /** Opens the field in which the user says something about the edit. */
  reply(): void;
  showMarked(isMarked: boolean): void;
  close(): void;
}

export type MountEdit = (
  element: HTMLElement,
  edit: WidgetEdit & { readonly move: (way: EditMove) => void },
) => Promise<MountedWidget>;

export interface ReviewWidgets {
  /** The widget of this block if it is rendered inside this element. */
  find(within: HTMLElement, id: EditBlock['id']): ReviewWidget | null;
}

export interface ReviewWidgetDeps {
  readonly focus: EditFocus;
  /** Rejects if the app could not start. */
  readonly mount: MountEdit;
  /** Resolves when the app is built, however often that has to be tried. */
  readonly whenBuilt: Promise<void>;
  readonly decidePart: DecidePart;
}

export function addReviewWidgets(
  plugin: Plugin,
  { decidePart, ...deps }: ReviewWidgetDeps,
): ReviewWidgets {
  const { app } = plugin;
  const widgets = new Set<ReviewWidget>();
  const host = { ...deps, app, widgets };
  plugin.registerMarkdownCodeBlockProcessor(EDIT_LANGUAGE, (source, element, context) => {
    const block = readFields(source);
    // Anything that is not an edit is shown as a plain code block.
    if (!block) return void showAsText(element, source);
    const id = idInNote(block.id, context.getSectionInfo(element));
    const edit = { note: context.sourcePath, block: { ...block, id }, isMarked: false };
    context.addChild(new WidgetInReading(element, (own) => new ReviewWidget(own, edit, host)));
  });
  plugin.registerMarkdownPostProcessor(hideTags);
  const mountBar: MountBar = (element, { edit: { id, block }, ...shown }) =>
    new ReviewWidget(element, { ...shown, block: { ...block, id } }, host);
  plugin.registerEditorExtension([blockGuard(), editDrawing(mountBar), partDecisions(decidePart)]);
  return {
    find: (within, id) =>
      [...widgets].find(
        ({ containerEl, edit }) => edit.block.id === id && within.contains(containerEl),
      ) ?? null,
  };
}

function showAsText(element: HTMLElement, text: string): HTMLElement {
  const shown = element.createEl('pre');
  shown.createEl('code', { text });
  return shown;
}

/** The id of the edit with this block, as it is unique in its note. */
function idInNote(
  id: EditBlock['id'],
  section: MarkdownSectionInformation | null,
): EditBlock['id'] {
  if (!section) return id;
  const text = section.text.replaceAll('\r\n', '\n');
  const lineAt = (offset: number) => text.slice(0, offset).split('\n').length - 1;
  const own = blockPlaces(text).find(({ edit, from }) => {
    const line = edit.block.id === id ? lineAt(from) : -1;
    return section.lineStart <= line && line <= section.lineEnd;
  });
  return own?.edit.id ?? id;
}

interface WidgetHost extends Omit<ReviewWidgetDeps, 'decidePart'> {
  readonly app: App;
  readonly widgets: Set<ReviewWidget>;
}

/** An edit that is mounted in an element of a note. */
export class ReviewWidget {
  readonly #host: WidgetHost;
  readonly #mounted: Promise<MountedWidget>;
  readonly #leave: (() => void)[];

  constructor(
    readonly containerEl: HTMLElement,
    readonly edit: WidgetEdit,
    host: WidgetHost,
  ) {
    this.#host = host;
    host.widgets.add(this);
    const { id } = edit.block;
    const move = (way: EditMove) => host.focus.move(containerEl, id, way);
    containerEl.addEventListener('keydown', ({ key, target, defaultPrevented }) => {
      const isField = (target as Element).matches('textarea, input');
      if (key === 'Escape' && !defaultPrevented && !isField) move('text');
    });
    this.#leave = [keepKeys(host.app, containerEl), host.focus.follow(containerEl, id)];
    this.#mounted = this.#mount({ ...edit, move });
  }

  /** Shows the edit as text while Parley cannot start. */
  async #mount(edit: Parameters<MountEdit>[1]): Promise<MountedWidget> {
    const { mount, whenBuilt } = this.#host;
    return mount(this.containerEl, edit).catch(async () => {
      const text = showAsText(this.containerEl, printFields(edit.block));
      await whenBuilt;
      const mounted = await mount(this.containerEl, edit);
      text.remove();
      return mounted;
    });
  }

  remove(): void {
    this.#host.widgets.delete(this);
    for (const leave of this.#leave) leave();
    void this.#mounted.then((mounted) => mounted.close());
  }

  showMarked(isMarked: boolean): void {
    void this.with((mounted) => mounted.showMarked(isMarked));
  }

  async with(work: (mounted: MountedWidget) => void): Promise<void> {
    work(await this.#mounted);
  }
}

class WidgetInReading extends MarkdownRenderChild {
  #widget: ReviewWidget | null = null;

  constructor(
    element: HTMLElement,
    readonly open: (element: HTMLElement) => ReviewWidget,
  ) {
    super(element);
  }

  override onload(): void {
    this.#widget = this.open(this.containerEl);
  }

  override onunload(): void {
    this.#widget?.remove();
    this.#widget = null;
  }
}

/** Hides the tag below a block in reading view: a line of its own, or the end of a list item. */
function hideTags(section: HTMLElement, context: MarkdownPostProcessorContext): void {
  for (const tag of Array.from(section.querySelectorAll('a.tag'))) {
    const line = tag.matches('p > :only-child') && tag.parentElement ? tag.parentElement : tag;
    const isAlone = line === tag || line.textContent.trim() === tag.textContent.trim();
    if (isAlone && line.previousElementSibling?.matches(`.block-language-${EDIT_LANGUAGE}`))
      line.addClass('parley-edit-tag');
  }
  const tag = section.querySelector('p > a.tag:first-child');
  const line = tag?.parentElement;
  if (!tag || !line?.textContent.startsWith(tag.textContent)) return;
  const info = context.getSectionInfo(section);
  if (!info) return;
  const text = info.text.replaceAll('\r\n', '\n');
  const at = text.split('\n').slice(0, info.lineStart).join('\n').length + 1;
  if (!blockPlaces(text).some(({ from, tagEnd }) => from < at && at < tagEnd)) return;
  const isAlone = line.textContent.trim() === tag.textContent.trim();
  if (isAlone) return section.addClass('parley-edit-tag');
  // Text directly below a tag is in the same paragraph.
  for (const each of [tag, tag.nextElementSibling]) {
    if (each === tag || each?.matches('br')) each.addClass('parley-edit-tag');
  }
}
