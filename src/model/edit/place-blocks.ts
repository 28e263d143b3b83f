/** Puts the blocks of edits into a note, each where it leaves all other blocks as they are. */
import { UNDERLINE } from '#text/block-marks';
import type { BlockLine } from '#text/block-reader';
import { linesOf, onlyEnding, withoutLastBreak } from '#text/list-diff';
import { type BlockRange, isBlank, structureOf } from '#text/note-blocks';
import { isTableRow } from '#text/note-structure';
import type { ProposalId } from '../ids';
import {
  type EditBlock,
  endedLike,
  endingOf,
  isClosingLine,
  isOpeningLine,
  lineHash,
  MAX_BLOCK_CHARS,
  printBlock,
  trimmedLines,
} from './edit-block';

/** An edit of whole lines of the text before. */
export interface EditPiece {
  readonly id: ProposalId;
  /** Lines from 0; the same for an addition. */
  readonly from: number;
  readonly to: number;
  readonly after: string;
}

/** A block that stays as it is stored. */
export interface StoredBlock {
  /** The line of the text before that is below it. */
  readonly at: number;
  readonly raw: string;
}

export interface PlaceOptions {
  /** Without `#`. */
  readonly tag: string;
  readonly stored: readonly StoredBlock[];
  /** The whole blocks of the text before. */
  readonly ranges: readonly BlockRange[];
  /** Whether equal lines are elsewhere in the note. */
  hasTwin(lines: readonly string[], from: number): boolean;
}

/**
 * @param lines of the text before, with their endings; the last one has one, too
 * @param pieces in order
 * @returns null if a block has no place, or is too long
 */
export function placeBlocks(
  lines: readonly string[],
  pieces: readonly EditPiece[],
  options: PlaceOptions,
): string | null {
  return new Placing(lines, options).place(pieces);
}

/** The place of a block: its indent, and whether blank lines separate it. */
interface Place {
  readonly indent: number;
  readonly isBelowBlank: boolean;
  readonly isAboveBlank: boolean;
}

/** A piece may cover so many more blocks until its own block has a place. */
const MAX_EXTENSIONS = 20;

const KINDS: readonly BlockLine['kind'][] = ['fence-start', 'fenced', 'fence-end', 'text'];

/** A line of a block, and how it should be read. */
interface InsertedLine {
  readonly text: string;
  readonly kind: BlockLine['kind'];
}

class Placing {
  readonly #lines: readonly string[];
  /** Without their endings. */
  readonly #bare: readonly string[];
  readonly #options: PlaceOptions;
  /** Lines of blocks, by the line of the text before that is below them. */
  readonly #inserted = new Map<number, InsertedLine[]>();
  readonly #stored: StoredBlock[];

  constructor(lines: readonly string[], options: PlaceOptions) {
    this.#lines = lines;
    this.#bare = lines.map(withoutLastBreak);
    this.#options = options;
    this.#stored = [...options.stored];
  }

