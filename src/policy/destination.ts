import {
  illegalNameReason,
  folderOf,
  foldPath,
  joinPath,
  nameOf,
  parsePath,
  quote,
} from '#text/paths';
import type { IndexedPath, PathIndex } from './look-up';

/** What is created or moved to the destination. */
export type NewItem =
  /** `extension` (such as `.md`) is added to a name without one. */
  | { what: 'file'; extension?: string }
  | { what: 'folder' }
  /**
   * A file or folder that exists. It keeps its `name` if the destination is a folder. The one at
   * `from` does not conflict with a new path that differs only in case. `extension` is added to a
   * new name without one.
   */
  | { what: 'moved'; name: string; from?: string; extension?: string };

export type Destination =
  | {
      ok: true;
      path: string;
      /** The file or folder that exists at exactly this path. */ existing?: IndexedPath;
    }
  | { ok: false; reason: string; kind: 'exists' | 'bad-name' };

/**
 * Resolves a path where something is to be created. It is never matched to another spelling. Only
 * the new segments must be legal names, so that an existing folder `C#` can be written to.
 */
export function resolveDestination(raw: string, index: PathIndex, arrival: NewItem): Destination {
  const written = parsePath(raw);
  if (!written.ok) return refuse(written.reason, 'bad-name');
  const { path: named } = written;
  // An extension behind blanks or dots at the end would make another file of a note that exists.
  const isCut = 'extension' in arrival && !index.get(named);
  const parsed = {
    ...written,
    path: isCut ? named.replace(/[ \t]+$|(?<=\.md)[ \t.]+$/i, '') : named,
  };
  const from = arrival.what === 'moved' ? arrival.from : undefined;
  const meant = folderInOtherCase(parsed.path, index, arrival, from);
  if (meant !== undefined) {
    const name = arrival.what === 'moved' ? arrival.name : 'Name.md';
    return refuse(conflictReason(raw, meant, joinPath(meant, name)));
  }
  const path = placed(parsed.path, parsed.intoFolder, index, arrival);
  if (path === undefined) {
    const example = joinPath(parsed.path, 'Name.md');
    return refuse(
      `${quote(raw)} names a folder. Expected the new file's path, such as ${quote(example)}.`,
      'bad-name',
    );
  }
  if (path === '') return { ok: true, path, existing: { path, kind: 'folder' } };

  const renamed = from !== undefined && foldPath(from) === foldPath(path) ? from : undefined;
  const conflict = caseConflict(path, index, renamed);
  if (conflict !== undefined) {
    return refuse(conflictReason(path, conflict, inExistingCase(path, index, renamed)));
  }
  let parent = folderOf(path);
  while (parent !== '' && !index.get(parent)) parent = folderOf(parent);
  if (index.get(parent)?.kind === 'file') {
    return refuse(`${quote(path)} can't be created: ${quote(parent)} is a file, not a folder.`);
  }
  const existing = index.get(path);
  if (existing) return { ok: true, path, existing };
  const fresh = parent === '' ? path : path.slice(parent.length + 1);
  const reason = illegalNameReason(fresh);
  return reason ? refuse(reason, 'bad-name') : { ok: true, path };
}

/** Returns undefined if the file name is missing. */
function placed(
  path: string,
  intoFolder: boolean,
  index: PathIndex,
  arrival: NewItem,
): string | undefined {
  const isFolder = path === '' || intoFolder || index.get(path)?.kind === 'folder';
  switch (arrival.what) {
    case 'folder':
      return path;
    case 'moved':
      return isFolder
        ? joinPath(path, arrival.name.normalize('NFC'))
        : withExtension(path, arrival.extension);
    case 'file':
      return isFolder ? undefined : withExtension(path, arrival.extension);
  }
}

function withExtension(path: string, extension = ''): string {
  const hasOne = /[^.]\.[a-z\d]*[a-z][a-z\d]*$|.\.md$/i.test(nameOf(path));
  return hasOne ? path : path + extension;
}

/**
 * Returns an existing path that differs from the destination, or from a folder above it, only in
 * case or Unicode form.
 */
function caseConflict(path: string, index: PathIndex, except?: string): string | undefined {
  let conflict: string | undefined;
  for (let part = path; part !== ''; part = folderOf(part)) {
    if (index.get(part)) continue;
    // The topmost folder is the most useful hint, because everything below it is affected too.
    conflict = index.spelledLike(part).find((each) => each.path !== except)?.path ?? conflict;
  }
  return conflict;
}

function conflictReason(requested: string, existing: string, instead: string): string {
  return (
    `${quote(requested)} and the existing ${quote(existing)} differ only in case or Unicode form, and ` +
    `not every file system can hold both. Use ${quote(instead)} or another name.`
  );
}

/** Returns the path with its existing segments spelled as they exist. */
function inExistingCase(path: string, index: PathIndex, except?: string): string {
  let written = path;
  for (;;) {
    const conflict = caseConflict(written, index, except);
    if (conflict === undefined) return written;
    const below = written.split('/').slice(conflict.split('/').length);
    written = [conflict, ...below].join('/');
  }
}

/**
 * Returns the folder that the destination means in another case: `lists` next to the folder `Lists`
 * does not mean a new file `lists.md`.
 */
function folderInOtherCase(
  path: string,
  index: PathIndex,
  arrival: NewItem,
  from: string | undefined,
): string | undefined {
  if (path === '' || arrival.what === 'folder' || index.get(path)) return undefined;
  if (index.get(withExtension(path, arrival.extension))) return undefined;
  const isMeant = (entry: IndexedPath) => entry.kind === 'folder' && entry.path !== from;
  return index.spelledLike(path).find(isMeant)?.path;
}

function refuse(reason: string, kind: 'exists' | 'bad-name' = 'exists'): Destination {
  return { ok: false, reason, kind };
}
