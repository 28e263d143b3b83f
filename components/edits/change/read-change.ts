/** Compares two versions of a note block by block: same, added, removed or changed. */
import { Blocks, type Block as DrawnBlock } from '../../message/markdown/blocks';
import type { Report } from '../../message/markdown/bounded-lexer';
import { align, type Comparable, similarity, wordsOf } from './align';
import { unchangedRanges } from './draw-piece';
import { isChanged, type PropertyRow, propertyRows, splitNote } from './property-rows';

export interface ReadChange {
  /** Changed properties and those next to them; empty if nothing changed. */
  readonly properties: readonly PropertyRow[];
  readonly pieces: readonly Piece[];
  /** The change is invisible in drawn text, so the source is shown. */
  readonly isPlain: boolean;
}

/** More characters than this are not drawn, because that would take long and nobody reads them. */
const DRAWN = 300_000;

export interface ReadChangeOptions {
  /** Whether it is another kind of text. */
  readonly isMarkdown: boolean;
  readonly report: Report;
}

export function readChange(
  before: string,
  after: string,
  { isMarkdown, report }: ReadChangeOptions,
): ReadChange {
  if (!isMarkdown || before.length + after.length > DRAWN) {
    return { properties: [], pieces: [], isPlain: true };
  }
  const [old, young] = [splitNote(before), splitNote(after)];
  const rows = propertyRows(old.properties, young.properties) ?? [];
  const properties = rows.some(isChanged) ? rows : [];
  const pieces = old.body === young.body ? [] : piecesOf(old.body, young.body, report);
  const isPlain = properties.length === 0 && pieces.every(({ kind }) => kind === 'same');
  return { properties, pieces, isPlain };
}

/** A block to draw, or a number of unchanged blocks that are left out. */
export type ShownChange =
  | { readonly kind: 'piece'; readonly at: number; readonly piece: Piece }
  | { readonly kind: 'gap'; readonly at: number; readonly count: number };

/** HTML of a heading or a one-line paragraph. */
const SHORT = 120;

/** Characters of HTML drawn until the user asks for all. */
const AT_ONCE = 12_000;

/** @param whole everything; otherwise only the surroundings of changes, up to a limit */
export function shownOf(
  pieces: readonly Piece[],
  whole: boolean,
): { shown: ShownChange[]; rest: number } {
  const all = pieces.map((piece, at): ShownChange => ({ kind: 'piece', at, piece }));
  if (whole) return { shown: all, rest: 0 };
  const stretches: ShownChange[][] = [];
  let last = 0;
  const quiet = pieces.map((piece) => ({
    isQuiet: piece.kind === 'same',
    isShort: sizeOf(piece) <= SHORT,
  }));
  for (const { from, to } of unchangedRanges(quiet)) {
    stretches.push(all.slice(last, from), [{ kind: 'gap', at: from, count: to - from }]);
    last = to;
  }
  const shown = [...stretches.flat(), ...all.slice(last)];
  let size = 0;
  const end = shown.findIndex((each) => {
    const isOver = size > AT_ONCE;
    size += each.kind === 'piece' ? sizeOf(each.piece) : 0;
    return isOver;
  });
  if (end < 0) return { shown, rest: 0 };
  return { shown: shown.slice(0, end), rest: shown.length - end };
}

function sizeOf(piece: Piece): number {
  return piece.kind === 'changed'
    ? piece.before.html.length + piece.after.html.length
    : piece.html.length;
}

/** A block as unsanitized HTML and as source. */
type Side = Pick<DrawnBlock, 'html' | 'raw'>;

export type Piece =
  | ({ readonly kind: 'same' | 'added' | 'removed' } & Side)
  | { readonly kind: 'changed'; readonly before: Side; readonly after: Side };

interface Block extends Comparable, Side {}

/** @param report receives errors of blocks that are shown as plain text */
export function piecesOf(before: string, after: string, report: Report): Piece[] {
  const pairs = align<Block>(blocksOf(before, report), blocksOf(after, report), {
    key: ({ html }) => html,
    like: similarity,
  });
  return pairs.map((pair): Piece => {
    if (pair.before === null) return { kind: 'added', ...sideOf(pair.after) };
    if (pair.after === null) return { kind: 'removed', ...sideOf(pair.before) };
    if (pair.before.html === pair.after.html) return { kind: 'same', ...sideOf(pair.after) };
    return { kind: 'changed', before: sideOf(pair.before), after: sideOf(pair.after) };
  });
}

function sideOf({ html, raw }: Block): Side {
  return { html, raw };
}

function blocksOf(text: string, report: Report): Block[] {
  const blocks = new Blocks(report);
  blocks.update(text, true);
  return blocks.list.map(({ html, raw }) => {
    const kind = /^\s*<(\w+)/.exec(html)?.[1] ?? '';
    return { html, raw, kind, words: wordsOf(html.replace(/<[^>]*>/g, ' ')) };
  });
}
