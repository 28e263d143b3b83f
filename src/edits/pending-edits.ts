/**
 * Keeps track of all pending edits: the blocks in notes, and detached proposals. A proposal is
 * detached from its file if the file is not a note or the change is too large for a block.
 */
import type { Origin } from '#model/change';
import type { ChangeId, ConversationId, ProposalId } from '#model/ids';
import type { PendingEdit, PendingNote } from '#model/pending-edit';
import { DEFAULT_TAG, editType, mayHoldBlock } from '#model/edit/edit-block';
import { rewriteEdits } from '#model/edit/edit-decisions';
import { partsOfEdit } from '#model/edit/edit-parts';
import { ANY_DEVICE, readEdits } from '#model/edit/note-edits';
import type { Clock } from '#ports/clock';
import type { Metadata } from '#ports/metadata';
import { SerialQueue } from '#ports/serial-queue';
import { Slices } from '#ports/slices';
import type { NoteEvent, NoteVault } from '#ports/vault';
import type { ChangeList } from './change-list';
import type { ChangeLog } from './change-log';
import { hasTakenEffect } from './change-log-index';
import { linkRewriter, type Rename } from './links-after-rename';
import { canHoldBlocks } from './own-edits';
import { type DetachedTexts } from './proposals';

export interface DetachedProposal {
  readonly id: ChangeId;
  /** Ids of earlier proposals for the same file that this one replaces. */
  readonly earlier: readonly ChangeId[];
  /** Current path of the file. */
  readonly path: string;
  /** The text as tools read it; null if the file is new. */
  readonly before: string | null;
  readonly after: string;
  readonly origin: Origin;
}

export class DetachedProposals implements DetachedTexts {
  readonly #changeLog: ChangeLog;
  #byPath: ReadonlyMap<string, DetachedProposal> = new Map();

  constructor(changeLog: ChangeLog) {
    this.#changeLog = changeLog;
  }

  /** The newest pending proposal for this file; null before the first `look`. */
  of(path: string): DetachedProposal | null {
    return this.#byPath.get(path) ?? null;
  }

