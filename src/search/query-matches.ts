/**
 * Counts how notes match the words of a query, in one table with a row per note. Rows are in the order
 * of the inverted lists, so that reading a list goes through the table once, from start to end.
 */
import { COUNT, FIELD_BITS, type PostingsReader, type WordUse } from './postings';
import type { IndexedNote, WordIndex } from './word-index';

/** How a word of a note matches a word of the query. */
export const EXACT_MATCH = 0;
export const PREFIX_MATCH = 1;
export const TYPO_MATCH = 2;
export const MATCH_KINDS = 3;

/** A word of the query that a word of a note matches. */
export interface Way {
  readonly word: number;
  readonly kind: number;
}

/** The matching words of the notes, by their numbers. */
export type WordForms = ReadonlyMap<number, readonly Way[]>;

/** Mask of the summed counts in a cell. The field bits are 12 bits higher than in the index. */
const MANY = 0xffffff;

const FIELD_SHIFT = 12;

const TITLE = FIELD_BITS.title;

/** The notes of a search by row, and what a ranking needs of each, in flat arrays. */
export class SearchedRows {
  /** Rows below are slots of the inverted lists; the rows of other notes follow. */
  readonly slotEnd: number;
  readonly notes: readonly (IndexedNote | undefined)[];
  /** Notes that are not merged, in the order of their rows. */
  readonly others: readonly IndexedNote[];
  readonly isSearched: Uint8Array;
  readonly lengths: Float64Array;
  /** Of all notes. */
  readonly totalLength: number;

  constructor(index: WordIndex, notes: readonly IndexedNote[]) {
    this.slotEnd = index.slotEnd;
    this.others = notes.filter(({ slot }) => slot < 0);
    const rows = this.slotEnd + this.others.length;
    this.isSearched = new Uint8Array(rows);
    this.lengths = new Float64Array(rows);
    const byRow = new Array<IndexedNote | undefined>(rows);
    let total = 0;
    let next = this.slotEnd;
    for (const note of notes) {
      const row = note.slot < 0 ? next++ : note.slot;
      byRow[row] = note;
      this.isSearched[row] = 1;
      this.lengths[row] = note.length;
      total += note.length;
    }
    this.notes = byRow;
    this.totalLength = total;
  }
}

export class QueryMatches {
  readonly rows: SearchedRows;
  /** Numbers of words that occur in one of the notes. */
  readonly seen = new Set<number>();
  /** Number of words times kinds of matches. */
  readonly #columns: number;
  /** Counts and field bits by row, query word and kind. */
  readonly cells: Uint32Array;
  readonly #isMatched: Uint8Array;

  constructor(index: WordIndex, notes: readonly IndexedNote[], words: number, forms: WordForms) {
    this.rows = new SearchedRows(index, notes);
    const { length } = this.rows.isSearched;
    this.#columns = words * MATCH_KINDS;
    this.cells = new Uint32Array(length * this.#columns);
    this.#isMatched = new Uint8Array(length);
    this.#countMerged(index, forms);
    this.#countOthers(index, forms);
  }

  /** One more than the last row. */
  get end(): number {
    return this.#isMatched.length;
  }

  isMatched(row: number): boolean {
    return this.#isMatched[row] === 1;
  }

  /** Where the cells of a row begin, by query word and kind. */
  firstCell(row: number): number {
    return row * this.#columns;
  }

  /** Counts the notes that match each query word, by this kind of match or a better one. */
  notesByColumn(): number[] {
    const found = new Array<number>(this.#columns).fill(0);
    for (let row = 0; row < this.end; row++) {
      if (this.#isMatched[row] === 1) this.#countRow(row, found);
    }
    return found;
  }

  #countRow(row: number, found: number[]): void {
    const first = this.firstCell(row);
    for (let word = 0; word < this.#columns; word += MATCH_KINDS) {
      let any = 0;
      for (let column = word; column < word + MATCH_KINDS; column++) {
        any |= this.cells[first + column]!;
        if (any !== 0) found[column]! += 1;
      }
    }
  }

  #countMerged(index: WordIndex, forms: WordForms): void {
    const lists = index.lists();
    for (const [number, ways] of forms) {
      const count = lists.read(number);
      for (const { word, kind } of ways) {
        if (this.#addList(lists, count, word * MATCH_KINDS + kind)) this.seen.add(number);
      }
    }
  }

  /** Returns whether one of the notes is in the list. */
  #addList({ slots, uses }: PostingsReader, count: number, column: number): boolean {
    const { isSearched } = this.rows;
    const cells = this.cells;
    const columns = this.#columns;
    let isSeen = false;
    for (let at = 0; at < count; at++) {
      const row = slots[at]!;
      if (isSearched[row] === 0) continue;
      isSeen = true;
      this.#isMatched[row] = 1;
      const cell = row * columns + column;
      cells[cell] = sumOf(cells[cell]!, uses[at]!);
    }
    return isSeen;
  }

  #countOthers(index: WordIndex, forms: WordForms): void {
    const { others, slotEnd } = this.rows;
    if (others.length === 0) return;
    const marked = new Uint8Array(index.end);
    for (const number of forms.keys()) marked[number] = 1;
    for (const [at, note] of others.entries()) {
      this.#addNote(slotEnd + at, note, marked, forms);
    }
  }

  #addNote(row: number, note: IndexedNote, marked: Uint8Array, forms: WordForms): void {
    for (let at = 0; at < note.words.length; at++) {
      const number = note.words[at]!;
      if (marked[number] !== 1) continue;
      this.seen.add(number);
      this.#isMatched[row] = 1;
      for (const { word, kind } of forms.get(number)!) {
        const cell = this.firstCell(row) + word * MATCH_KINDS + kind;
        this.cells[cell] = sumOf(this.cells[cell]!, note.uses[at]!);
      }
    }
  }
}

/** The field bits are shifted to leave room for the sum of several counts. */
function sumOf(cell: number, use: WordUse): number {
  return ((cell | ((use & ~COUNT) << FIELD_SHIFT)) & ~MANY) + ((cell & MANY) + (use & COUNT));
}

export function countIn(cell: number): number {
  return cell & MANY;
}

/** See `FIELD_BITS`. */
export function fieldsIn(cell: number): number {
  return cell >>> FIELD_SHIFT;
}

export function isInTitle(cell: number): boolean {
  return (fieldsIn(cell) & TITLE) !== 0;
}
