/**
 * Edit scope: the paths that the agent may edit, according to the user's setting and what the
 * conversation has created.
 */
import type { ChangeNote } from '#model/message';
import type { EditableScope } from '#model/setting-choices';
import { isWithin, movedPath } from '#text/paths';

export interface Scope {
  readonly kind: EditableScope;
  /** Paths of notes, and of folders including everything in them. */
  readonly roots: readonly string[];
  /** Current paths of notes and folders that the conversation has created. */
  readonly created: ReadonlySet<string>;
}

export function isInScope(path: string, { kind, roots, created }: Scope): boolean {
  return kind === 'vault' || roots.some((root) => isWithin(path, root)) || created.has(path);
}

/**
 * Current paths of the notes and folders that these changes have created.
 *
 * @param changes of one conversation, oldest first
 */
export function createdBy(changes: Iterable<ChangeNote>): ReadonlySet<string> {
  return pathsOf(['create', 'folder'], changes);
}

/** Current paths of the files whose text these changes have written or proposed. */
export function writtenBy(changes: Iterable<ChangeNote>): ReadonlySet<string> {
  return pathsOf(['create', 'write', 'hold'], changes);
}

function pathsOf(
  kinds: readonly ChangeNote['kind'][],
  changes: Iterable<ChangeNote>,
): ReadonlySet<string> {
  const paths = new Set<string>();
  for (const change of changes) {
    const { kind, path } = change;
    if (kinds.includes(kind)) paths.add(path);
    if (kind !== 'move' && kind !== 'delete') continue;
    for (const each of [...paths]) {
      if (!isWithin(each, path)) continue;
      paths.delete(each);
      if (kind === 'move') paths.add(movedBy(each, change));
    }
  }
  return paths;
}

/** The path of a file after these changes have moved it. */
export function pathAfter(path: string, changes: Iterable<ChangeNote>): string {
  let now = path;
  for (const change of changes) now = movedBy(now, change);
  return now;
}

function movedBy(path: string, { kind, path: from, to }: ChangeNote): string {
  return kind === 'move' && to !== undefined ? movedPath(path, from, to) : path;
}
