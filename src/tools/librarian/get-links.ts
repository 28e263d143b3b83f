import * as z from 'zod/mini';
import type { CanvasLink } from '#policy/link-check';
import { extensionOf, isNote } from '#text/paths';
import type { NoteText } from '#ports/vault';
import { defineTool, listResult, problem, type ToolContext } from '../tool';
import {
  firstLines,
  lineNumbers,
  onlyProposed,
  proposedAmong,
  SHOWN_NUMBERS,
} from '../result-format';
import {
  linkNameKey,
  namesFor,
  spellingsOf,
  type WrittenLink,
  writtenLinks,
} from '#text/link-reader';
import type { FoundItem } from '#model/message';

const input = z.strictObject({
  path: z.string(),
  direction: z
    .optional(z.enum(['in', 'out', 'both']))
    .check(z.describe('in: links to it; out: links from it.')),
  depth: z
    .optional(z.int().check(z.minimum(1), z.maximum(3)))
    .check(z.describe('How many links away.')),
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
    'Shows the links from a note and to it as they are written, with line numbers, and its broken links.',
  input,
  example: { path: 'Projects/Garden.md', depth: 2 },
  async run({ path: raw, direction = 'both', depth = 1 }, context) {
    const found = await context.vault.find(raw, 'file');
    if (!found.ok) return problem(found);
    const { path } = found.value.entry;
    const links: LinkList[] = [];
    if (direction !== 'in') links.push(...(await outward(path, depth, context)));
    if (direction !== 'out') links.push(...(await inward(path, depth, context)));
    const proposed = links.flatMap((list) => list.items.flatMap((row) => row.proposed ?? []));
    const lines = [
      ...[found.value.preface + path, ...links.flatMap(linkRows)],
      ...onlyProposed([...new Set(proposed)]),
    ];
    const count = links.reduce((sum, { items }) => sum + items.length, 0);
    const items = links.flatMap((list) => list.items.flatMap((row) => row.found));
    return listResult(lines.join('\n'), 'link', count, items);
  },
});

interface LinkRow {
  readonly text: string;
  /** The same for the user. */
  readonly found: readonly FoundItem[];
  /** The lines that are only proposed. */
  readonly proposed?: readonly string[];
}

interface LinkList {
  readonly label: string;
  readonly items: readonly LinkRow[];
  /** How to see the items that are not shown. */
  readonly more: string;
}

async function outward(path: string, depth: number, context: ToolContext): Promise<LinkList[]> {
  const { vault } = context;
  if (extensionOf(path) === 'canvas') return canvasLists(path, await vault.canvasLinks());
  const metadata = await vault.metadata();
  const note = await noteText(path, context);
  const written = writtenLinks(note.text);
  const direct = [...metadata.linksFrom(path)].sort().map((to, index): LinkRow => {
    // Line numbers are recorded as shown, so they are computed only for rows that are not cut.
    const forms = index < MAX_LINKS ? formsOf(written, namesFor(metadata.of(path), to)) : [];
    const links = formsText(path, note, forms, context);
    const text = forms[0]?.written;
    return {
      ...links,
      text: links.text === '' ? to : `${to}: ${links.text}`,
      found: [{ path: to, ...(text === undefined ? {} : { text }) }],
    };
  });
  const dead = [...metadata.deadLinksIn(path)].sort().map((name, index): LinkRow => {
    const forms = spellingsOf(written, name);
    const links =
      index < MAX_LINKS
        ? formsText(path, note, forms, context)
        : { text: forms.map((form) => form.written).join(', ') };
    return { ...links, found: placesOf(path, forms) };
  });
  const further = aroundOf(path, depth, (each) => metadata.linksFrom(each));
  const broken = { label: 'Broken links', items: dead, more: 'read_file shows them' };
  return [
    { label: 'Links to', items: direct, more: 'get_file_info lists names only' },
    ...(dead.length > 0 ? [broken] : []),
    ...further.map((items, step) => ({
      label: `${step + 2} links away from it`,
      items: items.map(rowOf),
      more: HINT,
    })),
  ];
}

function rowOf(path: string): LinkRow {
  return { text: path, found: [{ path }] };
}

