/** Where the edits of a note are in the text of its editor. */
import { type EditorState, StateField } from '@codemirror/state';
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

/** The reading before: many ask for the places in one text, and most keys change no edit. */
let latest: {
  readonly text: string;
  readonly places: readonly BlockPlace[];
  /** The edits by all that they say. */
  readonly edits: ReadonlyMap<string, NoteEdit>;
} | null = null;

/** An edit that is as it was in the text asked for before is the same object. */
export function blockPlaces(text: string): readonly BlockPlace[] {
  if (!mayHoldBlock(text)) return [];
  if (latest?.text === text) return latest.places;
  const places: BlockPlace[] = [];
  const edits = new Map<string, NoteEdit>();
  let at = 0;
  for (const { raw, edit: read } of readEdits(text, ANY_DEVICE).parts) {
    if (read) {
      const key = JSON.stringify(read);
      const edit = latest?.edits.get(key) ?? read;
      edits.set(key, edit);
      const tagEnd = at + edit.end;
      const separator = edit.block.blank === 0 ? /^[ \t]*\r?\n/.exec(raw.slice(edit.end)) : null;
      const to = tagEnd + (separator?.[0].length ?? 0);
      places.push({ edit, linesFrom: at, from: at + edit.fence, tagEnd, to });
    }
    at += raw.length;
  }
  latest = { text, places, edits };
  return places;
}

export const placesField = StateField.define<readonly BlockPlace[]>({
  create: ({ doc }) => blockPlaces(doc.toString()),
  update: (places, { docChanged, newDoc }) =>
    docChanged ? blockPlaces(newDoc.toString()) : places,
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
