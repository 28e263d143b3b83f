/** Markdown as tokens, and as HTML. */
import { Parser, type Links, type Token, type TokensList } from 'marked';
import { BoundedLexer, type Report } from './bounded-lexer';
import { DIALECT } from './renderer';
import { footnoteCount, isFootnote, numberFootnotes } from './footnotes';
import { plainHtml } from './escape-html';

export interface Reading {
  readonly tokens: TokensList;
  /** Names that were looked up for links. */
  readonly asked: ReadonlySet<string>;
  /** All definitions by its end. */
  readonly links: Links;
}

export interface ReadOptions {
  /** Definitions of links and footnotes that the text follows. */
  readonly before: Links;
  /** How many footnotes the text follows; by default those among the definitions. */
  readonly notes?: number;
  readonly report: Report;
}

/** Never throws: a block that cannot be read is a block of plain text. */
export function read(text: string, { before, notes, report }: ReadOptions): Reading {
  const lexer = new BoundedLexer(DIALECT, report);
  const asked = new Set<string>();
  const links = Object.assign(noLinks(), before);
  lexer.tokens.links = new Proxy(links, {
    get(_, name: string) {
      asked.add(name);
      return links[name];
    },
    // How `hasOwn` asks.
    getOwnPropertyDescriptor(_, name: string) {
      asked.add(name);
      return Reflect.getOwnPropertyDescriptor(links, name);
    },
  });
  const tokens = lexer.lex(text);
  if (/\^\[|\[\^/.test(text)) numberFootnotes(tokens, links, notes ?? footnoteCount(before));
  return { tokens, asked, links };
}

/** Never throws: tokens that cannot be rendered are rendered as plain text. @param tokens drawn together */
export function htmlOf(tokens: readonly Token[], report: Report): string {
  try {
    return new Parser(DIALECT).parse([...tokens]);
  } catch (error) {
    report(error);
    const html = plainHtml(tokens.map(({ raw }) => raw).join(''));
    return tokens.some(isFootnote) ? `<li>${html}</li>` : html;
  }
}

/** One kind of line end, and no character that HTML would leave out. */
export function normal(source: string): string {
  const text = source.includes('\r') ? source.replace(/\r\n?/g, '\n') : source;
  return text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text;
}

/** Any name may come, such as those that every other object has. */
export function noLinks(): Links {
  return Object.create(null) as Links;
}
