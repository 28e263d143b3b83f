/** Where in a text links stand, by the names that are written in them. */
import type { NoteMetadata } from '#ports/metadata';
import { linesOf } from '../tool';

const LINK = /\[\[([^[\]|#]+)(?:#[^[\]|]*)?(?:\|[^[\]]*)?\]\]|\]\(<?([^()<>#\s]+)[^()]*\)/g;

/** By name in lower case, the lines (from 1) with a link of this name. */
export function linkLines(content: string): ReadonlyMap<string, readonly number[]> {
  const found = new Map<string, number[]>();
  linesOf(content).forEach((line, at) => {
    for (const [, wiki, address] of line.matchAll(LINK)) {
      const name = wiki ?? decoded(address ?? '');
      const lines = found.get(keyOf(name)) ?? [];
      if (lines.at(-1) !== at + 1) found.set(keyOf(name), [...lines, at + 1]);
    }
  });
  return found;
}

const WRITTEN =
  /\[\[([^[\]|#]+)(#[^[\]|]*)?(?:\|[^[\]]*)?\]\]|\]\(<?([^()<>#\s]+)(#[^()<>\s]*)?[^()]*\)/g;

/**
 * The lines with a link like one of these, in order.
 *
 * @param links as they would be written in the note
 * @param heading with its `#`: only links to it count; '': any link to the note counts
 */
export function linesWithLink(
  content: string,
  links: readonly string[],
  heading: string,
): number[] {
  const names = new Set(
    links.flatMap((link) =>
      [...link.matchAll(WRITTEN)].map(([, wiki, , address]) =>
        keyOf(wiki ?? decoded(address ?? '')),
      ),
    ),
  );
  const wanted = decoded(heading).toLowerCase();
  return linesOf(content).flatMap((line, at) => {
    const isThere = [...line.matchAll(WRITTEN)].some(([, wiki, part, address, other]) => {
      if (!names.has(keyOf(wiki ?? decoded(address ?? '')))) return false;
      return wanted === '' || decoded(part ?? other ?? '').toLowerCase() === wanted;
    });
    return isThere ? [at + 1] : [];
  });
}

/** The lines with a link of any of these names, in order. */
export function linesWith(
  all: ReadonlyMap<string, readonly number[]>,
  names: Iterable<string>,
): number[] {
  const lines = [...names].flatMap((name) => all.get(keyOf(name)) ?? []);
  return [...new Set(lines)].sort((a, b) => a - b);
}

/** The names under which a note's links to this file are written. */
export function namesFor(metadata: NoteMetadata | null, path: string): string[] {
  return (metadata?.links ?? []).flatMap(({ name, to }) => (to === path ? [name] : []));
}

function keyOf(name: string): string {
  return name.trim().replace(/\.md$/i, '').normalize('NFC').toLowerCase();
}

function decoded(address: string): string {
  try {
    return decodeURIComponent(address);
  } catch {
    return address;
  }
}
