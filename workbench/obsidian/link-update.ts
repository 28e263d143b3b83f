import { getLinkpath, type TFile } from 'obsidian-test-mocks/obsidian';
import type { CachedMetadata, ReferenceCache } from 'obsidian';
import { parentOf } from '#workbench/disk/disk';
import type { FolderMetadataCache } from './metadata/metadata-cache';
import { getFrontMatterInfo } from './metadata/front-matter';
import { referencesOf } from './metadata/link-graph';
import { relativePath } from './paths';
import type { FolderVault } from './vault';

/**
 * A note with the links in it that a move may break, and the files they point to before the move.
 */
export interface LinksBefore {
  source: TFile;
  links: { original: string; linkpath: string; target: TFile; offset: number | null }[];
}

/** Links to the files that are about to move, and all links inside these files. */
export function linksAround(
  moving: Set<TFile>,
  vault: FolderVault,
  metadata: FolderMetadataCache,
): LinksBefore[] {
  const paths = new Set([...moving].map((file) => file.path));
  const sources = Object.entries(metadata.resolvedLinks)
    .filter(
      ([source, targets]) => paths.has(source) || Object.keys(targets).some((to) => paths.has(to)),
    )
    .map(([source]) => vault.getFileByPath(source))
    .filter((file) => file !== null);

  return sources.map((source) => {
    const cache: CachedMetadata = metadata.getFileCache(source) ?? {};
    const links = referencesOf(cache).flatMap((reference) => {
      const linkpath = getLinkpath(reference.link);
      const target = linkpath && metadata.getFirstLinkpathDest(linkpath, source.path);
      if (!target || !(moving.has(target) || moving.has(source))) return [];
      const offset = (reference as Partial<ReferenceCache>).position?.start.offset ?? null;
      return [{ original: reference.original, linkpath, target, offset }];
    });
    return { source, links };
  });
}

/** Updates links that point elsewhere after the move; does not write notes without such links. */
export async function updateLinks(
  before: LinksBefore[],
  vault: FolderVault,
  metadata: FolderMetadataCache,
): Promise<void> {
  for (const { source, links } of before) {
    const broken = links.filter(
      ({ linkpath, target }) => metadata.getFirstLinkpathDest(linkpath, source.path) !== target,
    );
    if (broken.length === 0) continue;
    await vault.process(source, (text) => {
      const inBody = broken.filter(({ offset }) => offset !== null);
      inBody.sort((one, other) => (other.offset ?? 0) - (one.offset ?? 0));
      let mended = text;
      for (const { original, target, offset } of inBody) {
        const at = offset ?? 0;
        // The note may have changed since it was parsed; then leave the link alone.
        if (!mended.startsWith(original, at)) continue;
        const link = relink(original, target, source, metadata);
        mended = mended.slice(0, at) + link + mended.slice(at + original.length);
      }
      for (const { original, target, offset } of broken) {
        if (offset !== null) continue;
        const { from, to } = getFrontMatterInfo(mended);
        const link = relink(original, target, source, metadata);
        mended =
          mended.slice(0, from) +
          mended.slice(from, to).split(original).join(link) +
          mended.slice(to);
      }
      return mended;
    });
  }
}

/** The link with its heading and alias, pointing to the file's new path. */
function relink(
  original: string,
  target: TFile,
  source: TFile,
  metadata: FolderMetadataCache,
): string {
  const wiki = /^(!?\[\[)([^\]|#]*)(.*)$/s.exec(original);
  if (wiki) return `${wiki[1]}${metadata.fileToLinktext(target, source.path)}${wiki[3]}`;
  const markdown = /^(!?\[(?:[^[\]\\]|\\.)*\]\()(<?)([^)>#\s]*)(.*)$/s.exec(original);
  if (!markdown) return original;
  const isRelative = /^\.{1,2}\//.test(markdown[3] ?? '');
  const path = isRelative
    ? dotted(relativePath(parentOf(source.path), target.path))
    : metadata.fileToLinktext(target, source.path, false);
  return `${markdown[1]}${markdown[2]}${markdown[2] ? path : encodeURI(path)}${markdown[4]}`;
}

/**
 * Adds `./` to relative links in the same folder or below, because otherwise they are looked up by
 * name.
 */
function dotted(path: string): string {
  return path.startsWith('../') ? path : `./${path}`;
}
