/**
 * Draws pending edits in an editor. In live preview a bar is drawn in place of each block, and the
 * words that would change are marked in the live lines above it. In source mode the lines of an
 * edit and its block are marked at the margin.
 */
import {
  type EditorState,
  type Extension,
  Prec,
  type Range,
  RangeSet,
  RangeValue,
  StateField,
} from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, WidgetType } from '@codemirror/view';
import { editorInfoField } from 'obsidian';
import type { EditPart } from '#model/edit/edit-parts';
import { markedParts } from '#model/edit/marked-parts';
import type { NoteEdit } from '#model/edit/note-edits';
import * as t from '#messages/edit-messages';
import { type BlockPlace, isLivePreview, livePlaces, placesField } from './block-places';

/** The bar of an edit in an editor. */
export interface EditBar {
  /** Whether the words that would change are marked in the lines above it. */
  showMarked(isMarked: boolean): void;
  remove(): void;
}

export type MountBar = (
  element: HTMLElement,
  edit: { readonly note: string; readonly edit: NoteEdit; readonly isMarked: boolean },
) => EditBar;

class AtomicRange extends RangeValue {}
const whole = new AtomicRange();
const editLine = Decoration.line({ class: 'parley-edit-line' });
const blockLine = Decoration.line({ class: 'parley-edit-line parley-edit-block-line' });

export function editDrawing(mount: MountBar): Extension {
  const drawing = StateField.define<DecorationSet>({
    create: (state) => draw(state, mount),
    update: (drawn, { startState, state, docChanged }) =>
      docChanged || isLivePreview(startState) !== isLivePreview(state) ? draw(state, mount) : drawn,
    provide: (field) => EditorView.decorations.from(field),
  });
  const atomic = EditorView.atomicRanges.of(({ state }) =>
    RangeSet.of(livePlaces(state).map(({ from, to }) => whole.range(from, to))),
  );
  // Drawn before Obsidian's own widget of the fence, which it covers.
  return [placesField, Prec.highest(drawing), atomic];
}

function draw(state: EditorState, mount: MountBar): DecorationSet {
  const isLive = isLivePreview(state);
  const note = state.field(editorInfoField, false)?.file?.path ?? '';
  const ranges = state.field(placesField).flatMap((place): Range<Decoration>[] => {
    const { linesFrom, from, tagEnd, edit } = place;
    const lines = lineMarks(state, linesFrom, linesFrom + edit.lines.length, editLine);
    if (!isLive) return [...lines, ...lineMarks(state, from, tagEnd, blockLine)];
    const parts = markedParts(edit);
    const widget = new BarWidget(mount, { note, edit, isMarked: parts !== null });
    const bar = Decoration.replace({ widget, block: true }).range(from, endOfLines(state, place));
    return [...lines, ...partMarks(place, parts ?? []), bar];
  });
  return Decoration.set(ranges, true);
}

function lineMarks(
  { doc }: EditorState,
  from: number,
  to: number,
  mark: Decoration,
): Range<Decoration>[] {
  const marks: Range<Decoration>[] = [];
  for (let at = from; at < to; at = doc.lineAt(at).to + 1) marks.push(mark.range(at));
  return marks;
}

/** End of the last line above `to`, which may be the end of the document. */
function endOfLines({ doc }: EditorState, { to }: BlockPlace): number {
  return doc.lineAt(to).from === to ? to - 1 : to;
}

function partMarks(
  { edit, linesFrom }: BlockPlace,
  parts: readonly EditPart[],
): Range<Decoration>[] {
  return parts.flatMap((part, index): Range<Decoration>[] => {
    const from = linesFrom + part.from;
    const to = from + part.removed.length;
    const marks: Range<Decoration>[] = [];
    if (to > from) {
      const attributes = { [PART]: String(index), [PART_OF]: edit.id, title: t.partTitle };
      marks.push(Decoration.mark({ class: 'parley-part-removed', attributes }).range(from, to));
    }
    if (part.added !== '') {
      const widget = new AddedWords(part.added, edit.id, index);
      marks.push(Decoration.widget({ widget, side: 1 }).range(to));
    }
    return marks;
  });
}

/** Attributes of what is drawn for a part: its place among all of its edit, and the edit. */
export const PART = 'data-part';
export const PART_OF = 'data-part-of';

class AddedWords extends WidgetType {
  constructor(
    readonly words: string,
    readonly id: string,
    readonly part: number,
  ) {
    super();
  }

  override eq({ words, id, part }: AddedWords): boolean {
    return words === this.words && id === this.id && part === this.part;
  }

  override toDOM(view: EditorView): HTMLElement {
    const { words, id, part } = this;
    return view.dom.createEl('ins', {
      text: words,
      cls: 'parley-part-added',
      attr: {
        ...{ title: t.partTitle, role: 'button', tabindex: '0' },
        ...{ 'aria-label': t.addedPart(words.trim()), [PART]: String(part), [PART_OF]: id },
      },
    });
  }

  /** Its keys and clicks are not the editor's. */
  override ignoreEvent(): boolean {
    return false;
  }
}

const bars = new WeakMap<HTMLElement, EditBar>();

class BarWidget extends WidgetType {
  constructor(
    readonly mount: MountBar,
    readonly shown: { readonly note: string; readonly edit: NoteEdit; readonly isMarked: boolean },
  ) {
    super();
  }

  override eq({ shown }: BarWidget): boolean {
    const { note, edit, isMarked } = this.shown;
    const isSame = shown.note === note && shown.isMarked === isMarked;
    return isSame && JSON.stringify(shown.edit.block) === JSON.stringify(edit.block);
  }

  /** Keeps an open form while the text of the edit changes. */
  override updateDOM(dom: HTMLElement): boolean {
    const { note, edit, isMarked } = this.shown;
    const bar = bars.get(dom);
    if (!bar || dom.dataset['edit'] !== edit.id || dom.dataset['note'] !== note) return false;
    bar.showMarked(isMarked);
    return true;
  }

  override toDOM(view: EditorView): HTMLElement {
    const dom = view.dom.createDiv('parley-edit-bar');
    dom.dataset['edit'] = this.shown.edit.id;
    dom.dataset['note'] = this.shown.note;
    const element = dom.createDiv('block-language-ai-edit');
    bars.set(dom, this.mount(element, this.shown));
    return dom;
  }

  override destroy(dom: HTMLElement): void {
    bars.get(dom)?.remove();
    bars.delete(dom);
  }

  /** Clicks go to the bar, not to the editor. */
  override ignoreEvent(): boolean {
    return true;
  }

  override get estimatedHeight(): number {
    return 50;
  }
}
