/** Resolves links between in-memory notes as Obsidian does when a name is unique. */
import type { CachedMetadata } from 'obsidian';
import { parseNote } from '#workbench/obsidian/metadata/note-parser';
import { referencesOf } from '#workbench/obsidian/metadata/link-graph';

/** Cached by text, because parsing a long note is slow and most texts are asked for repeatedly. */
const parsed = new Map<string, CachedMetadata>();

export function parse(text: string): CachedMetadata {
  const known = parsed.get(text) ?? parseNote(text);
  if (parsed.size > 1_000) parsed.clear();
  parsed.set(text, known);
  return known;
}

/** Link targets as written, without heading and alias, including repetitions. */
export function linksIn(text: string): string[] {
  return referencesOf(parse(text)).flatMap(({ link }) => {
    const target = link.split('#')[0]?.trim() ?? '';
    return target === '' ? [] : [target];
  });
}

/**
 * The note at this path, else one with this name: first in the source's folder, then nearest to the
 * root.
 */
export function resolveLink(link: string, source: string, paths: readonly string[]): string | null {
  const wanted = [`${link}.md`, link].map((each) => each.toLowerCase());
  const folder = source.slice(0, source.lastIndexOf('/') + 1).toLowerCase();
  const found = paths.filter((path) => {
    const lower = path.toLowerCase();
    return wanted.some((each) => lower === each || lower.endsWith(`/${each}`));
  });
  const rank = (path: string) => {
    const lower = path.toLowerCase();
    if (wanted.includes(lower)) return 0;
    return wanted.includes(lower.slice(folder.length)) && lower.startsWith(folder) ? 1 : 2;
  };
  found.sort(
    (a, b) => rank(a) - rank(b) || a.split('/').length - b.split('/').length || (a < b ? -1 : 1),
  );
  return found[0] ?? null;
}

/** The shortest link text that is unambiguous. */
export function linkTo(path: string, paths: readonly string[]): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const same = paths.filter((each) => each === name || each.endsWith(`/${name}`));
  return (same.length > 1 ? path : name).replace(/\.md$/, '');
}
