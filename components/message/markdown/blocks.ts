/**
 * A growing Markdown text as blocks, of which only the end is read again when something is added. The result, once it
 * is finished, is what one reading of the whole text gives.
 */
import {
  Lexer,
  Parser,
  walkTokens,
  type Links,
  type Token,
  type Tokens,
  type TokensList,
} from 'marked';
import { DIALECT } from './dialect';

export interface Block {
  /** Its place; the same block keeps it while the text grows. */
  readonly index: number;
  readonly html: string;
}

/** Blocks that are drawn together, so that a long answer's beginning is not even looked at while its end grows. */
export interface Page {
  readonly index: number;
  readonly blocks: readonly Block[];
}

interface Rendered extends Block {
  readonly raw: string;
}

interface Settled extends Rendered {
  /** Names that were looked up for links in it, and some that were looked up beside it. */
  readonly asked: ReadonlySet<string>;
}

/** So few that a page has little to look at while it grows, so many that there are few pages. */
const PAGE = 8;

export class Blocks {
  /** As it was given, to know a text that did not grow from it. */
  #source = '';
  /** Pages in which nothing can change any more, but for a definition that their links wait for. */
  #full: readonly { readonly index: number; readonly blocks: readonly Settled[] }[] = [];
  /** The settled blocks of the page that is not full yet. */
  #begun: readonly Settled[] = [];
  /** What may still change. */
  #rest: readonly Block[] = [];
  /** Where the unsettled rest begins, in the text with its line ends made one. */
  #from = 0;
  /** Link definitions of the settled blocks; the first of a name counts. */
  readonly #links: Links = {};
  #pages: readonly Page[] = [];

  get list(): readonly Block[] {
    return this.#pages.flatMap(({ blocks }) => blocks);
  }

  /** `finished`: nothing follows, so that a definition at the very end counts, too. */
  update(source: string, finished: boolean): readonly Page[] {
    if (!source.startsWith(this.#source)) this.#reset();
    this.#source = source;
    const text = source.includes('\r') ? source.replace(/\r\n?/g, '\n') : source;
    const { tokens, asked } = read(text.slice(this.#from), this.#links);
    const cut = finished ? tokens.length : settledCount(tokens);
    if (cut > 0) this.#settle(tokens.slice(0, cut), asked);
    const before = this.#rest;
    // The same object where nothing changed, so that it is not drawn again.
    this.#rest = rendered(groups(tokens.slice(cut)), this.#count).map((block) => {
      const known = before.find(({ index }) => index === block.index);
      return known?.html === block.html ? known : block;
    });
    const open = [...this.#begun, ...this.#rest];
    const pages: Page[] = [...this.#full];
    for (let at = 0; at < open.length; at += PAGE) {
      pages.push({ index: pages.length, blocks: open.slice(at, at + PAGE) });
    }
    this.#pages = pages;
    return pages;
  }

  get #count(): number {
    return this.#full.length * PAGE + this.#begun.length;
  }

  #settle(tokens: Token[], asked: ReadonlySet<string>): void {
    this.#from += tokens.reduce((sum, { raw }) => sum + raw.length, 0);
    const defined = this.#define(tokens);
    const settled = rendered(groups(tokens), this.#count).map((block) => ({ ...block, asked }));
    this.#begun = [...this.#begun, ...settled];
    while (this.#begun.length >= PAGE) {
      this.#full = [
        ...this.#full,
        { index: this.#full.length, blocks: this.#begun.slice(0, PAGE) },
      ];
      this.#begun = this.#begun.slice(PAGE);
    }
    if (defined.length === 0) return;
    // Drawn without them, and perhaps naming them.
    this.#full = this.#full.map((page) => {
      const blocks = page.blocks.map((block) => this.#redrawn(block, defined));
      return blocks.some((block, at) => block !== page.blocks[at]) ? { ...page, blocks } : page;
    });
    this.#begun = this.#begun.map((block) => this.#redrawn(block, defined));
  }

  /** Gives the names that are new. */
  #define(tokens: Token[]): string[] {
    const defined: string[] = [];
    // One inside a list or a quotation counts everywhere, too.
    walkTokens(tokens, (token) => {
      if (token.type !== 'def') return;
      const { tag, href, title } = token as Tokens.Def;
      if (Object.hasOwn(this.#links, tag)) return;
      this.#links[tag] = { href, title };
      defined.push(tag);
    });
    return defined;
  }

  #redrawn(block: Settled, defined: readonly string[]): Settled {
    if (!defined.some((name) => block.asked.has(name)) || !block.raw.includes('[')) return block;
    const { tokens, asked } = read(block.raw, this.#links);
    return { ...block, html: htmlOf(tokens), asked: new Set([...block.asked, ...asked]) };
  }

  #reset(): void {
    this.#full = [];
    this.#begun = [];
    this.#rest = [];
    this.#from = 0;
    for (const tag of Object.keys(this.#links)) delete this.#links[tag];
  }
}

/** One reading of the whole text. */
export function wholeHtml(source: string): string {
  return htmlOf(new Lexer(DIALECT).lex(source));
}

/** Reads a text that follows after these definitions, and tells which names were looked up for its links. */
function read(text: string, links: Links): { tokens: TokensList; asked: ReadonlySet<string> } {
  const lexer = new Lexer(DIALECT);
  const asked = new Set<string>();
  lexer.tokens.links = new Proxy(Object.assign(lexer.tokens.links, links), {
    get(known, name: string) {
      asked.add(name);
      return known[name];
    },
    // How `hasOwn` asks.
    getOwnPropertyDescriptor(known, name: string) {
      asked.add(name);
      return Reflect.getOwnPropertyDescriptor(known, name);
    },
  });
  return { tokens: lexer.lex(text), asked };
}

/**
 * How many tokens of an unfinished text can't change. A list may go on after a blank line, a paragraph may turn out to
 * be a list's next item or a definition's title: so the last two blocks stay open.
 */
function settledCount(tokens: readonly Token[]): number {
  let open = 0;
  for (let at = tokens.length - 1; at >= 0; at -= 1) {
    if (tokens[at]?.type === 'space') continue;
    open += 1;
    // What follows a text of its own may still be drawn into the same paragraph.
    if (open >= 2 && tokens[at]?.type !== 'text' && tokens[at - 1]?.type !== 'text') return at;
  }
  return 0;
}

/** Tokens that are drawn together: neighbouring texts make one paragraph. */
function groups(tokens: readonly Token[]): Token[][] {
  const made: Token[][] = [];
  for (const token of tokens) {
    const before = made.at(-1);
    if (token.type === 'text' && before?.[0]?.type === 'text') before.push(token);
    else made.push([token]);
  }
  return made;
}

function rendered(tokens: readonly Token[][], first: number): Rendered[] {
  const made: Rendered[] = [];
  for (const group of tokens) {
    const html = htmlOf(group);
    if (html === '') continue;
    made.push({ index: first + made.length, html, raw: group.map(({ raw }) => raw).join('') });
  }
  return made;
}

function htmlOf(tokens: Token[]): string {
  return new Parser(DIALECT).parse(tokens);
}
