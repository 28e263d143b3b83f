import * as z from 'zod/mini';
import { closeMatches } from '#policy/look-up';
import type { CanvasLink } from '#policy/link-check';
import type { NoteEntry } from '#ports/vault';
import { forEachInSlices, Slices } from '#ports/slices';
import { defineTool, listResult, problem, type ToolContext } from '../tool';
import { counted } from '#messages/plural';
import { spellingsOf, writtenLinks } from '#text/link-reader';
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
  description: 'Finds broken links as written, with note, line and notes of similar names.',
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
  for (const link of await vault.canvasLinks()) {
    if (inside(link.canvas) && link.to === null && link.name !== '')
      dead.push({ path: link.canvas, name: link.name, card: inCard(link) });
  }
  const count = dead.length;
  if (count === 0)
    return { text: `No broken links in ${counted(notes.length, 'note')}${place}.`, count };
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
  const head = `${counted(count, 'link')}${place} that lead${count === 1 ? 's' : ''} nowhere${cutAt(count, limit)}`;
  return { text: [head, ...lines].join('\n'), count };
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
