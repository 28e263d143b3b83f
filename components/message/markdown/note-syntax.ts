/** The syntax of notes beyond Markdown: note links, tags, formulas, footnotes and callouts, as extensions of marked. */
import type {
  MarkedOptions,
  RendererExtensionFunction,
  Token,
  TokenizerExtensionFunction,
  TokenizerStartFunction,
  Tokens,
} from 'marked';
import { embedButton, escapeHtml, noteAnchor } from './escape-html';
import { footnoteName, inlineFootnote, referenceHtml } from './footnotes';

interface NoteLink extends Tokens.Generic {
  readonly target: string;
  readonly label: string;
  readonly embedded: boolean;
}

const noteLink: Extension = {
  name: 'note-link',
  level: 'inline',
  // For all of them: a text is searched once, and not once for each.
  start: (text) =>
    text.match(/!?\[\[|\[\^|\^\[|<(?:kbd|sub|sup|mark|u|ins|small)>|==\S|\$|(?<!\S)#[^\s#]/i)
      ?.index,
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
    return (embedded ? embedButton : noteAnchor)(target, escapeHtml(label));
  },
};

/** What people write in notes for want of Markdown; only as a closed pair around plain text. */
const plainMark: Extension = {
  name: 'plain-mark',
  level: 'inline',
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

const highlight: Extension = {
  name: 'highlight',
  level: 'inline',
  tokenizer(text) {
    const match = /^==(?=\S)([^=\n]+?)==/.exec(text);
    if (!match) return undefined;
    const [raw, inner = ''] = match;
    return { type: 'highlight', raw, tokens: this.lexer.inlineTokens(inner) };
  },
  renderer(token) {
    return `<mark>${this.parser.parseInline(token.tokens ?? [])}</mark>`;
  },
};

/** `$5 and $6` is no formula: it ends neither behind a space nor before a digit. */
const FORMULA =
  /^(?:\$\$(?:\\[^]|[^\\$]|\$(?!\$))+\$\$|\$(?![\s$])(?:\\.|[^\\$\n])+(?<!\s)\$(?!\d))/;

const formula: Extension = {
  name: 'formula',
  level: 'inline',
  tokenizer(text) {
    const raw = FORMULA.exec(text)?.[0];
    return raw === undefined ? undefined : { type: 'formula', raw };
  },
  renderer: ({ raw }) => formulaHtml(raw),
};

/** As it is written, until it is drawn. */
export function formulaHtml(source: string): string {
  const kind = source.startsWith('$$') ? 'block' : 'inline';
  return `<span class="math math-${kind}">${escapeHtml(source)}</span>`;
}

/** Not only digits, and none of the signs that end a tag for Obsidian. */
const TAG = /^#(?!\d+(?![\p{L}\p{N}_/-]))[\p{L}\p{N}\p{Extended_Pictographic}_/-]+/u;

const tag: Extension = {
  name: 'tag',
  level: 'inline',
  tokenizer(text, before) {
    const raw = TAG.exec(text)?.[0];
    if (raw === undefined || /\S$/.test(before.at(-1)?.raw ?? '')) return undefined;
    return { type: 'tag', raw };
  },
  renderer: ({ raw }) => `<a class="tag" href="#">${escapeHtml(raw)}</a>`,
};

const footnoteReference: Extension = {
  name: 'footnote-reference',
  level: 'inline',
  tokenizer(text) {
    const [raw, label = ''] = /^\[\^([^\]\s]+)\]/.exec(text) ?? [];
    const known = raw === undefined ? undefined : this.lexer.tokens.links[footnoteName(label)];
    return raw && known ? { type: 'footnote-reference', raw, label, known } : undefined;
  },
  renderer(token) {
    const { label, known } = token as unknown as { label: string; known: { href: string } };
    return referenceHtml(label, known.href);
  },
};

export const OWN_MARKS = [
  noteLink,
  plainMark,
  highlight,
  formula,
  tag,
  footnoteReference,
  inlineFootnote,
];

export interface Extension {
  readonly name: string;
  readonly level: 'block' | 'inline';
  /** Where the next may begin. */
  readonly start?: TokenizerStartFunction;
  readonly tokenizer: TokenizerExtensionFunction;
  readonly renderer: RendererExtensionFunction;
}

/** The last of them is tried first. */
export function extensionsOf(list: readonly Extension[]): NonNullable<MarkedOptions['extensions']> {
  const tokenizers = (level: Extension['level']) =>
    list.flatMap((each) => (each.level === level ? [each.tokenizer] : [])).reverse();
  return {
    block: tokenizers('block'),
    inline: tokenizers('inline'),
    startInline: list.flatMap(({ level, start }) => (level === 'inline' && start ? [start] : [])),
    renderers: Object.fromEntries(list.map(({ name, renderer }) => [name, renderer])),
    childTokens: {},
  };
}

const HEAD = /^\[!([^\]|\n]+)(?:\|[^\]\n]*)?\]([+-]?)(?:[ \t]+|$)/;

interface Reader {
  parse(tokens: Token[]): string;
  parseInline(tokens: Token[]): string;
}

/** Null where it is a usual quotation. */
export function calloutHtml(tokens: readonly Token[], parser: Reader): string | null {
  const [paragraph, ...others] = tokens;
  const inline = paragraph?.type === 'paragraph' ? (paragraph as Tokens.Paragraph).tokens : [];
  const [first, ...more] = inline;
  const head = first?.type === 'text' ? HEAD.exec(first.raw) : null;
  if (!paragraph || !first || !head) return null;
  const [marker, name = '', fold = ''] = head;
  const kind = name.trim().toLowerCase();
  const rest = first.raw.slice(marker.length);
  const words = [{ ...first, raw: rest, text: rest } as Token, ...more];
  const end = words.findIndex(({ type }) => type === 'br');
  const line = end < 0 ? words : words.slice(0, end);
  const title = parser.parseInline(line).trim() || escapeHtml(titleOf(kind));
  const below = end < 0 ? [] : [{ ...paragraph, tokens: words.slice(end + 1) } as Token];
  const content = parser.parse([...below, ...others]);
  // Opened and closed by whatever opens and closes details, the keyboard among it.
  const [box, top] = fold ? ['details', 'summary'] : ['div', 'div'];
  const state = fold ? ` data-callout-fold="${fold}"${fold === '+' ? ' open' : ''}` : '';
  return [
    `<${box} class="callout${fold ? ' is-collapsible' : ''}" data-callout="${escapeHtml(kind)}"${state}>`,
    `<${top} class="callout-title"><div class="callout-icon"></div>`,
    `<div class="callout-title-inner">${title}</div></${top}>`,
    content && `<div class="callout-content">\n${content}</div>`,
    `</${box}>\n`,
  ].join('');
}

function titleOf(kind: string): string {
  return (kind.charAt(0).toUpperCase() + kind.slice(1)).replaceAll('-', ' ');
}
