/**
 * What became of the links to a file or folder that moved. The host updates them, if the user's
 * settings say so, so they are read before and after.
 */
import { counted, firstNames } from '#messages/plural';
import type { CanvasLink } from '#policy/link-check';
import type { VaultApi } from '#policy/vault-api';
import type { NoteMetadata } from '#ports/metadata';
import type { NoteEntry } from '#ports/vault';
import { hasNameOf, linksIn } from '#text/link-reader';
import { isWithin, movedPath } from '#text/paths';

export interface LinksBefore {
  /** Notes outside of what moves, with the number of their links to it and the names in them. */
  readonly notes: ReadonlyMap<string, { readonly count: number; readonly names: string[] }>;
  /** The links of canvases to it, and cards that show it. */
  readonly canvas: readonly CanvasLink[];
  /** The links of a note that moves. */
  readonly own: NoteMetadata['links'];
}

export async function linksBefore(entry: NoteEntry, vault: VaultApi): Promise<LinksBefore> {
  const metadata = await vault.metadata();
  const notes = new Map<string, { count: number; names: string[] }>();
  for (const [source, count] of await metadata.backlinks(entry)) {
    const links = metadata.of(source)?.links ?? [];
    const names = links.flatMap(({ name, to }) =>
      to !== null && isWithin(to, entry.path) ? [name] : [],
    );
    notes.set(source, { count, names });
  }
  const own = entry.kind === 'file' ? (metadata.of(entry.path)?.links ?? []) : [];
  return { notes, canvas: (await vault.canvasLinks()).filter(leadsTo(entry.path)), own };
}

function leadsTo(path: string): (link: CanvasLink) => boolean {
  return ({ to }) => to !== null && isWithin(to, path);
}

/** Numbers of the cards that show a file, or of the links in text cards, by canvas. */
function countsIn(links: readonly CanvasLink[], kind: 'cards' | 'links'): Counts {
  const counts = new Map<string, number>();
  for (const { canvas, isCard } of links) {
    if (isCard === (kind === 'cards')) counts.set(canvas, (counts.get(canvas) ?? 0) + 1);
  }
  return counts;
}

/** A number of links, or of cards, by note or canvas. */
type Counts = ReadonlyMap<string, number>;

/** How many links were updated, and what the result says about all of them, or those left. */
export async function linksAfter(
  before: LinksBefore,
  entry: NoteEntry,
  to: string,
  vault: VaultApi,
): Promise<{ readonly updated: number; readonly text: string; readonly left: string }> {
  const place = (path: string) => movedPath(path, entry.path, to);
  const metadata = await vault.metadata([...[...before.notes.keys()].map(place), to]);
  const now = await metadata.backlinks({ ...entry, path: to });
  const [links, leftLinks] = compared(
    new Map([...before.notes].map(([source, { count }]) => [source, count])),
    (source) => now.get(place(source)) ?? 0,
  );
  const nowCanvas = await vault.canvasLinks();
  const comparedIn = (kind: 'cards' | 'links') => {
    const counts = countsIn(nowCanvas.filter(leadsTo(to)), kind);
    return compared(countsIn(before.canvas, kind), (canvas) => counts.get(place(canvas)) ?? 0);
  };
  const [cards, leftCards] = comparedIn('cards');
  const [cardLinks, leftCardLinks] = comparedIn('links');
  const left: string[] = [];
  for (const source of [...leftLinks.keys()].sort()) {
    const { links: read = [] } = metadata.of(place(source)) ?? {};
    const following = read.flatMap((link) =>
      link.to !== null && isWithin(link.to, to) ? [link.name] : [],
    );
    const [isOld, isNew] = [hasNameOf(before.notes.get(source)?.names ?? []), hasNameOf(following)];
    const found = await vault.read(place(source));
    const written = linksIn(found.ok ? found.value.text : '')
      .filter((link) => isOld(link) && !isNew(link))
      .map((link) => link.written);
    left.push(written.length > 0 ? `${shown(written)} in ${place(source)}` : place(source));
  }
  const isInCard = hasNameOf(before.canvas.flatMap((link) => (link.isCard ? [] : [link.name])));
  for (const canvas of leftCardLinks.keys()) {
    const written = nowCanvas.filter(
      (link) =>
        link.canvas === place(canvas) && !link.isCard && isInCard(link) && !leadsTo(to)(link),
    );
    left.push(`${shown(written.map((link) => link.written))} in a card of ${place(canvas)}`);
  }
  for (const canvas of leftCards.keys()) left.push(`a card in ${place(canvas)}`);
  const lost = await lostLinks(before.own, to, metadata.of(to)?.links ?? [], vault);
  const remaining = [
    leftText(sum(leftLinks) + sum(leftCardLinks), sum(leftCards), left),
    lost.length === 0
      ? ''
      : `${counted(lost.length, 'link')} in it no longer ${lost.length === 1 ? 'leads' : 'lead'} where ${lost.length === 1 ? 'it' : 'they'} did: ${shown(lost)}.`,
  ];
  const notUpdated = remaining.filter(Boolean).join(' ');
  const known = new Map([...before.notes].map(([source, { count }]) => [place(source), count]));
  const arrived = new Map(
    [...now].flatMap(([source, count]) => {
      const more = count - (known.get(source) ?? 0);
      return more > 0 && !isWithin(source, to) ? [[source, more] as const] : [];
    }),
  );
  const others = left.length > 0 || arrived.size > 0;
  const text = [updatedText(links, cardLinks, cards, others), arrivedText(arrived), notUpdated];
  return {
    updated: sum(links) + sum(cardLinks),
    text: text.filter(Boolean).join(' '),
    left: notUpdated,
  };
}

