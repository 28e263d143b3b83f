/** Where the blocks of proposals stand in a text. */
import type { ChangeDesc, Text } from '@codemirror/state';
import { parseNote, type ProposalBlock } from '#model/proposal/format';

const OPENER = '```ai-edit';

export interface BlockPlace {
  readonly block: ProposalBlock;
  /** The first sign of the opening fence. */
  readonly from: number;
  /** Behind the last sign of the closing fence. */
  readonly fenced: number;
  /** Behind the lines that belong to it: the tag's, and the one that keeps it apart from what follows. */
  readonly to: number;
}

export function blockPlaces(text: string): BlockPlace[] {
  if (!text.includes(OPENER)) return [];
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

/** The opener, the change, the closer, the tag and the line that keeps the block apart. */
const LINES_OF_A_BLOCK = 5;

/** The places after a change, which leaves most of them where they are: long notes are not read again at every key. */
export function blockPlacesAfter(
  places: readonly BlockPlace[],
  changes: ChangeDesc,
  text: Text,
): readonly BlockPlace[] {
  // What such a block means depends on the top of the note.
  let isNear = places.some(({ block }) => block.where !== null);
  changes.iterChangedRanges((from, to, fromNow, toNow) => {
    isNear ||=
      places.some((place) => from <= place.to && to >= place.from) ||
      linesAround(text, fromNow, toNow).includes(OPENER);
  });
  if (isNear) return blockPlaces(text.toString());
  return places.map(({ block, from, fenced, to }) => {
    const moved = changes.mapPos(from, 1) - from;
    return { block, from: from + moved, fenced: fenced + moved, to: to + moved };
  });
}

function linesAround(text: Text, from: number, to: number): string {
  const first = Math.max(1, text.lineAt(from).number - LINES_OF_A_BLOCK);
  const last = Math.min(text.lines, text.lineAt(to).number + LINES_OF_A_BLOCK);
  return text.sliceString(text.line(first).from, text.line(last).to);
}
