/** Moves the cursor between the pending edits of all notes. */
import type { App, Editor, MarkdownView } from 'obsidian';
import type { Agent } from '#ports/app/agent';
import { type BlockPlace, blockPlaces, mergeAdjacent } from './block-places';
import { type EditFocus, scrollTo } from './edit-focus';
import { openFile } from '../vault/open-file';
import { activeMarkdownView } from '../vault/open-editors';

export class EditNavigation {
  readonly #app: App;
  readonly #agent: Agent;
  readonly #focus: EditFocus;
  /** The edit visited last, and where the cursor was put. */
  #last: { note: string; id: string; at: number } | null = null;

  readonly #listeners = new Set<(view: MarkdownView, edit: string) => void>();

  constructor(app: App, agent: Agent, focus: EditFocus) {
    this.#app = app;
    this.#agent = agent;
    this.#focus = focus;
  }

  /** The edit visited last, while the cursor is still where it was put. */
  current(note: string, editor: Editor): BlockPlace | null {
    const last = this.#last;
    if (last?.note !== note || last.at !== cursorOf(editor)) return null;
    return blockPlaces(editor.getValue()).find(({ edit }) => edit.id === last.id) ?? null;
  }

  /** The focus has come to an edit, from which the next and previous ones are counted. */
  enter(view: MarkdownView, id: string): void {
    this.#last = { note: view.file?.path ?? '', id, at: cursorOf(view.editor) };
    for (const listener of this.#listeners) listener(view, id);
  }

  /** Calls the listener with each edit that the user comes to. */
  onEnter(listener: (view: MarkdownView, edit: string) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async go(direction: 'next' | 'previous'): Promise<void> {
    const view = activeMarkdownView(this.#app);
    const note = view?.file?.path ?? null;
    const here = view && note !== null ? this.#neighbor(view, note, direction) : null;
    if (view && note !== null && here) return this.#show(view, here);
    for (const path of this.#others(note, direction)) {
      const shown = await this.#open(path);
      const places = shown ? placesOf(shown) : [];
      const place = direction === 'next' ? places[0] : places.at(-1);
      if (shown && place) return this.#show(shown, place);
    }
  }

  #neighbor(
    view: MarkdownView,
    note: string,
    direction: 'next' | 'previous',
  ): BlockPlace | undefined {
    const places = placesOf(view);
    if (view.getMode() === 'preview') {
      const { id } = this.#last?.note === note ? this.#last : { id: null };
      const index = places.findIndex(({ edit }) => edit.id === id);
      if (index < 0) return direction === 'next' ? places[0] : places.at(-1);
      return places[index + (direction === 'next' ? 1 : -1)];
    }
    const current = this.current(note, view.editor);
    const at = current?.from ?? cursorOf(view.editor);
    return direction === 'next'
      ? places.find(({ from }) => (current ? from > at : from >= at))
      : places.findLast(({ from }) => from < at);
  }

  /** Notes with edits in visiting order, starting after this one and ending with it. */
  #others(note: string | null, direction: 'next' | 'previous'): string[] {
    const paths = this.#agent.edits
      .pending()
      .filter(({ edits }) => edits.some(({ line }) => line !== null))
      .map(({ path }) => path);
    if (direction === 'previous') paths.reverse();
    const index = note === null ? -1 : paths.indexOf(note);
    return [...paths.slice(index + 1), ...paths.slice(0, index + 1)];
  }

  async #open(path: string): Promise<MarkdownView | null> {
    const shown = activeMarkdownView(this.#app);
    if (shown?.file?.path === path) return shown;
    await openFile(this.#app, path, false);
    const opened = activeMarkdownView(this.#app);
    return opened?.file?.path === path ? opened : null;
  }

  /** Its keys work at once; Escape goes to the text. */
  #show(view: MarkdownView, place: BlockPlace): void {
    const { edit, from } = place;
    const { editor } = view;
    const run = mergeAdjacent(placesOf(view)).find((each) => each.from <= from && from < each.to);
    const at = run?.to ?? from;
    this.#app.workspace.setActiveLeaf(view.leaf, { focus: true });
    // Below the block, because a cursor inside would show its source.
    if (view.getMode() === 'source') editor.setCursor(editor.offsetToPos(at));
    this.enter(view, edit.id);
    scrollTo(view, from);
    void this.#focus.enter(view, place);
  }
}

function placesOf(view: MarkdownView): readonly BlockPlace[] {
  return blockPlaces(view.getViewData());
}

function cursorOf(editor: Editor): number {
  return editor.posToOffset(editor.getCursor());
}
