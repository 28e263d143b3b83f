/** marked's lexer for text that nobody vouches for: a block that cannot be read becomes a block of plain text. */
import {
  Lexer,
  Tokenizer,
  type MarkedOptions,
  type Token,
  type Tokens,
  type TokensList,
} from 'marked';
import {
  blockEnd,
  hasHiddenMarks,
  hideDeepMarks,
  inlineWork,
  MAX_INLINE_WORK,
  MAX_NESTING_DEPTH,
  MAX_QUOTE_GAPS,
  MAX_TABLE_CELLS,
  MAX_UNDERLINED_CHARS,
  quoteGaps,
  showHiddenMarks,
  tableCells,
} from './bounds';
import type { Extension } from './extensions';
import { plainHtml } from './html';

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
