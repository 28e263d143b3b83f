/** Finds links in a text by the names that are written in them. */
import { lineTexts } from './list-diff';
import { blankInlineCode, type LineContext, lineContexts } from './note-structure';

/** `[[Note#Heading|words]]`, `[words](<Note.md> "title")`, and both as embeds. */
const LINK =
  /!?\[\[([^[\]|#]+)(#[^[\]|]*)?(?:\|[^[\]]*)?\]\]|!?\[(?:[^[\]]|\[[^[\]]*\])*\]\((?:<([^<>]*)>|([^()\s<>]*(?:\([^()\s]*\)[^()\s<>]*)*))(?:\s[^()]*)?\)/g;

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
    const key = keyOf(link.name);
    const links = found.get(key) ?? [];
    links.push(link);
    found.set(key, links);
  }
  return found;
}

const LITERAL: ReadonlySet<LineContext | undefined> = new Set(['code', 'indented-code', 'math']);

/** All links to notes and files, in the note's order. */
export function linksIn(content: string): WrittenLink[] {
  const lines = lineTexts(content);
  const contexts = lineContexts(lines);
  return lines.flatMap((line, at) => {
    // In the front matter, only a quoted value is a link.
    const isValue = contexts[at] !== 'front-matter' || /["']!?\[[^\n]*["']/.test(line);
    if (LITERAL.has(contexts[at]) || !isValue || !line.includes('[')) return [];
    return [...blankInlineCode(line).matchAll(LINK)].flatMap((match): WrittenLink[] => {
      const [written, wiki, part, bracketed, address] = match;
      const [target = '', ...rest] = decoded(bracketed ?? address ?? '').split('#');
      // In a table, the pipe of a link is escaped.
      const name = (wiki ?? target).replace(/\\$/, '').trim();
      const own = rest.length > 0 ? `#${rest.join('#')}` : '';
      if (keyOf(name) === '' || (wiki === undefined && EXTERNAL.test(name))) return [];
      return [
        { line: at + 1, name, written, heading: (part ?? own).replace(/\\$/, '').toLowerCase() },
      ];
    });
  });
}

/** Includes links within a note. */
const ANY_LINK = /!?\[\[[^[\]]*\]\]|!?\[(?:[^[\]]|\[[^[\]]*\])*\]\([^()]*\)/g;

/** Replaces links with spaces, so that columns stay the same. */
export function blankLinks(line: string): string {
  return line.replace(ANY_LINK, (link) => ' '.repeat(link.length));
}

const EXTERNAL = /^[a-z][a-z0-9+.-]*:/i;

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

/** Lines (from 1) of the links, by name in lower case. */
export function linkLines(content: string): ReadonlyMap<string, readonly number[]> {
  return new Map(
    [...writtenLinks(content)].map(([name, links]) => [
      name,
      [...new Set(links.map(({ line }) => line))],
    ]),
  );
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
  for (const { written, line } of all.get(keyOf(name)) ?? []) {
    const lines = forms.get(written) ?? new Set();
    forms.set(written, lines.add(line));
  }
  if (forms.size === 0) return [{ written: `[[${name}]]`, lines: [] }];
  return [...forms].map(([written, lines]) => ({ written, lines: [...lines] }));
}

/** Lines with a link of any of these names, in order. */
export function linesWithLinks(
  all: ReadonlyMap<string, readonly number[]>,
  names: Iterable<string>,
): number[] {
  const lines = [...names].flatMap((name) => all.get(keyOf(name)) ?? []);
  return [...new Set(lines)].sort((a, b) => a - b);
}

/** The names that a note uses in its links to this file. */
export function namesFor(
  metadata: { readonly links: readonly { name: string; to: string | null }[] } | null,
  path: string,
): string[] {
  return (metadata?.links ?? []).flatMap(({ name, to }) => (to === path ? [name] : []));
}

function keyOf(name: string): string {
  return name.trim().replace(/\.md$/i, '').normalize('NFC').toLowerCase();
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}

/** For each note, how many links it has to each path (or, if unresolved, to each name). */
export type LinkCounts = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Notes with links to a matching target, and how many each has. */
export function linkSources(
  all: LinkCounts,
  isTarget: (path: string) => boolean,
): Map<string, number> {
  const sources = new Map<string, number>();
  for (const [source, links] of Object.entries(all)) {
    let count = 0;
    for (const target in links) if (isTarget(target)) count += links[target] ?? 0;
    if (count > 0) sources.set(source, count);
  }
  return sources;
}
