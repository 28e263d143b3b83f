/** Obsidian's syntax beside CommonMark: footnotes, formulas, tags, callouts, links and embeds. */
import { linkText, readWikiLink } from '#text/link-reader';
import { readSourceMark } from '#text/source-marks';
import type {
  Links,
  MarkedOptions,
  RendererExtensionFunction,
  Token,
  TokenizerExtensionFunction,
  TokenizerStartFunction,
  Tokens,
} from 'marked';
import { readCallout } from '#text/block-marks';
import { capitalize } from '#text/shorten';
import { escapeHtml } from './escape-html';
import { htmlWithMarks, sourceMarkHtml } from './source-numbers';

/** Stored with the link definitions, under a name that no link can have. */
function footnoteName(label: string): string {
  return `\n${label.toLowerCase()}`;
}

/**
 * In its own block or inline as `^[words]`, and shown at the end. Footnotes are numbered in the order
 * they are written.
 */
interface Footnote extends Tokens.Generic {
  /** An inline footnote's number, after a bracket, which no other label has. */
  readonly label: string;
  /** Holds its number in place of a URL. */
  readonly definition: Links[string];
}

/** An inline footnote. */
interface InlineFootnote extends Tokens.Generic {
  readonly body: string;
  readonly definition: Links[string];
}

/** Continues in lines that are not empty, and in indented paragraphs. */
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

/** With brackets in it, nested once at most, such as those of links. */
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

/** @param title its text, as Markdown */
function referenceHtml(label: string, number: string, title = ''): string {
  const name = title === '' ? '' : ` title="${escapeHtml(title)}"`;
  return `<sup class="footnote-ref"><a class="footnote-link" href="#" data-footnote="${escapeHtml(label)}"${name}>[${number}]</a></sup>`;
}

/** Numbers the footnotes of a text that follows a number of others. */
export function numberFootnotes(tokens: readonly Token[], before: number): void {
  const footnotes = allWithin(tokens).filter((token) => isFootnote(token) || isInline(token));
  for (const [at, { definition }] of footnotes.entries()) definition.href = `${before + at + 1}`;
}

/** Whether a text may use a link or a footnote that is defined by one of these names. */
export function usesAny(text: string, names: readonly string[]): boolean {
  const plain = text.toLowerCase().replace(/\s+/g, ' ');
  return names.some((name) => {
    return plain.includes(name.startsWith('\n') ? `[^${name.slice(1)}]` : `[${name}]`);
  });
}

/** Tokens read in place, and footnotes read at the end. */
export function splitFootnotes(tokens: readonly Token[]): { text: Token[]; notes: Token[] } {
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

type LinkParts = Pick<Tokens.List, 'items'> &
  Pick<Tokens.Table, 'header' | 'rows'> & { readonly tokens: readonly Token[] };

/** All tokens, each followed by those inside it. */
function allWithin(tokens: readonly Token[]): Token[] {
  const found: Token[] = [];
  collect(tokens, found);
  return found;
}

function collect(tokens: readonly Token[], found: Token[]): void {
  for (const token of tokens) {
    found.push(token);
    const { items, header, rows = [], tokens: within = [] } = token as Partial<LinkParts>;
    if (items) collect(items, found);
    else if (header) for (const cell of [header, ...rows].flat()) collect(cell.tokens, found);
    else collect(within, found);
  }
}

/** @param items HTML of each footnote */
export function footnotesHtml(items: readonly string[]): string {
  if (items.length === 0) return '';
  return `<section class="footnotes"><hr><ol>${items.join('')}</ol></section>`;
}

interface NoteLink extends Tokens.Generic {
  readonly target: string;
  readonly label: string;
  readonly embedded: boolean;
}

const noteLink: Extension = {
  name: 'note-link',
  level: 'inline',
  // For all of them, so that the text is searched once.
  start: (text) =>
    text.match(/!?\[[[^@]|\^\[|<(?:kbd|sub|sup|mark|u|ins|small)>|==\S|\$|(?<!\S)#[^\s#]/i)?.index,
  tokenizer(text) {
    const link = readWikiLink(text);
    if (!link) return undefined;
    const token: NoteLink = {
      type: 'note-link',
      raw: text.slice(0, link.to),
      target: (link.target + link.subpath).trim(),
      label: linkText(link).trim(),
      embedded: link.isEmbed,
    };
    return token.target === '' ? undefined : token;
  },
  renderer(token) {
    const { target, label, embedded } = token as NoteLink;
    return (embedded ? embedButton : noteAnchor)(target, escapeHtml(label));
  },
};

/**
 * HTML that people write in notes where Markdown has no syntax; only as a closed pair around plain
 * text.
 */
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
    return `<${name}>${htmlWithMarks(inner)}</${name}>`;
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

/** `$5 and $6` is not a formula: it may not end after a space or before a digit. */
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

/** Its source, until it is drawn. */
export function formulaHtml(source: string): string {
  const kind = source.startsWith('$$') ? 'block' : 'inline';
  return `<span class="math math-${kind}">${escapeHtml(source)}</span>`;
}

/** Not only digits, and none of the characters that end a tag in Obsidian. */
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

/** Drawn as it is written, except in answers, where a number takes its place. */
const sourceMark: Extension = {
  name: 'source-mark',
  level: 'inline',
  tokenizer(text) {
    const mark = text.startsWith('[@') ? readSourceMark(text) : null;
    return mark ? { type: 'source-mark', raw: text.slice(0, mark.to) } : undefined;
  },
  renderer: ({ raw }) => sourceMarkHtml(raw),
};

export const OWN_MARKS = [
  noteLink,
  plainMark,
  highlight,
  formula,
  tag,
  footnoteReference,
  inlineFootnote,
  sourceMark,
];

export interface Extension {
  readonly name: string;
  readonly level: 'block' | 'inline';
  /** Index where the next may begin. */
  readonly start?: TokenizerStartFunction;
  readonly tokenizer: TokenizerExtensionFunction;
  readonly renderer: RendererExtensionFunction;
}

/** The last extension is tried first. */
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

interface Reader {
  parse(tokens: Token[]): string;
  parseInline(tokens: Token[]): string;
}

/** Null for an ordinary quote. */
export function calloutHtml(tokens: readonly Token[], parser: Reader): string | null {
  const [paragraph, ...others] = tokens;
  const inline = paragraph?.type === 'paragraph' ? (paragraph as Tokens.Paragraph).tokens : [];
  const [first, ...more] = inline;
  const head = first?.type === 'text' ? readCallout(first.raw) : null;
  if (!paragraph || !first || !head) return null;
  const { marker, kind, fold } = head;
  const rest = first.raw.slice(marker.length);
  const words = [{ ...first, raw: rest, text: rest } as Token, ...more];
  const end = words.findIndex(({ type }) => type === 'br');
  const line = end < 0 ? words : words.slice(0, end);
  const title = parser.parseInline(line).trim() || escapeHtml(titleOf(kind));
  const below = end < 0 ? [] : [{ ...paragraph, tokens: words.slice(end + 1) } as Token];
  const content = parser.parse([...below, ...others]);
  // A `<details>` element, so that the keyboard opens and closes it.
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
  return capitalize(kind).replaceAll('-', ' ');
}

export function noteAnchor(target: string, label: string): string {
  return `<a class="internal-link" href="#" data-note="${escapeHtml(target)}">${label}</a>`;
}

/** A note embedded in an embedded note is only named until the user opens it. */
export function embedButton(target: string, label: string): string {
  return `<button type="button" class="parley-embed" data-note="${escapeHtml(target)}">${label}</button>`;
}
