/**
 * Protects notes whose links the host rewrites in place after a move. A crash could cut a note short,
 * and undo restores the old spelling, so their texts are kept beforehand.
 */
import type { Change, Effect, LinkingNote } from '#model/change';
import { mergeNotes } from '#model/edit/edit-decisions';
import type { ChangeId, DeviceId } from '#model/ids';
import { findLinks, linkPath, replaceLinks } from '#text/link-reader';
import { parseJson } from '#ports/line-file';
import { ANY, type Metadata } from '#ports/metadata';
import { MAX_CHANGE_TRIES } from '#ports/retry';
import type { NoteVault } from '#ports/vault';
import { commonStart, linesOf } from '#text/list-diff';
import { isWithin, movedPath, nameOf, noteName, stemOf, withoutNoteExtension } from '#text/paths';
import type { ChangeLog } from './change-log';
import { isLinkingNote } from './change-log-lines';
import { deletedContents } from './deleted-files';
import { readAfterCrash } from './interrupted-write';

type Move = Extract<Change, { kind: 'move' }>;

/** Maximum length of the texts in a line of the change log, which must be small enough to sync. */
const MAX_LINE_CHARS = 1_500_000;

/** Maximum length of all texts; if half of a large vault links to a folder, the rest are not kept. */
const MAX_KEPT_CHARS = 50_000_000;

/** Numbers of the files that the change log keeps for a move. */
const LINKING_FILE = 0;
const REWRITTEN_FILE = 1;

/** Returns the notes whose links the host may rewrite in this move of a file or folder. */
export async function linkingNotes(
  move: Extract<Effect, { kind: 'move' }>,
  notes: NoteVault,
  metadata: Metadata,
): Promise<LinkingNote[]> {
  const given = new Map(move.linking?.map((each) => [each.path, each]));
  const kept: LinkingNote[] = [];
  let size = 0;
  for (const [path, mayChange] of await possibleSources(move, notes, metadata)) {
    const read = await notes.read(path);
    if (!read.ok || !mayChange(read.value.text)) continue;
    const note = given.get(path) ?? { path, before: read.value.text };
    size += lengthOf(note);
    if (size > MAX_KEPT_CHARS) break;
    kept.push(note);
  }
  return kept;
}

/** All files that a move may touch. */
export async function pathsOfMove(
  move: Extract<Effect, { kind: 'move' }>,
  notes: NoteVault,
  metadata: Metadata,
): Promise<string[]> {
  return [move.path, move.to, ...(await possibleSources(move, notes, metadata)).keys()];
}

const ALWAYS = () => true;

/** Returns the paths of the notes, each with a test of its text. */
async function possibleSources(
  { path: from, to, linking = [] }: Extract<Effect, { kind: 'move' }>,
  notes: NoteVault,
  metadata: Metadata,
): Promise<Map<string, (text: string) => boolean>> {
  const moving = deletedContents(from, notes).files.map(({ path }) => path);
  const arriving = moving.map((path) => movedPath(path, from, to));
  // A link to no file or to another one of the same name may lead to the moved one afterward.
  const written = new Set(
    arriving.flatMap((path) => [stemOf(path).toLowerCase(), nameOf(path).toLowerCase()]),
  );
  const names = await metadata.linkNames();
  const namesakes = new Set([...written].flatMap((name) => [...names(name)]));
  const takes = (text: string) =>
    findLinks(text).some((link) => arriving.some((path) => namesPath(linkPath(link), path)));
  const sources = new Map<string, (text: string) => boolean>();
  for (const { path } of linking) sources.set(path, ALWAYS);
  for (const path of metadata.behind()) sources.set(path, ALWAYS);
  for (const [target, linking] of await metadata.notesBy('target')) {
    const isMoving = isWithin(target, from);
    if (!isMoving && !namesakes.has(target)) continue;
    for (const source of linking) {
      if (isMoving) sources.set(source, ALWAYS);
      else if (!sources.has(source)) sources.set(source, takes);
    }
  }
  for (const path of moving) {
    // The links of a moved note may be relative to its folder.
    if (Object.keys(metadata.linksFrom(path)).length > 0) sources.set(path, ALWAYS);
  }
  const named = [...moving, ...arriving].map(stemOf);
  const isNamed = (text: string) => named.some((stem) => text.includes(stem));
  for (const { path } of notes.list()) {
    if (CARDS.test(path)) sources.set(path, isNamed);
  }
  for (const path of (await metadata.notesBy('brokenLink')).get(ANY) ?? []) {
    if (sources.has(path)) continue;
    const names = Object.keys(metadata.brokenLinksFrom(path));
    if (names.some((name) => written.has(noteName(name).toLowerCase()))) sources.set(path, takes);
  }
  return new Map([...sources].sort(([one], [other]) => (one < other ? -1 : 1)));
}

/** Files other than notes in which the host updates links. */
const CARDS = /\.(?:canvas|base)$/;

/** Keeps the notes that are too long for a line of the change log, and returns the others. */
export async function keepLongLinking(
  linking: readonly LinkingNote[],
  change: ChangeId,
  changeLog: ChangeLog,
): Promise<readonly LinkingNote[]> {
  let size = 0;
  const end = linking.findIndex((note) => (size += lengthOf(note)) > MAX_LINE_CHARS);
  if (end < 0) return linking;
  await keepNotes(linking.slice(end), change, LINKING_FILE, changeLog);
  return linking.slice(0, end);
}

