/**
 * What a change does to links of visible notes: the heading or block of a link is gone, or its name
 * leads to another note. The change is made, and its result says so.
 */
import type { AgentChange, Effect } from '#model/change';
import { counted, firstNames } from '#messages/plural';
import {
  foldHeading,
  hasLinkPlace,
  headingSubpath,
  type LinkPlaces,
  linkPlacesIn,
} from '#text/link-places';
import {
  allLinksIn,
  hasNameOf,
  linkAddress,
  linksIn,
  namesFor,
  retargetLinks,
  type WrittenLink,
} from '#text/link-reader';
import type { CardLink } from '#text/canvas';
import { foldPath, isNote, isWithin, movedPath, nameOf, withoutNoteExtension } from '#text/paths';
import { MAX_TEXTS_READ } from './visibility';
import type { LinkSources, VisibleMetadata } from './visible-metadata';

/** What is asked of the vault, in which hidden notes do not exist. */
export interface LinkVault {
  canvasLinks(): Promise<readonly CanvasLink[]>;
  metadata(reread?: Iterable<string>): Promise<VisibleMetadata>;
  /** The text of a note; null if it cannot be read. */
  text(path: string): Promise<string | null>;
  paths(): Promise<readonly string[]>;
  /** Finds the files with a name, in lower case. */
  names(): Promise<(name: string) => readonly string[]>;
  resolve(name: string, from: string): string | null;
}

/** A link of a canvas, which the host's index does not have. */
export interface CanvasLink extends CardLink {
  readonly canvas: string;
  /** The visible file that it leads to, or null. */
  readonly to: string | null;
}

interface FoundLink {
  readonly source: string;
  readonly link: WrittenLink;
}

const MAX_NAMES = 5;

function linkCount(found: readonly FoundLink[]): string {
  const sources = [...new Set(found.map(({ source }) => source))];
  return `${counted(found.length, 'link')} in ${firstNames(sources, MAX_NAMES)}`;
}

function editCall({ source, link }: FoundLink, next: string): string {
  const inFile = (text: string) => (isNote(source) ? text : JSON.stringify(text).slice(1, -1));
  const edit = { old_text: inFile(link.written), new_text: inFile(next), replace_all: true };
  return `edit_file, such as ${JSON.stringify({ path: source, edits: [edit] })}`;
}

/**
 * Says which headings and blocks are gone although links lead to them.
 *
 * @param asked the change of the whole text
 * @param made how it was made
 */
export async function lostPlaces(
  asked: Effect,
  { effect, status }: AgentChange,
  vault: LinkVault,
): Promise<string[]> {
  if (asked.kind !== 'write' || !isNote(asked.path)) return [];
  const { path, before } = asked;
  const isText = effect.kind === 'write' || effect.kind === 'hold';
  const after = isText ? effect.after : asked.after;
  const [old, fresh] = [linkPlacesIn(before), linkPlacesIn(after)];
  const gone = lacking(old, fresh);
  if (gone.length === 0) return [];
  const { metadata, to, cards } = await linksOf(vault, [path]);
  const sources = to.of(path);
  const found = new Map<string, FoundLink[]>();
  const add = (source: string, link: WrittenLink) => {
    const { heading } = link;
    if (heading === '' || !hasLinkPlace(old, heading) || hasLinkPlace(fresh, heading)) return;
    const isBlock = heading.includes('#^');
    const place = isBlock ? heading.slice(heading.indexOf('#^')) : namesIn(heading).join('#');
    found.set(place, [...(found.get(place) ?? []), { source, link }]);
  };
  for (const source of new Set([path, ...sources.slice(0, MAX_TEXTS_READ)].sort())) {
    const text = source === path ? after : await vault.text(source);
    const names = namesFor(metadata.of(source), path);
    const isOurs = hasNameOf(source === path ? ['', ...names] : names);
    for (const link of allLinksIn(text ?? '').filter(isOurs)) add(source, link);
  }
  for (const link of cards) {
    if (link.to === path) add(link.canvas, link);
  }
  const [first] = found;
  if (!first) return [];
  const isWaiting = status === 'proposed' || status === 'joined';
  const end = isWaiting
    ? 'which will be gone once the change is accepted'
    : status === 'partly'
      ? 'which the change removes'
      : 'which is gone';
  const each = [...found].slice(0, MAX_NAMES).map(([place, links]) => {
    const verb = links.length === 1 ? 'leads' : 'lead';
    return `${linkCount(links)} ${verb} to ${placeName(place, old)}, ${end}.`;
  });
  const more = found.size - each.length;
  if (more > 0) each.push(`The same is true of ${counted(more, 'more place')}.`);
  const [place, links] = first;
  const from = path + placeSubpath(place, old);
  const call = JSON.stringify({ from, to: path + replacement(place, gone, old, fresh) });
  const them = found.size === 1 && links.length === 1 ? 'it' : 'them';
  return [`${each.join(' ')} Redirect ${them} with redirect_links, such as ${call}.`];
}

/** Subpaths of the places that the other text has not. */
function lacking({ headings, ids }: LinkPlaces, other: LinkPlaces): string[] {
  const key = ({ level, name }: LinkPlaces['headings'][number]) => `${level} ${name}`;
  const has = new Set(other.headings.map(key));
  return [
    ...headings.flatMap((each) => (has.has(key(each)) ? [] : [headingSubpath(each.text)])),
    ...[...ids].flatMap((id) => (other.ids.has(id) ? [] : [`#^${id}`])),
  ];
}

/** The headings that a subpath names, as they are compared. */
function namesIn(subpath: string): string[] {
  return subpath.split('#').map(foldHeading).filter(Boolean);
}

