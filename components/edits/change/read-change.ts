/** Compares two versions of a note block by block: same, added, removed or changed. */
import { type Block as DrawnBlock, Blocks } from '../../message/markdown/blocks';
import type { Report } from '../../message/markdown/bounded-lexer';
import { isPlainHtml } from '../../message/markdown/escape-html';
import { align, type Comparable, similarity, type WordList, wordListOf } from './align';
import { isRowChanged, type PropertyRow, propertyRows, splitProperties } from './property-rows';

export interface ReadChange {
  /** Changed properties and those next to them; empty if nothing changed. */
  readonly properties: readonly PropertyRow[];
  readonly pieces: readonly Piece[];
  /** The change is invisible in drawn text, so the source is shown. */
  readonly isPlain: boolean;
}

/** Longer changes are shown as source, because drawing them takes long. */
const MAX_CHARS = 300_000;

/** Blocks of both sides together, which are compared at once. */
const MAX_BLOCKS = 6_000;

export const AS_SOURCE: ReadChange = { properties: [], pieces: [], isPlain: true };

export interface ReadChangeOptions {
  /** Whether it is another kind of text. */
  readonly isMarkdown: boolean;
  readonly report: Report;
}

/** A comparison that may take several calls. */
export class ChangeReading {
  readonly #steps: Generator<void, ReadChange>;
  #result: ReadChange | null = null;

  constructor(before: string, after: string, options: ReadChangeOptions) {
    this.#steps = readInSteps(before, after, options);
  }

  /** Null until it is done. */
  next(): ReadChange | null {
    if (this.#result) return this.#result;
    const step = this.#steps.next();
    if (step.done === true) this.#result = step.value;
    return this.#result;
  }
}

export function* readInSteps(
  before: string,
  after: string,
  { isMarkdown, report }: ReadChangeOptions,
): Generator<void, ReadChange> {
  if (!isMarkdown || before.length + after.length > MAX_CHARS) return AS_SOURCE;
  const [old, young] = [splitProperties(before), splitProperties(after)];
  const rows = propertyRows(old.properties, young.properties) ?? [];
  const properties = rows.some(isRowChanged) ? rows : [];
  if (old.body === young.body) return { properties, pieces: [], isPlain: properties.length === 0 };
  const [was, is] = [yield* readSide(old.body, report), yield* readSide(young.body, report)];
  const pieces = changePieces(was.blocks, is.blocks);
  if (!pieces) return AS_SOURCE;
  const isDrawn = properties.length > 0 || pieces.some(({ kind }) => kind !== 'same');
  if (!isDrawn) return AS_SOURCE;
  return { properties, pieces: [...pieces, ...definitionPieces(was, is)], isPlain: false };
}

/** Link definitions have nothing but their source. */
function definitionPieces({ definitions: was }: ReadSide, { definitions: is }: ReadSide): Piece[] {
  if (was === is) return [];
  const [before, after] = [was, is].map((raw) => ({ html: '', raw })) as [Side, Side];
  return [{ kind: 'changed', before, after }];
}

/** Whether something besides blanks differs in the source, even if it is drawn alike. */
function isChanged(piece: Piece): boolean {
  return piece.kind !== 'same' || withoutBlanks(piece.rawBefore) !== withoutBlanks(piece.raw);
}

function withoutBlanks(raw: string): string {
  return raw.replace(/[ \t\r\n]+/g, '');
}

export interface ShownPiece {
  readonly kind: 'piece';
  readonly at: number;
  readonly piece: Piece;
}

/** A block to draw, or a number of unchanged blocks that are left out. */
export type ShownChange =
  ShownPiece | { readonly kind: 'gap'; readonly at: number; readonly count: number };

/** HTML of a heading or a one-line paragraph. */
const SHORT = 120;

/** What is drawn at once, in characters of HTML. */
const AT_ONCE = 16_000;

/** What drawing a block costs besides its HTML, in characters. */
const PER_BLOCK = 80;

/** @param whole everything; otherwise only the surroundings of changes */
export function shownOf(pieces: readonly Piece[], whole: boolean): readonly ShownChange[] {
  return whole ? everything(pieces) : surroundings(pieces);
}

/**
 * The beginning that is drawn so far; the same objects each time.
 * @param slices number of slices drawn before this one
 */
export function beginningOf(all: readonly ShownChange[], slices: number): readonly ShownChange[] {
  let size = 0;
  const end = all.findIndex((each) => {
    const isOver = size > AT_ONCE * (slices + 1);
    size += each.kind === 'piece' ? sizeOf(each.piece) + PER_BLOCK : 0;
    return isOver;
  });
  return end < 0 ? all : all.slice(0, end);
}

function everything(pieces: readonly Piece[]): ShownChange[] {
  return pieces.map((piece, at): ShownChange => ({ kind: 'piece', at, piece }));
}

function surroundings(pieces: readonly Piece[]): ShownChange[] {
  const all = everything(pieces);
  const stretches: ShownChange[][] = [];
  let last = 0;
  const quiet = pieces.map((piece) => ({
    isQuiet: !isChanged(piece),
    isShort: sizeOf(piece) <= SHORT,
  }));
  for (const { from, to } of unchangedRanges(quiet)) {
    stretches.push(all.slice(last, from), [{ kind: 'gap', at: from, count: to - from }]);
    last = to;
  }
  return [...stretches.flat(), ...all.slice(last)];
}

function sizeOf(piece: Piece): number {
  return piece.kind === 'changed'
    ? piece.before.html.length + piece.after.html.length
    : piece.html.length;
}

/** A block as unsanitized HTML and as source. */
export type Side = Pick<DrawnBlock, 'html' | 'raw'>;

export type Piece =
  /** `rawBefore`: its source before, which may differ although it is drawn alike. */
  | ({ readonly kind: 'same'; readonly rawBefore: string } & Side)
  | ({ readonly kind: 'added' | 'removed' } & Side)
  | { readonly kind: 'changed'; readonly before: Side; readonly after: Side };

class ReadBlock implements Comparable, Side {
  readonly html: string;
  readonly raw: string;
  readonly kind: string;
  #words: WordList | null = null;

