/** Marks what the agent wrote in an editor, and shows why in a card. */
import {
  type ChangeDesc,
  type EditorState,
  type Extension,
  StateEffect,
  StateField,
  type Text,
} from '@codemirror/state';
import {
  Decoration,
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

const setMarks = StateEffect.define<readonly AuthoredRange[]>();
/** The offset to show the card at; null closes it. */
const setCard = StateEffect.define<number | null>();

/** Number of colors for different conversations. */
const COLORS = 4;
const DAY_MS = 86_400_000;

const marksField = StateField.define<readonly AuthoredRange[]>({
  create: () => [],
  update(marks, { docChanged, changes, newDoc, effects }) {
    for (const effect of effects) if (effect.is(setMarks)) return effect.value;
    return docChanged && marks.length > 0 ? marksAfter(marks, changes, newDoc) : marks;
  },
  provide: (field) =>
    EditorView.decorations.compute([field], (state) => {
      const colors = colorsOf(state.field(field));
      return Decoration.set(
        state.field(field).map((mark) => {
          const color = colors.get(mark.conversation) ?? 0;
          const names = ['parley-wrote', `parley-wrote-${color}`, `parley-wrote-${ageOf(mark)}`];
          return Decoration.mark({ class: names.join(' ') }).range(mark.from, mark.to);
        }),
      );
    }),
});

export function marksIn(state: EditorState): readonly AuthoredRange[] {
  return state.field(marksField, false) ?? [];
}

export function showMarks(view: EditorView, marks: readonly AuthoredRange[]): void {
  const now = marksIn(view.state);
  if (JSON.stringify(now) !== JSON.stringify(marks)) view.dispatch({ effects: setMarks.of(marks) });
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
        return mark ? cardOf(mark, mount, true) : null;
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
        return mark && !state.field(cardField) ? cardOf(mark, mount, false) : null;
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

/** The mark that contains or touches this offset. */
function markAt(state: EditorState, at: number): AuthoredRange | undefined {
  return marksIn(state).find(({ from, to }) => from <= at && at <= to);
}

/** @param focused whether the card was opened by keyboard and takes the focus */
function cardOf(range: AuthoredRange, mount: MountWhy, focused: boolean): Tooltip {
  return {
    pos: range.from,
    end: range.to,
    above: true,
    create(view) {
      const dom = view.dom.createDiv('parley-why');
      const onclose = () => {
        view.dispatch({ effects: setCard.of(null) });
        view.focus();
      };
      const mounted = mount(dom, { range, onclose });
      if (focused) void mounted.then((card) => card.focus());
      return { dom, destroy: () => void mounted.then((card) => card.close()) };
    },
  };
}

/**
 * The marks after the user typed. Text that was typed, and the words it touches, are no longer the
 * agent's.
 */
export function marksAfter(
  marks: readonly AuthoredRange[],
  changes: ChangeDesc,
  text: Text,
): readonly AuthoredRange[] {
  const typed: { from: number; to: number }[] = [];
  changes.iterChangedRanges((_, __, from, to) => typed.push(wordsAround(text, from, to)));
  return marks.flatMap((mark) => {
    let from = changes.mapPos(mark.from, 1);
    const to = changes.mapPos(mark.to, -1);
    const left: AuthoredRange[] = [];
    for (const each of typed) {
      if (each.to <= from || each.from >= to) continue;
      if (each.from > from) left.push({ ...mark, from, to: each.from });
      from = each.to;
    }
    if (from < to) left.push({ ...mark, from, to });
    return left;
  });
}

const WORD = /[\p{L}\p{N}\p{M}_]/u;

/** The range, with the rest of the words that it begins or ends in. */
function wordsAround(text: Text, from: number, to: number): { from: number; to: number } {
  const first = text.lineAt(from);
  const last = text.lineAt(to);
  const isInWord = (line: string, at: number) =>
    WORD.test(line.charAt(at - 1)) && WORD.test(line.charAt(at));
  let start = from - first.from;
  while (start > 0 && isInWord(first.text, start)) start -= 1;
  let end = to - last.from;
  while (end < last.length && isInWord(last.text, end)) end += 1;
  return { from: first.from + start, to: last.from + end };
}

/** Numbers the conversations from 0, the earliest first; beyond the last color it starts over. */
function colorsOf(marks: readonly AuthoredRange[]): Map<AuthoredRange['conversation'], number> {
  const colors = new Map<AuthoredRange['conversation'], number>();
  for (const { conversation } of [...marks].sort((a, b) => a.time - b.time)) {
    if (!colors.has(conversation)) colors.set(conversation, colors.size % COLORS);
  }
  return colors;
}

function ageOf({ time }: AuthoredRange): 'today' | 'week' | 'older' {
  const age = Date.now() - time;
  if (age < DAY_MS) return 'today';
  return age < 7 * DAY_MS ? 'week' : 'older';
}
