/**
 * The Markdown of a model's answers, as HTML. HTML inside it is shown as the text it is, but for a few marks without
 * attributes; pictures from elsewhere become a button, since loading one tells its server that it was read.
 */
import {
  Marked,
  type MarkedOptions,
  type TokenizerAndRendererExtension,
  type Tokens,
} from 'marked';

interface NoteLink extends Tokens.Generic {
  readonly target: string;
  readonly label: string;
  readonly embedded: boolean;
}

const noteLink: TokenizerAndRendererExtension = {
  name: 'note-link',
  level: 'inline',
  start: (text) => text.match(/!?\[\[/)?.index,
  tokenizer(text) {
    const match = /^(!?)\[\[([^[\]|\n]+)(?:\|([^[\]\n]+))?\]\]/.exec(text);
    if (!match) return undefined;
    const [raw, mark, target = '', label] = match;
    const shown = (label ?? target.replace(/#\^?/g, ' > ')).trim();
    const token: NoteLink = {
      type: 'note-link',
      raw,
      target: target.trim(),
      label: shown,
      embedded: mark === '!',
    };
    return token;
  },
  renderer(token) {
    const { target, label, embedded } = token as NoteLink;
    return noteAnchor(target, escapeHtml(label), embedded ? 'parley-embed' : '');
  },
};

/** What people write in notes for want of Markdown; only as a closed pair around plain text. */
const plainMark: TokenizerAndRendererExtension = {
  name: 'plain-mark',
  level: 'inline',
  start: (text) => text.match(/<(?:kbd|sub|sup|mark|u|ins|small)>/i)?.index,
  tokenizer(text) {
    const match = /^<(kbd|sub|sup|mark|u|ins|small)>([^<\n]*)<\/\1>/i.exec(text);
    if (!match) return undefined;
    const [raw, name = '', inner = ''] = match;
    return { type: 'plain-mark', raw, name: name.toLowerCase(), inner };
  },
  renderer(token) {
    const { name, inner } = token as unknown as { name: string; inner: string };
    return `<${name}>${escapeHtml(inner)}</${name}>`;
  },
};

const highlight: TokenizerAndRendererExtension = {
  name: 'highlight',
  level: 'inline',
  start: (text) => text.match(/==\S/)?.index,
  tokenizer(text) {
    const match = /^==(?=\S)([^=\n]+?)==/.exec(text);
    if (!match) return undefined;
    const [raw, inner = ''] = match;
    return { type: 'highlight', raw, tokens: this.lexer.inlineTokens(inner) };
  },
  renderer(token) {
    return `<mark>${this.parser.parseInline(token.tokens ?? [])}</mark>`;
  },
  childTokens: ['tokens'],
};

const dialect = new Marked({
  gfm: true,
  breaks: true,
  extensions: [noteLink, plainMark, highlight],
  renderer: {
    html({ text }) {
      return /^<br\s*\/?>$/i.test(text.trim()) ? '<br>' : escapeHtml(text);
    },
    // Else text behind `<code>` and its like would not be escaped, as if the tag were one here.
    text(token) {
      const within = 'tokens' in token ? token.tokens : undefined;
      return within ? this.parser.parseInline(within) : escapeText(token.text);
    },
    listitem({ task, tokens }) {
      return `<li${task ? ' class="task-list-item"' : ''}>${this.parser.parse(tokens)}</li>\n`;
    },
    link({ href, title, tokens }) {
      const label = this.parser.parseInline(tokens);
      const name = title ? ` title="${escapeHtml(title)}"` : '';
      if (/^(?:https?|mailto):/i.test(href))
        return `<a href="${escapeHtml(href)}"${name}>${label}</a>`;
      // Another scheme could start a program or a script: the words stay, the link does not.
      if (href === '' || /^[a-z][\w+.-]*:|^\/\//i.test(href)) return label;
      return noteAnchor(decoded(href), label, '');
    },
    image({ href, text }) {
      const name = escapeHtml(text.trim());
      if (/^https?:\/\//i.test(href)) {
        const from = escapeHtml(hostOf(href));
        const label = name ? `${name} (${from})` : from;
        return `<button type="button" class="parley-picture" data-src="${escapeHtml(href)}">Show picture: ${label}</button>`;
      }
      if (href === '' || /^[a-z][\w+.-]*:|^\/\//i.test(href)) return name;
      return noteAnchor(decoded(href), name || escapeHtml(href), 'parley-embed');
    },
  },
});

/** For a lexer and a parser of one's own over the same dialect. */
export const DIALECT: MarkedOptions = dialect.defaults;

function noteAnchor(target: string, label: string, more: string): string {
  const classes = more ? `internal-link ${more}` : 'internal-link';
  return `<a class="${classes}" href="#" data-note="${escapeHtml(target)}">${label}</a>`;
}

/** Names of characters stay names, as Markdown has it. A `\r` that one stood for would else be taken for a line end. */
function escapeText(text: string): string {
  return text.replace(/[<>"'\r]|&(?!(?:#\d{1,7}|#x[\da-f]{1,6}|\w+);)/gi, escapeSign);
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, escapeSign);
}

function escapeSign(sign: string): string {
  return `&#${sign.charCodeAt(0)};`;
}

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
