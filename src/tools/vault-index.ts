/** The vault's texts as one corpus, kept up to date by its events; built when the first search wants it. */
import type { NoteEntry, NoteVault } from '#ports/vault';
import { Corpus } from '#search/corpus';
import type { Slice } from '#search/slices';

/** Extensions of files that can be searched as text; other files would only give noise. */
export const TEXT_EXTENSIONS = ['md', 'txt', 'canvas', 'base', 'csv', 'json', 'yaml', 'yml'];

const TEXT_FILE = new RegExp(`\\.(?:${TEXT_EXTENSIONS.join('|')})$`, 'i');

/** Texts of a large vault stay in memory between searches, but not more than this. */
const CACHE_BYTES = 128_000_000;

/** Whether a text hides the note at a path. */
export type Hides = (path: string, text: string) => boolean;

export class VaultTexts {
  readonly #notes: NoteVault;
  #corpus: Corpus | null = null;
  /** Read since it was last made sure that they lie in the vault. */
  readonly #unjudged = new Set<string>();
  /** Whether the text that was last read of a path hides it, by the rule that was last in force. */
  readonly #verdicts = new Map<string, boolean>();
  #rule: Hides | null = null;
  #versions = 0;
  #unsaved: readonly string[] = [];

  /** @param notes as they read to tools */
  constructor(notes: NoteVault) {
    this.#notes = notes;
  }

  isText(path: string): boolean {
    return TEXT_FILE.test(path);
  }

  /** With all that changed until now. */
  now(): Corpus {
    this.#corpus ??= this.#build();
    // What was typed may have been taken back, of which no event tells.
    for (const path of this.#unsaved) this.#put(this.#corpus, path);
    this.#unsaved = this.#notes.unsaved();
    for (const path of this.#unsaved) this.#put(this.#corpus, path);
    return this.#corpus;
  }

  /** As `hides`, but each text is judged once. */
  judgedBy(hides: Hides): Hides {
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
   * Those of them that lead out of the vault; they leave the corpus. Since the listing, a file may have become a link to
   * anywhere. To ask the disk about every file would take as long as reading them all, so those are asked about whose
   * text would be shown, once for each time it was read.
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

  /** Time and size do not tell of every change: each time it is another version. */
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

/** What may be searched, and the rules by which it may be shown. */
export interface Looking {
  readonly among: readonly NoteEntry[];
  /** Whether a note is hidden by its text; the same function while the rule is the same. */
  readonly hides: Hides;
  /** Whether a path may be shown, as far as the host's index tells. */
  readonly sees: (path: string) => boolean;
  readonly signal: AbortSignal;
}

export interface NoteIndex {
  ids(): Iterable<string>;
  version(id: string): string | undefined;
  /** In steps; nothing changes before the last. */
  put(id: string, version: string, text: string): Iterator<void, void>;
  remove(id: string): void;
}

const NOTE = /\.md$/i;

export class VaultIndex<Index extends NoteIndex> {
  readonly #texts: VaultTexts;
  readonly #slice: Slice;
  #index: Index | null = null;
  /** Notes that their own text hides, by version, by the rule that was last in force: they are not in the index. */
  readonly #hidden = new Map<string, string>();
  #rule: Hides | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(texts: VaultTexts, slice: Slice) {
    this.#texts = texts;
    this.#slice = slice;
  }

  /** One act at a time: the index stays as it is while one goes through it. */
  inTurn<Value>(act: () => Promise<Value>): Promise<Value> {
    const mine = this.#last.then(act);
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  /** The index with all that changed until now, the notes among which to look, and those that could not be read. */
  async mended(
    { among, hides, signal }: Looking,
    fitting: (index: Index | null) => Index,
  ): Promise<{ index: Index; ids: readonly string[]; unread: readonly string[] }> {
    const index = fitting(hides === this.#rule ? this.#index : null);
    if (index !== this.#index) this.#hidden.clear();
    this.#index = index;
    this.#rule = hides;
    const corpus = this.#texts.now();
    for (const known of [index.ids(), this.#hidden.keys()]) {
      for (const id of known) if (corpus.version(id) === undefined) this.#forget(id);
    }
    const ids = among.flatMap(({ path }) => (NOTE.test(path) ? [path] : []));
    // What changes while it is read is read again for the next search.
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
    const { unread } = await corpus.scan(wanted.keys(), visit, { slice: this.#slice, signal });
    for (const id of unread) this.#forget(id);
    return { index, ids, unread };
  }

  /** The texts of these notes as they are now; without those that are gone, or out of sight. */
  async texts(
    ids: readonly string[],
    { hides, sees }: Looking,
  ): Promise<ReadonlyMap<string, string>> {
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
