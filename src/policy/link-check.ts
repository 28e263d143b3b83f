/**
 * What a change does to links of visible notes: the heading or block of a link is gone. The change
 * is made, and its result says so.
 */
import type { AgentChange, Effect } from '#model/change';
import { counted, firstNames } from '#messages/plural';
import { foldHeading, hasLinkPlace, linkPlacesIn } from '#text/link-places';
import { allLinksIn, hasNameOf, namesFor, type WrittenLink } from '#text/link-reader';
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

/** Links to one heading or block. */
interface PlaceLinks {
  /** As the first link names it, in lower case, such as `#beds`. */
  readonly place: string;
  /** The note or canvas of each link. */
  readonly sources: string[];
}

const MAX_NAMES = 5;

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
  const isGone =
    old.headings.some(({ name }) => !fresh.names.has(name)) ||
    [...old.ids].some((id) => !fresh.ids.has(id));
  if (!isGone) return [];
  const metadata = await vault.metadata([path]);
  const sources = [...(await metadata.backlinks({ path, kind: 'file' })).keys()];
  const found = new Map<string, PlaceLinks>();
  const add = (source: string, { heading }: WrittenLink) => {
    if (heading === '' || !hasLinkPlace(old, heading) || hasLinkPlace(fresh, heading)) return;
    const key = heading.split('#').map(foldHeading).join('#');
    const known = found.get(key) ?? { place: heading, sources: [] };
    found.set(key, known);
    known.sources.push(source);
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
  if (found.size === 0) return [];
  const isWaiting = status === 'proposed' || status === 'joined';
  const end = isWaiting
    ? 'which will be gone once the change is accepted'
    : status === 'partly'
      ? 'which the change removes'
      : 'which is gone';
  const each = [...found.values()].slice(0, MAX_NAMES).map(({ place, sources: all }) => {
    const links = `${counted(all.length, 'link')} in ${firstNames([...new Set(all)], MAX_NAMES)}`;
    return `${links} ${all.length === 1 ? 'leads' : 'lead'} to ${place}, ${end}.`;
  });
  const more = found.size - each.length;
  if (more > 0) each.push(`The same is true of ${counted(more, 'more place')}.`);
  return [`${each.join(' ')} Change the links with edit_file.`];
}
