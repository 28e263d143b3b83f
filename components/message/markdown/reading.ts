/** Markdown as tokens, and as HTML. */
import { Lexer, Parser, type Links, type Token, type TokensList } from 'marked';
import { DIALECT } from './dialect';
import { footnoteCount, footnotesHtml, numberFootnotes, parted } from './footnotes';

export interface Reading {
  readonly tokens: TokensList;
  /** Names that were looked up for links. */
  readonly asked: ReadonlySet<string>;
  /** All definitions by its end. */
  readonly links: Links;
}

/**
 * Reads a text that follows after these definitions.
 *
 * @param notes how many footnotes it follows after
 */
export function read(text: string, before: Links, notes = footnoteCount(before)): Reading {
  const lexer = new Lexer(DIALECT);
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
  if (/\^\[|\[\^/.test(text)) numberFootnotes(tokens, links, notes);
  return { tokens, asked, links };
}

/** One reading of the whole text. */
export function wholeHtml(source: string): string {
  const { text, notes } = parted(read(normal(source), noLinks()).tokens);
  return htmlOf(text) + footnotesHtml(notes.map((note) => htmlOf([note])));
}

export function htmlOf(tokens: Token[]): string {
  return new Parser(DIALECT).parse(tokens);
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
