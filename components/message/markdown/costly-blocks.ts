/** Splits untrusted text into blocks, and finds those that marked would take too long to read. */
import { BlockReader, type Container } from '#text/block-reader';

/** Marks times characters of one paragraph: about 50 ms of reading. */
export const MAX_INLINE_WORK = 12_000_000;

/**
 * Columns times rows of one table. Short rows are filled up, so a short text can make a huge table.
 */
export const MAX_TABLE_CELLS = 50_000;

/** Lines of one list or quote, which marked reads at once: about 50 ms. */
export const MAX_BLOCK_LINES = 3_000;

/** What begins or ends inline syntax, as line breaks do. */
const MARKS = /[*_~`<>![\]()$=^#&:@\\]|www\./gi;

/** If an `@` follows, marked reads a word again from each of its letters. */
const LONG_WORD = /\S{200,}/g;

const DELIMITERS = /^ {0,3}(?:\| *)?:?-+:? *(?:\| *:?-+:? *)*(?:\| *)?$/;

/** A block that is not inside others, with the blank lines below it. */
export interface TopBlock {
  readonly text: string;
  readonly isCostly: boolean;
}

/** It goes on in indented paragraphs. */
const FOOTNOTE = /^ {0,3}\[\^[^\]\s]+\]:/;

/** It may contain empty lines; until it is closed, everything after it is inside, as with code. */
const FORMULA = /^ {0,3}\$\$[ \t]*$/;

/** The blocks of a text from `start` on, where a block begins; together they are the text. */
export function* topBlocks(text: string, start: number): Generator<TopBlock, void> {
  let reader = new BlockReader();
  let cost = new BlockCost();
  let from = start;
  let outer: Container | undefined;
  let [isFootnote, isFormula] = [false, false];
  for (let at = start; at < text.length;) {
    const next = text.indexOf('\n', at) + 1 || text.length;
    const line = text.slice(at, next).replace(/\n$/, '');
    const begin = at;
    at = next;
    if (isFormula) {
      isFormula = !line.includes('$$');
      continue;
    }
    reader.isTooDeep = false;
    const { kind, rest } = reader.read(line);
    const [inside] = reader.containers;
    const isBlank = line.trim() === '';
    const goesOn =
      isBlank ||
      reader.continues ||
      isSameBlock(inside, outer) ||
      (isFootnote && kind === 'indented');
    if (!goesOn) {
      if (begin > from) yield { text: text.slice(from, begin), isCostly: cost.isTooHigh };
      [from, cost] = [begin, new BlockCost()];
      isFootnote = FOOTNOTE.test(line);
      isFormula = FORMULA.test(line);
    }
    if (!isBlank) outer = inside;
    if (isFormula) reader = new BlockReader();
    else cost.add(kind === 'text' || isFootnote ? rest : '', reader, isBlank);
  }
  if (text.length > from) yield { text: text.slice(from), isCostly: cost.isTooHigh };
}

/** Whether two lines are of one quote or of one list. */
function isSameBlock(inside: Container | undefined, outer: Container | undefined): boolean {
  if (inside?.kind !== 'item' || outer?.kind !== 'item') return !!inside && inside === outer;
  return inside.mark === outer.mark;
}

class BlockCost {
  isTooHigh = false;
  /** Lines within a quote or a list, without the blank ones at the end. */
  #lines = 0;
  #blankLines = 0;
  /** The last paragraph. */
  #chars = 0;
  #marks = 0;
  #squaredWords = 0;
  #hasAt = false;
  #above = '';
  /** The table that it is, if it is one. */
  #columns = 0;
  #rows = 0;

  /** @param text of a paragraph; empty for code and HTML, which cost little */
  add(text: string, reader: BlockReader, isBlank: boolean): void {
    if (isBlank) {
      this.#blankLines += 1;
      return;
    }
    if (reader.containers.length > 0) this.#lines += 1 + this.#blankLines;
    this.#blankLines = 0;
    this.#addText(text, reader.continues);
    const work = this.#marks * this.#chars + (this.#hasAt ? this.#squaredWords : 0);
    this.isTooHigh ||=
      reader.isTooDeep ||
      work > MAX_INLINE_WORK ||
      this.#lines > MAX_BLOCK_LINES ||
      this.#columns * this.#rows > MAX_TABLE_CELLS;
  }

  #addText(text: string, continues: boolean): void {
    if (!continues) this.#columns = 0;
    else if (this.#columns === 0) [this.#columns, this.#rows] = [columnsOf(this.#above, text), 1];
    // A row is read by itself.
    if (!continues || this.#columns > 0) {
      [this.#chars, this.#marks, this.#squaredWords, this.#hasAt] = [0, 0, 0, false];
      this.#rows += 1;
    }
    this.#above = text;
    this.#chars += text.length + 1;
    this.#marks += 1 + (text.match(MARKS)?.length ?? 0);
    this.#hasAt ||= text.includes('@');
    for (const [word] of text.matchAll(LONG_WORD)) this.#squaredWords += word.length ** 2;
  }
}

/** Columns of the table with these first lines; 0 if they are not certainly those of one. */
function columnsOf(header: string, delimiters: string): number {
  if (!DELIMITERS.test(delimiters) || /[\\`]/.test(header)) return 0;
  const [columns, those] = [header, delimiters].map(
    (line) =>
      line
        .trim()
        .replace(/^\||\|$/g, '')
        .split('|').length,
  );
  return columns === those && columns !== undefined ? columns : 0;
}
