import * as z from 'zod/mini';
import { closeMatches } from '#policy/look-up';
import type { CanvasLink } from '#policy/link-check';
import type { NoteEntry } from '#ports/vault';
import { forEachInSlices, Slices } from '#ports/slices';
import { defineTool, listResult, problem, type ToolContext } from '../tool';
import type { FoundItem } from '#model/message';
import { counted } from '#messages/plural';
import { foundText } from '#messages/result-text';
import { placesOf } from './get-links';
import { allLinksIn, linkNameKey, spellingsOf, writtenLinks } from '#text/link-reader';
import { hasLinkPlace, type LinkPlaces, linkPlacesIn } from '#text/link-places';
import { isNote } from '#text/paths';
import type { VisibleMetadata } from '#policy/visible-metadata';

const input = z.strictObject({
  path: z.optional(z.string()).check(z.describe('Only this note, or this folder and below.')),
  orphans: z
    .optional(z.boolean())
    .check(z.describe('Instead find notes without a link from or to another note.')),
  limit: z.optional(z.int().check(z.minimum(1), z.maximum(500))).check(z.describe('Default 50.')),
});

const MAX_LINES = 5;

export const findDeadLinks = defineTool<z.infer<typeof input>>({
  name: 'find_dead_links',
  version: 1,
  agent: 'vault_librarian',
  effect: 'read',
  permission: 'allow',
  description:
    'Finds broken links as written, also to headings and blocks, with note, line and notes of similar names.',
  input,
  example: { path: 'Projects' },
  async run({ path: raw, orphans = false, limit = 50 }, context) {
    let inside = (_path: string) => true;
    let preface = '';
    let place = '';
    if (raw !== undefined) {
      const found = await context.vault.find(raw);
      if (!found.ok) return problem(found);
      const { path, kind } = found.value.entry;
      preface = found.value.preface;
      inside = (each) => each === path || (kind === 'folder' && isBelow(each, path));
      place = path === '' ? '' : ` in ${path}${kind === 'folder' ? '/' : ''}`;
    }
    const all = (await context.vault.listing()).notes;
    const notes = raw === undefined ? all : all.filter(({ path }) => inside(path));
    const found = orphans
      ? await orphansAmong(notes, place, limit, context)
      : await deadLinksIn(notes, inside, place, limit, context);
    const thing = orphans ? 'note' : 'broken-link';
    return listResult(preface + found.text, thing, found.count, found.items);
  },
});

interface Finds {
  readonly text: string;
  readonly count: number;
  readonly items: readonly FoundItem[];
}

async function orphansAmong(
  notes: readonly NoteEntry[],
  place: string,
  limit: number,
  context: ToolContext,
): Promise<Finds> {
  const metadata = await context.vault.metadata();
  const back = await metadata.linkSources();
  const alone: string[] = [];
  await forEachInSlices(notes, context, ({ path }) => {
    const isAlone =
      metadata.linksFrom(path).every((target) => target === path) &&
      back.of(path).every((source) => source === path);
    if (isAlone) alone.push(path);
  });
  const count = alone.length;
  if (count === 0) {
    return {
      text: `Each of the ${counted(notes.length, 'note')}${place} has a link.`,
      count,
      items: [],
    };
  }
  const text = [
    `${counted(alone.length, 'note')} of ${notes.length}${place} without a link from or to another, most recently changed first${cutAt(alone.length, limit)}`,
    ...alone.slice(0, limit),
  ].join('\n');
  return { text, count, items: alone.slice(0, limit).map((path) => ({ path })) };
}

async function deadLinksIn(
  notes: readonly NoteEntry[],
  inside: (path: string) => boolean,
  place: string,
  limit: number,
  context: ToolContext,
): Promise<Finds> {
  const { vault } = context;
  const metadata = await vault.metadata();
  const dead: { readonly path: string; readonly name: string; readonly card?: string }[] = [];
  await forEachInSlices(notes, context, ({ path }) => {
    for (const name of metadata.deadLinksIn(path)) dead.push({ path, name });
  });
  const inCards = (await vault.canvasLinks()).filter(({ canvas }) => inside(canvas));
  for (const link of inCards) {
    if (link.to === null && link.name !== '')
      dead.push({ path: link.canvas, name: link.name, card: inCard(link) });
  }
  const checked = notes.slice(0, MAX_CHECKED_NOTES);
  const places = await brokenPlaces(checked, inCards, metadata, context);
  const older = notes.length - checked.length;
  const unchecked =
    older > 0
      ? `\n(Links to headings and blocks were not checked in ${counted(older, 'older note')}. Give a path.)`
      : '';
  const count = dead.length + places.length;
  if (count === 0) {
    return {
      text: `No broken links in ${counted(notes.length, 'note')}${place}.${unchecked}`,
      count,
      items: [],
    };
  }
  const names = (await vault.listing()).entries.flatMap(({ path, kind }) =>
    kind === 'file' ? [path] : [],
  );
  const aliases = await aliasesIn(metadata, context);
  const candidates = [...names, ...aliases.keys()];
  const named = (each: string) => aliases.get(each)?.sort().join(', ') ?? each;
  const slices = new Slices(context.clock, context.signal);
  const near = new Map<string, string>();
  const lines: string[] = [];
  const items: FoundItem[] = [];
  for (const { path, name, card } of dead.slice(0, limit)) {
    if (!near.has(name)) near.set(name, closeMatches(name, candidates, 3).map(named).join(', '));
    const close = near.get(name);
    const link =
      card === undefined
        ? await written(path, name, context)
        : { text: `: ${card}`, found: [{ path, text: card }] };
    lines.push(`${path}${link.text}${close ? `, close: ${close}` : ''}`);
    items.push(...link.found);
    if (slices.stopped) break;
    await slices.pause();
  }
  const rest = places.slice(0, limit - lines.length);
  const text = [
    `${counted(count, 'link')}${place} that lead${count === 1 ? 's' : ''} nowhere${cutAt(count, limit)}`,
    ...lines,
    ...rest.map(({ row }) => row),
  ].join('\n');
  return { text: text + unchecked, count, items: [...items, ...rest.map(({ item }) => item)] };
}

