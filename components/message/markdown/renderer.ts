/** Markdown as tokens, and as HTML. */
import {
  type Links,
  type MarkedOptions,
  Parser,
  Renderer,
  type Token,
  type Tokens,
  type TokensList,
} from 'marked';
import {
  BoundedLexer,
  BoundedTokenizer,
  MAX_ADDRESS_CHARS,
  plain,
  type Report,
} from './bounded-lexer';
import { embedButton, escapeHtml, escapeText, noteAnchor, plainHtml } from './escape-html';
import {
  calloutHtml,
  type Extension,
  extensionsOf,
  footnote,
  footnoteCount,
  formulaHtml,
  isFootnote,
  numberFootnotes,
  OWN_MARKS,
} from './note-syntax';

export interface Reading {
  readonly tokens: TokensList;
  /** Names that were looked up for links. */
  readonly asked: ReadonlySet<string>;
  /** All definitions by its end. */
  readonly links: Links;
}

export interface RenderOptions {
  /** Definitions of links and footnotes that the text follows. */
  readonly before: Links;
  /** How many footnotes the text follows; by default those among the definitions. */
  readonly notes?: number;
  readonly report: Report;
}

/** Never throws: a block that cannot be read is a block of plain text. */
export function read(text: string, { before, notes, report }: RenderOptions): Reading {
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

/**
 * Between two lines of its own there may be empty ones; while its end has not come, all that follows is inside, as with
 * code. Elsewhere it is a part of its paragraph.
 */
const formulaBlock: Extension = {
  name: 'formula-block',
  level: 'block',
  tokenizer(text) {
    const match = /^ {0,3}(\$\$[ \t]*\n(?:[^]*?\$\$|[^]*))[ \t]*/.exec(text);
    return match ? { type: 'formula-block', raw: match[0], source: match[1] } : undefined;
  },
  renderer(token) {
    const { source } = token as unknown as { source: string };
    return `<p>${formulaHtml(source)}</p>\n`;
  },
};

class DialectRenderer extends Renderer {
  override html({ text }: Tokens.HTML | Tokens.Tag): string {
    return /^<br\s*\/?>$/i.test(text.trim()) ? '<br>' : escapeHtml(text);
  }

  // Else text behind `<code>` and its like would not be escaped, as if the tag were one here.
  override text(token: Tokens.Text | Tokens.Escape): string {
    const within = 'tokens' in token ? token.tokens : undefined;
    return within ? this.parser.parseInline(within) : escapeText(token.text);
  }

  override blockquote(quote: Tokens.Blockquote): string {
    return calloutHtml(quote.tokens, this.parser) ?? super.blockquote(quote);
  }

  override list({ ordered, start, items }: Tokens.List): string {
    const body = items.map((item) => this.listitem(item)).join('');
    if (ordered) return `<ol${start === 1 ? '' : ` start="${start}"`}>\n${body}</ol>\n`;
    const tasks = items.some(({ task }) => task) ? ' class="contains-task-list"' : '';
    return `<ul${tasks}>\n${body}</ul>\n`;
  }

  override listitem({ task, checked, tokens }: Tokens.ListItem): string {
    const done = checked ? ' is-checked" data-task="x"' : '" data-task=""';
    return `<li${task ? ` class="task-list-item${done}` : ''}>${this.parser.parse(tokens)}</li>\n`;
  }

  override checkbox({ checked }: Tokens.Checkbox): string {
    return `<input class="task-list-item-checkbox" type="checkbox"${checked ? ' checked=""' : ''} disabled=""> `;
  }

  override link({ href, title, tokens }: Tokens.Link): string {
    const label = this.parser.parseInline(tokens);
    if (href.length > MAX_ADDRESS_CHARS) return label;
    const hasName = title && title.length <= MAX_ADDRESS_CHARS;
    const name = hasName ? ` title="${escapeHtml(title)}"` : '';
    if (/^(?:https?|mailto):/i.test(href))
      return `<a class="external-link" href="${escapeHtml(href)}"${name}>${label}</a>`;
    // Another scheme could start a program or a script: the words stay, the link does not.
    if (href === '' || /^[a-z][\w+.-]*:|^\/\//i.test(href)) return label;
    return noteAnchor(decoded(href), label);
  }

  override image({ href, text }: Tokens.Image): string {
    const name = escapeHtml(text.trim());
    if (href.length > MAX_ADDRESS_CHARS) return name;
    if (/^https?:\/\//i.test(href)) {
      const from = escapeHtml(hostOf(href));
      const label = name ? `${name} (${from})` : from;
      return `<button type="button" class="parley-picture" data-src="${escapeHtml(href)}">Show picture: ${label}</button>`;
    }
    if (href === '' || /^[a-z][\w+.-]*:|^\/\//i.test(href)) return name;
    return embedButton(decoded(href), name || escapeHtml(href));
  }
}

/** For a lexer and a parser. */
export const DIALECT: MarkedOptions = {
  gfm: true,
  breaks: true,
  extensions: extensionsOf([...OWN_MARKS, formulaBlock, footnote, plain]),
  renderer: new DialectRenderer(),
  tokenizer: new BoundedTokenizer(),
};

function decoded(href: string): string {
  try {
    return decodeURIComponent(href);
  } catch {
    return href;
  }
}

function hostOf(href: string): string {
  return URL.canParse(href) ? new URL(href).host : href.slice(0, 60);
}
