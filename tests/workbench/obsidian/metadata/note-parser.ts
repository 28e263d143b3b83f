import type {
  CachedMetadata,
  HeadingCache,
  LinkCache,
  ListItemCache,
  Pos,
  SectionCache,
  TagCache,
} from 'obsidian';
import { frontMatterOf, getFrontMatterInfo } from './front-matter';
import { withoutEnd } from './plain-yaml';

const HEADING = /^ {0,3}(#{1,6})[ \t]+(.*)$/;
const LIST_ITEM = /^([ \t]*)(?:[-*+]|\d+[.)])[ \t]+(?:\[(.)\][ \t])?/;
/** The first characters that a line needs to be a list item, the limit of code, or a rule. */
const [ITEM_MARKS, FENCE_MARKS, RULE_MARKS] = ['-*+0123456789', '`~', '-*_'];
const FENCE = /^[ \t]*(`{3,}(?=[^`]*$)|~{3,})/;
const BLOCK_ID = /(?:^|\s)\^([A-Za-z0-9-]+)[ \t]*$/;
const UNDERLINE = /^ {0,3}(=+|-+)[ \t]*$/;
const RULE = /^ {0,3}(?:(?:-[ \t]*){3,}|(?:\*[ \t]*){3,}|(?:_[ \t]*){3,})$/;

/** The metadata that Obsidian's cache has for this text. */
export function parseNote(text: string): CachedMetadata {
  return new NoteReader(text).read();
}

interface OpenSection {
  readonly type: string;
  readonly from: number;
  /** An open fence; one within a list item ends with the item. */
  fence?: { readonly marks: string; readonly indent: number } | null;
}

/** Reads the lines once, keeping track of the open section. */
class NoteReader {
  /** Without line breaks. */
  readonly #lines: readonly string[];
  readonly #starts: LineStarts;
  readonly #text: string;
  readonly #sections: SectionCache[] = [];
  readonly #headings: HeadingCache[] = [];
  readonly #items: ListItemCache[] = [];
  /** The last item of the open list, and the items that it is nested in. */
  #nesting: ListItemCache[] = [];
  readonly #blocks: NonNullable<CachedMetadata['blocks']> = {};
  readonly #inline: Inline = { links: [], embeds: [], tags: [] };
  /** Lines that are not scanned yet; the end is exclusive. They are of one paragraph, or blank. */
  readonly #paragraph = { from: 0, to: 0, mayBeInline: false };
  /** The first line below the last blank ones of a list that has text. */
  #textBelow = 0;
  #open: OpenSection | null = null;

  constructor(text: string) {
    this.#text = text;
    const lines = text.split('\n');
    this.#starts = new LineStarts(lines);
    this.#lines = text.includes('\r') ? lines.map((line) => line.replace(/\r$/, '')) : lines;
  }

