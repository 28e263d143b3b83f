/**
 * Views of the vault for tools, with all pending edits accepted, and the conversion of a tool's
 * change into a proposal.
 */
import { propertyChanges } from '#model/edit/property-edit';
import type { Effect, StatusAround } from '#model/change';
import { applyText, type CutOptions, type EditedNote, proposeText } from '#model/edit/cut-edits';
import {
  ANY_DEVICE,
  type EditedText,
  holdsEdits,
  NO_DEVICE,
  readEdits,
  textsOf,
} from '#model/edit/note-edits';
import { mergeThreeWay } from '#text/three-way-merge';
import { partsBeyond, type PropertyReader, uncertainParts } from '#text/uncertain-text';
import type { NoteProblem, NoteVault } from '#ports/vault';
import { splitNote } from '#text/front-matter';
import { type HunkTarget, toRevision } from './edit-revision';
import { canHoldBlocks, type EditOwners, ownText, readOwnEdits, waitingIn } from './own-edits';

/** Texts of detached proposals, by path. */
export interface DetachedTexts {
  /** Files with a detached proposal. */
  paths(): readonly string[];
  of(path: string): { readonly before: string | null; readonly after: string } | null;
}

/**
 * The visible difference between two raw texts of a note: of the text without pending edits if that
 * differs, otherwise of the text with them.
 */
export function changeShown(
  path: string,
  before: string,
  after: string,
): { before: string; after: string } {
  if (!canHoldBlocks(path)) return { before, after };
  // The user may have decided about an edit of another device.
  const [old, now] = [before, after].map((text) => textsOf(readEdits(text, ANY_DEVICE)));
  if (!old || !now) return { before, after };
  const side = old.before === now.before ? 'after' : 'before';
  return { before: old[side], after: now[side] };
}

/**
 * A view of the vault in which notes are read without their pending edits.
 * @param notes must have methods that do not need `this`
 */
export function beforeView(notes: NoteVault): NoteVault {
  return {
    ...notes,
    async read(path) {
      const read = await notes.read(path);
      if (!read.ok || !canHoldBlocks(path)) return read;
      const { before } = textsOf(readEdits(read.value.text, NO_DEVICE));
      return { ok: true, value: { ...read.value, text: before } };
    },
  };
}

/**
 * A view of the vault with all pending edits of this device accepted.
 * @param pendingIn paths of notes with pending edits in their text
 */
export function afterView(
  notes: NoteVault,
  detached: DetachedTexts,
  owners: EditOwners,
  pendingIn: () => Iterable<string> = () => [],
): NoteVault {
  return {
    list: () => notes.list(),
    get: (path) => notes.get(path),
    async read(path) {
      const read = await notes.read(path);
      if (!read.ok) return read;
      const raw = read.value.text;
      const edits = canHoldBlocks(path) ? await readOwnEdits(path, raw, owners) : null;
      const texts = edits ? textsOf(edits) : { before: raw, after: raw };
      const waiting = edits && waitingIn(edits);
      const waits = detached.of(path);
      const { before: accepted, after } = texts;
      const text = waits ? mergeThreeWay(waits.before ?? '', after, waits.after).text : after;
      const more = { ...(text !== accepted && { accepted }), ...(waiting && { waiting }) };
      return { ok: true, value: { ...read.value, text, ...more } };
    },
    unsaved: () => [...notes.unsaved(), ...detached.paths(), ...pendingIn()],
    readBinary: (path) => notes.readBinary(path),
    readMany: (paths) => notes.readMany(paths),
    create: (path, text) => notes.create(path, text),
    change: (path, before, after) => notes.change(path, before, after),
    createFolder: (path) => notes.createFolder(path),
    move: (path, to) => notes.move(path, to),
    trashGoes: () => notes.trashGoes(),
    trash: (path) => notes.trash(path),
    restore: (place, to, went) => notes.restore(place, to, went),
    putBack: (path, bytes) => notes.putBack(path, bytes),
    escapes: (path, fresh) => notes.escapes(path, fresh),
    escaping: () => notes.escaping(),
    holdsHidden: (folder) => notes.holdsHidden(folder),
    folderCreated: (folder) => notes.folderCreated(folder),
    onChange: (listener) => notes.onChange(listener),
  };
}

