/** Folders that the person has put out of the agent's sight. */
import { liesIn, looseForm, looseSegments } from './loose-path';
import { quote } from './paths';

export interface ExcludedFolder {
  readonly segments: readonly string[];
  /** Its segments as one path. */
  readonly plain: string;
}

/** As the person has named them; what names no folder excludes none. The same list gives the same again. */
export function excludedFolders(names: readonly string[]): readonly ExcludedFolder[] {
  const known = parsed.get(names);
  if (known) return known;
  const folders = names
    .map((name) => looseSegments(name))
    .filter((segments) => segments.length > 0)
    .map((segments) => ({ segments, plain: segments.join('/') }));
  parsed.set(names, folders);
  return folders;
}

const parsed = new WeakMap<readonly string[], readonly ExcludedFolder[]>();

/** Why a path is out of sight, or null; the same whether it exists or not. */
export function excludedReason(path: string, folders: readonly ExcludedFolder[]): string | null {
  return isExcluded(path, folders)
    ? `${quote(path)} lies in a folder that the person has excluded. Nothing in it can be read, found or changed.`
    : null;
}

function isExcluded(path: string, folders: readonly ExcludedFolder[]): boolean {
  if (folders.length === 0) return false;
  const loose = looseForm(path);
  if (folders.some(({ plain }) => loose === plain || loose.startsWith(`${plain}/`))) return true;
  if (!TELLING.test(loose)) return false;
  const segments = looseSegments(path);
  return folders.some((folder) => liesIn(segments, folder.segments));
}

/** What may make another path of the one that is written: a listing asks this of every note. */
const TELLING = /[~:\\]|(?:^|\/)[\s/]|[.\s](?:\/|$)/;
