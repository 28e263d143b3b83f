/**
 * Reads links as Obsidian and CommonMark do: `[[Note#Heading|alias]]`, `[text](<Note.md> "title")`,
 * and both as embeds.
 */
import { lineTexts } from './list-diff';
import { blankCodeOutsideLinks, type LineContext, lineContexts } from './note-structure';

/** A link with its offsets in the text. */
export interface TextLink {
  readonly from: number;
  readonly to: number;
  readonly isWiki: boolean;
  readonly isEmbed: boolean;
  /** As written, without the part after `#`; empty for a link within a note. */
  readonly target: string;
  readonly targetFrom: number;
  /** As written, with its `#`; '' for none. */
  readonly subpath: string;
  /** The alias, or the text in brackets, which may contain other links; null for none. */
  readonly text: string | null;
}

/** In a table, the bar is escaped. */
const WIKI =
  /(?<mark>!?)\[\[(?<note>[^[\]|#\n]*?)(?<part>#[^[\]|\n]*?)?(?:\\?\|(?<alias>[^[\]\n]*))?\]\]/;

/** The address may contain parentheses, two deep, and a title may follow it. */
const MARKDOWN_END =
  /(?<start>\]\(\s*(?!\s))(?:<(?<bracketed>(?:[^<>\n\\]|\\.)*)>|(?!<)(?<address>(?:[^\s()\\]|\\[()]|\\(?![()])|\((?:[^\s()\\]|\\[()]|\\(?![()])|\([^\s()]*\))*\))*))(?:\s+(?:"[^"]*"|'[^']*'|\([^()]*\)))?\s*\)/;

/** Escaped characters, links, brackets, and the blank lines that end a paragraph. */
const TOKEN = new RegExp(
  `\\\\[^]|${WIKI.source}|!?\\[|${MARKDOWN_END.source}|\\]|\\n[ \\t]*\\r?\\n`,
  'g',
);

/** All links, in the order of their ends. Takes linear time. */
export function findLinks(text: string): TextLink[] {
  const links: TextLink[] = [];
  if (!text.includes('[')) return links;
  const openers: { from: number; isEmbed: boolean; textFrom: number }[] = [];
  /** Openers below this index are around a link, and only embeds may contain links. */
  let closed = 0;
  TOKEN.lastIndex = 0;
  for (let match = TOKEN.exec(text); match; match = TOKEN.exec(text)) {
    const { 0: written, index: from, groups = {} } = match;
    const { mark, note = '', part = '', alias, start, bracketed, address = '' } = groups;
    const to = TOKEN.lastIndex;
    if (mark !== undefined) {
      const targetFrom = from + mark.length + 2;
      const parts = { target: note, targetFrom, subpath: part, text: alias ?? null };
      links.push({ from, to, isWiki: true, isEmbed: mark !== '', ...parts });
      if (mark === '') closed = openers.length;
    } else if (written === '[' || written === '![') {
      openers.push({ from, isEmbed: written.startsWith('!'), textFrom: to });
    } else if (written.startsWith(']')) {
      const opener = openers.pop();
      const isOpen = opener && (opener.isEmbed || openers.length >= closed);
      closed = Math.min(closed, openers.length);
      if (start === undefined) continue;
      if (!isOpen) {
        TOKEN.lastIndex = from + 1;
        continue;
      }
      const place = bracketed ?? address;
      const hash = place.indexOf('#');
      const end = hash < 0 ? place.length : hash;
      links.push({
        ...{ from: opener.from, to, isWiki: false, isEmbed: opener.isEmbed },
        target: place.slice(0, end),
        targetFrom: from + start.length + (bracketed === undefined ? 0 : 1),
        subpath: place.slice(end),
        text: text.slice(opener.textFrom, from),
      });
      if (!opener.isEmbed) closed = openers.length;
    } else if (written.startsWith('\n')) openers.length = closed = 0;
  }
  return links;
}

/** Reads a text that is one link; null for any other. */
export function parseLink(text: string): TextLink | null {
  const link = findLinks(text.trim()).at(-1);
  return link?.from === 0 && link.to === text.trim().length ? link : null;
}

const WIKI_START = new RegExp(`^${WIKI.source}`);

/** Reads the link in double brackets at the start of a text; null if there is none. */
export function readWikiLink(text: string): TextLink | null {
  const written = WIKI_START.exec(text)?.[0];
  return written === undefined ? null : parseLink(written);
}

/** The path or address that a link names. */
export function linkPath({ isWiki, target }: TextLink): string {
  return isWiki ? target.trim() : decoded(target);
}

/** The part behind the path, as it reads, with its `#`; '' for none. */
export function linkSubpath({ isWiki, subpath }: TextLink): string {
  return isWiki ? subpath : decoded(subpath);
}

/** A path as the address of a Markdown link without brackets. */
export function linkAddress(path: string): string {
  return encodeURI(path).replaceAll('#', '%23').replaceAll('(', '%28').replaceAll(')', '%29');
}

/** What a reader sees in place of a link. */
export function linkText({ text, target, subpath }: TextLink): string {
  const parts = (target + subpath).split(/#\^?/).filter((part) => part !== '');
  return text || parts.join(' > ');
}

/** Replaces each link with what a reader sees in its place. */
export function withoutLinks(text: string): string {
  const cuts = findLinks(text).flatMap((link): { from: number; to: number; shown: string }[] => {
    const { from, to, isWiki, isEmbed, text: words } = link;
    if (isWiki || words === null) return [{ from, to, shown: linkText(link) }];
    const textFrom = from + (isEmbed ? 2 : 1);
    return [
      { from, to: textFrom, shown: '' },
      { from: textFrom + words.length, to, shown: '' },
    ];
  });
  cuts.sort((a, b) => a.from - b.from);
  let result = '';
  let done = 0;
  for (const { from, to, shown } of cuts) {
    result += text.slice(done, from) + shown;
    done = to;
  }
  return result + text.slice(done);
}

/**
 * Replaces the targets of links, without the part after `#`.
 *
 * @param targetFor returns null to keep a target
 */
export function retargetLinks(text: string, targetFor: (link: TextLink) => string | null): string {
  let result = '';
  let done = 0;
  for (const link of findLinks(text)) {
    const { target, targetFrom } = link;
    result += text.slice(done, targetFrom) + (targetFor(link) ?? target);
    done = targetFrom + target.length;
  }
  return result + text.slice(done);
}

export interface WrittenLink {
  /** From 1. */
  readonly line: number;
  /** The linked note or file, without the heading. */
  readonly name: string;
  /** The whole link verbatim, so that an edit can search for it. */
  readonly written: string;
  /** With its `#`, in lower case; '' for none. */
  readonly heading: string;
}

/** Links by name in lower case, in the note's order. Code and math contain no links. */
export function writtenLinks(content: string): ReadonlyMap<string, readonly WrittenLink[]> {
  const found = new Map<string, WrittenLink[]>();
  for (const link of linksIn(content)) {
    const key = linkNameKey(link.name);
    const links = found.get(key) ?? [];
    links.push(link);
    found.set(key, links);
  }
  return found;
}

const LITERAL: ReadonlySet<LineContext | undefined> = new Set(['code', 'indented-code', 'math']);

/** Whether a line contains no links, whatever is in it. */
export function isLiteralLine(context: LineContext | undefined): boolean {
  return LITERAL.has(context);
}

/** All links to notes and files, in the note's order. */
export function linksIn(content: string): WrittenLink[] {
  return allLinksIn(content).filter(({ name }) => linkNameKey(name) !== '');
}

/** Whether a link has one of these names; '' is the name of links within the note. */
export function hasNameOf(names: Iterable<string>): (link: WrittenLink) => boolean {
  const keys = new Set([...names].map(linkNameKey));
  return ({ name }) => keys.has(linkNameKey(name));
}

/** Like `linksIn`, with the links within the note. */
export function allLinksIn(content: string): WrittenLink[] {
  const lines = lineTexts(content);
  const contexts = lineContexts(lines);
  return lines.flatMap((line, at) => {
    // In the front matter, only a quoted value is a link.
    const isValue = contexts[at] !== 'front-matter' || /["']!?\[.*["']/.test(line);
    if (isLiteralLine(contexts[at]) || !isValue || !line.includes('[')) return [];
    return findLinks(blankCodeOutsideLinks(line)).flatMap((link): WrittenLink[] => {
      const name = linkPath(link);
      if (isExternal(link)) return [];
      const heading = linkSubpath(link).toLowerCase();
      return [{ line: at + 1, name, written: line.slice(link.from, link.to), heading }];
    });
  });
}

/** Replaces links with spaces, so that columns stay the same. */
export function blankLinks(line: string): string {
  return replaceLinks(line, (length) => ' '.repeat(length));
}

/** Replaces whole links, and with them the links in their texts. */
export function replaceLinks(text: string, put: (length: number) => string): string {
  let result = '';
  let done = 0;
  for (const { from, to } of findLinks(text).sort((a, b) => a.from - b.from)) {
    if (from < done) continue;
    result += text.slice(done, from) + put(to - from);
    done = to;
  }
  return result + text.slice(done);
}

/** Whether a link names an address outside the vault. */
export function isExternal({ isWiki, target }: TextLink): boolean {
  return !isWiki && /^[a-z][a-z0-9+.-]*:/i.test(target);
}

/**
 * The lines with a link like one of these, in order.
 *
 * @param links links as they would be written in the note
 * @param heading with its `#`; counts only links to it, while '' counts any link to the note
 */
export function linesWithLink(
  content: string,
  links: readonly string[],
  heading: string,
): number[] {
  const names = links.flatMap((link) => [...writtenLinks(link).keys()]);
  const all = writtenLinks(content);
  const wanted = decoded(heading).toLowerCase();
  const lines = names.flatMap((name) =>
    (all.get(name) ?? []).flatMap((link) =>
      wanted === '' || link.heading === wanted ? [link.line] : [],
    ),
  );
  return [...new Set(lines)].sort((a, b) => a - b);
}

/**
 * Each written form of the links with this name, with its lines; `[[name]]` without lines if there
 * is none.
 */
export function spellingsOf(
  all: ReadonlyMap<string, readonly WrittenLink[]>,
  name: string,
): { readonly written: string; readonly lines: readonly number[] }[] {
  const forms = new Map<string, Set<number>>();
  for (const { written, line } of all.get(linkNameKey(name)) ?? []) {
    const lines = forms.get(written) ?? new Set();
    forms.set(written, lines.add(line));
  }
  if (forms.size === 0) return [{ written: `[[${name}]]`, lines: [] }];
  return [...forms].map(([written, lines]) => ({ written, lines: [...lines] }));
}

/** The names that a note uses in its links to this file. */
export function namesFor(
  metadata: { readonly links: readonly { name: string; to: string | null }[] } | null,
  path: string,
): string[] {
  return (metadata?.links ?? []).flatMap(({ name, to }) => (to === path ? [name] : []));
}

/** Equal for names that lead to the same note. */
export function linkNameKey(name: string): string {
  return name.trim().replace(/\.md$/i, '').normalize('NFC').toLowerCase();
}

/** An address without backslashes before marks and without percent signs. */
function decoded(address: string): string {
  const plain = address.replace(/\\([!-/:-@[-`{-~])/g, '$1');
  try {
    return decodeURIComponent(plain);
  } catch {
    return plain;
  }
}

/** For each note, how many links it has to each path (or, if unresolved, to each name). */
export type LinkCounts = Readonly<Record<string, Readonly<Record<string, number>>>>;
