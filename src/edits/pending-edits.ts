/** Proposals that no note can hold: files that are no notes, and changes of more text than a block may have. */
import type { Origin } from '#model/change';
import type { ChangeId } from '#model/ids';
import type { PendingEdit, PendingNote } from '#model/pending-edit';
import { DEFAULT_TAG, parseNote, printNote, type NoteSegment } from '#model/proposal/format';
import { rewriteLinks } from '#model/proposal/sides';
import type { Clock } from '#ports/clock';
import type { Metadata } from '#ports/metadata';
import type { NoteEvent, NoteVault } from '#ports/vault';
import type { ChangeList } from './change-list';
import type { ChangeLog } from './change-log';
import { tookEffect } from './change-log-index';
import { renamedLinks } from './link-rewrites';
import { type DetachedTexts, takesBlocks } from './proposals';

export interface DetachedProposal {
  readonly id: ChangeId;
  /** Of those that it took in, since they were about the same file; it stands for them too. */
  readonly earlier: readonly ChangeId[];
  /** Where the file is now. */
  readonly path: string;
  /** Both as tools read the file; null for a new one. */
  readonly before: string | null;
  readonly after: string;
  readonly origin: Origin;
}

export class DetachedProposals implements DetachedTexts {
  readonly #ledger: ChangeLog;
  #byPath: ReadonlyMap<string, DetachedProposal> = new Map();

  constructor(ledger: ChangeLog) {
    this.#ledger = ledger;
  }

  /** The newest that waits for this file. Known from the first `look` on. */
  of(path: string): DetachedProposal | null {
    return this.#byPath.get(path) ?? null;
  }

  paths(): readonly string[] {
    return [...this.#byPath.keys()];
  }

  all(): readonly DetachedProposal[] {
    return [...this.#byPath.values()];
  }

  /** Takes in what the ledger has. Rejects when that can't be read. */
  async look(): Promise<void> {
    const list = await this.#ledger.changes();
    const waiting = list.held();
    const whole = await this.#ledger.read(waiting);
    const found = new Map<string, DetachedProposal>();
    for (const { id } of waiting) {
      const change = whole.get(id);
      if (change?.kind !== 'hold') continue;
      const [path] = list.placesNow(id, change.path);
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
  /** The tag of new proposals, without `#`. */
  tag(): string;
}

/** Milliseconds of reading before others get their turn. */
const SLICE_MS = 6;

const MAX_RENAME_TRIES = 3;

export class PendingEdits {
  readonly #deps: PendingEditsDeps;
  readonly #inNotes = new Map<string, PendingNote>();
  readonly #listeners = new Set<() => void>();
  #stop: () => void = () => undefined;
  #tail: Promise<unknown> = Promise.resolve();
  #finding: Promise<void> = Promise.resolve();
  #following: Promise<unknown> = Promise.resolve();
  /** Renames that were not followed yet. */
  readonly #renames: [from: string, to: string][] = [];

  constructor(deps: PendingEditsDeps) {
    this.#deps = deps;
  }

  /** What waits outside of notes. */
  get held(): DetachedProposals {
    return this.#deps.detached;
  }

  /** By path; what no note can hold comes after what stands in that note. */
  all(): readonly PendingNote[] {
    const notes = new Map(this.#inNotes);
    for (const held of this.#deps.detached.all().map(heldNote)) {
      const known = notes.get(held.path);
      const edits = [...(known?.edits ?? []), ...held.edits];
      notes.set(held.path, { ...(known ?? held), edits });
    }
    return [...notes.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
  }

  /** Notes in whose own text an edit waits. */
  paths(): Iterable<string> {
    return this.#inNotes.keys();
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Follows the notes from now on, and looks for what waits in them already. Rejects when the ledger can't be read. */
  async start(): Promise<void> {
    const { notes, detached: held } = this.#deps;
    this.#stop();
    this.#stop = notes.onChange((event) => {
      const done = this.#follow(event).catch(() => undefined);
      this.#following = Promise.all([this.#following, done]);
    });
    this.#finding = held.look().then(() => {
      this.#changed();
      return this.#find();
    });
    await this.#finding;
  }

  /** Resolves when what was there at the start has been found, or can't be. */
  async found(): Promise<void> {
    await this.#finding.catch(() => undefined);
  }

  close(): void {
    this.#stop();
    this.#stop = () => undefined;
  }

  /** Resolves when everything that was told of so far has been followed, such as links after a move. */
  async followed(): Promise<void> {
    await this.#following;
  }

  /** Looks at one note now, such as after it was decided about. */
  look(path: string): Promise<void> {
    return this.#inTurn(() => this.#enter(path));
  }

  /** After something was held, accepted or rejected that no note holds. */
  async lookAtHeld(): Promise<void> {
    await this.#deps.detached.look();
    this.#changed();
  }

  /** Notes that bear the tag of now or the usual one, and those in which the ledger knows of a proposal. */
  async #find(): Promise<void> {
    const { notes, metadata, changeLog: ledger, tag } = this.#deps;
    const rest = this.#slices();
    const list = await ledger.changes();
    const tagged = await Promise.all([tag(), DEFAULT_TAG].map((each) => metadata.tagged(each)));
    const candidates = new Set(tagged.flatMap((paths) => [...paths]));
    for (const change of list.all()) {
      await rest();
      if (change.proposes.every((id) => list.decisionsOn(id).length > 0)) continue;
      for (const path of list.placesNow(change.id, change.path)) candidates.add(path);
    }
    for (const path of candidates) {
      await rest();
      if (notes.get(path)) await this.#inTurn(() => this.#enter(path));
    }
  }

  /** Lets others have their turn where a slice is over. */
  #slices(): () => Promise<void> {
    const { clock } = this.#deps;
    let until = clock.now() + SLICE_MS;
    return async () => {
      if (clock.now() < until) return;
      await clock.pause();
      until = clock.now() + SLICE_MS;
    };
  }

  async #follow(event: NoteEvent): Promise<void> {
    const { detached: held } = this.#deps;
    if (event.kind === 'removed') return this.#leave(event.path);
    if (event.kind === 'renamed') {
      this.#renames.push([event.from, event.path]);
      await this.#inTurn(() => this.#takeRenames());
      if (held.all().length > 0) await this.lookAtHeld();
      return;
    }
    if (takesBlocks(event.path)) await this.look(event.path);
  }