export interface ChangeMode extends CutOptions {
  /** Whether text changes become pending edits, but for those that are applied at once. */
  readonly proposes: boolean;
  /** Whether also a change waits that is applied at once, or that nothing else lets wait. */
  readonly mustWait?: boolean;
  readonly readProperties: PropertyReader;
  /** The vault as it is, not a view. */
  readonly notes: NoteVault;
  readonly detached: DetachedTexts;
  readonly owners: EditOwners;
  /** Set if the turn is about this hunk, and may change only it. */
  readonly hunk?: HunkTarget | null;
}

/** How a tool's change is made. */
export type ChangeStatus = 'made' | 'proposed' | StatusAround;

export type ProposalResult =
  | { readonly ok: true; readonly effect: Effect; readonly status: ChangeStatus }
  | { readonly ok: false; readonly reason: NoteProblem };

/**
 * Converts a tool's change into the change to make in the vault: direct, or as a proposal.
 * @param effect as the tool sees the vault (`afterView`)
 */
export async function toProposal(effect: Effect, mode: ChangeMode): Promise<ProposalResult> {
  if (mode.hunk) {
    const revision = await toRevision(effect, mode.hunk, mode);
    return revision.ok ? { ...revision, status: 'proposed' } : revision;
  }
  switch (effect.kind) {
    case 'create':
      return {
        ok: true,
        ...(mode.proposes || mode.mustWait ? newFile(effect, mode) : made(effect)),
      };
    case 'write':
      return changedFile(effect, mode);
    case 'delete': {
      if (effect.before === null) return { ok: true, ...made(effect) };
      const read = await mode.notes.read(effect.path);
      const before = read.ok ? read.value.text : null;
      return { ok: true, ...made({ ...effect, before }) };
    }
    default:
      return { ok: true, ...made(effect) };
  }
}

/** Returns a change made in the vault as the tool sees it. */
export async function asToolsSee(change: Effect, owners: EditOwners): Promise<Effect> {
  const seen = (text: string) => ownText(change.path, text, owners);
  switch (change.kind) {
    case 'create':
      return { ...change, after: await seen(change.after) };
    case 'write':
      return { ...change, before: await seen(change.before), after: await seen(change.after) };
    default:
      return change;
  }
}

interface Ready {
  readonly effect: Effect;
  readonly status: ChangeStatus;
}

function made(effect: Effect): Ready {
  return { effect, status: 'made' };
}

function detachedProposal(path: string, before: string | null, after: string): Ready {
  return { effect: { kind: 'hold', path, before, after }, status: 'proposed' };
}

function newFile(effect: Extract<Effect, { kind: 'create' }>, mode: ChangeMode): Ready {
  const { path, after } = effect;
  const edited = canHoldBlocks(path) ? proposeText(readEdits('', NO_DEVICE), after, mode) : null;
  if (!edited) return detachedProposal(path, null, after);
  return {
    effect: { ...effect, after: edited.text, proposes: edited.proposed },
    status: 'proposed',
  };
}

async function changedFile(
  effect: Extract<Effect, { kind: 'write' }>,
  mode: ChangeMode,
): Promise<ProposalResult> {
  const { path } = effect;
  const read = await mode.notes.read(path);
  if (!read.ok) return read;
  const raw = read.value.text;
  const edits = canHoldBlocks(path) ? await readOwnEdits(path, raw, mode.owners) : null;
  const now = edits ? textsOf(edits).after : raw;
  const waits = mode.detached.of(path);
  const seen = waits ? mergeThreeWay(waits.before ?? '', now, waits.after).text : now;
  const wanted = mergeThreeWay(effect.before, seen, effect.after);
  if (wanted.conflicts.length > 0) return conflictOf(seen, wanted.conflicts);
  if (mode.mustWait || (mode.proposes && !effect.atOnce)) {
    const ready = waits
      ? detachedProposal(path, now, wanted.text)
      : proposed({ path, raw, edits, now }, wanted.text, mode);
    return { ok: true, ...ready };
  }
  const live = effect.atOnce ? inFrontMatter(raw, edits, effect) : null;
  if (live && !wakes(path, raw, live, mode)) return { ok: true, ...live };
  // Leave the detached proposal pending, and make only the new changes.
  const own = waits ? mergeThreeWay(seen, now, wanted.text) : wanted;
  if (own.conflicts.length > 0) return conflictOf(now, own.conflicts);
  const file = { path, raw, edits, now };
  const ready = around(file, own.text, mode);
  return { ok: true, ...(wakes(path, raw, ready, mode) ? proposed(file, own.text, mode) : ready) };
}

