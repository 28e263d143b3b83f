/** Parses Markdown into tokens and renders them as HTML. */
import {
  type Links,
  type MarkedOptions,
  Parser,
  Renderer,
  type Token,
  Tokenizer,
  type Tokens,
} from 'marked';
import { BoundedLexer, plain, plainToken, type Report, TooDeep } from './bounded-lexer';
import * as t from '#messages/chat-messages';
import { sourceMarksIn, withoutSourceMarks } from '#text/source-marks';
import { escapeHtml, escapeText, plainHtml } from './escape-html';
import { htmlWithMarks, sourceMarkHtml } from './source-numbers';
import {
  calloutHtml,
  type Extension,
  extensionsOf,
  footnote,
  formulaHtml,
  isFootnote,
  numberFootnotes,
  splitFootnotes,
  OWN_MARKS,
  embedButton,
  noteAnchor,
} from './note-syntax';

/** A block to read. */
export interface BlockSource {
  readonly raw: string;
  /** Whether it is shown as plain text, because reading it would take too long. */
  readonly isCostly: boolean;
  /** Number of footnotes before its own. */
  readonly notesBefore: number;
}

export interface Reading {
  readonly html: string;
  /** HTML of its footnotes. */
  readonly notes: readonly string[];
  /** The source of its link definitions, which are not drawn. */
  readonly definitions: string;
}

/**
 * Never throws: a block that cannot be read becomes plain text.
 *
 * @param links the known definitions, to which those of the block are added
 */
export function readBlock(
  { raw, isCostly, notesBefore }: BlockSource,
  links: Links,
  report: Report,
): Reading {
  const tokens = isCostly ? [plainToken(raw)] : tokensOf(raw, links, report);
  if (/\^\[|\[\^/.test(raw)) numberFootnotes(tokens, notesBefore);
  const { text, notes } = splitFootnotes(tokens);
  return {
    html: htmlOf(text, report),
    notes: notes.map((note) => htmlOf([note], report)),
    definitions: tokens.map((token) => (token.type === 'def' ? token.raw : '')).join(''),
  };
}

function tokensOf(raw: string, links: Links, report: Report): Token[] {
  try {
    return new BoundedLexer(DIALECT, links).lex(raw);
  } catch (error) {
    if (!(error instanceof TooDeep)) report(error);
    return [plainToken(raw)];
  }
}

/**
 * Never throws: tokens that cannot be rendered become plain text.
 * @param tokens drawn together
 */
function htmlOf(tokens: readonly Token[], report: Report): string {
  try {
    return new Parser(DIALECT).parse([...tokens]);
  } catch (error) {
    report(error);
    const html = plainHtml(tokens.map(({ raw }) => raw).join(''));
    return tokens.some(isFootnote) ? `<li>${html}</li>` : html;
  }
}

/** Normalizes line ends and removes characters that HTML would drop. */
export function normalize(source: string): string {
  const text = source.includes('\r') ? source.replace(/\r\n?/g, '\n') : source;
  return text.includes('\0') ? text.replaceAll('\0', '\uFFFD') : text;
}

/** Any name may occur, even names of inherited object properties. */
export function noLinks(): Links {
  return Object.create(null) as Links;
}

/**
 * On its own lines it may contain empty lines; until it is closed, everything after it is inside,
 * as with code. Elsewhere it is part of its paragraph.
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

/**
 * A longer URL or title is left out of the HTML, because a definition repeats it at every link that
 * uses it.
 */
export const MAX_ADDRESS_CHARS = 2_000;

class DialectRenderer extends Renderer {
  override html({ text }: Tokens.HTML | Tokens.Tag): string {
    return /^<br\s*\/?>$/i.test(text.trim()) ? '<br>' : htmlWithMarks(text);
  }

  // Otherwise text after `<code>` and the like would not be escaped, as if it were an HTML tag.
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

  override link({ href, title: written, tokens }: Tokens.Link): string {
    const title = written && withoutSourceMarks(written);
    const label = this.parser.parseInline(tokens);
    if (href.length > MAX_ADDRESS_CHARS) return label;
    const hasName = title && title.length <= MAX_ADDRESS_CHARS;
    const name = hasName ? ` title="${escapeHtml(title)}"` : '';
    if (/^(?:https?|mailto):/i.test(href))
      return `<a class="external-link" href="${escapeHtml(href)}"${name}>${label}</a>`;
    // Another scheme could start a program or a script: the text stays, the link does not.
    if (href === '' || /^[a-z][\w+.-]*:|^\/\//i.test(href)) return label;
    return noteAnchor(decoded(href), label);
  }

  override image({ href, text }: Tokens.Image): string {
    const marks = sourceMarksIn(text);
    if (marks.length === 0) return this.#imageHtml(href, text);
    const image = this.#imageHtml(href, withoutSourceMarks(text));
    return image + marks.map(({ from, to }) => ` ${sourceMarkHtml(text.slice(from, to))}`).join('');
  }

  #imageHtml(href: string, text: string): string {
    const name = escapeHtml(text.trim());
    if (href.length > MAX_ADDRESS_CHARS) return name;
    if (/^https?:\/\//i.test(href)) {
      const from = escapeHtml(hostOf(href));
      const label = name ? `${name} (${from})` : from;
      return `<button type="button" class="parley-picture" data-src="${escapeHtml(href)}">${t.showPicture(label)}</button>`;
    }
    if (href === '' || /^[a-z][\w+.-]*:|^\/\//i.test(href)) return name;
    return embedButton(decoded(href), name || escapeHtml(href));
  }
}

/** Options for a lexer and a parser. */
export const DIALECT: MarkedOptions = {
  gfm: true,
  breaks: true,
  extensions: extensionsOf([...OWN_MARKS, formulaBlock, footnote, plain]),
  renderer: new DialectRenderer(),
  tokenizer: new Tokenizer(),
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
