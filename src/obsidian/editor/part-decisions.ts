/** Lets the user accept or reject a single part of an edit where it is marked in an editor. */
import { type EditorState, type Extension, Prec, StateEffect, StateField } from '@codemirror/state';
import { EditorView, showTooltip, type Tooltip } from '@codemirror/view';
import { editorInfoField, setIcon } from 'obsidian';
import * as t from '#messages/edit-messages';
import { markedParts } from '#model/edit/marked-parts';
import type { ProposalId } from '#model/ids';
import type { PartChoice } from '#ports/app/edits-port';
import { PART, PART_OF } from './edit-drawing';
import { isLivePreview, livePlaces } from './block-places';

export type DecidePart = (choice: PartChoice) => void;

interface ShownPart {
  readonly id: ProposalId;
  readonly part: number;
  readonly of: number;
  readonly removed: string;
  readonly added: string;
  /** Offsets of what it takes out. */
  readonly from: number;
  readonly to: number;
}

const setPart = StateEffect.define<{
  readonly part: ShownPart;
  readonly isFocused: boolean;
} | null>();

const VERBS = [
  { choice: 'accept', icon: 'check', words: t.accept },
  { choice: 'reject', icon: 'x', words: t.reject },
] as const;

/** All parts that are marked in the text. */
function shownParts(state: EditorState): ShownPart[] {
  return livePlaces(state).flatMap(({ edit, linesFrom }) => {
    const parts = markedParts(edit) ?? [];
    return parts.map(({ from: at, removed, added }, part) => {
      const from = linesFrom + at;
      const to = from + removed.length;
      return { id: edit.id, part, of: parts.length, removed, added, from, to };
    });
  });
}

export function partDecisions(decide: DecidePart): Extension {
  const card = StateField.define<Tooltip | null>({
    create: () => null,
    update(shown, { docChanged, effects, state, startState }) {
      for (const effect of effects) {
        if (effect.is(setPart)) return effect.value ? cardOf(effect.value, decide) : null;
      }
      const isMoved = docChanged || !state.selection.eq(startState.selection);
      return isMoved || !isLivePreview(state) ? null : shown;
    },
    provide: (field) => showTooltip.from(field),
  });
  return [
    card,
    // Before the editor's own keys, which would change the text.
    Prec.highest(
      EditorView.domEventHandlers({
        click: ({ target }, view) => open(target, view, false),
        keydown: (event, view) => {
          if (event.key === 'Escape' && view.state.field(card)) {
            view.dispatch({ effects: setPart.of(null) });
            return true;
          }
          const isOpening = event.key === 'Enter' || event.key === ' ';
          if (!isOpening || !open(event.target, view, true, 'ins')) return false;
          event.preventDefault();
          return true;
        },
      }),
    ),
  ];
}

/** Shows the buttons for the part that was drawn as this element. */
function open(target: EventTarget | null, view: EditorView, isFocused: boolean, tag = ''): boolean {
  const element = (target as Element | null)?.closest?.(`${tag}[${PART}]`);
  if (!element || !view.state.selection.main.empty) return false;
  const [id, index] = [element.getAttribute(PART_OF), Number(element.getAttribute(PART))];
  const part = shownParts(view.state).find((each) => each.id === id && each.part === index);
  if (part) view.dispatch({ effects: setPart.of({ part, isFocused }) });
  return part !== undefined;
}

function cardOf(
  { part, isFocused }: { readonly part: ShownPart; readonly isFocused: boolean },
  decide: DecidePart,
): Tooltip {
  const { id, part: index, of, removed, added, from, to } = part;
  return {
    pos: from,
    end: to,
    above: true,
    create(view) {
      const dom = view.dom.createDiv('parley-part-card');
      dom.setAttribute('role', 'group');
      dom.setAttribute('aria-label', t.partChoice);
      for (const { choice, icon, words } of VERBS) {
        const button = dom.createEl('button', { cls: `mod-${choice}` });
        setIcon(button.createSpan(), icon);
        button.createSpan({ text: words });
        button.addEventListener('click', () => {
          const note = view.state.field(editorInfoField, false)?.file?.path;
          view.dispatch({ effects: setPart.of(null) });
          view.focus();
          if (note !== undefined)
            decide({ edit: id, note, part: index, of, removed, added, choice });
        });
      }
      dom.addEventListener('keydown', (event) => {
        if (event.key !== 'Escape') return;
        event.stopPropagation();
        view.dispatch({ effects: setPart.of(null) });
        view.focus();
      });
      const mount = () => {
        if (isFocused) dom.querySelector('button')?.focus();
      };
      return { dom, mount };
    },
  };
}
