/** The passages of notes for semantic search. Notes are read when they are needed first, or changed. */
import { hidesNote } from '#policy/hidden-notes';
import { type SliceClock, Slices } from '#ports/slices';
import type { NoteEvent, NoteVault } from '#ports/vault';
import { type Chunk, chunksOf } from '#search/chunks';
import { isNote } from '#text/paths';
import type { SearchScope } from './vault-documents';

/** By path of the note. */
export type Passages = ReadonlyMap<string, readonly Chunk[]>;

export class NotePassages {
  readonly #notes: NoteVault;
  readonly #clock: SliceClock;
  /** Null for a note that has to be read again. */
  readonly #known = new Map<string, readonly Chunk[] | null>();
  #model = '';
  /** Number of changes to the vault so far. */
  #changes = 0;
  #hasLost = true;

  /** @param notes the vault as tools see it */
  constructor(notes: NoteVault, clock: SliceClock) {
    this.#notes = notes;
    this.#clock = clock;
    notes.onChange((event) => this.#follow(event));
  }

  /** Whether passages saved earlier may belong to no note of these. @param all of the vault */
  mayLack(all: Passages): boolean {
    for (const path of this.#known.keys()) if (!all.has(path)) this.#forget(path);
    return this.#hasLost;
  }

  /** To be called when only passages of existing notes are saved. */
  cleaned(): void {
    this.#hasLost = false;
  }

  /**
   * The passages of these notes, without those that cannot be read or that their text hides.
   * Incomplete after an abort.
   */
  async of({ among, excludedTag, signal }: SearchScope, model: string): Promise<Passages> {
    if (model !== this.#model) this.#known.clear();
    this.#model = model;
    for (const path of this.#notes.unsaved()) this.#outdate(path);
    const slices = new Slices(this.#clock, signal);
    const found = new Map<string, readonly Chunk[]>();
    for (const { path } of among) {
      if (slices.stopped) break;
      if (slices.isDue) await slices.pause();
      if (!isNote(path)) continue;
      const chunks = this.#known.get(path) ?? (await this.#read(path, excludedTag, slices));
      if (chunks) found.set(path, chunks);
    }
    return found;
  }

  /** The current text of a note; null if it is hidden, gone or leads out of the vault. */
  async textOf(path: string, { excludedTag, sees }: SearchScope): Promise<string | null> {
    if ((await this.#notes.escapes(path, true)) !== null) return null;
    const read = await this.#notes.read(path);
    if (!read.ok || !sees(path) || hidesNote(path, read.value.text, excludedTag)) return null;
    return read.value.text;
  }

  async #read(path: string, excludedTag: string, slices: Slices): Promise<readonly Chunk[] | null> {
    const changes = this.#changes;
    const read = await this.#notes.read(path);
    if (!read.ok || hidesNote(path, read.value.text, excludedTag)) return null;
    const chunks: Chunk[] = [];
    for (const { id, first, last } of chunksOf(path, read.value.text, this.#model)) {
      chunks.push({ id, first, last });
      if (slices.isDue) await slices.pause();
    }
    // Unsaved text may be reverted, which fires no event.
    const isKept = !read.value.unsaved && this.#changes === changes;
    this.#known.set(path, isKept ? chunks : null);
    return chunks;
  }

  #follow(event: NoteEvent): void {
    this.#changes += 1;
    if (event.kind === 'renamed') this.#forget(event.from);
    if (event.kind === 'removed') this.#forget(event.path);
    else this.#outdate(event.path);
  }

  #outdate(path: string): void {
    if (this.#known.has(path)) this.#known.set(path, null);
  }

  #forget(path: string): void {
    this.#known.delete(path);
    this.#hasLost = true;
  }
}
