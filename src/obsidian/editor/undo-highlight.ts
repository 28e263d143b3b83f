/** Highlights for a moment what an undo has brought back in open notes. */
import { type Extension, StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView, ViewPlugin } from '@codemirror/view';
import type { Plugin } from 'obsidian';
import type { ChangeTexts } from '#model/pending-edit';
import type { Agent } from '#ports/app/agent';
import { diffLists, lineTexts } from '#text/list-diff';
import { pathOf } from './authorship-marks';

/** As long as the animation of `parley-back`. */
const SHOWN_MS = 2_000;

export function addUndoHighlight(
  plugin: Plugin,
  { changes, subscribe }: Pick<Agent, 'changes' | 'subscribe'>,
): void {
  const views = new Set<EditorView>();
  plugin.registerEditorExtension(highlighted(views));
  plugin.register(
    subscribe((event) => {
      if (event.type !== 'change-undo') return;
      const open = [...views].filter((view) => event.undone.includes(pathOf(view) ?? ''));
      if (open.length === 0) return;
      void Promise.all(event.undos.map((id) => changes.changeTexts(id))).then(
        (texts) => {
          for (const view of open)
            highlight(view, linesBroughtBack(texts, view.state.doc.toString()));
        },
        // The undo was made; only its highlight is missing.
        () => undefined,
      );
    }),
  );
}

/**
 * The lines, from 1, that these undos of one or several notes have changed in the note with this
 * text, with LF line endings. Empty if none of them has led to the text.
 */
export function linesBroughtBack(
  undos: readonly (ChangeTexts | null)[],
  now: string,
): readonly number[] {
  let before = now;
  for (const texts of undos.toReversed()) {
    if (withLf(texts?.after) === before) before = withLf(texts?.before);
  }
  return diffLists(lineTexts(before), lineTexts(now)).flatMap(({ afterFrom, afterTo }) =>
    Array.from({ length: afterTo - afterFrom }, (_, at) => afterFrom + at + 1),
  );
}

function withLf(text: string | null | undefined): string {
  return (text ?? '').replace(/\r\n/g, '\n');
}

const setLines = StateEffect.define<readonly number[]>();

function highlighted(views: Set<EditorView>): Extension {
  const mark = Decoration.line({ class: 'parley-back' });
  return [
    StateField.define<DecorationSet>({
      create: () => Decoration.none,
      update(marks, { changes, effects, state: { doc } }) {
        for (const effect of effects) {
          if (!effect.is(setLines)) continue;
          const lines = effect.value.filter((line) => line <= doc.lines);
          return Decoration.set(lines.map((line) => mark.range(doc.line(line).from)));
        }
        return marks.map(changes);
      },
      provide: (field) => EditorView.decorations.from(field),
    }),
    ViewPlugin.define((view) => {
      views.add(view);
      return { destroy: () => views.delete(view) };
    }),
  ];
}

/** The timer that ends the last highlight of an editor; earlier ones end nothing. */
const ends = new WeakMap<EditorView, number>();

function highlight(view: EditorView, lines: readonly number[]): void {
  if (lines.length === 0) return;
  view.dispatch({ effects: setLines.of(lines) });
  // The main window may be hidden, and the timers of a hidden window are late.
  const own = view.dom.ownerDocument.defaultView ?? window;
  const end = own.setTimeout(() => {
    if (view.dom.isConnected && ends.get(view) === end) view.dispatch({ effects: setLines.of([]) });
  }, SHOWN_MS);
  ends.set(view, end);
}
