/** marked's lexer for untrusted text: a block that cannot be read becomes a block of plain text. */
import {
  Lexer,
  type MarkedOptions,
  type Token,
  Tokenizer,
  type Tokens,
  type TokensList,
} from 'marked';
import { CONTAINER_MARK, DIVIDER, LIST_MARK } from '#text/block-marks';
import { plainHtml } from './escape-html';
import type { Extension } from './note-syntax';

/** Receives caught errors; must not throw. */
export type Report = (error: unknown) => void;

export interface PlainToken extends Tokens.Generic {
  readonly type: 'plain';
}

export function plainToken(raw: string): PlainToken {
  return { type: 'plain', raw };
}

export const plain: Extension = {
  name: 'plain',
  level: 'block',
  // This rule is tried first for every block, so it sees where each begins.
  tokenizer(_, tokens) {
    if (this.lexer instanceof BoundedLexer) this.lexer.beginBlock(tokens);
    return undefined;
  },
  renderer: ({ raw }) => plainHtml(raw),
};

/** Stops reading a run of inline text. Expected, so it is not reported. */
class BoundReached extends Error {}

/** The lexer's state at the start of a block. */
interface Beginning {
  readonly tokens: number;
  readonly runs: number;
}

export class BoundedLexer extends Lexer {
  readonly #report: Report;
  #beginnings: Beginning[] = [];
  /** Token indexes of blocks that become plain text. */
  readonly #plain = new Set<number>();
  #blockDepth = 0;
  #inlineDepth = 0;
  #isBoundReached = false;

  constructor(options: MarkedOptions, report: Report) {
    super(options);
    this.#report = report;
  }

  /** Never throws. The tokens together cover the text. */
  override lex(source: string): TokensList {
    const text = hideDeepMarks(source);
    this.#lexBlocks(text);
    this.#lexRuns();
    for (const at of this.#plain) this.#makePlain(at);
    if (text !== source) this.#showHiddenMarks();
    return this.tokens;
  }

  /** marked calls this for the text and for the contents of each quote, list item and footnote. */
  override blockTokens(src: string, tokens?: Token[], lastParagraphClipped?: boolean): Token[];
  override blockTokens(
    src: string,
    tokens?: TokensList,
    lastParagraphClipped?: boolean,
  ): TokensList;
  override blockTokens(src: string, tokens: Token[] = [], lastParagraphClipped = false): Token[] {
    if (this.#blockDepth > MAX_NESTING_DEPTH) this.reachBound();
    if (this.#isBoundReached) {
      // As marked leaves it at the end of a block's contents.
      this.state.top = true;
      return tokens;
    }
    this.#blockDepth += 1;
    try {
      return super.blockTokens(src, tokens, lastParagraphClipped);
    } finally {
      this.#blockDepth -= 1;
    }
  }

  /** marked calls this for each run of inline text, and for the text inside each mark. */
  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    const isTooLong = this.#inlineDepth === 0 && inlineWork(src) > MAX_INLINE_WORK;
    if (isTooLong || this.#inlineDepth > MAX_NESTING_DEPTH) throw new BoundReached();
    this.#inlineDepth += 1;
    try {
      return super.inlineTokens(src, tokens);
    } finally {
      this.#inlineDepth -= 1;
    }
  }

  beginBlock(tokens: readonly Token[]): void {
    if (tokens !== this.tokens) return;
    this.#endBlock();
    this.#beginnings.push({ tokens: tokens.length, runs: this.inlineQueue.length });
  }

  /** Turns the current block into plain text. marked reads on, but not into it. */
  reachBound(): void {
    this.#isBoundReached = true;
  }

  #endBlock(): void {
    if (this.#isBoundReached) this.#plain.add(this.tokens.length - 1);
    this.#isBoundReached = false;
  }

  #lexBlocks(text: string): void {
    let from = 0;
    while (from < text.length) {
      try {
        this.blockTokens(text.slice(from), this.tokens);
        this.#endBlock();
        return;
      } catch (error) {
        this.#report(error);
        from = this.#skipBlock(text);
      }
    }
  }

  /** Takes the unreadable block as plain text and returns where the rest begins. */
  #skipBlock(text: string): number {
    const from = this.tokens.reduce((sum, { raw }) => sum + raw.length, 0);
    const rest = text.slice(from);
    const raw = rest.slice(0, Math.max(1, blockEnd(rest)));
    this.tokens.push(plainToken(raw));
    this.#isBoundReached = false;
    this.#blockDepth = 0;
    this.#resetState();
    return from + raw.length;
  }

