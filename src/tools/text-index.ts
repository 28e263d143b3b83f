/**
 * The texts of the vault as a corpus, and an index of the passages of notes on top of it. Both are
 * built by the first search by meaning and follow the events of the vault.
 */
import { hidingTexts } from '#policy/hidden-notes';
import { SerialQueue } from '#ports/serial-queue';
import type { NoteEntry, NoteVault } from '#ports/vault';
import { Corpus } from '#search/corpus';
import type { SliceClock } from '#ports/slices';
import { isNote } from '#text/paths';

/** Extensions of files that are searched as text; other files would only add noise. */
export const TEXT_EXTENSIONS = ['md', 'txt', 'canvas', 'base', 'csv', 'json', 'yaml', 'yml'];

const TEXT_FILE = new RegExp(`\\.(?:${TEXT_EXTENSIONS.join('|')})$`, 'i');

/** Limit of the texts that stay in memory between searches by meaning. */
const CACHE_BYTES = 8_000_000;

/** Whether a text hides the note at a path. */
export type HidesText = (path: string, text: string) => boolean;

export class VaultTexts {
  readonly #notes: NoteVault;
  #corpus: Corpus | null = null;
  /** Files read since they were last checked to be inside the vault. */
  readonly #unjudged = new Set<string>();
  /** By path: whether the text read last hides the note, under the current rule. */
  readonly #verdicts = new Map<string, boolean>();
  #rule: HidesText | null = null;
  #versions = 0;
  #unsaved: readonly string[] = [];

  /** @param notes the vault as tools see it */
  constructor(notes: NoteVault) {
    this.#notes = notes;
  }