/**
 * Whether the live text would get what may run or load: what only waits is not in it, and neither is
 * a fence around it that waits.
 */
function wakes(
  path: string,
  raw: string,
  { effect }: Ready,
  { readProperties, detached }: ChangeMode,
): boolean {
  if (!canHoldBlocks(path) || effect.kind !== 'write') return false;
  if (!holdsEdits(raw) && !detached.of(path)) return false;
  const [before, after] = [raw, effect.after].map((text) =>
    uncertainParts(textsOf(readEdits(text, NO_DEVICE)).before, readProperties),
  );
  return partsBeyond(before ?? [], after ?? []).length > 0;
}

/** A file as it is, and as tools read it. */
interface FileNow {
  readonly path: string;
  readonly raw: string;
  /** Null if the file is not a note. */
  readonly edits: EditedText | null;
  readonly now: string;
}

function proposed({ path, raw, edits, now }: FileNow, after: string, mode: ChangeMode): Ready {
  const edited = edits && proposeText(edits, after, mode);
  if (!edited) return detachedProposal(path, now, after);
  const status = edited.proposed.length === 0 ? 'withdrawn' : 'proposed';
  return { effect: withBlocks(path, raw, edited), status };
}

function withBlocks(path: string, raw: string, { text, proposed: ids }: EditedNote): Effect {
  const proposes = ids.length > 0 ? { proposes: ids } : {};
  return { kind: 'write', path, before: raw, after: text, ...proposes };
}

/**
 * Changes the properties in the live front matter, also where an edit of it waits. Returns null if
 * the tool has read another front matter than the live one, and both differ in the same lines, or
 * if what the tool asked for would not be read.
 */
function inFrontMatter(
  raw: string,
  edits: EditedText | null,
  { path, before, after }: Extract<Effect, { kind: 'write' }>,
): Ready | null {
  if (!edits) return null;
  const live = splitNote(textsOf(edits).before).head;
  const [old, fresh] = [splitNote(before), splitNote(after)];
  const isPending = edits.parts.some(({ edit }) => edit !== null);
  if (!isPending || live === '' || !raw.startsWith(live) || old.body !== fresh.body) return null;
  const merged = mergeThreeWay(old.head, live, fresh.head);
  if (merged.conflicts.length > 0) return null;
  const text = merged.text + raw.slice(live.length);
  const read = splitNote(textsOf(readEdits(text, edits.own)).after).head;
  // A property that only the edit has, for example, is not removed with the live lines.
  if (propertyChanges({ before: read, after: fresh.head })?.length !== 0) return null;
  return { effect: { kind: 'write', path, before: raw, after: text }, status: 'around' };
}

/** Applied directly, or detached if a block that waits has no place beside the change. */
function around({ path, raw, edits, now }: FileNow, after: string, mode: ChangeMode): Ready {
  if (!edits?.parts.some(({ edit }) => edit !== null)) {
    return made({ kind: 'write', path, before: raw, after });
  }
  const edited = applyText(edits, after, mode);
  if (!edited) return { ...detachedProposal(path, now, after), status: 'joined' };
  const file = { path, raw, edits, now };
  return { effect: withBlocks(path, raw, edited), status: statusAround(file, after, edited) };
}

/** Judged by the live lines, because an edit that the change touches may leave them as they are. */
function statusAround(
  { edits, now }: FileNow & { readonly edits: EditedText },
  after: string,
  { text, proposed: ids }: EditedNote,
): ChangeStatus {
  const own = (id: string) => edits.own(id) || ids.some((each) => each === id);
  const made = readEdits(text, own);
  const [was, is] = [textsOf(edits).before, textsOf(made).before];
  if (was === is) return ids.length === 0 ? 'withdrawn' : 'joined';
  const whole = mergeThreeWay(now, was, after);
  const isWhole = ids.length === 0 || (whole.conflicts.length === 0 && whole.text === is);
  if (!isWhole) return 'partly';
  return made.parts.some(({ edit }) => edit !== null) ? 'around' : 'made';
}

function conflictOf(
  now: string,
  conflicts: Extract<NoteProblem, { kind: 'clash' }>['conflicts'],
): ProposalResult {
  return { ok: false, reason: { kind: 'clash', now, conflicts } };
}