  /**
   * Follows the renames so far, all of a folder together: first where the notes with edits are now, then the links in
   * them, since each of these notes may itself have moved.
   */
  async #takeRenames(): Promise<void> {
    const renames = this.#renames.splice(0);
    if (renames.length === 0) return;
    const moved = new Set<string>();
    for (const [from, to] of renames) {
      if (takesBlocks(to)) moved.add(to);
      const note = this.#inNotes.get(from);
      if (!note) continue;
      this.#inNotes.delete(from);
      this.#inNotes.set(to, { ...note, path: to });
    }
    for (const path of [...this.#inNotes.keys()]) await this.#renameLinks(path, renames);
    for (const path of new Set([...moved, ...this.#inNotes.keys()])) await this.#enter(path);
    this.#changed();
  }

  #leave(path: string): void {
    if (this.#inNotes.delete(path)) this.#changed();
  }

  async #enter(path: string): Promise<void> {
    const { notes, changeLog: ledger } = this.#deps;
    const read = await notes.read(path);
    const segments = read.ok && takesBlocks(path) ? parseNote(read.value.text) : [];
    const waits = segments.some(({ kind }) => kind === 'block');
    const found = waits ? pendingIn(path, segments, await ledger.changes()) : null;
    const known = this.#inNotes.get(path);
    if (JSON.stringify(found ?? undefined) === JSON.stringify(known)) return;
    if (found) this.#inNotes.set(path, found);
    else this.#inNotes.delete(path);
    this.#changed();
  }

  /** Renames links inside blocks; the host renames those of the common text and does not know of blocks. */
  async #renameLinks(path: string, renames: readonly (readonly [string, string])[]): Promise<void> {
    const { notes } = this.#deps;
    const names = notes.list().map((entry) => entry.path);
    const rewrites = renames.map(([from, to]) => {
      const isTaken = names.some((each) => each !== to && nameOf(each) === nameOf(from));
      return renamedLinks(from, to, isTaken);
    });
    // The host, or the user, may change the note at the same moment.
    for (let tries = 0; tries < MAX_RENAME_TRIES; tries += 1) {
      const read = await notes.read(path);
      if (!read.ok) return;
      const raw = read.value.text;
      const rewrite = (text: string) => rewrites.reduce((now, each) => each(now), text);
      const renamed = printNote(rewriteLinks(parseNote(raw), rewrite));
      if (renamed === raw || (await notes.change(path, raw, renamed)).ok) return;
    }
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    const done = this.#tail.then(work);
    this.#tail = done.catch(() => undefined);
    return done;
  }
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1).toLowerCase();
}

function pendingIn(path: string, segments: readonly NoteSegment[], list: ChangeList): PendingNote {
  const edits: PendingEdit[] = [];
  let line = 1;
  let isBlank = true;
  for (const segment of segments) {
    const text = segment.kind === 'block' ? segment.raw : segment.text;
    if (segment.kind === 'block') {
      const { id, type, before, after } = segment.block;
      const origin = list.proposing(id)?.origin;
      const { conversation = null, turn = null } = origin ?? {};
      edits.push({ id, type, before, after, line, conversation, turn });
      isBlank &&= before === '';
    } else isBlank &&= text.trim() === '';
    line += text.split('\n').length - 1;
  }
  return { path, isNew: isBlank && isProposed(path, list), edits };
}

/** Whether the agent made the note for a proposal, of which the user has accepted nothing. */
export function isProposed(path: string, list: ChangeList): boolean {
  const all = list.ofNote(path).filter(tookEffect);
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