/** How the notes with each alias are named, since a link by an alias alone leads nowhere. */
async function aliasesIn(
  metadata: VisibleMetadata,
  context: ToolContext,
): Promise<ReadonlyMap<string, string[]>> {
  const found = new Map<string, string[]>();
  await forEachInSlices((await context.vault.listing()).notes, context, ({ path }) => {
    for (const [property, value] of Object.entries(metadata.propertiesOf(path))) {
      if (!/^alias(?:es)?$/i.test(property)) continue;
      for (const each of typeof value === 'string' ? value.split(',') : [value].flat()) {
        const alias =
          typeof each === 'string' || typeof each === 'number' ? String(each).trim() : '';
        const name = `${path} (alias ${JSON.stringify(alias)})`;
        if (alias !== '') found.set(alias, [...(found.get(alias) ?? []), name]);
      }
    }
  });
  return found;
}

/** Reading more notes takes too long for one call. */
const MAX_CHECKED_NOTES = 1_000;

interface BrokenPlace {
  readonly row: string;
  readonly item: FoundItem;
}

/** Rows for the links to a note that lead to none of its headings and blocks. */
async function brokenPlaces(
  notes: readonly NoteEntry[],
  inCards: readonly CanvasLink[],
  metadata: VisibleMetadata,
  { vault, clock, signal }: ToolContext,
): Promise<BrokenPlace[]> {
  const slices = new Slices(clock, signal);
  const textOf = async (path: string) => {
    const read = await vault.read(path);
    return read.ok ? read.value.text : null;
  };
  const known = new Map<string, LinkPlaces | null>();
  const rows = new Map<string, FoundItem>();
  const check = async (item: FoundItem, heading: string, to: string) => {
    if (!known.has(to)) {
      const text = await textOf(to);
      known.set(to, text === null ? null : linkPlacesIn(text));
    }
    const places = known.get(to);
    if (places && !hasLinkPlace(places, heading))
      rows.set(
        `${foundText(item)}, no such ${heading.includes('#^') ? 'block' : 'heading'} in ${to}`,
        item,
      );
  };
  for (const { path } of notes) {
    if (slices.stopped) break;
    await slices.pause();
    const links = allLinksIn((await textOf(path)) ?? '').filter(({ heading }) => heading !== '');
    if (links.length === 0) continue;
    const targets = new Map(
      metadata.of(path)?.links.map(({ name, to }) => [linkNameKey(name), to] as const),
    );
    for (const { name, heading, line, written: form } of links) {
      const to = name === '' ? path : targets.get(linkNameKey(name));
      if (to && isNote(to)) await check({ path, line, text: form }, heading, to);
    }
  }
  for (const link of inCards) {
    const { canvas, heading, to } = link;
    if (to !== null && isNote(to) && heading !== '')
      await check({ path: canvas, text: inCard(link) }, heading, to);
  }
  return Array.from(rows, ([row, item]) => ({ row, item }));
}

function inCard({ isCard, written: form }: CanvasLink): string {
  return isCard ? `a card of ${form}` : `${form} in a card`;
}

/** Such as ":5,9: [[Gardn]]; 7: [beds](Gardn.md)". */
async function written(
  path: string,
  name: string,
  context: ToolContext,
): Promise<{ text: string; found: readonly FoundItem[] }> {
  const read = await context.vault.read(path);
  const content = read.ok ? read.value.text : '';
  const forms = spellingsOf(writtenLinks(content), name);
  const [first, ...others] = forms.map(({ written: form, lines }) => {
    const shown = lines.slice(0, MAX_LINES);
    context.notes.show(
      path,
      content,
      shown.map((line) => [line, null]),
    );
    return `${shown.join(',')}: ${form}`.replace(/^: /, '');
  });
  const mark = first?.match(/^\d/) ? ':' : ': ';
  return { text: [`${mark}${first ?? ''}`, ...others].join('; '), found: placesOf(path, forms) };
}

function cutAt(count: number, limit: number): string {
  return count > limit ? `; showing ${limit}. Give a path or raise limit.` : ':';
}

function isBelow(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`);
}