/** What follows the move, and what does not, because its link means another file now. */
function compared(before: Counts, countNow: (source: string) => number): [Counts, Counts] {
  const [following, left] = [new Map<string, number>(), new Map<string, number>()];
  for (const [source, count] of before) {
    const own = Math.min(count, countNow(source));
    if (own > 0) following.set(source, own);
    if (own < count) left.set(source, count - own);
  }
  return [following, left];
}

/** The links of the moved note, as written, that led to a file before. */
async function lostLinks(
  before: NoteMetadata['links'],
  path: string,
  now: NoteMetadata['links'],
  vault: VaultApi,
): Promise<string[]> {
  if (before.length === 0) return [];
  const found = await vault.read(path);
  const led = hasNameOf(before.flatMap(({ name, to }) => (to === null ? [] : [name])));
  const dead = hasNameOf(now.flatMap(({ name, to }) => (to === null ? [name] : [])));
  const links = linksIn(found.ok ? found.value.text : '');
  return links.flatMap((link) => (led(link) && dead(link) ? [link.written] : []));
}

/** Links that led nowhere, or to another file. */
function arrivedText(arrived: Counts): string {
  if (arrived.size === 0) return '';
  const verb = sum(arrived) === 1 ? 'leads' : 'lead';
  return `${counted(sum(arrived), 'link')} in ${firstNames([...arrived.keys()].sort(), MAX_NAMES)} now ${verb} to it that did not before.`;
}

function updatedText(links: Counts, cardLinks: Counts, cards: Counts, isAnyLeft: boolean): string {
  const count = sum(links) + sum(cardLinks) + sum(cards);
  if (count === 0) return isAnyLeft ? '' : 'No note linked to it.';
  const canvases = (counts: Counts) => firstNames([...counts.keys()], MAX_NAMES);
  const parts = [
    ...(links.size > 0 ? [`${counted(sum(links), 'link')} in ${counted(links.size, 'note')}`] : []),
    ...(cardLinks.size > 0
      ? [`${counted(sum(cardLinks), 'link')} in cards of ${canvases(cardLinks)}`]
      : []),
    ...(cards.size > 0 ? [`${counted(sum(cards), 'card')} in ${canvases(cards)}`] : []),
  ];
  return `${parts.join(' and ')} now ${count === 1 ? 'points' : 'point'} to the new path.`;
}

function leftText(links: number, cards: number, left: readonly string[]): string {
  if (left.length === 0) return '';
  const parts = [
    ...(links > 0 ? [counted(links, 'link')] : []),
    ...(cards > 0 ? [counted(cards, 'card')] : []),
  ];
  const verb = links + cards === 1 ? 'has' : 'have';
  const more = left.length > MAX_NAMES ? `; and in ${left.length - MAX_NAMES} more` : '';
  return `${parts.join(' and ')} still ${verb} the old path: ${left.slice(0, MAX_NAMES).join('; ')}${more}. Whether Obsidian updates links is a setting of the user's.`;
}

const MAX_NAMES = 5;

function shown(written: readonly string[]): string {
  return firstNames([...new Set(written)], MAX_NAMES);
}

function sum(counts: Counts): number {
  return [...counts.values()].reduce((total, each) => total + each, 0);
}