  /** The corpus, including all changes so far. */
  now(): Corpus {
    this.#corpus ??= this.#build();
    // Unsaved text may have been reverted, which fires no event.
    for (const path of this.#unsaved) this.#put(this.#corpus, path);
    this.#unsaved = this.#notes.unsaved();
    for (const path of this.#unsaved) this.#put(this.#corpus, path);
    return this.#corpus;
  }

  /** Like `hides`, but evaluates each text only once. */
  judgedBy(hides: HidesText): HidesText {
    if (hides !== this.#rule) this.#verdicts.clear();
    this.#rule = hides;
    return (path, text) => {
      const known = this.#verdicts.get(path);
      const verdict = known ?? hides(path, text);
      if (known === undefined) this.#verdicts.set(path, verdict);
      return verdict;
    };
  }

  /**
   * Returns the files that have become symbolic links out of the vault since they were listed, and
   * removes them from the corpus. Only files about to be shown are checked, once after each read:
   * checking every file would take as long as reading them all.
   */
  async escaped(paths: readonly string[]): Promise<ReadonlySet<string>> {
    const unjudged = paths.filter((path) => this.#unjudged.has(path));
    const escaped = await Promise.all(
      unjudged.map(async (path) =>
        (await this.#notes.escapes(path, true)) === null ? [] : [path],
      ),
    );
    for (const path of unjudged) this.#unjudged.delete(path);
    for (const path of escaped.flat()) this.#corpus?.remove(path);
    return new Set(escaped.flat());
  }

  #build(): Corpus {
    const corpus = new Corpus({ load: (path) => this.#load(path), cacheBytes: CACHE_BYTES });
    for (const { path } of this.#notes.list()) this.#put(corpus, path);
    this.#notes.onChange((event) => {
      if (event.kind === 'renamed') corpus.remove(event.from);
      if (event.kind === 'removed') corpus.remove(event.path);
      else this.#put(corpus, event.path);
    });
    return corpus;
  }

  /** Every event counts as a new version, because time and size do not reveal every change. */
  #put(corpus: Corpus, path: string): void {
    if (this.#notes.get(path)?.kind !== 'file') corpus.remove(path);
    else if (TEXT_FILE.test(path)) corpus.put(path, String((this.#versions += 1)));
  }

  async #load(path: string): Promise<string> {
    this.#unjudged.add(path);
    const read = await this.#notes.read(path);
    this.#verdicts.delete(path);
    if (!read.ok) throw new Error(`${path} can't be read as text.`);
    return read.value.text;
  }
}

/** What to search, and which results may be shown. */
export interface SearchScope {
  readonly among: readonly NoteEntry[];
  /** The tag that hides a note; '' if there is none. */
  readonly excludedTag: string;
  /** Whether a path is visible, according to Obsidian's index. */
  readonly sees: (path: string) => boolean;
  readonly signal: AbortSignal;
}

export interface NoteIndex {
  ids(): Iterable<string>;
  version(id: string): string | undefined;
  /** Runs in steps; the index changes only in the last one. */
  put(id: string, version: string, text: string): Iterator<void, void>;
  remove(id: string): void;
}

export class VaultIndex<Index extends NoteIndex> {
  readonly #texts: VaultTexts;
  readonly #clock: SliceClock;
  #index: Index | null = null;
  /**
   * Version by id of notes that their own text hides, under the current rule. They are not in the
   * index.
   */
  readonly #hidden = new Map<string, string>();
  #rule: HidesText | null = null;
  readonly #actions = new SerialQueue();

  constructor(texts: VaultTexts, clock: SliceClock) {
    this.#texts = texts;
    this.#clock = clock;
  }

  /** Runs one action at a time, so that the index does not change during a search. */
  inTurn<Value>(act: () => Promise<Value>): Promise<Value> {
    return this.#actions.run(act);
  }

  /**
   * Updates the index. Returns it with the ids to search, and the notes that could not be read.
   *
   * @param fitting returns the given index, or a new one if it is null or does not fit
   */
  async update(
    { among, excludedTag, signal }: SearchScope,
    fitting: (index: Index | null) => Index,
  ): Promise<{ index: Index; ids: readonly string[]; unread: readonly string[] }> {
    const hides = hidingTexts(excludedTag);
    const index = fitting(hides === this.#rule ? this.#index : null);
    if (index !== this.#index) this.#hidden.clear();
    this.#index = index;
    this.#rule = hides;
    const corpus = this.#texts.now();
    for (const known of [index.ids(), this.#hidden.keys()]) {
      for (const id of known) if (corpus.version(id) === undefined) this.#forget(id);
    }
    const ids = among.flatMap(({ path }) => (isNote(path) ? [path] : []));
    // A note that changes while it is read is read again by the next search.
    const wanted = new Map<string, string>();
    for (const id of ids) {
      const version = corpus.version(id);
      const known = index.version(id) ?? this.#hidden.get(id);
      if (version !== undefined && version !== known) wanted.set(id, version);
    }
    const judged = this.#texts.judgedBy(hides);
    const visit = (id: string, text: string) => {
      const version = wanted.get(id) ?? '';
      this.#hidden.delete(id);
      if (!judged(id, text)) return index.put(id, version, text);
      index.remove(id);
      this.#hidden.set(id, version);
      return undefined;
    };
    const { unread } = await corpus.scan(wanted.keys(), visit, { clock: this.#clock, signal });
    for (const id of unread) this.#forget(id);
    return { index, ids, unread };
  }

  /** Current texts of these notes, without deleted and hidden ones. */
  async texts(
    ids: readonly string[],
    { excludedTag, sees }: SearchScope,
  ): Promise<ReadonlyMap<string, string>> {
    const hides = hidingTexts(excludedTag);
    const corpus = this.#texts.now();
    const found = new Map<string, string>();
    for (const id of ids) {
      const text = await corpus.text(id);
      if (text !== undefined && sees(id) && !hides(id, text)) found.set(id, text);
    }
    for (const path of await this.#texts.escaped([...found.keys()])) found.delete(path);
    return found;
  }

  #forget(id: string): void {
    this.#index?.remove(id);
    this.#hidden.delete(id);
  }
}
