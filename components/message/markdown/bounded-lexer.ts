/** marked's lexer for untrusted text: a block that cannot be read becomes a block of plain text. */
import {
  Lexer,
  type MarkedOptions,
  type Links,
  type Token,
  type Tokens,
  type TokensList,
} from 'marked';
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
  tokenizer: () => undefined,
  renderer: ({ raw }) => plainHtml(raw),
};

/** Nesting depth of links, emphasis and footnotes. No real note comes near it. */
const MAX_NESTING_DEPTH = 50;

/** Expected, so it is not reported. */
export class TooDeep extends Error {}

export class BoundedLexer extends Lexer {
  #depth = 0;

  /** @param links the known definitions, to which those of the text are added */
  constructor(options: MarkedOptions, links: Links) {
    super(options);
    this.tokens.links = links;
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

  /** @throws {TooDeep} */
  #deeper(read: () => Token[]): Token[] {
    if (this.#depth > MAX_NESTING_DEPTH) throw new TooDeep();
    this.#depth += 1;
    const tokens = read();
    this.#depth -= 1;
    return tokens;
  }
}