  place(all: readonly EditPiece[]): string | null {
    const pieces = all.map((piece) => this.#withoutBlanksAbove(piece));
    for (let at = 0; at < pieces.length; at += 1) {
      let extensions = 0;
      for (;;) {
        const piece = pieces[at];
        // Covering more blocks makes it only longer.
        if (!piece || this.#isTooLong(piece)) return null;
        // A block stays directly below its lines, also where lines are added below them.
        const isAddition = piece.from === piece.to;
        this.#insertStored(this.#placeLine(piece) + (isAddition ? 1 : 0));
        if (this.#insert(piece)) break;
        const extended = extensions < MAX_EXTENSIONS && this.#extended(piece, pieces[at + 1]);
        if (!extended) return null;
        extensions += 1;
        const isJoined = extended.to > (pieces[at + 1]?.from ?? Infinity);
        pieces.splice(at, isJoined ? 2 : 1, extended);
      }
    }
    this.#insertStored(Infinity);
    return this.#print();
  }

  /** Printing never shortens the texts of a block, and takes long for long ones. */
  #isTooLong({ from, to, after }: EditPiece): boolean {
    let length = after.length;
    for (let line = from; line < to; line += 1) length += this.#lines[line]?.length ?? 0;
    return length > MAX_BLOCK_CHARS;
  }

  /** Blocks stand directly below text, so blank lines above an addition are part of it. */
  #withoutBlanksAbove(piece: EditPiece): EditPiece {
    if (piece.from < piece.to) return piece;
    let { from } = piece;
    while (from > 0 && isBlank(this.#bare[from - 1])) from -= 1;
    return { ...piece, from, after: this.#text(from, piece.from) + piece.after };
  }

  /** The line of the text before that is directly below the block. */
  #placeLine({ from, to }: EditPiece): number {
    let line = to;
    while (line > from && isBlank(this.#bare[line - 1])) line -= 1;
    return line;
  }

  #insertStored(to: number): void {
    while ((this.#stored[0]?.at ?? Infinity) < to) {
      const stored = this.#stored.shift();
      if (!stored) return;
      this.#add(stored.at, storedLines(stored.raw));
    }
  }

  #add(at: number, lines: readonly InsertedLine[]): void {
    this.#inserted.set(at, [...(this.#inserted.get(at) ?? []), ...lines]);
  }

  #insert(piece: EditPiece): boolean {
    const at = this.#placeLine(piece);
    const block = this.#blockOf(piece, at);
    for (const place of this.#placesAt(at)) {
      const lines = this.#linesOf(block, place, at);
      if ((lines[1]?.text.length ?? 0) > MAX_BLOCK_CHARS) return false;
      const before = this.#inserted.get(at);
      this.#add(at, lines);
      if (this.#isSameStructure(at)) return true;
      if (before) this.#inserted.set(at, before);
      else this.#inserted.delete(at);
    }
    return false;
  }

  #blockOf({ id, from, to, after }: EditPiece, at: number): EditBlock {
    const before = this.#text(from, to);
    let blank = 0;
    while (isBlank(this.#bare[at + blank])) blank += 1;
    const isLast = at + blank === this.#lines.length;
    const usual = isLast ? 0 : 1;
    const { tag } = this.#options;
    return {
      ...{ id, before, after, tag },
      above: lineHash(this.#lineAbove(from)),
      twin: this.#options.hasTwin(trimmedLines(before), from),
      blank: blank === usual ? null : blank,
    };
  }

  #lineAbove(line: number): string {
    let at = line - 1;
    while (at >= 0 && isBlank(this.#bare[at])) at -= 1;
    return this.#bare[at] ?? '';
  }

  *#placesAt(at: number): Generator<Place> {
    const above = this.#rangeAt(at - 1);
    const own = above?.indent ?? 0;
    const isTable = isTableRow(this.#bare, at - 1);
    const isBlankBelow = at >= this.#lines.length || isBlank(this.#bare[at]);
    // A tag directly above an underline would be a heading for some readers.
    const below = UNDERLINE.test(this.#bare[at] ?? '') ? [true] : [false, true];
    for (const indent of own === 0 ? [0] : [own, 0]) {
      for (const isBelowBlank of isTable ? [true] : [false, true]) {
        for (const isAboveBlank of isBlankBelow ? [false] : below) {
          yield { indent, isBelowBlank, isAboveBlank };
        }
      }
    }
  }

  #linesOf(
    block: EditBlock,
    { indent, isBelowBlank, isAboveBlank }: Place,
    at: number,
  ): InsertedLine[] {
    const line = this.#lines[at - 1] ?? this.#lines[at];
    const ending = line === undefined ? (onlyEnding(block.after) ?? '\n') : endingOf(line);
    const blank: InsertedLine = { text: ending, kind: 'text' };
    const own = printBlock(block, ' '.repeat(indent), ending).map((text, index): InsertedLine => ({
      text,
      kind: KINDS[index] ?? 'text',
    }));
    return [...(isBelowBlank ? [blank] : []), ...own, ...(isAboveBlank ? [blank] : [])];
  }

  #isSameStructure(at: number): boolean {
    const [from, to] = this.#windowAround(at);
    // The first line of a window may look like the beginning of front matter.
    const old = from === 0 ? [] : [''];
    const fresh = [...old];
    const kinds = new Map<number, BlockLine['kind']>();
    for (let line = from; line <= to; line += 1) {
      // A block above the window belongs to lines that are not in it.
      const isAbove = line === from && from > 0;
      for (const { text, kind } of isAbove ? [] : (this.#inserted.get(line) ?? [])) {
        kinds.set(fresh.length, kind);
        fresh.push(withoutLastBreak(text));
      }
      const bare = this.#bare[line];
      if (line === to || bare === undefined) break;
      old.push(bare);
      fresh.push(bare);
    }
    return (['note', 'plain'] as const).every((syntax) => {
      const was = structureOf(old, syntax);
      const is = structureOf(fresh, syntax, kinds);
      return is !== null && was !== null && is.join('\n') === was.join('\n');
    });
  }

  /** Whole blocks around a line, so many that what is further away reads the same. */
  #windowAround(at: number): [number, number] {
    const isTop = ({ from, to }: BlockRange) => {
      let line = from;
      while (line < to && isBlank(this.#bare[line])) line += 1;
      return !/^[ \t]/.test(this.#bare[line] ?? '');
    };
    let first = this.#indexAt(Math.max(0, at - 1));
    for (let tops = 0; first > 0; first -= 1) {
      const range = this.#options.ranges[first];
      if (range && isTop(range) && (tops += 1) === 2) break;
    }
    let last = this.#indexAt(at);
    for (let tops = 0; last < this.#options.ranges.length; last += 1) {
      const range = this.#options.ranges[last];
      if (range && isTop(range) && (tops += 1) === 2) break;
    }
    return [
      this.#options.ranges[first]?.from ?? 0,
      this.#options.ranges[last]?.to ?? this.#lines.length,
    ];
  }

  /** Index of the range that contains the line, or of the one below the last. */
  #indexAt(line: number): number {
    let [low, high] = [0, this.#options.ranges.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#options.ranges[middle]?.to ?? Infinity) > line) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  #rangeAt(line: number): BlockRange | undefined {
    return line < 0 ? undefined : this.#options.ranges[this.#indexAt(line)];
  }

  /** The piece with the block below it, which then may be covered by the next piece. */
  #extended(piece: EditPiece, next: EditPiece | undefined): EditPiece | null {
    const range = this.#rangeAt(piece.to);
    if (!range) return null;
    const to = range.to;
    const after = endedLike(piece.after, this.#lines[0]);
    if (!next || next.from >= to) return { ...piece, to, after: after + this.#text(piece.to, to) };
    const between = this.#text(piece.to, next.from);
    return { ...piece, to: next.to, after: after + between + next.after };
  }

  #text(from: number, to: number): string {
    return this.#lines.slice(from, to).join('');
  }

  #print(): string {
    const result: string[] = [];
    for (let at = 0; at <= this.#lines.length; at += 1) {
      for (const { text } of this.#inserted.get(at) ?? []) result.push(text);
      const line = this.#lines[at];
      if (line !== undefined) result.push(line);
    }
    return result.join('');
  }
}

/** The lines of a block as it is stored, which may have more lines than one that is printed. */
function storedLines(raw: string): InsertedLine[] {
  let kind: BlockLine['kind'] = 'text';
  return linesOf(raw).map((text) => {
    const line = withoutLastBreak(text);
    if (kind === 'text' && isOpeningLine(line)) kind = 'fence-start';
    else if (kind === 'fence-start') kind = 'fenced';
    else if (kind === 'fence-end') kind = 'text';
    if (kind === 'fenced' && isClosingLine(line)) kind = 'fence-end';
    return { text, kind };
  });
}
