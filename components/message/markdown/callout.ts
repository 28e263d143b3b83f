/** Quotations that begin with `[!note]` and are boxes with an icon and a title. */
import type { Token, Tokens } from 'marked';
import { escapeHtml } from './html';

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
