/**
 * Keeps the search engine's texts equal to what tools read: by the events of the vault, and by a
 * look at the notes with unsaved text before each search.
 */
import type { DeclaredDocument } from '#search/word-index';
import type { FileBatch, NoteEntry, NoteVault } from '#ports/vault';
import type { EngineHost } from '#search/engine-host';
import type { CountProgress } from './progress';

/** Extensions of files that are searched as text; other files would only add noise. */
export const TEXT_EXTENSIONS = ['md', 'txt', 'canvas', 'base', 'csv', 'json', 'yaml', 'yml'];

const TEXT_FILE = new RegExp(`\\.(?:${TEXT_EXTENSIONS.join('|')})$`, 'i');

/** Documents declared in one message, which takes a few milliseconds. */
const MAX_DECLARED = 2_000;

/** Larger files are not read, and are reported as such. */
const MAX_FILE_BYTES = 100_000_000;

/** What to search, and which results may be shown. */
export interface SearchScope {
  readonly among: readonly NoteEntry[];
  /** The tag that hides a note; '' if there is none. */
  readonly excludedTag: string;
  /** Whether a path is visible, according to Obsidian's index. */
  readonly sees: (path: string) => boolean;
  readonly signal: AbortSignal;
  /** Called while files are read that no search has read before. */
  readonly progress?: CountProgress;
}

/** The pending edits whose text tools read. */
export interface OwnPendingEdits {
  /** By path of the note. */
  ownIds(): ReadonlyMap<string, readonly string[]>;
}

export class VaultDocuments {
  readonly #notes: NoteVault;
  readonly #engine: EngineHost;
  /**
   * The engine's numbers of the text files, by path. A file gets a new number whenever it changes, and
   * no number is used again, so that bytes that arrive late cannot replace a newer text.
   */
  readonly #numbers = new Map<string, number>();
  readonly #paths = new Map<number, string>();
  /** Paths of files that the engine does not know as they are now. */
  readonly #outdated = new Set<string>();
  /** Numbers of documents that the engine still has, though their files are gone. */
  #gone: number[] = [];
  #next = 1;
  /** Resolves when all files are listed. */
  #following: Promise<void> | null = null;
  /** Number of the engine that has the list of files; 0 if there is none. */
  #informed = 0;
  #unsaved: readonly string[] = [];
  /** Numbers of the documents whose text the engine was never given. */
  readonly #unsent = new Set<number>();
  /** Paths of files that are not read. */
  readonly #tooLarge = new Set<string>();
  /** Files checked to be inside the vault since they were last read. */
  readonly #checked = new Set<string>();

  readonly #pending: OwnPendingEdits;
  /** By path: the ids of pending edits that the engine accepts. */
  #own: ReadonlyMap<string, readonly string[]> = new Map();
  readonly #pause: () => Promise<void>;

  /**
   * @param notes the vault as tools see it
   * @param pause lets other work run
   */
  constructor(
    notes: NoteVault,
    pending: OwnPendingEdits,
    engine: EngineHost,
    pause: () => Promise<void>,
  ) {
    this.#notes = notes;
    this.#pending = pending;
    this.#engine = engine;
    this.#pause = pause;
  }

  isText(path: string): boolean {
    return TEXT_FILE.test(path);
  }