/** What the cards of a canvas lead to. */
function canvasLists(path: string, links: readonly CanvasLink[]): LinkList[] {
  const own = links.filter(({ canvas }) => canvas === path);
  const more = 'read_file shows them';
  const unique = (items: readonly string[]) => [...new Set(items)].sort();
  const targets = unique(own.flatMap(({ to }) => to ?? []));
  const dead = unique(own.flatMap((link) => (link.to === null ? [link.written] : [])));
  const broken = dead.map((text): LinkRow => ({ text, found: [{ path, text }] }));
  return [
    { label: 'Links to', items: targets.map(rowOf), more },
    ...(broken.length > 0 ? [{ label: 'Broken links', items: broken, more }] : []),
  ];
}

/** Links that are written alike, with their lines. */
interface LinkForm {
  readonly written: string;
  readonly lines: readonly number[];
}

/** How a note writes its links with these names. */
function formsOf(
  links: ReadonlyMap<string, readonly WrittenLink[]>,
  names: readonly string[],
): LinkForm[] {
  const keys = new Set(names.map(linkNameKey));
  return [...keys].flatMap((name) => spellingsOf(links, name)).filter(hasLines);
}

function hasLines({ lines }: LinkForm): boolean {
  return lines.length > 0;
}

const MAX_FORMS = 5;

/** Such as "[[Garden]] (lines 5, 9), [beds](Garden.md#beds) (line 7)". Records the lines as shown. */
function formsText(
  path: string,
  note: LinkedText,
  forms: readonly LinkForm[],
  { notes }: ToolContext,
): Pick<LinkRow, 'text' | 'proposed'> {
  const numbers: number[] = [];
  const words = forms.slice(0, MAX_FORMS).map(({ written, lines }) => {
    const shown = lines.slice(0, SHOWN_NUMBERS);
    numbers.push(...shown);
    notes.show(
      path,
      note.text,
      shown.map((line) => [line, null]),
    );
    return lines.length === 0 ? written : `${written} (${lineNumbers(lines)})`;
  });
  const rest = forms.length - words.length;
  return {
    text: [...words, ...(rest > 0 ? [`${rest} more`] : [])].join(', '),
    proposed: proposedAmong(path, note, numbers),
  };
}

/** The links as the user can open them. */
export function placesOf(path: string, forms: readonly LinkForm[]): FoundItem[] {
  return forms.map(({ written, lines: [line] }) => ({
    path,
    ...(line === undefined ? {} : { line }),
    text: written,
  }));
}

async function inward(path: string, depth: number, context: ToolContext): Promise<LinkList[]> {
  const { vault } = context;
  const metadata = await vault.metadata();
  const back = await metadata.linkSources();
  const sources = [...back.of(path)].sort();
  const direct: LinkRow[] = [];
  for (const source of sources.slice(0, MAX_LINKS)) {
    const note = await noteText(source, context);
    const forms = formsOf(writtenLinks(note.text), namesFor(metadata.of(source), path));
    const links = formsText(source, note, forms, context);
    const found = forms.length === 0 ? [{ path: source }] : placesOf(source, forms);
    direct.push({
      ...links,
      text: links.text === '' ? source : `${source}: ${links.text}`,
      found,
    });
  }
  const further = aroundOf(path, depth, (each) => back.of(each));
  const cards = (await vault.canvasLinks()).flatMap(({ canvas, to }) =>
    to === path ? [canvas] : [],
  );
  const inCards = [...new Set(cards)].map((canvas) => ({
    text: `${canvas} (in a card)`,
    found: [{ path: canvas }],
  }));
  const items = [...direct, ...sources.slice(MAX_LINKS).map(rowOf), ...inCards];
  return [
    { label: 'Linked from', items, more: 'query_notes with links_to' },
    ...further.map((paths, step) => ({
      label: `${step + 2} links away, toward it`,
      items: paths.map(rowOf),
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
  const lines = items.map(({ text }) => `- ${text}`);
  return [`${label} (${items.length}):`, ...firstLines(lines, MAX_LINKS, more)];
}

type LinkedText = Pick<NoteText, 'text' | 'accepted'>;

async function noteText(path: string, { vault }: ToolContext): Promise<LinkedText> {
  const read = isNote(path) ? await vault.read(path) : null;
  return read?.ok ? read.value : { text: '' };
}
