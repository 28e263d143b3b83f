/** Footnotes stand where they are written, and are read at the end. They are numbered as they are defined. */
import type { Token, Tokens } from 'marked';
import type { Extension } from './extensions';
import { escapeHtml } from './html';

/** Among the definitions of links, under a name that no link can have. */
export function footnoteName(label: string): string {
  return `\n${label.toLowerCase()}`;
}

/** How many there are. */
const COUNT = '\n';

export interface Footnote extends Tokens.Generic {
  readonly label: string;
  readonly number: string;
}

/** Goes on in lines that are not empty, and in paragraphs that are indented. */
const FOOTNOTE =
  /^ {0,3}\[\^([^\]\s]+)\]:[ \t]*([^\n]*(?:\n(?! {0,3}\[\^[^\]\s]+\]:)[ \t]*\S[^\n]*|\n(?:[ \t]*\n)+(?: {4}|\t)[ \t]*\S[^\n]*)*)/;

export const footnote: Extension = {
  name: 'footnote',
  level: 'block',
  tokenizer(text) {
    const match = FOOTNOTE.exec(text);
    if (!match) return undefined;
    const [raw, label = '', body = ''] = match;
    const { links } = this.lexer.tokens;
    const number = `${Number(links[COUNT]?.href ?? 0) + 1}`;
    const token: Footnote = { type: 'footnote', raw, label, number, tokens: [] };
    defineFootnote(links, token);
    this.lexer.blockTokens(body.replace(/^(?: {4}|\t)/gm, ''), token.tokens);
    return token;
  },
  renderer(token) {
    const { label, tokens = [] } = token as Footnote;
    const name = escapeHtml(label);
    const body = this.parser.parse(tokens);
    const back = `<a class="footnote-backref footnote-link" href="#" data-footnote="${name}">↩︎</a>`;
    const inside = body.replace(/(?:<\/p>)?\s*$/, (end) => ` ${back}${end}`);
    return `<li data-footnote="${name}">${inside}</li>`;
  },
};

/** Gives the name that is defined by it. */
export function defineFootnote(
  links: Record<string, unknown>,
  { label, number }: Footnote,
): string {
  const name = footnoteName(label);
  const definition = { href: number, title: null };
  links[name] ??= definition;
  links[COUNT] = definition;
  return name;
}

export function isFootnote(token: Token): token is Footnote {
  return token.type === 'footnote';
}

/** @param items the HTML of each */
export function footnotesHtml(items: readonly string[]): string {
  if (items.length === 0) return '';
  return `<section class="footnotes"><hr><ol>${items.join('')}</ol></section>`;
}