function placeName(place: string, places: LinkPlaces): string {
  if (place.startsWith('#^')) return `the block ${place.slice(1)}`;
  return `the heading ${JSON.stringify(headingTexts(place, places).join(' > '))}`;
}

/** A place as links name it. */
function placeSubpath(place: string, places: LinkPlaces): string {
  return place.startsWith('#^') ? place : headingTexts(place, places).map(headingSubpath).join('');
}

function headingTexts(place: string, { headings }: LinkPlaces): string[] {
  return namesIn(place).map((name) => headings.find((each) => each.name === name)?.text ?? name);
}

/** The subpath that took the place of one that is gone; '' unless it is the only new one. */
function replacement(
  place: string,
  gone: readonly string[],
  old: LinkPlaces,
  fresh: LinkPlaces,
): string {
  const isId = (each: string) => each.startsWith('#^');
  const isAlike = (each: string) => isId(each) === isId(place);
  const come = lacking(fresh, old).filter(isAlike);
  return come.length === 1 && gone.filter(isAlike).length === 1 ? (come[0] ?? '') : '';
}

/** Links of a note to a file by its name, which another file is about to get. */
export interface SharedName {
  readonly source: string;
  /** How many links the note has, and which of them these are. */
  readonly count: number;
  readonly links: readonly number[];
  readonly file: string;
  readonly arriving: string;
}

/** The links that a new, moved or renamed file may take over; to be asked before the change. */
export async function sharedNames(effect: Effect, vault: LinkVault): Promise<SharedName[]> {
  const found: SharedName[] = [];
  const files = await arrivals(effect, vault);
  const named = files.length === 0 ? () => [] : await vault.names();
  let visible: VisibleLinks | null = null;
  for (const arriving of files) {
    const name = nameOf(arriving);
    const same = named(name.toLowerCase()).filter(
      (each) => foldPath(nameOf(each)) === foldPath(name) && !isWithin(each, effect.path),
    );
    if (same.length === 0) continue;
    const { metadata, to, cards } = (visible ??= await linksOf(vault));
    for (const file of same) {
      const isOurCard = (link: CanvasLink) => link.to === file && !link.isCard;
      const canvases = new Set(cards.filter(isOurCard).map(({ canvas }) => canvas));
      for (const source of [...to.of(file), ...canvases]) {
        if (found.length === MAX_TEXTS_READ) return found;
        const all = await writtenIn(source, vault, cards);
        const isOurs = hasNameOf(namesFor(metadata.of(source), file));
        const isFound = (link: WrittenLink | CanvasLink) =>
          'canvas' in link ? isOurCard(link) : isOurs(link);
        const links = all.flatMap((link, at) => (isFound(link) ? [at] : []));
        found.push({ source, count: all.length, links, file, arriving });
      }
    }
  }
  return found;
}

interface VisibleLinks {
  readonly metadata: VisibleMetadata;
  readonly to: LinkSources;
  readonly cards: readonly CanvasLink[];
}

async function linksOf(vault: LinkVault, reread?: Iterable<string>): Promise<VisibleLinks> {
  const metadata = await vault.metadata(reread);
  return { metadata, to: await metadata.linkSources(), cards: await vault.canvasLinks() };
}

/** The links of a note or canvas, in their order. */
async function writtenIn(
  source: string,
  vault: LinkVault,
  cards: readonly CanvasLink[],
): Promise<readonly (WrittenLink | CanvasLink)[]> {
  if (isNote(source)) return linksIn((await vault.text(source)) ?? '');
  return cards.filter(({ canvas }) => canvas === source);
}

async function arrivals(effect: Effect, vault: LinkVault): Promise<readonly string[]> {
  if (effect.kind === 'create') return [effect.path];
  if (effect.kind !== 'move') return [];
  const { path, to } = effect;
  const inside = (await vault.paths()).filter((each) => isWithin(each, path));
  return inside.map((each) => movedPath(each, path, to));
}

/** Says which of these links now lead to the file that arrived. */
export async function takenNames(
  effect: Effect,
  shared: readonly SharedName[],
  vault: LinkVault,
): Promise<string[]> {
  const taken = new Map<string, { name: SharedName; links: FoundLink[] }>();
  const cards = shared.every(({ source }) => isNote(source)) ? [] : await vault.canvasLinks();
  for (const name of shared) {
    const { file, arriving } = name;
    const source =
      effect.kind === 'move' ? movedPath(name.source, effect.path, effect.to) : name.source;
    const key = `${file}\n${arriving}`;
    const all = await writtenIn(source, vault, cards);
    // Links are known again by their order, which a user who types at this moment may change.
    if (all.length !== name.count) continue;
    for (const at of name.links) {
      const link = all[at];
      if (!link || vault.resolve(link.name, source) !== arriving) continue;
      const known = taken.get(key) ?? { name, links: [] };
      taken.set(key, known);
      known.links.push({ source, link });
    }
  }
  const said = [...taken.values()].slice(0, MAX_NAMES).map(({ name, links }) => {
    const { file, arriving } = name;
    const [first] = links;
    const path = (isWiki: boolean) => (isWiki ? withoutNoteExtension(file) : linkAddress(file));
    const next = retargetLinks(first?.link.written ?? '', ({ isWiki }) => path(isWiki));
    const call = first ? editCall(first, next) : '';
    return `${linkCount(links)} led to ${file} and now ${links.length === 1 ? 'leads' : 'lead'} to ${arriving}. Where ${file} is meant, name its path with ${call}.`;
  });
  const more = taken.size - said.length;
  return more > 0
    ? [...said, `The same happened to links to ${counted(more, 'more file')}.`]
    : said;
}