  paths(): readonly string[] {
    return [...this.#byPath.keys()];
  }

  all(): readonly DetachedProposal[] {
    return [...this.#byPath.values()];
  }

  /** Loads the pending proposals from the change log. Rejects if it cannot be read. */
  async look(): Promise<void> {
    const list = await this.#changeLog.changes();
    const unresolved = list.held();
    const whole = await this.#changeLog.read(unresolved);
    const found = new Map<string, DetachedProposal>();
    for (const { id } of unresolved) {
      const change = whole.get(id);
      if (change?.kind !== 'hold') continue;
      const path = list.placeNow(id, change.path);
      const last = found.get(path);
      found.delete(path);
      const { before, after, origin } = change;
      const earlier = last ? [...last.earlier, last.id] : [];
      found.set(path, { id, earlier, path, before, after, origin });
    }
    this.#byPath = found;
  }
}

export interface PendingEditsDeps {
  readonly notes: NoteVault;
  readonly metadata: Metadata;
  readonly changeLog: ChangeLog;
  readonly detached: DetachedProposals;
  readonly clock: Pick<Clock, 'now' | 'pause'>;
  /** The tag for new proposals, without `#`. */
  tag(): string;
}

const MAX_RENAME_TRIES = 3;

export class PendingEdits {
  readonly #deps: PendingEditsDeps;
  readonly #inNotes = new Map<string, PendingNote>();
  readonly #listeners = new Set<() => void>();
  #stop: () => void = () => undefined;
  readonly #checks = new SerialQueue();
  #finding: Promise<void> = Promise.resolve();
  #following: Promise<unknown> = Promise.resolve();
  /** Renames that have not been processed yet. */
  readonly #renames: Rename[] = [];

  constructor(deps: PendingEditsDeps) {
    this.#deps = deps;
  }

  /** Proposals detached from their files. */
  get detached(): DetachedProposals {
    return this.#deps.detached;
  }

  /**
   * All files with pending edits, sorted by path. Detached proposals come after the edits in the
   * note.
   */
  all(): readonly PendingNote[] {
    const notes = new Map(this.#inNotes);
    for (const detached of this.#deps.detached.all().map(heldNote)) {
      const known = notes.get(detached.path);
      const edits = [...(known?.edits ?? []), ...detached.edits];
      notes.set(detached.path, { ...(known ?? detached), edits });
    }
    return [...notes.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** Paths of notes with pending edits in their text. */
  paths(): Iterable<string> {
    return this.#inNotes.keys();
  }

  /** Ids of the edits in the text of each note that this device has proposed. */
  ownIds(): ReadonlyMap<string, readonly string[]> {
    return new Map(
      [...this.#inNotes].map(([path, { edits }]) => [
        path,
        edits.flatMap(({ id, isForeign }) => (isForeign ? [] : [id])),
      ]),
    );
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /**
   * Starts watching the notes, and searches for edits that are already pending. Rejects if the
   * change log cannot be read.
   */
  async start(): Promise<void> {
    const { notes, changeLog } = this.#deps;
    this.#stop();
    const stops = [
      notes.onChange((event) => {
        const done = this.#follow(event).catch(() => undefined);
        // The result of `Promise.all` would hold those of all events before.
        this.#following = Promise.all([this.#following, done]).then(() => undefined);
      }),
      // Until then it was unknown where the moved notes are, and whose edits they hold.
      changeLog.onRecovered(({ kind }) => {
        if (kind !== 'move') return;
        this.#finding = this.found()
          .then(() => this.#find())
          .catch(() => undefined);
      }),
    ];
    this.#stop = () => {
      for (const stop of stops) stop();
    };
    this.#finding = this.#find();
    await this.#finding;
  }

  /** Resolves when the search for pending edits is done or has failed. */
  async found(): Promise<void> {
    await this.#finding.catch(() => undefined);
  }

  close(): void {
    this.#stop();
    this.#stop = () => undefined;
  }

  /**
   * Resolves when all changes reported so far have been processed, including link updates after a
   * move.
   */
  async followed(): Promise<void> {
    await this.#following;
  }

  /** Checks one note immediately, for example after a decision. */
  look(path: string): Promise<void> {
    return this.#checks.run(() => this.#enter(path));
  }

  /**
   * The note in which this edit is pending now: at `path`, or elsewhere if the note was moved.
   * Null if it is not pending in any note.
   */
  async placeOf(hunk: ProposalId, path: string): Promise<string | null> {
    await this.found();
    await this.look(path);
    const isHere = (note: PendingNote | undefined) =>
      note?.edits.some(({ id, line }) => id === hunk && line !== null);
    if (isHere(this.#inNotes.get(path))) return path;
    // The note was not moved, so another one with the edit is a copy of it.
    if (this.#deps.notes.get(path)) return null;
    return [...this.#inNotes.values()].find(isHere)?.path ?? null;
  }

  /** Call after a detached proposal was added or decided. */
  async lookAtHeld(): Promise<void> {
    await this.#deps.detached.look();
    this.#changed();
  }

  /**
   * Checks the detached proposals, the notes with the current or the default tag, and those with an
   * undecided proposal in the change log.
   */
  async #find(): Promise<void> {
    const { notes, metadata, changeLog, tag } = this.#deps;
    await this.lookAtHeld();
    const slices = new Slices(this.#deps.clock);
    const list = await changeLog.changes();
    const tagged = await Promise.all([tag(), DEFAULT_TAG].map((each) => metadata.tagged(each)));
    const candidates = new Set([...this.paths(), ...tagged.flatMap((paths) => [...paths])]);
    for (const change of list.all()) {
      if (slices.isDue) await slices.pause();
      if (change.proposes.every((id) => list.decisionsOn(id).length > 0)) continue;
      // A move that a crash interrupted may not have happened.
      candidates.add(change.path).add(list.placeNow(change.id, change.path));
    }
    for (const path of candidates) {
      if (slices.isDue) await slices.pause();
      if (notes.get(path)) await this.#checks.run(() => this.#enter(path));
    }
  }

  async #follow(event: NoteEvent): Promise<void> {
    const { detached } = this.#deps;
    if (event.kind === 'removed') {
      if (this.#inNotes.delete(event.path)) this.#changed();
      return;
    }
    if (event.kind === 'renamed') {
      this.#renames.push({ from: event.from, to: event.path });
      await this.#checks.run(() => this.#takeRenames());
      if (detached.all().length > 0) await this.lookAtHeld();
      return;
    }
    if (canHoldBlocks(event.path)) await this.look(event.path);
  }

  /**
   * Processes all renames so far, since a renamed folder reports many. Updates the paths of all
   * notes first and the links in them second, because these notes may have moved too.
   */
  async #takeRenames(): Promise<void> {
    const renames = this.#renames.splice(0);
    if (renames.length === 0) return;
    const moved = new Set<string>();
    for (const { from, to } of renames) {
      if (canHoldBlocks(to)) moved.add(to);
      const note = this.#inNotes.get(from);
      if (!note) continue;
      this.#inNotes.delete(from);
      this.#inNotes.set(to, { ...note, path: to });
    }
    for (const path of [...this.#inNotes.keys()]) await this.#renameLinks(path, renames);
    for (const path of new Set([...moved, ...this.#inNotes.keys()])) await this.#enter(path);
    this.#changed();
  }

  async #enter(path: string): Promise<void> {
    const { notes, changeLog } = this.#deps;
    const read = await notes.read(path);
    const raw = read.ok && canHoldBlocks(path) ? read.value.text : '';
    const found = mayHoldBlock(raw) ? pendingIn(path, raw, await changeLog.changes()) : null;
    const known = this.#inNotes.get(path);
    if (JSON.stringify(found ?? undefined) === JSON.stringify(known)) return;
    if (found) this.#inNotes.set(path, found);
    else this.#inNotes.delete(path);
    this.#changed();
  }

  /**
   * Updates links inside blocks. The host updates those in the lines of a note, but does not know
   * about blocks.
   */
  async #renameLinks(path: string, renames: readonly Rename[]): Promise<void> {
    const { notes } = this.#deps;
    const names = notes.list().map((entry) => entry.path);
    const rewrite = linkRewriter(renames, names);
    // The host or the user may change the note at the same moment.
    for (let tries = 0; tries < MAX_RENAME_TRIES; tries += 1) {
      const read = await notes.read(path);
      if (!read.ok) return;
      const raw = read.value.text;
      const renamed = rewriteEdits(readEdits(raw, ANY_DEVICE), rewrite);
      if (renamed === raw || (await notes.change(path, raw, renamed)).ok) return;
    }
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

/** Null if the note has neither an edit nor what is left of one. */
function pendingIn(path: string, raw: string, list: ChangeList): PendingNote | null {
  const { parts, damaged } = readEdits(raw, list.ownEdits(path));
  if (damaged.length === 0 && parts.every(({ edit }) => edit === null)) return null;
  const edits: PendingEdit[] = [];
  let line = 1;
  let isBlank = true;
  for (const { edit, raw: text, before } of parts) {
    if (edit) {
      const { id, isOwn, isStale, lines, after } = edit;
      const parts = partsOfEdit(edit);
      const origin = isOwn ? list.proposing(id)?.origin : null;
      const { conversation = null, turn = null } = origin ?? {};
      const isRevised = isOwn && list.versions(id).length > 1;
      const others = isOwn ? othersIn(list.conversationsOf(id), conversation) : [];
      edits.push({
        ...{ id, type: editType({ before: lines, after: edit.block.after }) },
        ...(!isOwn && { isForeign: true as const }),
        ...(isStale && { isStale: true as const }),
        before: lines,
        after: isStale ? edit.block.after : after,
        line: line + linesBefore(text, edit.fence),
        ...{ conversation, turn, ...(isRevised && { isRevised: true as const }) },
        ...(others.length > 0 && { others }),
        ...(parts.length > 1 && { parts }),
      });
    }
    isBlank &&= before.trim() === '';
    line += text.split('\n').length - 1;
  }
  const isNew = isBlank && isProposed(path, list);
  return { path, isNew, edits, ...(damaged.length > 0 && { damaged: damaged.length }) };
}

function othersIn(
  conversations: readonly (ConversationId | null)[],
  own: ConversationId | null,
): ConversationId[] {
  return conversations.flatMap((each) => (each === null || each === own ? [] : [each]));
}

function linesBefore(text: string, offset: number): number {
  return text.slice(0, offset).split('\n').length - 1;
}

/** Whether the agent created the note as a proposal and the user has accepted nothing of it. */
export function isProposed(path: string, list: ChangeList): boolean {
  const all = list.ofNote(path).filter(hasTakenEffect);
  const isMade = all.some(
    ({ kind, act, proposes }) => kind === 'create' && act === null && proposes.length > 0,
  );
  return (
    isMade && !all.some(({ id, act, added }) => act === 'decide' && added > 0 && !list.isUndone(id))
  );
}

function heldNote({ id, path, before, after, origin }: DetachedProposal): PendingNote {
  const type = before === null || before === '' ? 'add' : after === '' ? 'delete' : 'replace';
  const { conversation, turn } = origin;
  const edit = { id, type, before: before ?? '', after, line: null, conversation, turn } as const;
  return { path, isNew: before === null, edits: [edit] };
}
