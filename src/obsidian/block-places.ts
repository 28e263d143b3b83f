/** Where the blocks of proposals stand in a text. */
import { parseNote, type Block } from '#model/proposal/form';

export interface BlockPlace {
  readonly block: Block;
  /** The first sign of the opening fence. */
  readonly from: number;
  /** Behind the last sign of the closing fence. */
  readonly fenced: number;
  /** Behind the lines that belong to it: the tag's, and the one that keeps it apart from what follows. */
  readonly to: number;
}

export function blockPlaces(text: string): BlockPlace[] {
  // Most notes have none, and this is asked at every key.
  if (!text.includes('```ai-edit')) return [];
  const places: BlockPlace[] = [];
  let at = 0;
  for (const segment of parseNote(text)) {
    const from = at;
    at += segment.kind === 'text' ? segment.text.length : segment.raw.length;
    if (segment.kind === 'text') continue;
    const fence = segment.raw.split('\n').slice(0, 3).join('\n');
    places.push({ block: segment.block, from, fenced: from + fence.length, to: at });
  }
  return places;
}

/** Blocks without a line between them leave no room for a cursor. */
export function runsOf(places: readonly BlockPlace[]): { from: number; to: number }[] {
  const runs: { from: number; to: number }[] = [];
  for (const { from, to } of places) {
    const last = runs.at(-1);
    if (last?.to === from) last.to = to;
    else runs.push({ from, to });
  }
  return runs;
}
