import type { CachedMetadata, LinkCache, TagCache } from 'obsidian';
import type { LineStarts } from './positions';

const CODE = /(`+)[^`](?:.*?[^`])?\1(?!`)/g;
const WIKI = /(!?)\[\[([^[\]|]+)(?:\|([^\]]*))?\]\]/g;
const MARKDOWN =
  /(!?)\[((?:[^[\]\\]|\\.)*)\]\((<[^>]*>|(?:[^()\s]|\([^()\s]*\))*)(?:\s+"[^"]*")?\)/g;
const TAG = /(?<![^\s])#([\p{L}\p{N}\p{M}\p{Extended_Pictographic}_/-]+)/gu;
const EXTERNAL = /^[a-z][a-z0-9+.-]*:/i;

export interface Inline {
  links: LinkCache[];
  embeds: NonNullable<CachedMetadata['embeds']>;
  tags: TagCache[];
}

/** Collects links, embeds and tags of a line, in order. */
export function scanLine(text: string, line: number, starts: LineStarts, found: Inline): void {
  if (!/[[#]/.test(text)) return;
  const lineStart = starts.start(line);
  const position = (index: number, length: number) =>
    starts.span(line, lineStart + index, line, lineStart + index + length);

  let rest = text.replace(CODE, blank);
  const links: (LinkCache & { embed: boolean })[] = [];
  for (const match of rest.matchAll(WIKI)) {
    const link = match[2]?.trim() ?? '';
    links.push({
      embed: match[1] === '!',
      link,
      original: match[0],
      displayText: match[3] ?? link.replace(/^#/, '').replace(/#/g, ' > '),
      position: position(match.index, match[0].length),
    });
  }
  rest = rest.replace(WIKI, blank);
  for (const match of rest.matchAll(MARKDOWN)) {
    const target = (match[3] ?? '').replace(/^<|>$/g, '');
    if (!target || EXTERNAL.test(target)) continue;
    links.push({
      embed: match[1] === '!',
      link: decode(target),
      original: match[0],
      displayText: match[2] ?? '',
      position: position(match.index, match[0].length),
    });
  }
  rest = rest.replace(MARKDOWN, blank);
  links.sort((one, other) => one.position.start.offset - other.position.start.offset);
  for (const { embed, ...link } of links) (embed ? found.embeds : found.links).push(link);

  for (const match of rest.matchAll(TAG)) {
    if (/^[\d/]+$/.test(match[1] ?? '')) continue;
    found.tags.push({ tag: match[0], position: position(match.index, match[0].length) });
  }
}

/** Keeps the length, so that later offsets stay the same. */
function blank(match: string): string {
  return ' '.repeat(match.length);
}

function decode(target: string): string {
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}
