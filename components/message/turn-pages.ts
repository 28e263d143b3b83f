/** The turns of a conversation in pages, so that a word in the last is no work for all that stand above. */
import type { Turn } from '#model/conversation';

export interface TurnPage {
  /** The place of its first turn, counted from 0. */
  readonly from: number;
  readonly turns: readonly Turn[];
  /** Pixels, estimated: the scrollbar then tells about the truth of what was never in sight. */
  readonly height: number;
}

const PAGE = 20;

/** The same objects as before where nothing changed. */
export function turnPages(turns: readonly Turn[], before: readonly TurnPage[]): TurnPage[] {
  const pages: TurnPage[] = [];
  for (let from = 0; from < turns.length; from += PAGE) {
    const known = before[pages.length];
    const length = Math.min(PAGE, turns.length - from);
    const isSame =
      known?.turns.length === length && known.turns.every((turn, at) => turn === turns[from + at]);
    pages.push(isSame ? known : pageOf(from, turns.slice(from, from + PAGE)));
  }
  return pages;
}

function pageOf(from: number, turns: readonly Turn[]): TurnPage {
  return { from, turns, height: turns.reduce((sum, turn) => sum + turnHeight(turn), 0) };
}

/** Pixels, estimated. */
export function turnHeight({ end }: Turn): number {
  const text = end?.reply ?? '';
  return 140 + 22 * Math.round(text.split('\n').length + text.length / 60);
}