async function allLinking(
  change: Move,
  changeLog: ChangeLog,
  device?: DeviceId,
): Promise<LinkingNote[]> {
  const bytes = await changeLog.keptFor(change.id, LINKING_FILE, device);
  return [...(change.linking ?? []), ...readNotes(bytes)];
}

function lengthOf({ before, after = '' }: LinkingNote): number {
  return before.length + after.length;
}

async function keepNotes(
  linking: readonly LinkingNote[],
  change: ChangeId,
  file: number,
  changeLog: ChangeLog,
): Promise<void> {
  const { buffer } = new TextEncoder().encode(JSON.stringify(linking));
  await changeLog.keep(change, file, buffer);
}

function readNotes(bytes: ArrayBuffer | null): LinkingNote[] {
  const saved = bytes && parseJson(new TextDecoder().decode(bytes));
  return Array.isArray(saved) ? saved.filter(isLinkingNote) : [];
}

/**
 * Keeps the texts of the notes that the host has rewritten in the move, so that an undo recognizes
 * them.
 */
export async function keepRewritten(
  change: Move,
  changeLog: ChangeLog,
  notes: NoteVault,
): Promise<void> {
  const rewritten: LinkingNote[] = [];
  for (const { path, before } of await allLinking(change, changeLog)) {
    const after = await readAfterCrash(movedPath(path, change.path, change.to), notes);
    if (after === null || after === before) continue;
    // Otherwise the user has changed the note too.
    if (wordsAroundLinks(before) === wordsAroundLinks(after))
      rewritten.push({ path, before, after });
  }
  if (rewritten.length > 0) await keepNotes(rewritten, change.id, REWRITTEN_FILE, changeLog);
}

/**
 * The notes whose links the host may have rewritten in the move, with their texts before and after
 * it. Their paths are those before the move.
 */
export async function textsAroundMove(
  change: Move,
  device: DeviceId | undefined,
  changeLog: ChangeLog,
): Promise<{ readonly path: string; readonly before: string; readonly after: string }[]> {
  const kept = readNotes(await changeLog.keptFor(change.id, REWRITTEN_FILE, device));
  const rewritten = new Map(kept.map((note) => [note.path, note.after]));
  const all = await allLinking(change, changeLog, device);
  return all.map(({ path, before }) => ({ path, before, after: rewritten.get(path) ?? before }));
}

/**
 * The letters and digits outside of links and cards. The host may write everything else in another
 * way, for example properties and canvases.
 */
function wordsAroundLinks(text: string): string {
  const withoutCards = text.replace(/"file"\s*:\s*"(?:[^"\\]|\\.)*"/g, '');
  return replaceLinks(withoutCards, () => '').replace(/[^\p{L}\p{N}]+/gu, '');
}

/**
 * Gives the notes their old texts after the host has moved a file back and rewritten their links.
 */
export async function restoreLinks(
  change: Move,
  changeLog: ChangeLog,
  notes: NoteVault,
): Promise<void> {
  for (const note of await allLinking(change, changeLog)) {
    const { path, before, after } = note;
    const place = movedPath(path, change.path, change.to);
    for (let tries = 0; after !== undefined && tries < MAX_CHANGE_TRIES; tries += 1) {
      const read = await notes.read(place);
      if (!read.ok) break;
      const now = read.value.text;
      const isOwn = note.isUntouched && wordsAroundLinks(now) === wordsAroundLinks(before);
      const text = isOwn ? after : restored(before, now, after);
      if (text === now || (await notes.change(place, now, text)).ok) break;
    }
  }
}

/** Returns `now` with the lines that differ between `before` and `after` as in `after`. */
function restored(before: string, now: string, after: string): string {
  const [was, is, wanted] = [before, now, after].map(linesOf) as [string[], string[], string[]];
  if (was.length !== is.length || was.length !== wanted.length)
    return mergeNotes(before, after, now).text;
  return wanted.map((line, at) => (line === was[at] ? (is[at] ?? '') : line)).join('');
}

/** Restores linking notes that were cut short. */
export async function repairLinkingNotes(
  change: Move,
  changeLog: ChangeLog,
  notes: NoteVault,
): Promise<void> {
  for (const { path, before } of await allLinking(change, changeLog)) {
    const place = movedPath(path, change.path, change.to);
    const now = await readAfterCrash(place, notes);
    if (now !== null && isCutShort(place, now, before)) await notes.change(place, now, before);
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
function isCutShort(path: string, now: string, before: string): boolean {
  if (path.endsWith('.canvas'))
    return parseJson(now) === undefined && parseJson(before) !== undefined;
  const whole = replaceLinks(before, () => '\0');
  const begun = replaceLinks(now.replace(/\uFFFD+$/, ''), () => '\0');
  const same = commonStart(begun, whole);
  // The last link may be incomplete.
  const rest = begun.slice(same);
  return begun !== whole && (rest === '' || (whole[same] === '\0' && /^!?(?:\[.*)?$/.test(rest)));
}

/** Whether the link names the file by its path or the end of its path. */
function namesPath(named: string, path: string): boolean {
  const whole = withoutNoteExtension(path).toLowerCase();
  const end = withoutNoteExtension(named.replace(/^(?:\.{0,2}\/)+/, '')).toLowerCase();
  return end !== '' && (whole === end || whole.endsWith(`/${end}`));
}
