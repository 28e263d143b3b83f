/**
 * All edits that wait for the person, wherever in the vault. The notes themselves hold them, so they are found again by
 * looking: after a start, a sync, a change by hand. Those that no note can hold are the ledger's.
 */
import type { PendingEdit, PendingNote } from '#model/edits';
import { holdsProposal, parseNote, printNote, type Segment } from '#model/proposal/form';
import type { Clock } from '#ports/clock';
import type { Metadata } from '#ports/metadata';
import type { NoteEvent, Notes } from '#ports/notes';
import type { ChangeList } from './change-list';
import type { Ledger } from './ledger';
import { tookEffect, type FiledChange } from './listed-change';
import { isMarkdown } from './propose';

export interface PendingParts {
  readonly notes: Notes;
  readonly metadata: Metadata;
  readonly ledger: Ledger;
  readonly clock: Pick<Clock, 'now' | 'pause'>;
  /** The tag that new edits get. */
  tag(): string;
}

/** Milliseconds of looking before others get their turn. */
const SLICE = 8;

export class Pending {
  readonly #parts: PendingParts;
  readonly #inNotes = new Map<string, readonly PendingEdit[]>();
  #held: readonly PendingNote[] = [];
  #shown: readonly PendingNote[] | null = null;
  readonly #listeners = new Set<() => void>();
  readonly #stopListening: () => void;
  /** Notes to be looked at, in order. */
  readonly #queue = new Set<string>();
  #looking: Promise<void> | null = null;
  #closed = false;

  constructor(parts: PendingParts) {
    this.#parts = parts;
    this.#stopListening = parts.notes.onChange((event) => this.#noteChanged(event));
  }

  close(): void {
    this.#closed = true;
    this.#queue.clear();
    this.#stopListening();
    this.#listeners.clear();
  }

  /** By path. */
  get notes(): readonly PendingNote[] {
    this.#shown ??= [...this.#byPath()].sort((a, b) => (a.path < b.path ? -1 : 1));
    return this.#shown;
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Looks where there may be some: notes that bear the tag, and those that the ledger has put some into. */
  async findAll(): Promise<void> {
    const { metadata, ledger, tag } = this.#parts;
    const list = await ledger.changes().catch(() => null);
    const proposed = list?.all().filter(({ proposes }) => proposes.length > 0) ?? [];
    const paths = new Set([
      ...(await metadata.tagged(tag())),
      ...proposed.map(({ id, path }) => list?.placeNow(id, path) ?? path),
    ]);
    for (const path of paths) this.#queue.add(path);
    await this.#look();
    await this.findHeld();
  }

  /** Those that the ledger holds. */
  async findHeld(): Promise<void> {
    const list = await this.#parts.ledger.changes();
    const open = list.all().filter((change) => isHeldOpen(change, list));
    if (open.length === 0 && this.#held.length === 0) return;
    const whole = await this.#parts.ledger.read(open);
    this.#held = open.flatMap(({ id, path }): PendingNote[] => {
      const change = whole.get(id);
      if (change?.kind !== 'hold') return [];
      const { before, after, origin } = change;
      const { conversation, turn } = origin;
      const type = before === null || before === '' ? 'add' : after === '' ? 'delete' : 'replace';
      const edit = {
        id,
        type,
        before: before ?? '',
        after,
        line: null,
        conversation,
        turn,
      } as const;
      return [{ path: list.placeNow(id, path), isNew: before === null, edits: [edit] }];
    });
    this.#tell();
  }

  /** Looks at one note at once. */
  async refresh(path: string): Promise<void> {
    const { notes, ledger } = this.#parts;
    const read = isMarkdown(path) ? await notes.read(path) : null;
    const raw = read?.ok ? read.value.text : '';
    if (!holdsProposal(raw)) {
      if (this.#inNotes.delete(path)) this.#tell();
      return;
    }
    const list = await ledger.changes().catch(() => null);
    const edits = editsIn(parseNote(raw), list);
    this.#inNotes.set(path, edits);
    this.#tell();
  }

  #noteChanged(event: NoteEvent): void {
    if (event.kind === 'renamed' && this.#inNotes.delete(event.from)) this.#tell();
    if (event.kind === 'removed') {
      this.#queue.delete(event.path);
      if (this.#inNotes.delete(event.path)) this.#tell();
      return;
    }
    if (!isMarkdown(event.path)) return;
    this.#queue.add(event.path);
    void this.#look();
  }

  #look(): Promise<void> {
    this.#looking ??= this.#lookAtAll().finally(() => (this.#looking = null));
    return this.#looking;
  }

  async #lookAtAll(): Promise<void> {
    const { clock } = this.#parts;
    let began = clock.now();
    for (const path of this.#queue) {
      this.#queue.delete(path);
      // One that can't be read now is looked at when it changes.
      await this.refresh(path).catch(() => undefined);
      if (this.#closed) return;
      if (clock.now() - began < SLICE) continue;
      await clock.pause();
      began = clock.now();
    }
  }

  *#byPath(): Iterable<PendingNote> {
    const held = new Map<string, PendingNote>();
    for (const note of this.#held) {
      const edits = [...(held.get(note.path)?.edits ?? []), ...note.edits];
      held.set(note.path, { ...note, edits });
    }
    for (const [path, edits] of this.#inNotes) {
      const also = held.get(path);
      held.delete(path);
      yield { path, isNew: isNew(edits), edits: [...edits, ...(also?.edits ?? [])] };
    }
    yield* held.values();
  }

  #tell(): void {
    this.#shown = null;
    for (const listener of this.#listeners) listener();
  }
}

function isHeldOpen(change: FiledChange, list: ChangeList): boolean {
  return (
    change.kind === 'hold' &&
    change.file !== null &&
    tookEffect(change) &&
    !list.isUndone(change.id) &&
    list.decisionsOn(change.id).length === 0
  );
}

function editsIn(segments: readonly Segment[], list: ChangeList | null): PendingEdit[] {
  const edits: PendingEdit[] = [];
  let line = 1;
  for (const segment of segments) {
    if (segment.kind === 'block') {
      const { id, type, before, after } = segment.block;
      const { conversation = null, turn = null } = list?.proposing(id)?.origin ?? {};
      edits.push({ id, type, before, after, line, conversation, turn });
    }
    line += printNote([segment]).split('\n').length - 1;
  }
  return edits;
}

/** Nothing stands in the note but what is proposed. */
function isNew(edits: readonly PendingEdit[]): boolean {
  return edits.every(({ type, line }) => type === 'add' && line === 1);
}
