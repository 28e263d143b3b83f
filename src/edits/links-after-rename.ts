/** Rewrites the links in a text to files that were renamed. */
import { isExternal, linkAddress, linkPath, retargetLinks } from '#text/link-reader';
import { foldPath, isNote, nameOf, withoutNoteExtension } from '#text/paths';

export interface Rename {
  readonly from: string;
  readonly to: string;
}

/**
 * Returns a function that rewrites a text's links to renamed files.
 * @param names paths of all files now
 */
export function linkRewriter(
  renames: readonly Rename[],
  names: readonly string[],
): (text: string) => string {
  const folded = (path: string) => nameOf(path).toLowerCase();
  const rewrites = renames.map(({ from, to }) => {
    const isTaken = names.some((each) => each !== to && folded(each) === folded(from));
    return renamedLinks(from, to, isTaken);
  });
  return (text) => rewrites.reduce((now, rewrite) => rewrite(now), text);
}

/**
 * Returns a function that rewrites a text's links to a moved file.
 * @param isTaken whether another file has the old name, so that a bare name could mean that file
 */
export function renamedLinks(from: string, to: string, isTaken: boolean): (text: string) => string {
  return (text) =>
    retargetLinks(text, (link) => {
      if (isExternal(link)) return null;
      const next = renamed(linkPath(link), from, to, isTaken);
      if (next === null || link.isWiki) return next;
      const isBracketed = text.charAt(link.targetFrom - 1) === '<';
      // A parenthesis could end the link, and anything after the mark would name a heading.
      return isBracketed ? next.replaceAll('#', '%23') : linkAddress(next);
    });
}

/** The link's new target; null if it names another file. */
function renamed(name: string, from: string, to: string, isTaken: boolean): string | null {
  const hasExtension = isNote(name);
  const written = (path: string) => (hasExtension ? path : withoutNoteExtension(path));
  const named = name.trim().replace(/^(?:\.?\/)+/, '');
  if (foldPath(named) === foldPath(written(from))) return written(to);
  const isBare = !named.includes('/') && foldPath(named) === foldPath(written(nameOf(from)));
  if (!isBare || isTaken) return null;
  return written(nameOf(to));
}
