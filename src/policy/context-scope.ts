/** What is told of the vault unasked: what the person attached, and what that links to. */

export interface ContextScope {
  /** As attached. */
  readonly attached: readonly string[];
  /** Those that they lead to, the nearest first. */
  readonly linked: readonly string[];
}

/**
 * @param depth how many links are followed; 0 for none
 * @param linksOf paths of the notes that the agent may know of and that this one links to: what is excluded is a wall
 */
export async function contextScope(
  attached: readonly string[],
  depth: number,
  linksOf: (path: string) => Promise<readonly string[]>,
): Promise<ContextScope> {
  const seen = new Set(attached);
  const linked: string[] = [];
  let edge = [...seen];
  for (let step = 0; step < depth && edge.length > 0; step += 1) {
    const found = await Promise.all(edge.map(linksOf));
    edge = [...new Set(found.flat())].filter((path) => !seen.has(path));
    for (const path of edge) seen.add(path);
    linked.push(...edge);
  }
  return { attached: [...new Set(attached)], linked };
}