  /** Restores marked's state after an error in the middle of its work. */
  #resetState(): void {
    const { state } = this;
    this.state = { ...state, inLink: false, inRawBlock: false, linkEmitted: false, top: true };
    delete this.state.lastToken;
  }

  #lexRuns(): void {
    for (let at = 0; at < this.inlineQueue.length; at += 1) {
      const run = this.inlineQueue[at];
      if (!run) continue;
      this.state.inRawBlock = false;
      try {
        this.inlineTokens(run.src, run.tokens);
      } catch (error) {
        if (!(error instanceof BoundReached)) this.#report(error);
        this.#plain.add(this.#blockOfRun(at));
        this.#resetState();
      }
    }
    this.inlineQueue = [];
  }

  #blockOfRun(run: number): number {
    return this.#beginnings.findLast(({ runs }) => runs <= run)?.tokens ?? 0;
  }

  #makePlain(at: number): void {
    const token = this.tokens[at];
    if (token) this.tokens[at] = plainToken(token.raw);
  }

  #showHiddenMarks(): void {
    this.tokens.forEach((token, at) => {
      if (!hasHiddenMarks(token.raw)) return;
      if (token.type !== 'code' && token.type !== 'html') {
        this.tokens[at] = plainToken(showHiddenMarks(token.raw));
        return;
      }
      const { raw, text } = token as Tokens.Code | Tokens.HTML;
      this.tokens[at] = {
        ...token,
        raw: showHiddenMarks(raw),
        text: showHiddenMarks(text),
      };
    });
  }
}

export class BoundedTokenizer extends Tokenizer {
  override blockquote(src: string): Tokens.Blockquote | undefined {
    const end = longQuoteEnd(src);
    if (end > 0) return this.#unread(src, end);
    return quoteGaps(src) > MAX_QUOTE_GAPS ? this.#unread(src) : super.blockquote(src);
  }

  override list(src: string): Tokens.List | undefined {
    const end = longListEnd(src);
    return end > 0 ? this.#unread(src, end) : super.list(src);
  }

  override table(src: string): Tokens.Table | undefined {
    return tableCells(src) > MAX_TABLE_CELLS ? this.#unread(src) : super.table(src);
  }

  override lheading(src: string): Tokens.Heading | undefined {
    const begun = src.slice(0, MAX_UNDERLINED_CHARS);
    const heading = super.lheading(begun);
    const isCut = heading?.raw.length === begun.length && begun.length < src.length;
    return isCut ? undefined : heading;
  }

  /** Skips a block; marked only needs its length. */
  #unread<Read extends Token>(src: string, end = blockEnd(src)): Read {
    if (this.lexer instanceof BoundedLexer) this.lexer.reachBound();
    return plainToken(src.slice(0, end)) as Token as Read;
  }
}

/**
 * Nesting depth of quotes, lists, callouts, footnotes, links and emphasis. No real note comes near
 * it.
 */
export const MAX_NESTING_DEPTH = 50;

/** Marks times characters of one paragraph, heading or table cell: about 50 ms of reading. */
export const MAX_INLINE_WORK = 12_000_000;

/**
 * Columns times rows of one table. Short rows are filled up, so a short text can make a huge table.
 */
export const MAX_TABLE_CELLS = 50_000;

/**
 * Number of times a quote continues after lines without its mark. marked copies the rest of the
 * quote each time.
 */
export const MAX_QUOTE_GAPS = 1_000;

/** Lines of one list or quote, which are read at once: about 50 ms. */
export const MAX_BLOCK_LINES = 3_000;

/** Characters searched for a heading marked by an underline. */
export const MAX_UNDERLINED_CHARS = 2_000;

/**
 * A longer URL or title is left out of the HTML, because a definition repeats it at every link that
 * uses it.
 */
export const MAX_ADDRESS_CHARS = 2_000;

/** What begins or ends inline syntax, and line breaks, which end every search for one. */
const MARKS = /[*_~`<>![\]()$=^#&:@\\\n]|www\./gi;

/** Worst-case work for marked with one run of inline text. */
export function inlineWork(text: string): number {
  const marks = text.match(MARKS)?.length ?? 0;
  return marks * text.length + (text.includes('@') ? squaredWords(text) : 0);
}

/** Every letter before an `@` may begin an email address. */
function squaredWords(text: string): number {
  return text.split(/\s+/).reduce((sum, { length }) => sum + length * length, 0);
}

/** Number of cells of the table that begins in the first line of `text`, if there is one. */
export function tableCells(text: string): number {
  const header = text.indexOf('\n');
  if (header < 0) return 0;
  const delimiters = text.slice(header + 1, lineEnd(text, header + 1));
  if (!/^[ \t]*[|:-][ \t|:-]*$/.test(delimiters)) return 0;
  const columns = text.slice(0, header).split('|').length;
  const rows = text.slice(0, blockEnd(text)).split('\n').length;
  return columns * rows;
}

/** How often the quote at the start of a text continues after lines without its mark. */
export function quoteGaps(text: string): number {
  if (!/^ {0,3}>/.test(text)) return 0;
  const gaps = text.slice(0, blockEnd(text)).match(/\n(?! {0,3}>)[^\n]+(?=\n {0,3}>)/g);
  return gaps?.length ?? 0;
}

/** The beginning of another kind of block, which needs no blank line before it. */
const OTHER_BLOCK = /^ {0,3}[#`~<>|]/;

