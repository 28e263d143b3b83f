/** Finds the blocks of pending edits in a note, and moves the cursor between them. */
import type { ChangeDesc, Text } from '@codemirror/state';
import type { App, Editor, MarkdownView } from 'obsidian';
import { mayHoldBlock } from '#model/edit/edit-block';
import { type NoteEdit, readEdits } from '#model/edit/note-edits';
import type { Agent } from '#ports/app/agent';
import { openFile } from '../vault/open-file';
import { activeMarkdownView } from '../vault/open-editors';

const OPENER = '```ai-edit';

export interface BlockPlace {
  readonly block: NoteEdit;
  /** Offset of the first character of the opening fence. */
  readonly from: number;
  /** Offset after the last character of the closing fence. */
  readonly fenceEnd: number;
  /**
   * Offset after the lines that belong to the block: its tag and the blank line that separates it.
   */
  readonly to: number;
}

export function blockPlaces(text: string): BlockPlace[] {
  if (!mayHoldBlock(text)) return [];
  const places: BlockPlace[] = [];
  let at = 0;
  for (const { raw, edit } of readEdits(text).parts) {
    if (edit) {
      const block = raw.slice(edit.fence, edit.end);
      const fence = /^[^\n]*\n[^\n]*\n[^\n]*/.exec(block)?.[0] ?? block;
      const from = at + edit.fence;
      places.push({ block: edit, from, fenceEnd: from + fence.length, to: at + edit.end });
    }
    at += raw.length;
  }
  return places;
}

/** Merges adjacent blocks, because there is no room for a cursor between them. */
export function mergeAdjacent(places: readonly BlockPlace[]): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = [];
  for (const { from, to } of places) {
    const last = runs.at(-1);
    if (last?.to === from) last.to = to;
    else runs.push({ from, to });
  }
  return runs;
}

/** Lines of the shortest block: opening fence, change, closing fence, tag and separator. */
const BLOCK_LINES = 5;

/**
 * The places after a change. Only moves them when the change is not near a block, so that long
 * notes are not parsed again at every keystroke.
 */
export function blockPlacesAfter(
  places: readonly BlockPlace[],
  changes: ChangeDesc,
  text: Text,
): readonly BlockPlace[] {
  let isNear = false;
  changes.iterChangedRanges((from, to, fromNow, toNow) => {
    isNear ||=
      places.some((place) => from <= place.to && to >= place.from) ||
      linesAround(text, fromNow, toNow).includes(OPENER);
  });
  if (isNear) return blockPlaces(text.toString());
  return places.map(({ block, from, fenceEnd, to }) => {
    const moved = changes.mapPos(from, 1) - from;
    return { block, from: from + moved, fenceEnd: fenceEnd + moved, to: to + moved };
  });
}

function linesAround(text: Text, from: number, to: number): string {
  const first = Math.max(1, text.lineAt(from).number - BLOCK_LINES);
  const last = Math.min(text.lines, text.lineAt(to).number + BLOCK_LINES);
  return text.sliceString(text.line(first).from, text.line(last).to);
}

export class EditNavigation {
  readonly #app: App;
  readonly #agent: Agent;
  /** The edit visited last, and where the cursor was put. */
  #last: { note: string; id: string; at: number } | null = null;

  constructor(app: App, agent: Agent) {
    this.#app = app;
    this.#agent = agent;
  }

  /** The edit visited last, while the cursor is still where it was put. */
  current(note: string, editor: Editor): BlockPlace | null {
    const last = this.#last;
    if (last?.note !== note || last.at !== cursorOf(editor)) return null;
    return blockPlaces(editor.getValue()).find(({ block }) => block.id === last.id) ?? null;
  }

  async go(direction: 'next' | 'previous'): Promise<void> {
    const view = activeMarkdownView(this.#app);
    const note = view?.file?.path ?? null;
    const here = view && note !== null ? this.#neighbor(view, note, direction) : null;
    if (view && note !== null && here) return this.#show(view, note, here);
    for (const path of this.#others(note, direction)) {
      const shown = await this.#open(path);
      const places = shown ? placesOf(shown) : [];
      const place = direction === 'next' ? places[0] : places.at(-1);
      if (shown && place) return this.#show(shown, path, place);
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
      const index = places.findIndex(({ block }) => block.id === id);
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

  #show(view: MarkdownView, note: string, { block, from }: BlockPlace): void {
    const { editor } = view;
    const run = mergeAdjacent(placesOf(view)).find((each) => each.from <= from && from < each.to);
    const at = run?.to ?? from;
    this.#last = { note, id: block.id, at };
    this.#app.workspace.setActiveLeaf(view.leaf, { focus: true });
    if (view.getMode() === 'preview') {
      const line = view.getViewData().slice(0, from).split('\n').length - 1;
      return view.setEphemeralState({ line });
    }
    const start = editor.offsetToPos(from);
    // Below the block, because a cursor inside would show its source.
    editor.setCursor(editor.offsetToPos(at));
    editor.scrollIntoView({ from: start, to: start }, true);
  }
}

function placesOf(view: MarkdownView): BlockPlace[] {
  return blockPlaces(view.getViewData());
}

function cursorOf(editor: Editor): number {
  return editor.posToOffset(editor.getCursor());
}
