import { illegalNameReason, folderOf, foldPath, joinPath, nameOf, parsePath, quote } from './paths';
import type { IndexedPath, PathIndex } from './look-up';

/** What is created at the destination. */
export type NewItem =
  /** `extension` (such as `.md`) is added to a name without one. */
  | { what: 'file'; extension?: string }
  | { what: 'folder' }
  /**
   * Something that exists keeps its `name` where the destination is a folder. What is at `from` may come to be called
   * the same in another case: it does not shadow itself. `extension` is added to a new name that has none.
   */
  | { what: 'moved'; name: string; from?: string; extension?: string };

export type Destination =
  | {
      ok: true;
      path: string;
      /** What exists at exactly this path. */ existing?: IndexedPath;
    }
  | { ok: false; reason: string };

/**
 * A path for something to create: taken as written, never matched to another spelling. Only new
 * parts need a legal name, so that an existing folder `C#` can still be written to.
 */
export function resolveDestination(raw: string, index: PathIndex, arrival: NewItem): Destination {
  const parsed = parsePath(raw);
  if (!parsed.ok) return parsed;
  const from = arrival.what === 'moved' ? arrival.from : undefined;
  const meant = folderInOtherCase(parsed.path, index, arrival, from);
  if (meant !== undefined) {
    const name = arrival.what === 'moved' ? arrival.name : 'Name.md';
    return refuse(clashReason(raw, meant, joinPath(meant, name)));
  }
  const path = asObsidianNames(placed(parsed.path, parsed.intoFolder, index, arrival), index);
  if (path === undefined) {
    const example = joinPath(parsed.path, 'Name.md');
    return refuse(
      `${quote(raw)} names a folder. Expected the new file's path, such as ${quote(example)}.`,
    );
  }
  if (path === '') return { ok: true, path, existing: { path, kind: 'folder' } };

  const renamed = from !== undefined && foldPath(from) === foldPath(path) ? from : undefined;
  const clash = caseClash(path, index, renamed);
  if (clash !== undefined) {
    return refuse(clashReason(path, clash, inExistingCase(path, index, renamed)));
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
  return reason ? refuse(reason) : { ok: true, path };
}

/** Obsidian replaces these two by plain spaces in every name it creates. */
function asObsidianNames(path: string | undefined, index: PathIndex): string | undefined {
  return path === undefined || index.get(path) ? path : path.replace(/[\u00a0\u202f]/g, ' ');
}

/** Undefined if the file name is missing. */
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
  const hasOne = /[^.]\.[a-z\d]*[a-z][a-z\d]*$/i.test(nameOf(path));
  return hasOne ? path : path + extension;
}

/** An existing path that the destination, or a folder above it, would shadow. */
function caseClash(path: string, index: PathIndex, except?: string): string | undefined {
  const wanted = new Map<string, string>();
  for (let part = path; part !== ''; part = folderOf(part)) {
    if (!index.get(part)) wanted.set(foldPath(part), part);
  }
  if (wanted.size === 0) return undefined;
  let clash: string | undefined;
  for (const entry of index.all()) {
    // The topmost folder is the most useful hint, because everything below it follows.
    if (entry.path === except || !wanted.has(foldPath(entry.path))) continue;
    if (clash === undefined || entry.path.length < clash.length) clash = entry.path;
  }
  return clash;
}

function clashReason(asked: string, existing: string, instead: string): string {
  return (
    `${quote(asked)} and the existing ${quote(existing)} differ only in case or Unicode form, and ` +
    `not every file system can hold both. Use ${quote(instead)} or another name.`
  );
}

/** The path with existing parts in their existing case. */
function inExistingCase(path: string, index: PathIndex, except?: string): string {
  let written = path;
  for (;;) {
    const clash = caseClash(written, index, except);
    if (clash === undefined) return written;
    const below = written.split('/').slice(clash.split('/').length);
    written = [clash, ...below].join('/');
  }
}

/**
 * A destination such as `lists` next to the folder `Lists` means that folder, not a new `lists.md`.
 */
function folderInOtherCase(
  path: string,
  index: PathIndex,
  arrival: NewItem,
  from: string | undefined,
): string | undefined {
  if (path === '' || arrival.what === 'folder' || index.get(path)) return undefined;
  if (index.get(withExtension(path, arrival.extension))) return undefined;
  const asked = foldPath(path);
  for (const entry of index.all()) {
    const isMeant = entry.kind === 'folder' && entry.path !== from;
    if (isMeant && foldPath(entry.path) === asked) return entry.path;
  }
  return undefined;
}

function refuse(reason: string): Destination {
  return { ok: false, reason };
}