  read(): CachedMetadata {
    const cache: CachedMetadata = {};
    let line = 0;
    const info = getFrontMatterInfo(this.#text);
    if (info.exists) {
      // The line of the closing dashes.
      line = this.#text.slice(0, info.to).split('\n').length;
      if (info.frontmatter === '') line = 1;
      const end = this.#endOf(line);
      cache.frontmatterPosition = this.#starts.span(0, 0, line, end);
      Object.assign(cache, frontMatterOf(info.frontmatter));
      this.#sections.push({ type: 'yaml', position: cache.frontmatterPosition });
      line += 1;
    }
    for (; line < this.#lines.length; line++) this.#take(line);
    this.#close(this.#lines.length - 1);
    this.#scan();

    if (this.#headings.length > 0) cache.headings = this.#headings;
    if (this.#items.length > 0) cache.listItems = this.#items;
    if (this.#sections.length > 0) cache.sections = this.#sections;
    if (Object.keys(this.#blocks).length > 0) cache.blocks = this.#blocks;
    if (this.#inline.links.length > 0) cache.links = this.#inline.links;
    if (this.#inline.embeds.length > 0) cache.embeds = this.#inline.embeds;
    if (this.#inline.tags.length > 0) cache.tags = this.#inline.tags;
    return cache;
  }

  #take(line: number): void {
    const text = this.#lines[line] ?? '';
    if (this.#insideCode(line, text)) return;
    const first = firstMark(text);
    const marks = FENCE_MARKS.includes(first) ? FENCE.exec(text)?.[1] : undefined;
    const isBlank = first === '';
    const isHeading = first === '#' && HEADING.test(text);
    const isRule = RULE_MARKS.includes(first) && RULE.test(text);
    if (marks) {
      const indent = this.#itemIndent(text);
      if (indent === 0) this.#close(line - 1);
      this.#open ??= { type: 'code', from: line };
      this.#open.fence = { marks, indent };
    } else if (isBlank) {
      if (!this.#listGoesOn(line)) this.#close(line - 1);
    } else if (isHeading) {
      this.#heading(line, text);
    } else if (this.#open?.type === 'paragraph' && UNDERLINE.test(text)) {
      this.#underlined(this.#open.from, line);
    } else if (isRule) {
      this.#close(line - 1);
      this.#section('thematicBreak', line, line);
    } else {
      this.#continue(line, text, first);
    }
    if (marks) {
      this.#scan();
      return;
    }
    // Code may go on over the lines of a paragraph, but not over those of other blocks.
    const isAlone = isHeading || isRule || text.includes('|');
    if (isAlone || isBlank || isItem(text, first)) this.#scan();
    this.#collect(line, text);
    if (isAlone) this.#scan();
  }

  #collect(line: number, text: string): void {
    const paragraph = this.#paragraph;
    if (paragraph.from === paragraph.to) paragraph.from = line;
    paragraph.to = line + 1;
    paragraph.mayBeInline ||= MAY_BE_INLINE.test(text);
  }

  #scan(): void {
    const { from, to, mayBeInline } = this.#paragraph;
    this.#paragraph.from = to;
    this.#paragraph.mayBeInline = false;
    if (!mayBeInline) return;
    const lines = this.#lines.slice(from, to);
    const hasCode = lines.some((line) => line.includes('`'));
    const blanked = hasCode ? blankCode(lines.join('\n')).split('\n') : lines;
    for (const [at, text] of blanked.entries()) {
      scanLine(text, from + at, this.#starts, this.#inline);
    }
  }

  #insideCode(line: number, text: string): boolean {
    const fence = this.#open?.fence;
    if (!this.#open || !fence) return false;
    if (text.trim() !== '' && indentOf(text) < fence.indent) {
      this.#open.fence = null;
      return false;
    }
    const closing = FENCE.exec(text)?.[1];
    if (closing?.startsWith(fence.marks) && text.trim() === closing) {
      if (this.#open.type === 'list') this.#open.fence = null;
      else this.#close(line);
    }
    return true;
  }

  /** Where the text of the innermost open list item begins that contains the line; 0 if none does. */
  #itemIndent(text: string): number {
    if (this.#open?.type !== 'list') return 0;
    const indents = this.#nesting.map(({ position: { start } }) => {
      const item = /^(?:[-*+]|\d+[.)])[ \t]*/.exec(this.#lines[start.line]?.slice(start.col) ?? '');
      return start.col + (item?.[0].length ?? 0);
    });
    return indents.findLast((indent) => indent <= indentOf(text)) ?? 0;
  }

  /** Whether the open list has more items or text below a blank line. */
  #listGoesOn(line: number): boolean {
    if (this.#open?.type !== 'list') return false;
    if (line < this.#textBelow) return true;
    let below = line;
    while (this.#lines[below]?.trim() === '') below += 1;
    this.#textBelow = below;
    const next = this.#lines[below] ?? '';
    return LIST_ITEM.test(next) || this.#itemIndent(next) > 0;
  }

  #heading(line: number, text: string): void {
    this.#close(line - 1);
    const [, marks = '', heading = ''] = HEADING.exec(text) ?? [];
    const section = this.#section('heading', line, line);
    const level = marks.length;
    this.#headings.push({ heading: withoutMarks(heading), level, position: section.position });
  }

  #underlined(from: number, line: number): void {
    this.#open = null;
    const { position } = this.#section('heading', from, line);
    const heading = this.#lines.slice(from, line).join(' ').trim();
    const level = this.#lines[line]?.includes('=') ? 1 : 2;
    this.#headings.push({ heading, level, position });
  }

  #continue(line: number, text: string, first: string): void {
    const isOfList = isItem(text, first) && !(this.#open?.type === 'paragraph' && isNotFirst(text));
    if (isOfList && this.#isOfOtherList(text)) this.#close(line - 1);
    const type = isOfList ? 'list' : this.#typeOf(line, text, first);
    if (this.#open?.type !== type) {
      this.#close(line - 1);
      this.#open = { type, from: line };
    }
    if (type === 'list') this.#item(line, text);
    const id = text.includes('^') ? BLOCK_ID.exec(text)?.[1] : undefined;
    if (id) this.#block(id, line);
  }

  /** The type of the section that a line of text belongs to which is not an item. */
  #typeOf(line: number, text: string, first: string): string {
    const open = this.#open?.type ?? 'paragraph';
    if (first === '>' && /^ {0,3}>/.test(text)) {
      return open === 'callout' || /^ {0,3}>\s*\[!/.test(text) ? 'callout' : 'blockquote';
    }
    if (open === 'paragraph') return open;
    return (open === 'list' && /^[ \t]/.test(text)) || this.#isLazy(line) ? open : 'paragraph';
  }

  /** Whether text without marks goes on with the paragraph that ends a list or quote. */
  #isLazy(line: number): boolean {
    if (!['list', 'blockquote', 'callout'].includes(this.#open?.type ?? '')) return false;
    const above = (this.#lines[line - 1] ?? '').replace(/^[ \t>]*(?:(?:[-*+]|\d+[.)])[ \t]+)?/, '');
    return above.trim() !== '' && !FENCE.test(above) && !HEADING.test(above);
  }

  /** Whether an item at the margin has another mark than the items of the open list. */
  #isOfOtherList(text: string): boolean {
    if (this.#open?.type !== 'list' || indentOf(text) > 0) return false;
    return markOf(this.#lines[this.#open.from] ?? '') !== markOf(text);
  }

  #item(line: number, text: string): void {
    const match = LIST_ITEM.exec(text);
    if (!match) return;
    const col = match[1]?.length ?? 0;
    const first = this.#open?.from ?? line;
    const isAbove = ({ position: { start } }: ListItemCache) =>
      start.line >= first && start.col < col;
    while (this.#nesting.length > 0 && !isAbove(this.#nesting.at(-1)!)) this.#nesting.pop();
    const above = this.#nesting.at(-1);
    const start = this.#starts.start(line) + col;
    const item: ListItemCache = {
      position: this.#starts.span(line, start, line, this.#endOf(line)),
      // Obsidian represents a missing parent as the negative line of the list.
      parent: above ? above.position.start.line : first === 0 ? -1 : -first,
    };
    if (match[2] !== undefined) item.task = match[2];
    this.#items.push(item);
    this.#nesting.push(item);
  }

  #block(id: string, line: number): void {
    const item = this.#items.at(-1);
    if (item && item.position.start.line === line) {
      item.id = id;
      this.#blocks[id.toLowerCase()] = { id, position: item.position };
      return;
    }
    const from = this.#open?.from ?? line;
    const isAlone = from === line && this.#lines[line]?.trim() === `^${id}`;
    const above = isAlone ? this.#sections.at(-1) : undefined;
    if (above && above.type !== 'yaml') {
      this.#blocks[id.toLowerCase()] = { id, position: above.position };
      return;
    }
    const position = this.#starts.span(from, this.#starts.start(from), line, this.#endOf(line));
    this.#blocks[id.toLowerCase()] = { id, position };
  }

  #close(last: number): void {
    if (!this.#open) return;
    this.#section(this.#open.type, this.#open.from, last);
    this.#open = null;
  }

  #section(type: string, from: number, to: number): SectionCache {
    const position = this.#starts.span(from, this.#starts.start(from), to, this.#endOf(to));
    const section = { type, position };
    this.#sections.push(section);
    return section;
  }

  #endOf(line: number): number {
    return this.#starts.start(line) + (this.#lines[line] ?? '').length;
  }
}

const WIKI = /(!?)\[\[([^[\]|]+)(?:\|((?:[^[\]]|\[(?!\[))*))?\]\]/g;
const MARKDOWN =
  /(!?)\[((?:[^[\]\\]|\\.)*)\]\((<[^<>]*>|(?:[^()\s]|\([^()\s]*\))*)(?:\s+"[^"]*")?\)/g;
const TAG = /(?<![^\s])#([\p{L}\p{N}\p{M}\p{Extended_Pictographic}_/-]+)/gu;
const MAY_BE_TAG = /#[^\s#]/;
/** What a link, an embed or a tag cannot be without. */
const MAY_BE_INLINE = /\[\[|\]\(|#[^\s#]/;
const EXTERNAL = /^[a-z][a-z0-9+.-]*:/i;

interface Inline {
  links: LinkCache[];
  embeds: NonNullable<CachedMetadata['embeds']>;
  tags: TagCache[];
}

/**
 * Collects links, embeds and tags of a line, in order.
 *
 * @param text without its code
 */
function scanLine(text: string, line: number, starts: LineStarts, found: Inline): void {
  if (!MAY_BE_INLINE.test(text)) return;
  const lineStart = starts.start(line);
  const position = (index: number, length: number) =>
    starts.span(line, lineStart + index, line, lineStart + index + length);

  let rest = text;
  const links: (LinkCache & { embed: boolean })[] = [];
  for (const match of rest.includes('[[') ? rest.matchAll(WIKI) : []) {
    // In a table the bar is escaped: `[[a\|b]]`.
    const target = match[3] === undefined ? match[2] : match[2]?.replace(/\\$/, '');
    const link = target?.trim() ?? '';
    links.push({
      embed: match[1] === '!',
      link,
      original: match[0],
      displayText: match[3] ?? link.replace(/^#/, '').replace(/#/g, ' > '),
      position: position(match.index, match[0].length),
    });
  }
  if (links.length > 0) rest = rest.replace(WIKI, blank);
  const hasLink = rest.includes('](');
  for (const match of hasLink ? rest.matchAll(MARKDOWN) : []) {
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
  if (links.length > 1) {
    links.sort((one, other) => one.position.start.offset - other.position.start.offset);
  }
  for (const { embed, ...link } of links) (embed ? found.embeds : found.links).push(link);

  if (!MAY_BE_TAG.test(rest)) return;
  if (hasLink) rest = rest.replace(MARKDOWN, blank);
  for (const match of MAY_BE_TAG.test(rest) ? rest.matchAll(TAG) : []) {
    if (/^[\d/]+$/.test(match[1] ?? '')) continue;
    found.tags.push({ tag: match[0], position: position(match.index, match[0].length) });
  }
}

/** The text of a heading without the marks that close it. */
function withoutMarks(heading: string): string {
  const text = withoutEnd(heading, ' \t');
  const open = withoutEnd(text, '#');
  return /[ \t]/.test(open.at(-1) ?? '') ? withoutEnd(open, ' \t') : text;
}

/** Blanks code spans, but in links: each ends at the next run of as many backticks. */
function blankCode(text: string): string {
  if (!text.includes('`')) return text;
  const runs = [...text.matchAll(/`+/g)].map(({ index, 0: { length } }) => ({ index, length }));
  const next = new Map<number, number>();
  const closing: (number | undefined)[] = [];
  for (let at = runs.length - 1; at >= 0; at--) {
    const { length } = runs[at]!;
    closing[at] = next.get(length);
    next.set(length, at);
  }
  const links = [...text.matchAll(/\[\[[^[\]\n]*`[^[\]\n]*\]\]/g)];
  let blanked = '';
  let done = 0;
  for (let at = 0; at < runs.length; at++) {
    const end = closing[at];
    if (end === undefined) continue;
    const [{ index: from }, to] = [runs[at]!, runs[end]!.index + runs[end]!.length];
    blanked += text.slice(done, from);
    const isInLink = links.some(
      ({ 0: link, index }) => done <= index && index < from && to < index + link.length,
    );
    blanked += isInLink ? text.slice(from, to) : text.slice(from, to).replace(/[^\n]/g, ' ');
    done = to;
    at = end;
  }
  return blanked + text.slice(done);
}

/** Whether a numbered item is not the first, so that it cannot interrupt a paragraph. */
function isNotFirst(text: string): boolean {
  return /^[ \t]*(?!0*1[.)])\d/.test(text);
}

function markOf(item: string): string | undefined {
  return /^[ \t]*\d*([-*+.)])/.exec(item)?.[1];
}

/** The first character that is not blank; '' for a blank line. */
function firstMark(text: string): string {
  let at = 0;
  while (text[at] === ' ' || text[at] === '\t') at += 1;
  const first = text[at] ?? '';
  return first.trim() === '' ? text.trim().slice(0, 1) : first;
}

function isItem(text: string, first: string): boolean {
  return ITEM_MARKS.includes(first) && LIST_ITEM.test(text);
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}

/** Keeps the length, so that later offsets stay the same. */
function blank(match: string): string {
  return ' '.repeat(match.length);
}

function decode(target: string): string {
  if (!target.includes('%')) return target;
  try {
    return decodeURIComponent(target);
  } catch {
    return target;
  }
}

/** Offsets of the lines of a text, to convert between offsets and Obsidian's positions. */
class LineStarts {
  readonly #starts: readonly number[];

  /** @param lines without the line feeds between them */
  constructor(lines: readonly string[]) {
    let next = 0;
    this.#starts = lines.map((line) => {
      const start = next;
      next += line.length + 1;
      return start;
    });
  }

  start(line: number): number {
    return this.#starts[line] ?? 0;
  }

  /** Position of a range within known lines; the end is exclusive. */
  span(startLine: number, start: number, endLine: number, end: number): Pos {
    return {
      start: { line: startLine, col: start - this.start(startLine), offset: start },
      end: { line: endLine, col: end - this.start(endLine), offset: end },
    };
  }
}
