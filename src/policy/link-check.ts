/**
 * What a change does to links of visible notes: the heading or block of a link is gone. The change
 * is made, and its result says so.
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
  namesFor,
  parseLink,
  withoutLinks,
  type WrittenLink,
} from '#text/link-reader';
import type { CardLink } from '#text/canvas';
import type { NoteText } from '#ports/vault';
import { isNote } from '#text/paths';
import { MAX_TEXTS_READ } from './visibility';
import type { VisibleMetadata } from './visible-metadata';

/** What is asked of the vault, in which hidden notes do not exist. */
export interface LinkVault {
  canvasLinks(): Promise<readonly CanvasLink[]>;
  metadata(reread?: Iterable<string>): Promise<VisibleMetadata>;
  read(path: string): Promise<{ readonly ok: true; readonly value: NoteText } | { ok: false }>;
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

function isCard(link: WrittenLink | CanvasLink): boolean {
  return 'isCard' in link && link.isCard;
}

function editCall({ source, link }: FoundLink, next: string): string {
  if (isCard(link)) return 'edit_file, in the "subpath" of its card';
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
  const metadata = await vault.metadata([path]);
  const sources = [...(await metadata.backlinks({ path, kind: 'file' })).keys()];
  const found = new Map<string, FoundLink[]>();
  const add = (source: string, link: WrittenLink) => {
    const { heading } = link;
    if (heading === '' || !hasLinkPlace(old, heading) || hasLinkPlace(fresh, heading)) return;
    const isBlock = heading.includes('#^');
    const place = isBlock ? heading.slice(heading.indexOf('#^')) : namesIn(heading).join('#');
    found.set(place, [...(found.get(place) ?? []), { source, link }]);
  };
  for (const source of new Set([path, ...sources.slice(0, MAX_TEXTS_READ)].sort())) {
    const read = source === path ? null : await vault.read(source);
    const text = read === null ? after : read.ok ? read.value.text : '';
    const names = namesFor(metadata.of(source), path);
    const isOurs = hasNameOf(source === path ? ['', ...names] : names);
    for (const link of allLinksIn(text).filter(isOurs)) add(source, link);
  }
  for (const link of await vault.canvasLinks()) {
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
  const place = first[0];
  const link = first[1].find((each) => !isCard(each.link)) ?? first[1][0];
  const call = link && editCall(link, redirected(link.link, replacement(place, gone, old, fresh)));
  const them = found.size === 1 && first[1].length === 1 ? 'it' : 'them';
  return [`${each.join(' ')} Redirect ${them} with ${call}.`];
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

function placeName(place: string, { headings }: LinkPlaces): string {
  if (place.startsWith('#^')) return `the block ${place.slice(1)}`;
  const texts = namesIn(place).map((name) => headings.find((each) => each.name === name)?.text);
  return `the heading ${JSON.stringify(texts.join(' > '))}`;
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

/** The link with another subpath; without one, a link to the note, or only its words. */
function redirected({ written }: WrittenLink, subpath: string): string {
  const link = parseLink(written);
  if (!link || (subpath === '' && link.target === '')) return withoutLinks(written);
  const from = link.targetFrom + link.target.length;
  const next = link.isWiki ? subpath : encodeURI(subpath);
  return written.slice(0, from) + next + written.slice(from + link.subpath.length);
}
