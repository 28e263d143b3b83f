/**
 * Edit scope: the paths the agent may edit, from the user's setting and from what the conversation
 * created.
 */
import type { ChangeNote } from '#model/message';
import type { EditableScope } from '#model/settings';

export interface Scope {
  readonly kind: EditableScope;
  /** Notes, and folders with everything in them. */
  readonly roots: readonly string[];
  /** Current paths of what the conversation created. */
  readonly created: ReadonlySet<string>;
}

export const WHOLE_VAULT: Scope = { kind: 'vault', roots: [], created: new Set() };

export function isInScope(path: string, { kind, roots, created }: Scope): boolean {
  return kind === 'vault' || roots.some((root) => isWithin(path, root)) || created.has(path);
}

/** @param changes of one conversation, oldest first */
export function createdBy(changes: Iterable<ChangeNote>): ReadonlySet<string> {
  const created = new Set<string>();
  for (const change of changes) {
    const { kind, path } = change;
    if (kind === 'create' || kind === 'folder') created.add(path);
    if (kind !== 'move' && kind !== 'delete') continue;
    for (const each of [...created]) {
      if (!isWithin(each, path)) continue;
      created.delete(each);
      if (kind === 'move') created.add(movedBy(each, change));
    }
  }
  return created;
}

/** Where a path is after these changes. */
export function pathAfter(path: string, changes: Iterable<ChangeNote>): string {
  let now = path;
  for (const change of changes) now = movedBy(now, change);
  return now;
}

function movedBy(path: string, { kind, path: from, to }: ChangeNote): string {
  return kind === 'move' && to !== undefined && isWithin(path, from)
    ? to + path.slice(from.length)
    : path;
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

export interface ContextScope {
  /** As attached by the user. */
  readonly attached: readonly string[];
  /** Notes they link to, closest first. */
  readonly linked: readonly string[];
}

/**
 * @param depth how many links to follow; 0 for none
 * @param linksOf linked notes the agent may know of; links are not followed through hidden notes
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
