/** For each note, how many links it has to each path (or, if unresolved, to each name). */
export type LinkCounts = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** Notes with links to a matching target, and how many each has. */
export function linkSources(
  all: LinkCounts,
  isTarget: (path: string) => boolean,
): Map<string, number> {
  const sources = new Map<string, number>();
  for (const [source, links] of Object.entries(all)) {
    let count = 0;
    for (const target in links) if (isTarget(target)) count += links[target] ?? 0;
    if (count > 0) sources.set(source, count);
  }
  return sources;
}
