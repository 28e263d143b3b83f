/**
 * The Markdown of a model's answers, as HTML. HTML inside it is shown as the text it is, but for a few marks without
 * attributes; pictures from elsewhere become a button, since loading one tells its server that it was read.
 */
import { Marked, type MarkedOptions, type TokenizerAndRendererExtension } from 'marked';
import { calloutHtml } from './callout';
import { footnote } from './footnotes';
import { embedButton, escapeHtml, escapeText, noteAnchor } from './html';
import { OWN_MARKS, formulaHtml } from './own-marks';

/**
 * Between two lines of its own there may be empty ones; while its end has not come, all that follows is inside, as with
 * code. Elsewhere it is a part of its paragraph.
 */
const formulaBlock: TokenizerAndRendererExtension = {
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

const dialect = new Marked({
  gfm: true,
  breaks: true,
  extensions: [...OWN_MARKS, formulaBlock, footnote],
  renderer: {
    html({ text }) {
      return /^<br\s*\/?>$/i.test(text.trim()) ? '<br>' : escapeHtml(text);
    },
    // Else text behind `<code>` and its like would not be escaped, as if the tag were one here.
    text(token) {
      const within = 'tokens' in token ? token.tokens : undefined;
      return within ? this.parser.parseInline(within) : escapeText(token.text);
    },
    blockquote({ tokens }) {
      return calloutHtml(tokens, this.parser) ?? false;
    },
    list({ ordered, start, items }) {
      const body = items.map((item) => this.listitem(item)).join('');
      if (ordered) return `<ol${start === 1 ? '' : ` start="${start}"`}>\n${body}</ol>\n`;
      const tasks = items.some(({ task }) => task) ? ' class="contains-task-list"' : '';
      return `<ul${tasks}>\n${body}</ul>\n`;
    },
    listitem({ task, checked, tokens }) {
      const done = checked ? ' is-checked" data-task="x"' : '" data-task=""';
      return `<li${task ? ` class="task-list-item${done}` : ''}>${this.parser.parse(tokens)}</li>\n`;
    },
    checkbox({ checked }) {
      return `<input class="task-list-item-checkbox" type="checkbox"${checked ? ' checked=""' : ''} disabled=""> `;
    },
    link({ href, title, tokens }) {
      const label = this.parser.parseInline(tokens);
      const name = title ? ` title="${escapeHtml(title)}"` : '';
      if (/^(?:https?|mailto):/i.test(href))
        return `<a class="external-link" href="${escapeHtml(href)}"${name}>${label}</a>`;
      // Another scheme could start a program or a script: the words stay, the link does not.
      if (href === '' || /^[a-z][\w+.-]*:|^\/\//i.test(href)) return label;
      return noteAnchor(decoded(href), label);
    },
    image({ href, text }) {
      const name = escapeHtml(text.trim());
      if (/^https?:\/\//i.test(href)) {
        const from = escapeHtml(hostOf(href));
        const label = name ? `${name} (${from})` : from;
        return `<button type="button" class="parley-picture" data-src="${escapeHtml(href)}">Show picture: ${label}</button>`;
      }
      if (href === '' || /^[a-z][\w+.-]*:|^\/\//i.test(href)) return name;
      return embedButton(decoded(href), name || escapeHtml(href));
    },
  },
});

/** For a lexer and a parser of one's own over the same dialect. */
export const DIALECT: MarkedOptions = dialect.defaults;

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
