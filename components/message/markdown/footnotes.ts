/**
 * Footnotes stand where they are written, in a block of their own or, as `^[words]`, in the middle of a line, and are
 * read at the end. They are numbered in the order in which they are written.
 */
import type { Links, Token, Tokens } from 'marked';
import type { Extension } from './note-syntax';
import { escapeHtml } from './escape-html';

/** Among the definitions of links, under a name that no link can have. */
export function footnoteName(label: string): string {
  return `\n${label.toLowerCase()}`;
}

/** How many there are. */
const COUNT = '\n';

export interface Footnote extends Tokens.Generic {
  /** Of one in a line its number, behind a bracket, which no other label has. */
  readonly label: string;
  /** Holds its number in place of an address. */
  readonly definition: Links[string];
}

/** One in the middle of a line. */
interface InlineFootnote extends Tokens.Generic {
  readonly body: string;
  readonly definition: Links[string];
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
    const definition = { href: '', title: null };
    const token: Footnote = { type: 'footnote', raw, label, definition, tokens: [] };
    this.lexer.tokens.links[footnoteName(label)] ??= definition;
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

/** With brackets in it, one in the other at most, such as those of links. */
const INLINE = /^\^\[((?:\\[^]|\[(?:\[[^[\]]*\]|[^[\]])*\]|[^\\[\]])+)\]/;

export const inlineFootnote: Extension = {
  name: 'inline-footnote',
  level: 'inline',
  tokenizer(text) {
    const [raw, body = ''] = INLINE.exec(text) ?? [];
    if (raw === undefined || body.trim() === '') return undefined;
    const definition = { href: '', title: null };
    const tokens = this.lexer.inlineTokens(body);
    return { type: 'inline-footnote', raw, body, definition, tokens } satisfies InlineFootnote;
  },
  renderer(token) {
    const { body, definition } = token as InlineFootnote;
    return referenceHtml(`]${definition.href}`, definition.href, body);
  },
};

/** @param title what it says, as Markdown */
export function referenceHtml(label: string, number: string, title = ''): string {
  const name = title === '' ? '' : ` title="${escapeHtml(title)}"`;
  return `<sup class="footnote-ref"><a class="footnote-link" href="#" data-footnote="${escapeHtml(label)}"${name}>[${number}]</a></sup>`;
}

/** Numbers those of a text that follows after so many others. */
export function numberFootnotes(tokens: readonly Token[], links: Links, before: number): void {
  let count = before;
  for (const token of allWithin(tokens)) {
    if (!isFootnote(token) && !isInline(token)) continue;
    count += 1;
    token.definition.href = `${count}`;
    links[COUNT] = token.definition;
  }
}

export function footnoteCount(links: Links): number {
  return Number(links[COUNT]?.href ?? 0);
}

/** Those before the first of a text that has one. */
export function footnotesBefore(tokens: readonly Token[]): number {
  const first = allWithin(tokens).find((token) => isFootnote(token) || isInline(token));
  return first ? Number((first as Footnote).definition.href) - 1 : 0;
}

/** Gives the name that is defined by it, if it has one. */
export function defineFootnote(links: Links, token: Token): string | null {
  if (!isFootnote(token)) {
    if (isInline(token)) links[COUNT] = token.definition;
    return null;
  }
  const name = footnoteName(token.label);
  links[name] ??= token.definition;
  links[COUNT] = token.definition;
  return name;
}

/** What is read where it stands, and what is read at the end. */
export function parted(tokens: readonly Token[]): { text: Token[]; notes: Token[] } {
  const notes = tokens.flatMap((token): Token[] => [
    ...(isFootnote(token) ? [token] : []),
    ...(token.raw.includes('^[') ? allWithin([token]).filter(isInline).map(asFootnote) : []),
  ]);
  return { text: tokens.filter((token) => !isFootnote(token)), notes };
}

function asFootnote({ raw, body, definition, tokens = [] }: InlineFootnote): Footnote {
  const paragraph: Tokens.Paragraph = { type: 'paragraph', raw: body, text: body, tokens };
  const label = `]${definition.href}`;
  return { type: 'footnote', raw, label, definition, tokens: [paragraph] };
}

export function isFootnote(token: Token): token is Footnote {
  return token.type === 'footnote';
}

function isInline(token: Token): token is InlineFootnote {
  return token.type === 'inline-footnote';
}

type Parts = Pick<Tokens.List, 'items'> &
  Pick<Tokens.Table, 'header' | 'rows'> & { readonly tokens: readonly Token[] };

/** All that stand in lists, quotations and tables, too, in their order. */
export function allWithin(tokens: readonly Token[]): Token[] {
  return tokens.flatMap((token) => {
    const { items, header, rows, tokens: within } = token as Partial<Parts>;
    const cells = header && [header, ...(rows ?? [])].flat().flatMap((cell) => cell.tokens);
    return [token, ...allWithin(items ?? cells ?? within ?? [])];
  });
}

/** @param items the HTML of each */
export function footnotesHtml(items: readonly string[]): string {
  if (items.length === 0) return '';
  return `<section class="footnotes"><hr><ol>${items.join('')}</ol></section>`;
}
