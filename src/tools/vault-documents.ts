/**
 * Keeps the search engine's texts equal to what tools read: by the events of the vault, and by a
 * look at the notes with unsaved text before each search.
 */
import type { NoteEntry, NoteVault } from '#ports/vault';
import type { EngineHost } from '#search/engine-host';
import type { BatchPart } from '#search/engine-protocol';
import { TEXT_EXTENSIONS } from './text-index';

const TEXT_FILE = new RegExp(`\\.(?:${TEXT_EXTENSIONS.join('|')})$`, 'i');

/** Files are read in batches, of which two are read at a time. */
const BATCH_BYTES = 1_000_000;
const BATCH_FILES = 256;
const BATCHES_AT_ONCE = 2;

export class VaultDocuments {
  readonly #notes: NoteVault;
  readonly #engine: EngineHost;
  /** The engine's numbers of the text files, by path. A number is never used again. */
  readonly #numbers = new Map<string, number>();
  /** Paths of files that the engine does not have as they are now. */
  readonly #outdated = new Set<string>();
  /** Numbers of documents that the engine still has, though their files are gone. */
  #gone: number[] = [];
  #next = 1;
  /** Changes with every file that appears or disappears. */
  #structure = 0;
  #isFollowing = false;
  #unsaved: readonly string[] = [];
  /** Files read since they were last checked to be inside the vault. */
  readonly #unchecked = new Set<string>();
  readonly #scopes = new WeakMap<
    readonly NoteEntry[],
    { readonly structure: number; readonly numbers: Uint32Array }
  >();

  /** @param notes the vault as tools see it */
  constructor(notes: NoteVault, engine: EngineHost) {
    this.#notes = notes;
    this.#engine = engine;
  }

  isText(path: string): boolean {
    return TEXT_FILE.test(path);
  }

  /** Gives the engine what it lacks of these files. Ends early on an abort. */
  async update(among: readonly NoteEntry[], signal: AbortSignal): Promise<void> {
    this.#follow();
    if (!this.#engine.isRunning) {
      for (const path of this.#numbers.keys()) this.#outdated.add(path);
    }
    // Unsaved text may have been reverted, which fires no event.
    for (const path of this.#unsaved) this.#changed(path);
    this.#unsaved = this.#notes.unsaved();
    for (const path of this.#unsaved) this.#changed(path);
    if (this.#gone.length > 0) this.#engine.remove(this.#gone);
    this.#gone = [];
    if (this.#outdated.size === 0) return;
    const unsaved = new Set(this.#unsaved);
    const batches: NoteEntry[][] = [];
    let bytes = Infinity;
    for (const entry of among) {
      if (!this.#outdated.has(entry.path)) continue;
      if (unsaved.has(entry.path)) {
        await this.#sendText(entry.path);
        continue;
      }
      if (bytes > BATCH_BYTES || batches.at(-1)!.length >= BATCH_FILES) {
        batches.push([]);
        bytes = 0;
      }
      batches.at(-1)!.push(entry);
      bytes += entry.size;
    }
    let next = 0;
    const work = async () => {
      while (next < batches.length && !signal.aborted) await this.#sendBatch(batches[next++]!);
    };
    await Promise.all(Array.from({ length: BATCHES_AT_ONCE }, work));
  }

  /** The engine's numbers of these files; those that are not text have none. */
  numbersOf(among: readonly NoteEntry[]): Uint32Array {
    const known = this.#scopes.get(among);
    if (known?.structure === this.#structure) return known.numbers;
    const numbers = new Uint32Array(among.length);
    let count = 0;
    for (const { path } of among) {
      const number = this.#numbers.get(path);
      if (number !== undefined) numbers[count++] = number;
    }
    const scope = numbers.slice(0, count);
    this.#scopes.set(among, { structure: this.#structure, numbers: scope });
    return scope;
  }

  /**
   * Returns the files that have become symbolic links out of the vault since they were listed, and
   * removes them from the engine. Only files about to be shown are checked, once after each read:
   * checking every file would take as long as reading them all.
   */
  async escaped(paths: readonly string[]): Promise<ReadonlySet<string>> {
    const unchecked = paths.filter((path) => this.#unchecked.has(path));
    const places = await Promise.all(unchecked.map((path) => this.#notes.escapes(path, true)));
    const escaped = unchecked.filter((_, at) => places[at] !== null);
    for (const path of unchecked) this.#unchecked.delete(path);
    for (const path of escaped) this.#removed(path);
    return new Set(escaped);
  }

  #follow(): void {
    if (this.#isFollowing) return;
    this.#isFollowing = true;
    for (const { path } of this.#notes.list()) this.#changed(path);
    this.#notes.onChange((event) => {
      if (event.kind === 'renamed') this.#removed(event.from);
      if (event.kind === 'removed') this.#removed(event.path);
      else this.#changed(event.path);
    });
  }

  /** Every event counts as a new text, because time and size do not reveal every change. */
  #changed(path: string): void {
    if (!TEXT_FILE.test(path)) return;
    if (this.#notes.get(path)?.kind !== 'file') {
      this.#removed(path);
      return;
    }
    this.#outdated.add(path);
    if (this.#numbers.has(path)) return;
    this.#numbers.set(path, this.#next++);
    this.#structure += 1;
  }

  #removed(path: string): void {
    const number = this.#numbers.get(path);
    if (number === undefined) return;
    this.#gone.push(number);
    this.#numbers.delete(path);
    this.#outdated.delete(path);
    this.#structure += 1;
  }

  async #sendText(path: string): Promise<void> {
    const number = this.#numbers.get(path);
    if (number === undefined) return;
    this.#unchecked.add(path);
    this.#outdated.delete(path);
    const read = await this.#notes.read(path);
    if (read.ok) this.#engine.putText(number, path, read.value.text);
    else this.#outdated.add(path);
  }

  async #sendBatch(entries: readonly NoteEntry[]): Promise<void> {
    const paths = entries.flatMap(({ path }) => (this.#outdated.has(path) ? [path] : []));
    // A file that changes while it is read counts as outdated again.
    for (const path of paths) this.#outdated.delete(path);
    for (const path of paths) this.#unchecked.add(path);
    const { bytes, parts } = await this.#notes.readMany(paths);
    const sent = paths.flatMap((path, at): BatchPart[] => {
      const number = this.#numbers.get(path);
      const { at: from, length } = parts[at] ?? { at: 0, length: -1 };
      if (number === undefined) return [];
      if (length < 0) this.#outdated.add(path);
      return [{ number, path, at: from, length }];
    });
    this.#engine.put(sent, bytes);
  }
}
