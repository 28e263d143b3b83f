/** By note: how many of its links lead to each of these paths, or bear each of these names. */
export type LinkCounts = Readonly<Record<string, Readonly<Record<string, number>>>>;

/** The notes with links to any such target, and how many each has. */
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
