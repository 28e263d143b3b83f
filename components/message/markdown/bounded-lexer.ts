/** marked's lexer for untrusted text: a block that cannot be read becomes a block of plain text. */
import { Lexer, type MarkedOptions, type Token, type Tokens, type TokensList } from 'marked';
import { type TopBlock, topBlocks } from './costly-blocks';
import { plainHtml } from './escape-html';
import type { Extension } from './note-syntax';

/** Receives caught errors; must not throw. */
export type Report = (error: unknown) => void;

export interface PlainToken extends Tokens.Generic {
  readonly type: 'plain';
}

function plainToken(raw: string): PlainToken {
  return { type: 'plain', raw };
}

export const plain: Extension = {
  name: 'plain',
  level: 'block',
  tokenizer: () => undefined,
  renderer: ({ raw }) => plainHtml(raw),
};

/** Nesting depth of links, emphasis and footnotes. No real note comes near it. */
const MAX_NESTING_DEPTH = 50;

/** Expected, so it is not reported. */
class TooDeep extends Error {}

export class BoundedLexer extends Lexer {
  readonly #report: Report;
  #depth = 0;

  constructor(options: MarkedOptions, report: Report) {
    super(options);
    this.#report = report;
  }

  /** Never throws. The tokens together cover the text. */
  override lex(source: string): TokensList {
    const blocks = topBlocks(source);
    if (this.#lexBlocks(blocks)) return this.tokens;
    // Read one by one, with all definitions known, only those that fail become plain text.
    for (const block of blocks) {
      if (!this.#lexBlocks([block])) this.tokens.push(plainToken(block.text));
    }
    return this.tokens;
  }

  /** False, without their tokens, if one of them cannot be read. */
  #lexBlocks(blocks: readonly TopBlock[]): boolean {
    const { length } = this.tokens;
    try {
      let text = '';
      for (const block of blocks) {
        if (!block.isCostly) text += block.text;
        else {
          this.blockTokens(text, this.tokens);
          this.tokens.push(plainToken(block.text));
          text = '';
        }
      }
      this.blockTokens(text, this.tokens);
      for (const { src, tokens } of this.inlineQueue) {
        this.state.inRawBlock = false;
        this.inlineTokens(src, tokens);
      }
      return true;
    } catch (error) {
      if (!(error instanceof TooDeep)) this.#report(error);
      this.tokens.length = length;
      this.#depth = 0;
      this.state = { ...this.state, inLink: false, linkEmitted: false, top: true };
      delete this.state.lastToken;
      return false;
    } finally {
      this.inlineQueue = [];
    }
  }

  override blockTokens(src: string, tokens?: Token[], lastParagraphClipped?: boolean): Token[];
  override blockTokens(
    src: string,
    tokens?: TokensList,
    lastParagraphClipped?: boolean,
  ): TokensList;
  override blockTokens(src: string, tokens: Token[] = [], lastParagraphClipped = false): Token[] {
    return this.#deeper(() => super.blockTokens(src, tokens, lastParagraphClipped));
  }

  override inlineTokens(src: string, tokens: Token[] = []): Token[] {
    return this.#deeper(() => super.inlineTokens(src, tokens));
  }

  #deeper(read: () => Token[]): Token[] {
    if (this.#depth > MAX_NESTING_DEPTH) throw new TooDeep();
    this.#depth += 1;
    const tokens = read();
    this.#depth -= 1;
    return tokens;
  }
}
