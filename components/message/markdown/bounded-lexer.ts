/** marked's lexer for text that nobody vouches for: a block that cannot be read becomes a block of plain text. */
import {
  Lexer,
  type MarkedOptions,
  type Token,
  Tokenizer,
  type Tokens,
  type TokensList,
} from 'marked';
import { plainHtml } from './escape-html';
import type { Extension } from './note-syntax';

/** Receives errors that were caught, and must not throw. */
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
  // It is tried first for every block, and so it knows where each begins.
  tokenizer(_, tokens) {
    if (this.lexer instanceof BoundedLexer) this.lexer.beginBlock(tokens);
    return undefined;
  },
  renderer: ({ raw }) => plainHtml(raw),
};

/** Ends the reading of one run of inline text. It is expected, so nobody is told. */
class BoundReached extends Error {}

/** What has been read where a block of the text begins. */
interface Beginning {
  readonly tokens: number;
  readonly runs: number;
}

export class BoundedLexer extends Lexer {
  readonly #report: Report;
  #beginnings: Beginning[] = [];
  /** Places, among the tokens of the text, of blocks that become plain text. */
  readonly #plain = new Set<number>();
  #blockDepth = 0;
  #inlineDepth = 0;
  #isBoundReached = false;

  constructor(options: MarkedOptions, report: Report) {
    super(options);
    this.#report = report;
  }

  /** Never throws. The tokens together are the text. */
  override lex(source: string): TokensList {
    const text = hideDeepMarks(source);
    this.#lexBlocks(text);
    this.#lexRuns();
    for (const at of this.#plain) this.#makePlain(at);
    if (text !== source) this.#showHiddenMarks();
    return this.tokens;
  }

  /** marked calls it for the text and for the content of each quote, list item and footnote. */
  override blockTokens(src: string, tokens?: Token[], lastParagraphClipped?: boolean): Token[];
  override blockTokens(
    src: string,
    tokens?: TokensList,
    lastParagraphClipped?: boolean,
  ): TokensList;
  override blockTokens(src: string, tokens: Token[] = [], lastParagraphClipped = false): Token[] {
    if (this.#blockDepth > MAX_NESTING_DEPTH) this.reachBound();
    if (this.#isBoundReached) {
      // As marked leaves it at the end of a block's content.
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

  /** marked calls it for each run of inline text, and for the text inside each mark. */
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

  /** The block of the text that is being read becomes plain text. marked reads on, but no deeper. */
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

  /** Takes what could not be read as plain text, and tells where the rest begins. */
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

  /** What was thrown left marked in the middle of its work. */
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
    return quoteGaps(src) > MAX_QUOTE_GAPS ? this.#unread(src) : super.blockquote(src);
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

  /** Passes over a block. marked only needs to know how much of the text it is. */
  #unread<Read extends Token>(src: string): Read {
    if (this.lexer instanceof BoundedLexer) this.lexer.reachBound();
    return plainToken(src.slice(0, blockEnd(src))) as Token as Read;
  }
}

/** Nested quotes, lists, callouts, footnotes, links or emphasis. No real note comes near it. */
export const MAX_NESTING_DEPTH = 50;

/** Marks times characters of one paragraph, heading or table cell: about 0.2 s of reading. */
export const MAX_INLINE_WORK = 50_000_000;

/** Columns times rows of one table. A short row is filled up, so two small numbers can make a huge table. */
export const MAX_TABLE_CELLS = 50_000;

/** Times that a quote goes on after lines without its mark. marked copies the rest of the quote each time. */
export const MAX_QUOTE_GAPS = 1_000;

/** A heading that is marked by an underline is looked for in this much text. */
export const MAX_UNDERLINED_CHARS = 2_000;

/** A longer address or title is left out of the HTML: a definition repeats it at every link that names it. */
export const MAX_ADDRESS_CHARS = 2_000;

/** Characters that begin or end something in a line, and line breaks, which end every search for one. */
const MARKS = /[*_~`<>![\]()$=^#&:@\\\n]/g;

/** How much work marked may have with one run of inline text, at worst. */
export function inlineWork(text: string): number {
  const marks = text.match(MARKS)?.length ?? 0;
  return marks * text.length + (text.includes('@') ? squaredWords(text) : 0);
}

/** Every letter before an `@` may begin an email address. */
function squaredWords(text: string): number {
  return text.split(/\s+/).reduce((sum, { length }) => sum + length * length, 0);
}

/** How many cells the table has that begins in the first line of `text`, if one does. */
export function tableCells(text: string): number {
  const header = text.indexOf('\n');
  if (header < 0) return 0;
  const delimiters = text.slice(header + 1, lineEnd(text, header + 1));
  if (!/^[ \t]*[|:-][ \t|:-]*$/.test(delimiters)) return 0;
  const columns = text.slice(0, header).split('|').length;
  const rows = text.slice(0, blockEnd(text)).split('\n').length;
  return columns * rows;
}

/** How often the quote that begins a text goes on after lines without its mark. */
export function quoteGaps(text: string): number {
  if (!/^ {0,3}>/.test(text)) return 0;
  const gaps = text.slice(0, blockEnd(text)).match(/\n(?! {0,3}>)[^\n]+(?=\n {0,3}>)/g);
  return gaps?.length ?? 0;
}

/** Where the first blank line of a text begins, or the text ends. */
export function blockEnd(text: string): number {
  const end = text.search(/\n[ \t]*(?:\n|$)/);
  return end < 0 ? text.length : end;
}

function lineEnd(text: string, from: number): number {
  const end = text.indexOf('\n', from);
  return end < 0 ? text.length : end;
}

/** A line that begins with more marks of quotes and list items than may nest. */
const DEEP_LINE = new RegExp(
  `^[ \\t]*(?:(?:>|(?:[-*+]|\\d{1,9}[.)])(?=[ \\t]))[ \\t]*){${MAX_NESTING_DEPTH + 1}}[^\\n]*`,
  'gm',
);
const NESTING_MARK = /[->*+.)]/;

/** Signs that no text holds, in place of marks. Each is as long as its mark, so that places stay the same. */
const HIDDEN = new Map(
  [...'>-*+.)'].map((mark, at) => [mark, String.fromCharCode(0xfdd0 + at)] as const),
);
const MARK_OF = new Map([...HIDDEN].map(([mark, sign]) => [sign, mark] as const));
const ANY_HIDDEN = /[\ufdd0-\ufdd5]/g;

/** Takes the first mark from every line that nests too deep, so that marked reads the line as text. */
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

/** A rule, such as `- - -`, is written with the marks of list items and nests nothing. */
function isTooDeep(line: string): boolean {
  const begins = line.slice(0, ruleStart(line));
  return (begins.match(/[>*+.)-]/g)?.length ?? 0) > MAX_NESTING_DEPTH;
}

/** Where a rule begins that ends the line; the line's length where none does. */
function ruleStart(line: string): number {
  const end = line.trimEnd();
  const mark = end.at(-1);
  if (mark !== '-' && mark !== '*') return line.length;
  let at = end.length;
  while (at > 0 && (end[at - 1] === mark || end[at - 1] === ' ' || end[at - 1] === '\t')) at -= 1;
  return at;
}
