/** Where the edits of a note are in the text of its editor. */
import { type ChangeSet, type EditorState, StateField, type Text } from '@codemirror/state';
import { editorLivePreviewField } from 'obsidian';
import { mayHoldBlock } from '#model/edit/edit-block';
import { ANY_DEVICE, type NoteEdit, readEdits } from '#model/edit/note-edits';

export interface BlockPlace {
  readonly edit: NoteEdit;
  /** Offset of the lines that the edit is about, which are above its block. */
  readonly linesFrom: number;
  /** Offset of the line of the opening fence. */
  readonly from: number;
  /** Offset below the tag. */
  readonly tagEnd: number;
  /** Offset below the block and the blank line that only separates it from the text below. */
  readonly to: number;
}

export function blockPlaces(text: string): BlockPlace[] {
  if (!mayHoldBlock(text)) return [];
  const places: BlockPlace[] = [];
  let at = 0;
  for (const { raw, edit } of readEdits(text, ANY_DEVICE).parts) {
    if (edit) {
      const tagEnd = at + edit.end;
      const separator = edit.block.blank === 0 ? /^[ \t]*\r?\n/.exec(raw.slice(edit.end)) : null;
      const to = tagEnd + (separator?.[0].length ?? 0);
      places.push({ edit, linesFrom: at, from: at + edit.fence, tagEnd, to });
    }
    at += raw.length;
  }
  return places;
}

export const placesField = StateField.define<readonly BlockPlace[]>({
  create: ({ doc }) => blockPlaces(doc.toString()),
  update: (places, { docChanged, changes, startState, newDoc }) =>
    docChanged ? blockPlacesAfter(places, changes, startState.doc, newDoc) : places,
});

export function isLivePreview(state: EditorState): boolean {
  return state.field(editorLivePreviewField, false) ?? false;
}

/** The edits whose blocks are drawn as bars; none in source mode. */
export function livePlaces(state: EditorState): readonly BlockPlace[] {
  return isLivePreview(state) ? (state.field(placesField, false) ?? []) : [];
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

/** Up to this length a note with edits is read again at every change. */
const MAX_QUICK_CHARS = 50_000;
/** Lines of a block, and as many above them. */
const NEAR_LINES = 6;
/** What may begin or end code, math, comments and front matter far away. */
const CONTEXT_MARK = /```|~~~|\$\$|%%|<!--|-->|^---/m;

/**
 * The places after a change. Only moves them when the change of a long note is not near an edit, so
 * that it is not read again at every keystroke.
 */
export function blockPlacesAfter(
  places: readonly BlockPlace[],
  changes: ChangeSet,
  before: Text,
  text: Text,
): readonly BlockPlace[] {
  const isQuick = places.length > 0 && text.length <= MAX_QUICK_CHARS;
  if (isQuick || isNear(places, changes, before, text)) return blockPlaces(text.toString());
  return places.map((place) => {
    const moved = changes.mapPos(place.from, 1) - place.from;
    const { edit, linesFrom, from, tagEnd, to } = place;
    return {
      edit,
      linesFrom: linesFrom + moved,
      from: from + moved,
      tagEnd: tagEnd + moved,
      to: to + moved,
    };
  });
}

function isNear(
  places: readonly BlockPlace[],
  changes: ChangeSet,
  before: Text,
  text: Text,
): boolean {
  let isFound = false;
  changes.iterChangedRanges((from, to, fromNow, toNow) => {
    if (isFound) return;
    const old = linesAround(before, from, to, NEAR_LINES);
    const now = linesAround(text, fromNow, toNow, NEAR_LINES);
    isFound =
      places.some((place) => old.from <= place.to && old.to >= place.linesFrom) ||
      mayHoldBlock(text.sliceString(now.from, now.to)) ||
      [textAround(before, from, to), textAround(text, fromNow, toNow)].some((each) =>
        CONTEXT_MARK.test(each),
      );
  });
  return isFound;
}

function textAround(text: Text, from: number, to: number): string {
  const lines = linesAround(text, from, to, 0);
  return text.sliceString(lines.from, lines.to);
}

function linesAround(text: Text, from: number, to: number, more: number) {
  const first = Math.max(1, text.lineAt(from).number - more);
  const last = Math.min(text.lines, text.lineAt(to).number + more);
  return { from: text.line(first).from, to: text.line(last).to };
}
