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
