/**
 * Notes that link to what is moved. The host rewrites them by itself, in place and after the move, so their texts are
 * kept beforehand: a crash in the middle of one would otherwise cost its end.
 */
import type { Change, LinkingNote } from '#model/change';
import { linkSources } from '#model/link-counts';
import type { Metadata } from '#ports/metadata';
import type { Notes } from '#ports/notes';
import { textLeft } from './text-left';

type Move = Extract<Change, { kind: 'move' }>;

/** Characters. A line of the ledger has to travel by sync; of a folder that half the vault links to, the rest goes without. */
const MOST_KEPT = 1_500_000;

/** What the host may rewrite when `path` (a file or folder) moves. */
export async function linkingNotes(
  path: string,
  notes: Notes,
  metadata: Metadata,
): Promise<LinkingNote[]> {
  // Links of a note that moves may be relative to where it is.
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
    if (size > MOST_KEPT) break;
    kept.push({ path: source, before: read.value.text });
  }
  return kept;
}

/** Gives back to notes that were cut short what they read before. */
export async function mendLinkingNotes(change: Move, notes: Notes): Promise<void> {
  for (const { path, before } of change.linking ?? []) {
    const now = await textLeft(placeNow(path, change), notes);
    if (now !== null && isCutShort(now, before)) {
      await notes.change(placeNow(path, change), now, before);
    }
  }
}

/** Those that still read as before although they name the old path: the host had not come to them. */
export async function notRewritten(change: Move, notes: Notes): Promise<string[]> {
  const { path: from, to } = change;
  const isRenamed = nameOf(from) !== nameOf(to);
  const old = withoutExtension(isRenamed ? nameOf(from) : from);
  const paths: string[] = [];
  for (const { path, before } of change.linking ?? []) {
    const place = placeNow(path, change);
    const namesIt = before.includes(old) || before.includes(encodeURI(old));
    if (namesIt && (await textLeft(place, notes)) === before) paths.push(place);
  }
  return paths;
}

/** The beginning of `before`, whatever its links have become, and not all of it. */
function isCutShort(now: string, before: string): boolean {
  const whole = withoutLinks(before);
  const begun = withoutLinks(now.replace(/\uFFFD+$/, ''));
  // The cut may fall into a link.
  const closed = begun.replace(/(?:\[\[[^\]\n]*\]?|\]\([^)\n]*)$/, '');
  return begun !== whole && whole.startsWith(closed);
}

function withoutLinks(text: string): string {
  return text.replace(/\[\[[^\]\n]*\]\]/g, '[[]]').replace(/\]\([^)\n]*\)/g, ']()');
}

function placeNow(path: string, { path: from, to }: Move): string {
  return isWithin(path, from) ? to + path.slice(from.length) : path;
}

function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder}/`);
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1);
}

function withoutExtension(path: string): string {
  return path.replace(/\.md$/i, '');
}
