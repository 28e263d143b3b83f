import * as z from 'zod/mini';
import { closeMatches } from '#policy/look-up';
import type { CanvasLink } from '#policy/link-check';
import type { NoteEntry } from '#ports/vault';
import { forEachInSlices, Slices } from '#ports/slices';
import { defineTool, listResult, problem, type ToolContext } from '../tool';
import { counted } from '#messages/plural';
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
    return listResult(preface + found.text, orphans ? 'note' : 'broken-link', found.count);
  },
});

interface Finds {
  readonly text: string;
  readonly count: number;
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
    return { text: `Each of the ${counted(notes.length, 'note')}${place} has a link.`, count };
  }
  const text = [
    `${counted(alone.length, 'note')} of ${notes.length}${place} without a link from or to another, most recently changed first${cutAt(alone.length, limit)}`,
    ...alone.slice(0, limit),
  ].join('\n');
  return { text, count };
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
  const rest = notes.length - checked.length;
  const unchecked =
    rest > 0
      ? `\n(Links to headings and blocks were not checked in ${counted(rest, 'older note')}. Give a path.)`
      : '';
  const count = dead.length + places.length;
  if (count === 0) {
    return {
      text: `No broken links in ${counted(notes.length, 'note')}${place}.${unchecked}`,
      count,
    };
  }
  const names = (await vault.listing()).entries.flatMap(({ path, kind }) =>
    kind === 'file' ? [path] : [],
  );
  const aliases = await aliasesIn(metadata, context);
  const candidates = [...names, ...aliases.keys()];
  const named = (each: string) => aliases.get(each) ?? each;
  const slices = new Slices(context.clock, context.signal);
  const near = new Map<string, string>();
  const lines: string[] = [];
  for (const { path, name, card } of dead.slice(0, limit)) {
    if (!near.has(name)) near.set(name, closeMatches(name, candidates, 3).map(named).join(', '));
    const close = near.get(name);
    const link = card === undefined ? await written(path, name, context) : `: ${card}`;
    lines.push(`${path}${link}${close ? `, close: ${close}` : ''}`);
    if (slices.stopped) break;
    await slices.pause();
  }
  const text = [
    `${counted(count, 'link')}${place} that lead${count === 1 ? 's' : ''} nowhere${cutAt(count, limit)}`,
    ...lines,
    ...places.slice(0, limit - lines.length),
  ].join('\n');
  return { text: text + unchecked, count };
}

/** How the notes with each alias are named, since a link by an alias alone leads nowhere. */
async function aliasesIn(
  metadata: VisibleMetadata,
  context: ToolContext,
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  await forEachInSlices((await context.vault.listing()).entries, context, ({ path }) => {
    for (const [property, value] of Object.entries(metadata.propertiesOf(path))) {
      if (!/^alias(?:es)?$/i.test(property)) continue;
      for (const each of typeof value === 'string' ? value.split(',') : [value].flat()) {
        const alias =
          typeof each === 'string' || typeof each === 'number' ? String(each).trim() : '';
        const others = found.has(alias) ? `${found.get(alias)}, ` : '';
        if (alias !== '') found.set(alias, `${others}${path} (alias ${JSON.stringify(alias)})`);
      }
    }
  });
  return found;
}

/** Reading more notes takes too long for one call. */
const MAX_CHECKED_NOTES = 1_000;

/** Rows for the links to a note that lead to none of its headings and blocks. */
async function brokenPlaces(
  notes: readonly NoteEntry[],
  inCards: readonly CanvasLink[],
  metadata: VisibleMetadata,
  { vault, clock, signal }: ToolContext,
): Promise<string[]> {
  const slices = new Slices(clock, signal);
  const textOf = async (path: string) => {
    const read = await vault.read(path);
    return read.ok ? read.value.text : null;
  };
  const known = new Map<string, LinkPlaces | null>();
  const rows = new Set<string>();
  const check = async (shown: string, heading: string, to: string) => {
    if (!known.has(to)) {
      const text = await textOf(to);
      known.set(to, text === null ? null : linkPlacesIn(text));
    }
    const places = known.get(to);
    if (places && !hasLinkPlace(places, heading))
      rows.add(`${shown}, no such ${heading.includes('#^') ? 'block' : 'heading'} in ${to}`);
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
      if (to && isNote(to)) await check(`${path}:${line}: ${form}`, heading, to);
    }
  }
  for (const link of inCards) {
    const { canvas, heading, to } = link;
    if (to !== null && isNote(to) && heading !== '')
      await check(`${canvas}: ${inCard(link)}`, heading, to);
  }
  return [...rows];
}

function inCard({ isCard, written: form }: CanvasLink): string {
  return isCard ? `a card of ${form}` : `${form} in a card`;
}

/** Such as ":5,9: [[Gardn]]; 7: [beds](Gardn.md)". */
async function written(path: string, name: string, { vault, notes }: ToolContext): Promise<string> {
  const read = await vault.read(path);
  const content = read.ok ? read.value.text : '';
  const links = writtenLinks(content);
  const [first, ...others] = spellingsOf(links, name).map(({ written: form, lines }) => {
    const shown = lines.slice(0, MAX_LINES);
    notes.show(
      path,
      content,
      shown.map((line) => [line, null]),
    );
    return `${shown.join(',')}: ${form}`.replace(/^: /, '');
  });
  const mark = first?.match(/^\d/) ? ':' : ': ';
  return [`${mark}${first ?? ''}`, ...others].join('; ');
}

function cutAt(count: number, limit: number): string {
  return count > limit ? `; showing ${limit}. Give a path or raise limit.` : ':';
}

function isBelow(path: string, folder: string): boolean {
  return folder === '' || path.startsWith(`${folder}/`);
}
