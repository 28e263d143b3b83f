/** The vault's texts as one corpus, kept up to date by its events; built when the first search wants it. */
import type { Clock } from '#ports/clock';
import type { NoteEntry, Notes } from '#ports/notes';
import { Corpus } from '#search/corpus';
import type { SearchResult } from '#search/grep';
import type { Pattern } from '#search/pattern';

/** What can be searched as text; everything else would only give noise. */
const TEXT_FILE = /\.(?:md|txt|canvas|base|csv|json|ya?ml)$/i;

/** Texts of a large vault stay in memory between searches, but not more than this. */
const CACHE_BYTES = 128_000_000;

export interface SearchWish {
  /** In the order in which excerpts are wanted. */
  readonly among: readonly NoteEntry[];
  readonly contextLines: number;
  readonly maxExcerpts: number;
  /** Whether a note is hidden by its text; the same function while the rule is the same. */
  readonly hides: (path: string, text: string) => boolean;
  /** Whether a path may be shown, as far as the host's index tells. */
  readonly sees: (path: string) => boolean;
  readonly signal: AbortSignal;
}

export class VaultSearch {
  readonly #notes: Notes;
  readonly #clock: Clock;
  #corpus: Corpus | null = null;
  /** Read since it was last made sure that they lie in the vault. */
  readonly #unjudged = new Set<string>();
  /** Whether the text that was last read of a path hides it, by the rule that was last in force. */
  readonly #verdicts = new Map<string, boolean>();
  #rule: SearchWish['hides'] | null = null;
  #unsavedCount = 0;
  #unsaved: readonly string[] = [];

  constructor(notes: Notes, clock: Clock) {
    this.#notes = notes;
    this.#clock = clock;
  }

  async grep(
    pattern: Pattern,
    { among, contextLines, maxExcerpts, hides, sees, signal }: SearchWish,
  ): Promise<SearchResult> {
    const { searchDocuments } = await import('#search/grep');
    const corpus = this.#upToDate();
    let ids = among.filter(({ path }) => TEXT_FILE.test(path)).map(({ path }) => path);
    const { now, pause } = this.#clock;
    const slice = { clock: now, pause };
    for (;;) {
      const result = await searchDocuments(corpus, ids, pattern, {
        hides: this.#judgedBy(hides),
        contextLines,
        maxExcerpts,
        signal,
        slice,
      });
      const found = result.found.map(({ id }) => id);
      const escaped = await this.#escaped(found);
      for (const path of escaped) corpus.remove(path);
      const hidden = found.filter((path) => escaped.has(path) || !sees(path));
      if (hidden.length === 0) return result;
      ids = ids.filter((path) => !hidden.includes(path));
    }
  }

  /** Each text is judged once. */
  #judgedBy(hides: SearchWish['hides']): SearchWish['hides'] {
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
   * Since the listing, a file may have become a link to anywhere. To ask the disk about every file would take as long
   * as reading them all, so those are asked about whose text would be shown, once for each time it was read.
   */
  async #escaped(paths: readonly string[]): Promise<ReadonlySet<string>> {
    const unjudged = paths.filter((path) => this.#unjudged.has(path));
    const escaped = await Promise.all(
      unjudged.map(async (path) =>
        (await this.#notes.escapes(path, true)) === null ? [] : [path],
      ),
    );
    for (const path of unjudged) this.#unjudged.delete(path);
    return new Set(escaped.flat());
  }

  #upToDate(): Corpus {
    this.#corpus ??= this.#build();
    // What was typed may have been taken back, of which no event tells.
    for (const path of this.#unsaved) this.#put(this.#corpus, path);
    this.#unsaved = this.#notes.unsaved().filter((path) => TEXT_FILE.test(path));
    for (const path of this.#unsaved) {
      // Neither time nor size tells of what is typed and not saved.
      this.#unsavedCount += 1;
      this.#corpus.put(path, `unsaved ${this.#unsavedCount}`);
    }
    return this.#corpus;
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

  #put(corpus: Corpus, path: string): void {
    const entry = this.#notes.get(path);
    if (entry?.kind !== 'file') corpus.remove(path);
    else if (TEXT_FILE.test(path)) corpus.put(path, versionOf(entry));
  }

  async #load(path: string): Promise<string> {
    this.#unjudged.add(path);
    const read = await this.#notes.read(path);
    this.#verdicts.delete(path);
    if (!read.ok) throw new Error(`${path} can't be read as text.`);
    return read.value.text;
  }
}

function versionOf({ modified, size }: NoteEntry): string {
  return `${modified}:${size}`;
}
