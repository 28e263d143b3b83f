/** What stands in a line of a note and is not in everybody's Markdown: note links, tags, formulas, footnotes. */
import type { Tokens } from 'marked';
import type { Extension } from './extensions';
import { embedButton, escapeHtml, noteAnchor } from './html';
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
