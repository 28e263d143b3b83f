import * as z from 'zod/mini';
import { closeMatches } from '#policy/look-up';
import type { CanvasLink } from '#policy/link-check';
import type { NoteEntry } from '#ports/vault';
import { forEachInSlices, Slices } from '#ports/slices';
import { defineTool, listResult, problem, type ToolContext } from '../tool';
import type { FoundItem } from '#model/message';
import { counted, firstNames } from '#messages/plural';
import { foundText } from '#messages/result-text';
import { placesOf } from './get-links';
import { allLinksIn, linkNameKey, spellingsOf, writtenLinks } from '#text/link-reader';
import { foldHeading, hasLinkPlace, type LinkPlaces, linkPlacesIn } from '#text/link-places';
import { extensionOf, isNote } from '#text/paths';
import type { VisibleMetadata } from '#policy/visible-metadata';

const input = z.strictObject({
  path: z.optional(z.string()).check(z.describe('A note or folder.')),
  orphans: z
    .optional(z.boolean())
    .check(z.describe('Instead: notes without a link from or to another.')),
  limit: z.optional(z.int().check(z.minimum(1), z.maximum(500))),
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

/** Other names are those of notes, whatever is behind a dot in them. */
const FILE_NAME =
  /^(?:canvas|base|png|jpe?g|gif|webp|svg|bmp|avif|heic|pdf|mp3|m4a|wav|ogg|flac|3gp|mp4|mov|mkv|ogv|webm|zip|csv|docx?|xlsx?|pptx?)$/;

/** The kind of file that a link names: "note", "canvas", "base", or "media" for all others. */
function kindOf(name: string): string {
  if (isNote(name)) return 'note';
  const extension = extensionOf(name);
  if (!FILE_NAME.test(extension)) return 'note';
  return extension === 'canvas' || extension === 'base' ? extension : 'media';
}

interface DeadLink {
  readonly path: string;
  readonly name: string;
  /** How many links of the file have this name. */
  readonly links: number;
  readonly card?: string;
}

/** Where a result counts links to missing media instead of listing them. */
const MAX_MEDIA = 5;

async function deadLinksIn(
  notes: readonly NoteEntry[],
  inside: (path: string) => boolean,
  place: string,
  limit: number,
  context: ToolContext,
): Promise<Finds> {
  const { vault } = context;
  const metadata = await vault.metadata();
  const all: DeadLink[] = [];
  const among = await metadata.mayHaveDeadLinks();
  await forEachInSlices(notes, context, ({ path }) => {
    if (!among.has(path)) return;
    for (const [name, links] of metadata.deadLinkCounts(path)) all.push({ path, name, links });
  });
  const inCards = (await vault.canvasLinks()).filter(({ canvas }) => inside(canvas));
  for (const link of inCards) {
    if (link.to === null && link.name !== '')
      all.push({ path: link.canvas, name: link.name, links: 1, card: inCard(link) });
  }
  const media = all.filter(({ name }) => kindOf(name) === 'media');
  const isListed = media.length <= MAX_MEDIA || new Set(media.map(({ path }) => path)).size === 1;
  const dead = isListed ? all : all.filter((each) => !media.includes(each));
  const checked = notes.slice(0, MAX_CHECKED_NOTES);
  const places = await brokenPlaces(checked, inCards, metadata, context);
  const older = notes.length - checked.length;
  const unchecked =
    older > 0
      ? `\n(Links to headings and blocks were not checked in ${counted(older, 'older note')}. Give a path.)`
      : '';
  const count = sumOf(dead) + sumOf(places);
  const counts = isListed || media.length === 0 ? [] : [mediaText(media)];
  if (count === 0) {
    const none = `No broken links in ${counted(notes.length, 'note')}${place}.`;
    const text = counts.length === 0 ? none : `No broken links to notes${place}.\n${counts[0]!}`;
    return { text: text + unchecked, count, items: [] };
  }
  const files = (await vault.listing()).entries.flatMap(({ path, kind }) =>
    kind === 'file' ? [path] : [],
  );
  const near = nearNames(files, await aliasesIn(metadata, context));
  const slices = new Slices(context.clock, context.signal);
  const lines: string[] = [];
  const items: FoundItem[] = [];
  const listed = dead.slice(0, limit);
  for (const { path, name, card } of listed) {
    const close = near(name, path);
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
  const others = await elsewhere(rest, notes, context);
  const shown = sumOf(listed.slice(0, lines.length)) + sumOf(rest);
  const text = [
    `${counted(count, 'link')}${place} that lead${count === 1 ? 's' : ''} nowhere${cutAt(count, shown)}`,
    ...lines,
    ...rest.map(({ row }, at) => row + (others[at] ?? '')),
    ...counts,
  ].join('\n');
  return { text: text + unchecked, count, items: [...items, ...rest.map(({ item }) => item)] };
}

function sumOf(all: readonly { readonly links: number }[]): number {
  return all.reduce((sum, { links }) => sum + links, 0);
}

function mediaText(media: readonly DeadLink[]): string {
  const sources = new Set(media.map(({ path }) => path)).size;
  const names = firstNames([...new Set(media.map(({ name }) => name))], MAX_CLOSE);
  return `Besides, ${counted(sumOf(media), 'link')} in ${counted(sources, 'file')} to pictures and other media that are not in the vault: ${names}. With the path of a file they are listed.`;
}

const MAX_CLOSE = 3;
/** Among so many names, those of the same folder tree come first. */
const MAX_NEAR = 50;

/** Finds files of the same kind with a similar name or alias, first in the folders of the link. */
function nearNames(
  files: readonly string[],
  aliases: ReadonlyMap<string, readonly string[]>,
): (name: string, source: string) => string {
  const byKind = new Map<string, string[]>();
  for (const path of files) {
    const kind = kindOf(path);
    const paths = byKind.get(kind);
    if (paths) paths.push(path);
    else byKind.set(kind, [path]);
  }
  const near = new Map<string, readonly string[]>();
  return (name, source) => {
    const kind = kindOf(name);
    if (!near.has(name)) {
      const others = kind === 'note' ? aliases.keys() : [];
      near.set(name, closeMatches(name, [...(byKind.get(kind) ?? []), ...others], MAX_NEAR));
    }
    const named = (near.get(name) ?? []).flatMap((each) => aliases.get(each)?.toSorted() ?? each);
    const [tree] = source.split('/', 1);
    const isNearBy = (each: string) => each.startsWith(`${tree}/`);
    const first = named.filter(isNearBy);
    return [...first, ...named.filter((each) => !isNearBy(each))].slice(0, MAX_CLOSE).join(', ');
  };
}

/** How the notes with each alias are named, since a link by an alias alone leads nowhere. */
async function aliasesIn(
  metadata: VisibleMetadata,
  context: ToolContext,
): Promise<ReadonlyMap<string, string[]>> {
  const found = new Map<string, string[]>();
  const plural = await metadata.notesWith('property', 'aliases');
  const paths = new Set([...plural, ...(await metadata.notesWith('property', 'alias'))]);
  await forEachInSlices([...paths].sort(), context, (path) => {
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
  readonly links: number;
  /** As links are compared with it; null for a block. */
  readonly heading: string | null;
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
  const rows = new Map<string, BrokenPlace>();
  const check = async (item: FoundItem, heading: string, to: string) => {
    if (!known.has(to)) {
      const text = await textOf(to);
      known.set(to, text === null ? null : linkPlacesIn(text));
    }
    const places = known.get(to);
    if (!places || hasLinkPlace(places, heading)) return;
    const last = heading.split('#').findLast((part) => part.trim() !== '') ?? '';
    const name = last.startsWith('^') ? null : foldHeading(last);
    const close = name === null ? '' : closeHeadings(name, places);
    const what = name === null ? 'block' : 'heading';
    const row = `${foundText(item)}, no such ${what} in ${to}${close}`;
    rows.set(row, { row, item, links: (rows.get(row)?.links ?? 0) + 1, heading: name });
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
  return [...rows.values()];
}

function closeHeadings(name: string, { headings }: LinkPlaces): string {
  const texts = new Map(headings.map((each) => [each.name, each.text] as const));
  const close = closeMatches(name, texts.keys(), MAX_CLOSE).map((each) => `#${texts.get(each)}`);
  return close.length > 0 ? `, close: ${close.join(', ')}` : '';
}

/** For each missing heading, which of the notes has it, in the folders of the link if possible. */
async function elsewhere(
  broken: readonly BrokenPlace[],
  notes: readonly NoteEntry[],
  { vault, clock, signal }: ToolContext,
): Promise<string[]> {
  const holders = new Map<string, string[]>();
  for (const { heading } of broken) if (heading) holders.set(heading, []);
  const slices = new Slices(clock, signal);
  for (const { path } of holders.size === 0 ? [] : notes.slice(0, MAX_CHECKED_NOTES)) {
    if (slices.stopped) break;
    await slices.pause();
    const read = await vault.read(path);
    const { names } = linkPlacesIn(read.ok ? read.value.text : '');
    for (const [heading, paths] of holders) if (names.has(heading)) paths.push(path);
  }
  return broken.map(({ heading, item }) => {
    const paths = holders.get(heading ?? '') ?? [];
    const [tree] = 'path' in item ? item.path.split('/', 1) : [];
    const found = paths.find((each) => each.startsWith(`${tree}/`)) ?? paths[0];
    return found === undefined ? '' : `; ${found} has it`;
  });
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

function cutAt(count: number, shown: number): string {
  return count > shown ? `; showing ${shown}. Give a path or raise limit.` : ':';
}

function isBelow(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`);
}
