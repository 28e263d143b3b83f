/**
 * Protects notes that link to a moved file. The host rewrites their links in place after the move,
 * and a crash could cut a note short, so their texts are kept beforehand.
 */
import type { Change, LinkingNote } from '#model/change';
import { linkSources } from '#text/written-links';
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
  const whole = withoutLinks(before);
  const begun = withoutLinks(now.replace(/\uFFFD+$/, ''));
  // The cut may be inside a link.
  const closed = begun.replace(/(?:\[\[[^\]\n]*\]?|\]\([^)\n]*)$/, '');
  return begun !== whole && whole.startsWith(closed);
}

function withoutLinks(text: string): string {
  return text.replace(/\[\[[^\]\n]*\]\]/g, '[[]]').replace(/\]\([^)\n]*\)/g, ']()');
}

/** A link as opening, target, and rest (heading, alias and closing). */
const LINK = /(\[\[)([^\]|#\n]*)([^\]\n]*\]\])|(\]\(<?)([^)>#\s]*)([^)\n]*\))/g;

interface Link {
  readonly opening: string;
  readonly target: string;
  readonly rest: string;
  readonly at: number;
}

/**
 * Returns `now` with its links to `path` spelled as in `before`. If links were added or removed,
 * returns it unchanged, because they cannot be matched up.
 */
export function respellLinks(now: string, { before }: LinkingNote, path: string): string {
  const [own, old] = [linksTo(now, path), linksTo(before, path)];
  if (own.length !== old.length) return now;
  let text = '';
  let end = 0;
  for (const [place, { opening, target, rest, at }] of own.entries()) {
    const was = old[place];
    const isSame = was?.opening === opening && was.rest === rest;
    const start = at + opening.length;
    text += now.slice(end, start) + (isSame ? was.target : target);
    end = start + target.length;
  }
  return text + now.slice(end);
}

function linksTo(text: string, path: string): Link[] {
  return [...text.matchAll(LINK)].flatMap((found) => {
    const [, wiki, wikiTarget, wikiRest, markdown, target, rest] = found;
    const link = {
      opening: wiki ?? markdown ?? '',
      target: wikiTarget ?? target ?? '',
      rest: wikiRest ?? rest ?? '',
      at: found.index,
    };
    return namesPath(link.target, path) ? [link] : [];
  });
}

/** Whether the link names the file by its path or the end of its path. */
function namesPath(target: string, path: string): boolean {
  const named = withoutNoteExtension(decoded(target)).replace(/^(?:\.{0,2}\/)+/, '');
  const whole = withoutNoteExtension(path).toLowerCase();
  const end = named.toLowerCase();
  return end !== '' && (whole === end || whole.endsWith(`/${end}`));
}

function decoded(target: string): string {
  try {
    return decodeURI(target);
  } catch {
    return target;
  }
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

/** `[[target#heading|alias]]` and `](target.md#heading)`. */
const MARKDOWN_LINK = /(\[\[)([^\]|#\n]+)|(\]\(<?)([^)>#\n]+?)(?=[#>)])/g;

/**
 * Returns a function that rewrites a text's links to a moved file.
 * @param isTaken whether another file has the old name, so that a bare name could mean that file
 */
export function renamedLinks(from: string, to: string, isTaken: boolean): (text: string) => string {
  return (text) =>
    text.replace(
      MARKDOWN_LINK,
      (whole, wiki?: string, name?: string, markdown?: string, address?: string) => {
        if (wiki !== undefined && name !== undefined) {
          const next = renamed(name, from, to, isTaken);
          return next === null ? whole : wiki + next;
        }
        if (markdown === undefined || address === undefined || /^[a-z][\w+.-]*:/i.test(address)) {
          return whole;
        }
        const next = renamed(decoded(address), from, to, isTaken);
        if (next === null) return whole;
        return markdown + (markdown.endsWith('<') ? next : encodeURI(next));
      },
    );
}

/** The link's new target; null if it names another file. */
function renamed(name: string, from: string, to: string, isTaken: boolean): string | null {
  const hasExtension = isNote(name);
  const written = (path: string) => (hasExtension ? path : withoutNoteExtension(path));
  const named = name.trim().replace(/^(?:\.?\/)+/, '');
  if (same(named, written(from))) return written(to);
  const isBare = !named.includes('/') && same(named, written(nameOf(from)));
  if (!isBare || isTaken) return null;
  return written(nameOf(to));
}

function same(one: string, other: string): boolean {
  return foldPath(one) === foldPath(other);
}