/** Where the quote at the start of a text ends, if it has more lines than are read; 0 otherwise. */
export function longQuoteEnd(text: string): number {
  if (!/^ {0,3}>/.test(text)) return 0;
  return longBlockEnd(text, (line) => {
    if (line.trim() === '') return false;
    if (/^ {0,3}>/.test(line)) return true;
    return !(DIVIDER.test(line) || OTHER_BLOCK.test(line) || LIST_MARK.test(line));
  });
}

/**
 * Where the list at the start of a text ends, if it has more lines than are read; 0 otherwise. It
 * may end earlier, never later than where another block begins.
 */
export function longListEnd(text: string): number {
  const first = listMark(text.slice(0, lineEnd(text, 0)));
  if (first === null) return 0;
  let isAfterBlank = false;
  return longBlockEnd(text, (line) => {
    if (line.trim() === '') return (isAfterBlank = true);
    const continues = continuesList(line, first, isAfterBlank);
    isAfterBlank = false;
    return continues;
  });
}

/** Blank lines at the end do not count. */
function longBlockEnd(text: string, continues: (line: string) => boolean): number {
  let [at, lines, end, linesToEnd] = [0, 0, 0, 0];
  while (at < text.length) {
    const next = lineEnd(text, at);
    const line = text.slice(at, next);
    if (lines > 0 && !continues(line)) break;
    lines += 1;
    at = next + 1;
    if (line.trim() !== '') [end, linesToEnd] = [Math.min(at, text.length), lines];
  }
  return linesToEnd > MAX_BLOCK_LINES ? end : 0;
}

interface ListMark {
  /** Two lists next to each other have different ones. */
  readonly sign: string;
  /** Columns before the text of the item. */
  readonly width: number;
}

function continuesList(line: string, first: ListMark, isAfterBlank: boolean): boolean {
  const indent = /^ *\t/.test(line) ? 4 : line.search(/[^ ]/);
  if (indent >= first.width) return true;
  if (DIVIDER.test(line)) return false;
  const mark = listMark(line);
  if (mark !== null) return mark.sign === first.sign;
  return !isAfterBlank && !OTHER_BLOCK.test(line);
}

/** Null if no list item begins here. */
function listMark(line: string): ListMark | null {
  const mark = LIST_MARK.exec(line)?.[0];
  return mark === undefined ? null : { sign: mark.slice(-1), width: mark.length + 1 };
}

/** Index of the first blank line, or the end of the text. */
export function blockEnd(text: string): number {
  const end = text.search(/\n[ \t]*(?:\n|$)/);
  return end < 0 ? text.length : end;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

/** A line that begins with more quote and list marks than may nest. */
const DEEP_LINE = new RegExp(
  `^[ \\t]*(?:${CONTAINER_MARK}[ \\t]*){${MAX_NESTING_DEPTH + 1}}[^\\n]*`,
  'gm',
);
const NESTING_MARK = /[->*+.)]/;

/**
 * Characters that no text contains, in place of marks. Each is as long as its mark, so that
 * positions stay the same.
 */
const HIDDEN = new Map(
  [...'>-*+.)'].map((mark, at) => [mark, String.fromCharCode(0xfdd0 + at)] as const),
);
const MARK_OF = new Map([...HIDDEN].map(([mark, sign]) => [sign, mark] as const));
const ANY_HIDDEN = /[\ufdd0-\ufdd5]/g;

/**
 * Replaces the first mark of every line that nests too deep, so that marked reads the line as text.
 */
export function hideDeepMarks(text: string): string {
  if (text.search(DEEP_LINE) < 0) return text;
  return text
    .replace(ANY_HIDDEN, '\ufffd')
    .replace(DEEP_LINE, (line) =>
      isTooDeep(line) ? line.replace(NESTING_MARK, (mark) => HIDDEN.get(mark) ?? mark) : line,
    );
}

export function hasHiddenMarks(text: string): boolean {
  return text.search(ANY_HIDDEN) >= 0;
}

export function showHiddenMarks(text: string): string {
  return text.replace(ANY_HIDDEN, (sign) => MARK_OF.get(sign) ?? sign);
}

/** A rule such as `- - -` consists of list marks but nests nothing. */
function isTooDeep(line: string): boolean {
  const begins = line.slice(0, ruleStart(line));
  return (begins.match(/[>*+.)-]/g)?.length ?? 0) > MAX_NESTING_DEPTH;
}

/** Start of a rule that ends the line; the line's length if there is none. */
function ruleStart(line: string): number {
  const end = line.trimEnd();
  const mark = end.at(-1);
  if (mark !== '-' && mark !== '*') return line.length;
  let at = end.length;
  while (at > 0 && (end[at - 1] === mark || end[at - 1] === ' ' || end[at - 1] === '\t')) at -= 1;
  return at;
}
