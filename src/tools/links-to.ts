/** The links that lead to a file or folder, in notes and canvases. */
import { counted, firstNames } from '#messages/plural';
import type { VaultApi } from '#policy/vault-api';
import type { NoteEntry } from '#ports/vault';
import { isWithin, movedPath } from '#text/paths';

/** Numbers of links by note or canvas. */
export type LinkNumbers = ReadonlyMap<string, number>;

/**
 * The links into a file or folder from outside of it. The cards of a canvas count as links.
 * @param reread see `VaultApi.metadata`
 */
export async function linksTo(
  entry: Pick<NoteEntry, 'path' | 'kind'>,
  vault: VaultApi,
  reread: Iterable<string> = [],
): Promise<LinkNumbers> {
  const links = new Map(await (await vault.metadata(reread)).backlinks(entry));
  for (const { canvas, to } of await vault.canvasLinks()) {
    if (to === null || !isWithin(to, entry.path) || isWithin(canvas, entry.path)) continue;
    links.set(canvas, (links.get(canvas) ?? 0) + 1);
  }
  return links;
}

const MAX_NAMES = 5;

/** Such as "3 links in A.md and B.md". */
export function linksText(links: LinkNumbers): string {
  return `${counted(sum(links), 'link')} in ${firstNames([...links.keys()].sort(), MAX_NAMES)}`;
}

/**
 * What became of the links to a file or folder that moved. The host updates them, if the user's
 * settings say so.
 */
export async function movedLinks(
  before: LinkNumbers,
  entry: NoteEntry,
  to: string,
  vault: VaultApi,
): Promise<{ readonly updated: number; readonly text: string }> {
  if (before.size === 0) return { updated: 0, text: 'No note linked to it.' };
  const place = (source: string) => movedPath(source, entry.path, to);
  const now = await linksTo({ ...entry, path: to }, vault, [...before.keys()].map(place));
  const [updated, left] = [new Map<string, number>(), new Map<string, number>()];
  for (const [source, count] of before) {
    const following = Math.min(count, now.get(place(source)) ?? 0);
    if (following > 0) updated.set(source, following);
    if (following < count) left.set(source, count - following);
  }
  const texts = [
    ...(updated.size === 0
      ? []
      : [`${linksText(updated)} now ${sum(updated) === 1 ? 'points' : 'point'} to the new path.`]),
    ...(left.size === 0
      ? []
      : [
          `${linksText(left)} still ${sum(left) === 1 ? 'has' : 'have'} the old path. Whether Obsidian updates links is a setting of the user's.`,
        ]),
  ];
  return { updated: sum(updated), text: texts.join(' ') };
}

function sum(links: LinkNumbers): number {
  return [...links.values()].reduce((total, each) => total + each, 0);
}