  /** Tells the engine what has changed, and returns its number. Ends early on an abort. */
  async update(signal: AbortSignal): Promise<number> {
    const following = (this.#following ??= this.#follow());
    // Starts the engine while the notes are listed; it may end meanwhile.
    void this.#engine.engine;
    await following;
    const { engine } = this.#engine;
    if (engine !== this.#informed) {
      for (const path of this.#numbers.keys()) this.#outdated.add(path);
    }
    this.#informed = engine;
    // Unsaved text may have been reverted, which fires no event.
    for (const path of this.#unsaved) this.#changed(path);
    this.#unsaved = this.#notes.unsaved();
    for (const path of this.#unsaved) this.#changed(path);
    this.#updateOwn();
    const unsaved = new Set(this.#unsaved);
    const outdated = [...this.#outdated];
    for (let from = 0; from < outdated.length; from += MAX_DECLARED) {
      if (from > 0) await this.#pause();
      if (signal.aborted) return engine;
      const paths = outdated.slice(from, from + MAX_DECLARED);
      this.#engine.declare(
        engine,
        paths.flatMap((path) => this.#declared(path)),
      );
    }
    if (this.#gone.length > 0) this.#engine.remove(this.#gone);
    this.#gone = [];
    for (const path of unsaved) await this.#sendText(engine, path);
    return engine;
  }

  /** Gives the engine the texts of these documents, as they are on disk. */
  async send(numbers: Uint32Array): Promise<void> {
    const paths = Array.from(numbers, (number) => this.#paths.get(number) ?? null);
    for (const number of numbers) this.#unsent.delete(number);
    for (const path of paths) if (path !== null) this.#checked.delete(path);
    const batch = await this.#read(paths);
    const gone: number[] = [];
    for (const [place, path] of paths.entries()) {
      if (path === null || !this.#paths.has(numbers[place]!)) gone.push(numbers[place]!);
      // Reading may work next time.
      else if (batch.lengths[place]! < 0 && !this.#tooLarge.has(path)) this.#outdated.add(path);
    }
    if (gone.length > 0) this.#engine.remove(gone);
    this.#engine.put({ numbers, ...batch });
  }

  /** The search does not wait for texts that cannot be read. */
  async #read(paths: readonly (string | null)[]): Promise<FileBatch> {
    try {
      const isRead = (path: string | null) => path !== null && !this.#tooLarge.has(path);
      return await this.#notes.readMany(paths.map((path) => (isRead(path) ? path : null)));
    } catch {
      return {
        bytes: new ArrayBuffer(0),
        starts: new Uint32Array(paths.length),
        lengths: new Int32Array(paths.length).fill(-1),
      };
    }
  }

  /** How many of these documents the engine has never had the text of. */
  countUnread(numbers: Uint32Array): number {
    return numbers.reduce((count, number) => count + (this.#unsent.has(number) ? 1 : 0), 0);
  }

  /** The engine's numbers of these files; those that are not text have none. */
  numbersOf(among: readonly NoteEntry[]): Uint32Array {
    return Uint32Array.from(among.flatMap(({ path }) => this.#numbers.get(path) ?? []));
  }

  /**
   * Returns the files that have become symbolic links out of the vault since they were listed, and
   * removes them from the engine. Only files about to be shown are checked, once after each read:
   * checking every file would take as long as reading them all.
   */
  async escaped(paths: readonly string[]): Promise<ReadonlySet<string>> {
    const unchecked = paths.filter((path) => !this.#checked.has(path));
    const places = await Promise.all(unchecked.map((path) => this.#notes.escapes(path, true)));
    const escaped = unchecked.filter((_, at) => places[at] !== null);
    for (const path of unchecked) this.#checked.add(path);
    for (const path of escaped) this.#removed(path);
    return new Set(escaped);
  }

  async #follow(): Promise<void> {
    this.#notes.onChange((event) => {
      if (event.kind === 'renamed') this.#removed(event.from);
      if (event.kind === 'removed') this.#removed(event.path);
      else this.#changed(event.path);
    });
    for (const [at, { path, kind }] of this.#notes.list().entries()) {
      if (at > 0 && at % MAX_DECLARED === 0) await this.#pause();
      if (kind === 'file' && TEXT_FILE.test(path)) this.#outdated.add(path);
    }
  }

  /** Edits may be found, or turn out to be this device's, without an event of their note. */
  #updateOwn(): void {
    const [before, now] = [this.#own, this.#pending.ownIds()];
    const idsIn = (ids: typeof now, path: string) => (ids.get(path) ?? []).join(' ');
    for (const path of new Set([...before.keys(), ...now.keys()])) {
      if (idsIn(before, path) !== idsIn(now, path)) this.#changed(path);
    }
    this.#own = now;
  }

  /** Every event counts as a new text, because time and size do not reveal every change. */
  #changed(path: string): void {
    if (!TEXT_FILE.test(path)) return;
    if (this.#notes.get(path)?.kind !== 'file') {
      this.#removed(path);
      return;
    }
    this.#outdated.add(path);
  }

  #removed(path: string): void {
    this.#outdated.delete(path);
    this.#checked.delete(path);
    this.#tooLarge.delete(path);
    const number = this.#numbers.get(path);
    if (number === undefined) return;
    this.#gone.push(number);
    this.#unsent.delete(number);
    this.#numbers.delete(path);
    this.#paths.delete(number);
  }

  /** Empty if the file is gone. */
  #declared(path: string): DeclaredDocument[] {
    // A file that changes from now on is outdated again.
    this.#removed(path);
    const entry = this.#notes.get(path);
    if (entry?.kind !== 'file') return [];
    if (entry.size > MAX_FILE_BYTES) this.#tooLarge.add(path);
    const number = this.#next++;
    this.#paths.set(number, path);
    this.#unsent.add(number);
    this.#numbers.set(path, number);
    const own = this.#own.get(path) ?? [];
    return [{ number, path, size: entry.size, own }];
  }

  async #sendText(engine: number, path: string): Promise<void> {
    const number = this.#numbers.get(path);
    if (number === undefined) return;
    this.#checked.delete(path);
    this.#unsent.delete(number);
    const read = await this.#notes.read(path);
    if (read.ok) this.#engine.putText(engine, number, path, read.value.text);
    else this.#outdated.add(path);
  }
}
