/**
 * Protects notes that link to a moved file. The host rewrites their links in place after the move,
 * and a crash could cut a note short, so their texts are kept beforehand.
 */
import type { Change, LinkingNote } from '#model/change';
import {
  findLinks,
  isExternal,
  linkPath,
  linkSources,
  retargetLinks,
  type TextLink,
  withoutTargets,
} from '#text/link-reader';
import type { Metadata } from '#ports/metadata';
import type { NoteVault } from '#ports/vault';
import { foldPath, isNote, isWithin, movedPath, nameOf, withoutNoteExtension } from '#text/paths';
import { readAfterCrash } from './interrupted-write';

type Move = Extract<Change, { kind: 'move' }>;

/**
 * Maximum length of the kept texts, because a change log line must be small enough to sync. If half
 * the vault links to a folder, only some notes are kept.
 */
const MAX_KEPT_CHARS = 1_500_000;

/** Returns the notes whose links the host may rewrite when `path` (a file or folder) moves. */
export async function linkingNotes(
  path: string,
  notes: NoteVault,
  metadata: Metadata,
): Promise<LinkingNote[]> {
  // The moved note's own links may be relative to its folder.
  const own = notes.get(path)?.kind === 'file' ? [path] : [];
  const sources = new Set([
    ...own,
    ...linkSources(metadata.resolved(), (target) => isWithin(target, path)).keys(),
  ]);
  const kept: LinkingNote[] = [];
  let size = 0;
  for (const source of [...sources].sort()) {
    const read = await notes.read(source);
    if (!read.ok) continue;
    size += read.value.text.length;
    if (size > MAX_KEPT_CHARS) break;
    kept.push({ path: source, before: read.value.text });
  }
  return kept;
}

/** Restores linking notes that were cut short. */
export async function repairLinkingNotes(change: Move, notes: NoteVault): Promise<void> {
  for (const { path, before } of change.linking ?? []) {
    const place = movedPath(path, change.path, change.to);
    const now = await readAfterCrash(place, notes);
    if (now !== null && isCutShort(now, before)) await notes.change(place, now, before);
  }
}

/** Notes that still link to the old path, because the host has not rewritten them yet. */
export async function notesNotRewritten(change: Move, notes: NoteVault): Promise<string[]> {
  const { path: from, to } = change;
  const isRenamed = nameOf(from) !== nameOf(to);
  const old = withoutNoteExtension(isRenamed ? nameOf(from) : from);
  const paths: string[] = [];
  for (const { path, before } of change.linking ?? []) {
    const place = movedPath(path, from, to);
    const namesIt = before.includes(old) || before.includes(encodeURI(old));
    if (namesIt && (await readAfterCrash(place, notes)) === before) paths.push(place);
  }
  return paths;
}

/** Whether `now` is an incomplete beginning of `before`, ignoring differences in links. */
function isCutShort(now: string, before: string): boolean {
  const whole = withoutTargets(before);
  const begun = withoutTargets(now.replace(/\uFFFD+$/, ''));
  return begun !== whole && whole.startsWith(begun);
}

/**
 * Returns `now` with its links to `path` spelled as in `before`. If links were added or removed,
 * returns it unchanged, because they cannot be matched up.
 */
export function respellLinks(now: string, { before }: LinkingNote, path: string): string {
  const [own, old] = [linksTo(now, path), linksTo(before, path)];
  if (own.length !== old.length) return now;
  const places = new Map(own.map(({ link }, at) => [link.targetFrom, at]));
  return retargetLinks(now, ({ targetFrom }) => {
    const at = places.get(targetFrom) ?? -1;
    const was = old[at];
    return was && was.around === own[at]?.around ? was.link.target : null;
  });
}

/** Links to the path, each with the text around its target. */
function linksTo(text: string, path: string): { link: TextLink; around: string }[] {
  return findLinks(text).flatMap((link) => {
    const { target, targetFrom, to } = link;
    const rest = text.slice(targetFrom + target.length, to);
    const around = text.charAt(targetFrom - 1) + rest;
    return namesPath(linkPath(link), path) ? [{ link, around }] : [];
  });
}

/** Whether the link names the file by its path or the end of its path. */
function namesPath(named: string, path: string): boolean {
  const whole = withoutNoteExtension(path).toLowerCase();
  const end = withoutNoteExtension(named.replace(/^(?:\.{0,2}\/)+/, '')).toLowerCase();
  return end !== '' && (whole === end || whole.endsWith(`/${end}`));
}

export interface Rename {
  readonly from: string;
  readonly to: string;
}

/**
 * Returns a function that rewrites a text's links to renamed files.
 * @param names paths of all files now
 */
export function linkRewriter(
  renames: readonly Rename[],
  names: readonly string[],
): (text: string) => string {
  const folded = (path: string) => nameOf(path).toLowerCase();
  const rewrites = renames.map(({ from, to }) => {
    const isTaken = names.some((each) => each !== to && folded(each) === folded(from));
    return renamedLinks(from, to, isTaken);
  });
  return (text) => rewrites.reduce((now, rewrite) => rewrite(now), text);
}

/**
 * Returns a function that rewrites a text's links to a moved file.
 * @param isTaken whether another file has the old name, so that a bare name could mean that file
 */
export function renamedLinks(from: string, to: string, isTaken: boolean): (text: string) => string {
  return (text) =>
    retargetLinks(text, (link) => {
      if (isExternal(link)) return null;
      const next = renamed(linkPath(link), from, to, isTaken);
      if (next === null || link.isWiki) return next;
      const address = text.charAt(link.targetFrom - 1) === '<' ? next : encodeURI(next);
      // Anything after the mark would name a heading.
      return address.replaceAll('#', '%23');
    });
}

/** The link's new target; null if it names another file. */
function renamed(name: string, from: string, to: string, isTaken: boolean): string | null {
  const hasExtension = isNote(name);
  const written = (path: string) => (hasExtension ? path : withoutNoteExtension(path));
  const named = name.trim().replace(/^(?:\.?\/)+/, '');
  if (foldPath(named) === foldPath(written(from))) return written(to);
  const isBare = !named.includes('/') && foldPath(named) === foldPath(written(nameOf(from)));
  if (!isBare || isTaken) return null;
  return written(nameOf(to));
}
