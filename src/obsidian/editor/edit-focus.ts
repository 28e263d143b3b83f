/** Moves the keyboard's focus between the bars of a note's edits and its text. */
import { EditorView } from '@codemirror/view';
import { type App, MarkdownView } from 'obsidian';
import { type BlockPlace, blockPlaces } from './block-places';

/** `leave` goes to another edit, because this one is about to be removed, or else to the text. */
export type EditMove = 'next' | 'previous' | 'leave' | 'text';

/** How long to wait for a bar to be drawn; it may have been out of sight. */
const MAX_FRAMES = 60;

interface FocusedBar {
  readonly bar: HTMLElement;
  readonly view: MarkdownView;
  /** Its place among the edits of the note. */
  readonly index: number;
  /** Whether a text field of it has the focus, which takes it again when it is drawn again. */
  readonly isField: boolean;
}

export class EditFocus {
  readonly #app: App;
  #focused: FocusedBar | null = null;

  constructor(app: App) {
    this.#app = app;
  }

  /** @param bar the bar of the edit, or an element in it */
  move(bar: HTMLElement, id: string, way: EditMove): void {
    const view = this.#viewOf(bar);
    if (!view) return;
    const places = blockPlaces(view.getViewData());
    const at = places.findIndex(({ edit }) => edit.id === id);
    const [next, previous] = at < 0 ? [] : [places[at + 1], places[at - 1]];
    const target = { next, previous, leave: next ?? previous, text: undefined }[way];
    if (target) void this.enter(view, target);
    else if (way === 'leave' || way === 'text') enterText(view, places[at]);
  }

  enterText(view: MarkdownView): void {
    enterText(view, undefined);
  }

  /** Focuses the bar of an edit, which is scrolled to and drawn if it is not. */
  async enter(view: MarkdownView, { edit, from }: BlockPlace): Promise<void> {
    const isDrawn = barOf(view, edit.id) !== null;
    if (!isDrawn) scrollTo(view, from);
    const bar = await this.#drawn(view, edit.id);
    bar?.focus({ preventScroll: true });
    bar?.scrollIntoView({ block: 'nearest' });
  }

  /**
   * Gives the focus of a bar on when it is removed: to the bar that is drawn in its place, to that
   * of the next edit, or to the text.
   *
   * @returns call it when the bar is removed
   */
  follow(bar: HTMLElement, id: string): () => void {
    const entered = ({ target }: FocusEvent) => {
      const view = this.#viewOf(bar);
      if (!view) return;
      const places = blockPlaces(view.getViewData());
      const index = places.findIndex(({ edit }) => edit.id === id);
      this.#focused = { bar, view, index, isField: (target as Element).matches('textarea') };
    };
    // Removing it also takes the focus off it, which is known only after that.
    const left = () =>
      queueMicrotask(() => {
        const isLeft = bar.isConnected && bar.ownerDocument.hasFocus();
        const isInside = bar.contains(bar.ownerDocument.activeElement);
        if (this.#focused?.bar === bar && isLeft && !isInside) this.#focused = null;
      });
    bar.addEventListener('focusin', entered);
    bar.addEventListener('focusout', left);
    return () => {
      bar.removeEventListener('focusin', entered);
      bar.removeEventListener('focusout', left);
      const focused = this.#focused;
      if (focused?.bar !== bar) return;
      this.#focused = null;
      void this.#giveOn(focused, id);
    };
  }

  async #giveOn({ bar: gone, view, index, isField }: FocusedBar, id: string): Promise<void> {
    const bar = await this.#drawn(view, id, gone);
    if (!isFree(view)) return;
    if (bar) return isField ? undefined : bar.focus({ preventScroll: true });
    const places = blockPlaces(view.getViewData());
    // It may only have been scrolled out of sight.
    if (places.some(({ edit }) => edit.id === id)) return enterText(view, undefined);
    const next = places[index] ?? places[index - 1];
    if (next) await this.enter(view, next);
    else enterText(view, undefined);
  }

  /**
   * Null if it is not drawn in time, is in the note no more, or the user goes elsewhere.
   *
   * @param gone is being removed, but may still be in the page
   */
  async #drawn(view: MarkdownView, id: string, gone?: HTMLElement): Promise<HTMLElement | null> {
    const doc = view.containerEl.ownerDocument;
    const win = doc.defaultView ?? window;
    const start = doc.activeElement;
    for (let frame = 0; frame < MAX_FRAMES; frame += 1) {
      const bar = barOf(view, id, gone);
      if (bar) return bar;
      await new Promise((resolve) => win.requestAnimationFrame(resolve));
      if (doc.activeElement !== start && !isFree(view)) return null;
      if (!blockPlaces(view.getViewData()).some(({ edit }) => edit.id === id)) return null;
    }
    return null;
  }

  #viewOf(element: HTMLElement): MarkdownView | null {
    for (const { view } of this.#app.workspace.getLeavesOfType('markdown')) {
      if (view instanceof MarkdownView && view.containerEl.contains(element)) return view;
    }
    return null;
  }
}

/** What of an edit has the focus; in the mode that the view shows. */
function barOf({ containerEl }: MarkdownView, id: string, gone?: HTMLElement): HTMLElement | null {
  const bars = containerEl.querySelectorAll<HTMLElement>('[data-edit][tabindex="0"]');
  const shown = [...bars].find(
    (bar) => bar.dataset['edit'] === id && !gone?.contains(bar) && bar.getClientRects().length > 0,
  );
  return shown ?? null;
}

/** Whether nothing has the focus. */
function isFree({ containerEl: { ownerDocument: doc } }: MarkdownView): boolean {
  return doc.activeElement === null || doc.activeElement === doc.body;
}

export function scrollTo(view: MarkdownView, offset: number): void {
  if (view.getMode() === 'preview') {
    const line = view.getViewData().slice(0, offset).split('\n').length - 1;
    return view.setEphemeralState({ line });
  }
  const { editor } = view;
  const start = editor.offsetToPos(offset);
  editor.scrollIntoView({ from: start, to: start }, true);
}

/** Puts the cursor at the end of the lines of the edit, or leaves it where it is. */
function enterText(view: MarkdownView, place: BlockPlace | undefined): void {
  if (view.getMode() === 'preview') {
    const reading = view.containerEl.querySelector<HTMLElement>('.markdown-reading-view');
    reading?.setAttribute('tabindex', '-1');
    return reading?.focus({ preventScroll: true });
  }
  const { editor } = view;
  if (place) editor.setCursor(editor.offsetToPos(place.from > 0 ? place.from - 1 : place.to));
  const content = view.containerEl.querySelector<HTMLElement>('.cm-content');
  // Focusing the element itself would put the cursor at the beginning of what is drawn.
  if (content) EditorView.findFromDOM(content)?.focus();
}
