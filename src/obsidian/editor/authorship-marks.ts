/** Marks what the agent wrote in an editor, and shows why in a card. */
import { type EditorState, type Extension, StateEffect, StateField } from '@codemirror/state';
import {
  Decoration,
  type DecorationSet,
  EditorView,
  hoverTooltip,
  showTooltip,
  type Tooltip,
  ViewPlugin,
  type ViewUpdate,
} from '@codemirror/view';
import { type Editor, editorInfoField } from 'obsidian';
import type { AuthoredRange } from '#model/pending-edit';

/** The card in an editor that says why the agent wrote something. */
export interface MountedWhy {
  focus(): void;
  close(): void;
}

export interface WhyCardProps {
  readonly range: AuthoredRange;
  /** Called when the card should be closed, to go on in the note. */
  onclose(): void;
}

export type MountWhy = (element: HTMLElement, card: WhyCardProps) => Promise<MountedWhy>;

/** Learns about the editors that can show marks. */
export interface MarkedEditors {
  opened(view: EditorView): void;
  /** Called when the text or the file of an editor changed. */
  changed(view: EditorView): void;
  closed(view: EditorView): void;
}

const setMarks = StateEffect.define<DecorationSet>();
/** The offset to show the card at; null closes it. */
const setCard = StateEffect.define<number | null>();

const marksField = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(marks, { changes, effects }) {
    for (const effect of effects) if (effect.is(setMarks)) return effect.value;
    // A word that is typed within a mark has it until the marks are computed again.
    return marks.map(changes);
  },
  provide: (field) => EditorView.decorations.from(field),
});

export function hasMarks(state: EditorState): boolean {
  return (state.field(marksField, false)?.size ?? 0) > 0;
}

export function showMarks(view: EditorView, ranges: readonly AuthoredRange[]): void {
  if (ranges.length === 0 && !hasMarks(view.state)) return;
  const marks = ranges.map((range) =>
    Decoration.mark({ class: 'parley-wrote', range }).range(range.from, range.to),
  );
  view.dispatch({ effects: setMarks.of(Decoration.set(marks)) });
}

/** Shows why the agent wrote the text at the cursor. Returns false if it did not write it. */
export function showWhyAtCursor(view: EditorView): boolean {
  const { head } = view.state.selection.main;
  if (!markAt(view.state, head)) return false;
  view.dispatch({ effects: setCard.of(head) });
  return true;
}

export function authorshipMarks(editors: MarkedEditors, mount: MountWhy): Extension {
  const cardField = StateField.define<Tooltip | null>({
    create: () => null,
    update(card, { docChanged, startState, effects, state }) {
      for (const effect of effects) {
        if (!effect.is(setCard)) continue;
        const mark = effect.value === null ? undefined : markAt(state, effect.value);
        return mark ? cardOf(mark, startAt(state, mark, effect.value), mount, true) : null;
      }
      // Focusing the editor sets the same selection again.
      return docChanged || !state.selection.eq(startState.selection) ? null : card;
    },
    provide: (field) => showTooltip.from(field),
  });
  return [
    marksField,
    cardField,
    hoverTooltip(
      ({ state }, at) => {
        const mark = markAt(state, at);
        return mark && !state.field(cardField)
          ? cardOf(mark, startAt(state, mark, at), mount, false)
          : null;
      },
      { hideOnChange: true },
    ),
    ViewPlugin.define((view) => {
      editors.opened(view);
      let path = pathOf(view);
      return {
        update({ docChanged }: ViewUpdate) {
          const last = path;
          path = pathOf(view);
          if (docChanged || path !== last) editors.changed(view);
        },
        destroy: () => editors.closed(view),
      };
    }),
  ];
}

/** CodeMirror's view behind Obsidian's editor. */
interface WithCodeMirror extends Editor {
  readonly cm?: EditorView;
}

/**
 * The note whose text the editor has; null if it shows no file, or only a part of one, such as a
 * table cell or the card of a canvas.
 */
export function pathOf(view: EditorView): string | null {
  const info = view.state.field(editorInfoField, false);
  const { cm } = (info?.editor ?? {}) as Partial<WithCodeMirror>;
  return cm && cm !== view ? null : (info?.file?.path ?? null);
}

/** What the agent wrote at this offset, or next to it. */
function markAt(state: EditorState, at: number): AuthoredRange | undefined {
  const found: AuthoredRange[] = [];
  state.field(marksField, false)?.between(at, at, (from, to, { spec }) => {
    const { range } = spec as { readonly range: AuthoredRange };
    found.push({ ...range, from, to });
  });
  return found[0];
}

/** Where the mark begins in the line of this offset. */
function startAt({ doc }: EditorState, { from }: AuthoredRange, at: number | null): number {
  return Math.max(from, doc.lineAt(at ?? from).from);
}

/**
 * Shown below the line, so that what the text is about stays visible above it.
 *
 * @param focused whether the card was opened by keyboard and takes the focus
 */
function cardOf(range: AuthoredRange, pos: number, mount: MountWhy, focused: boolean): Tooltip {
  return {
    pos,
    end: range.to,
    above: false,
    create(view) {
      const dom = view.dom.createDiv('parley-why');
      const onclose = () => {
        view.dispatch({ effects: setCard.of(null) });
        view.focus();
      };
      const mounted = mount(dom, { range, onclose });
      if (focused) void mounted.then((card) => card.focus());
      return {
        dom,
        // The element that CodeMirror draws; on hover it is one around the card.
        mount: () => dom.closest('.cm-tooltip')?.addClass('parley-why-card'),
        destroy: () => void mounted.then((card) => card.close()),
      };
    },
  };
}