  constructor({ html, raw }: DrawnBlock) {
    this.html = html;
    this.raw = raw;
    const [, name = '', callout] = /^\s*<(\w+)(?: class="(callout))?/.exec(html) ?? [];
    // A heading of another level, or a callout of another kind, is a changed one.
    this.kind = callout ?? name.replace(/^h[1-6]$/, 'heading');
  }

  /** Only blocks that changed are compared by their words. */
  get words(): WordList {
    return (this.#words ??= wordListOf(this.html.replace(/<[^>]*>/g, ' ')));
  }
}

/** Null if a long block that changed cannot be read, or there are too many blocks to compare. */
export function changePieces(
  old: readonly ReadBlock[],
  young: readonly ReadBlock[],
): Piece[] | null {
  if (old.length + young.length > MAX_BLOCKS) return null;
  const pairs = align<ReadBlock>(old, young, { key: ({ html }) => html, like: similarity });
  const pieces = pairs.map((pair): Piece => {
    if (pair.before === null) return { kind: 'added', ...sideOf(pair.after) };
    if (pair.after === null) return { kind: 'removed', ...sideOf(pair.before) };
    if (pair.before.html === pair.after.html) {
      return { kind: 'same', rawBefore: pair.before.raw, ...sideOf(pair.after) };
    }
    return { kind: 'changed', before: sideOf(pair.before), after: sideOf(pair.after) };
  });
  return hasUnread(pieces) ? null : pieces;
}

/** Whether a long block of plain text was changed: the source shows better what changed in it. */
function hasUnread(pieces: readonly Piece[]): boolean {
  const long = pieces.filter((piece) => piece.kind !== 'same' && sizeOf(piece) >= AT_ONCE);
  const isReplaced = new Set(long.map(({ kind }) => kind)).size > 1;
  return long.some((piece) =>
    piece.kind === 'changed'
      ? isPlainHtml(piece.before.html) || isPlainHtml(piece.after.html)
      : isReplaced && isPlainHtml(piece.html),
  );
}

function sideOf({ html, raw }: Side): Side {
  return { html, raw };
}

interface ReadSide {
  readonly blocks: readonly ReadBlock[];
  /** Link definitions, which are not drawn, but say where links lead. */
  readonly definitions: string;
}

/** @param report receives errors of blocks that are shown as plain text */
export function* readSide(text: string, report: Report): Generator<void, ReadSide> {
  const read = new Blocks(report);
  for (;;) {
    const { pages, waiting } = read.next(text, true);
    if (waiting.length === 0) {
      const blocks = pages.flatMap((page) => page.blocks.map((block) => new ReadBlock(block)));
      return { blocks, definitions: read.definitions };
    }
    yield;
  }
}

/** Fewer unchanged items than this are not left out. */
const MIN_OMITTED_ITEMS = 2;

/** Items in document order. */
export interface Omittable {
  /** Whether it is unchanged. */
  readonly isQuiet: boolean;
  /** Whether it is kept next to a change as context. */
  readonly isShort: boolean;
}

/** Ranges to leave out; the end is exclusive. */
export function unchangedRanges(things: readonly Omittable[]): { from: number; to: number }[] {
  const stretches: { from: number; to: number }[] = [];
  const isShort = (at: number) => things[at]?.isShort === true;
  let from = 0;
  for (let at = 0; at <= things.length; at += 1) {
    if (things[at]?.isQuiet) continue;
    const first = from > 0 && isShort(from) ? from + 1 : from;
    const last = at < things.length && isShort(at - 1) ? at - 1 : at;
    const isAll = from === 0 && at === things.length;
    if (!isAll && last - first >= MIN_OMITTED_ITEMS) stretches.push({ from: first, to: last });
    from = at + 1;
  }
  return stretches;
}
