/** Links between notes in memory: as Obsidian resolves them where one name is enough. */
import type { CachedMetadata } from 'obsidian';
import { parseNote } from '#workbench/obsidian/metadata/note';
import { referencesOf } from '#workbench/obsidian/metadata/link-graph';

/** A long note takes a while, and most questions are about a text that was asked about before. */
const parsed = new Map<string, CachedMetadata>();

export function parse(text: string): CachedMetadata {
  const known = parsed.get(text) ?? parseNote(text);
  if (parsed.size > 1_000) parsed.clear();
  parsed.set(text, known);
  return known;
}

/** Targets as written, without heading and alias, each as often as it stands there. */
export function linksIn(text: string): string[] {
  return referencesOf(parse(text)).flatMap(({ link }) => {
    const target = link.split('#')[0]?.trim() ?? '';
    return target === '' ? [] : [target];
  });
}

/** By path, else by the name alone; of several the one nearest to the root. */
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

/** The shortest link that leads there and nowhere else. */
export function linkTo(path: string, paths: readonly string[]): string {
  const name = path.slice(path.lastIndexOf('/') + 1);
  const same = paths.filter((each) => each === name || each.endsWith(`/${name}`));
  return (same.length > 1 ? path : name).replace(/\.md$/, '');
}
