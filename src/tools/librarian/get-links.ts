import * as z from 'zod/mini';
import type { CanvasLink } from '#policy/link-check';
import { extensionOf, isNote } from '#text/paths';
import { defineTool, listResult, problem, type ToolContext } from '../tool';
import { firstLines, lineNumbers, SHOWN_NUMBERS } from '../result-format';
import { spellingsOf, linesWithLinks, linkLines, namesFor, writtenLinks } from '#text/link-reader';

const input = z.strictObject({
  path: z.string(),
  direction: z
    .optional(z.enum(['in', 'out', 'both']))
    .check(z.describe('in: links to it; out: links from it. Default both.')),
  depth: z
    .optional(z.int().check(z.minimum(1), z.maximum(3)))
    .check(z.describe('How many links away to look. Default 1.')),
});

/** Limit of each list. */
const MAX_LINKS = 50;

export const getLinks = defineTool<z.infer<typeof input>>({
  name: 'get_links',
  version: 1,
  agent: 'vault_librarian',
  effect: 'read',
  permission: 'allow',
  description:
    'Shows what a note links to and what links to it, with line numbers, and its broken links.',
  input,
  example: { path: 'Projects/Garden.md', depth: 2 },
  async run({ path: raw, direction = 'both', depth = 1 }, context) {
    const found = await context.vault.find(raw, 'file');
    if (!found.ok) return problem(found);
    const { path } = found.value.entry;
    const links: LinkList[] = [];
    if (direction !== 'in') links.push(...(await outward(path, depth, context)));
    if (direction !== 'out') links.push(...(await inward(path, depth, context)));
    const lines = [found.value.preface + path, ...links.flatMap(linkRows)];
    const count = links.reduce((sum, { items }) => sum + items.length, 0);
    return listResult(lines.join('\n'), 'link', count);
  },
});

interface LinkList {
  readonly label: string;
  readonly items: readonly string[];
  /** How to see the items that are not shown. */
  readonly more: string;
}

async function outward(path: string, depth: number, context: ToolContext): Promise<LinkList[]> {
  const { vault } = context;
  if (extensionOf(path) === 'canvas') return canvasLists(path, await vault.canvasLinks());
  const metadata = await vault.metadata();
  const content = await textOf(path, context);
  const lines = linkLines(content);
  const written = writtenLinks(content);
  const at = (numbers: readonly number[]) => {
    const shown = shownNumbers(path, content, numbers, context);
    return shown === '' ? '' : ` (${shown})`;
  };
  const direct = [...metadata.linksFrom(path)].sort().map((to, index) =>
    // Line numbers are recorded as shown, so they are computed only for rows that are not cut.
    index < MAX_LINKS ? `${to}${at(linesWithLinks(lines, namesFor(metadata.of(path), to)))}` : to,
  );
  const dead = [...metadata.deadLinksIn(path)]
    .sort()
    .flatMap((name) => spellingsOf(written, name))
    .map((form, index) => (index < MAX_LINKS ? `${form.written}${at(form.lines)}` : form.written));
  const further = aroundOf(path, depth, (each) => metadata.linksFrom(each));
  const broken = { label: 'Broken links', items: dead, more: 'read_file shows them' };
  return [
    { label: 'Links to', items: direct, more: 'get_file_info lists names only' },
    ...(dead.length > 0 ? [broken] : []),
    ...further.map((items, step) => ({
      label: `${step + 2} links away from it`,
      items,
      more: HINT,
    })),
  ];
}

/** What the cards of a canvas lead to. */
function canvasLists(path: string, links: readonly CanvasLink[]): LinkList[] {
  const own = links.filter(({ canvas }) => canvas === path);
  const more = 'read_file shows them';
  const rows = (items: readonly string[]) => [...new Set(items)].sort();
  const dead = rows(own.flatMap((link) => (link.to === null ? [link.written] : [])));
  return [
    { label: 'Links to', items: rows(own.flatMap(({ to }) => to ?? [])), more },
    ...(dead.length > 0 ? [{ label: 'Broken links', items: dead, more }] : []),
  ];
}

/** Returns text such as "line 3", and records the numbers as shown. */
function shownNumbers(
  path: string,
  content: string,
  lines: readonly number[],
  { notes }: ToolContext,
): string {
  notes.show(
    path,
    content,
    lines.slice(0, SHOWN_NUMBERS).map((line) => [line, null]),
  );
  return lineNumbers(lines);
}

async function inward(path: string, depth: number, context: ToolContext): Promise<LinkList[]> {
  const { vault } = context;
  const metadata = await vault.metadata();
  const back = await metadata.linkSources();
  const sources = [...back.of(path)].sort();
  const direct: string[] = [];
  for (const source of sources.slice(0, MAX_LINKS)) {
    const names = namesFor(metadata.of(source), path);
    const content = await textOf(source, context);
    const found = linesWithLinks(linkLines(content), names);
    const numbers = shownNumbers(source, content, found, context);
    direct.push(numbers === '' ? source : `${source} (${numbers})`);
  }
  const further = aroundOf(path, depth, (each) => back.of(each));
  const cards = (await vault.canvasLinks()).flatMap(({ canvas, to }) =>
    to === path ? [`${canvas} (in a card)`] : [],
  );
  const items = [...direct, ...sources.slice(MAX_LINKS), ...new Set(cards)];
  return [
    { label: 'Linked from', items, more: 'query_notes with links_to' },
    ...further.map((paths, step) => ({
      label: `${step + 2} links away, toward it`,
      items: paths,
      more: HINT,
    })),
  ];
}

const HINT = 'ask get_links about one of those in between';

/** Notes that are exactly 2, 3, … links away. */
function aroundOf(
  path: string,
  depth: number,
  next: (path: string) => readonly string[],
): string[][] {
  const seen = new Set([path, ...next(path)]);
  let edge: readonly string[] = next(path);
  const rings: string[][] = [];
  for (let step = 2; step <= depth; step += 1) {
    const ring = new Set(edge.flatMap((each) => next(each)).filter((each) => !seen.has(each)));
    for (const each of ring) seen.add(each);
    edge = [...ring];
    rings.push([...ring].sort());
  }
  return rings;
}

function linkRows({ label, items, more }: LinkList): string[] {
  if (items.length === 0) return [`${label}: none`];
  const lines = items.map((item) => `- ${item}`);
  return [`${label} (${items.length}):`, ...firstLines(lines, MAX_LINKS, more)];
}

async function textOf(path: string, { vault }: ToolContext): Promise<string> {
  if (!isNote(path)) return '';
  const read = await vault.read(path);
  return read.ok ? read.value.text : '';
}
