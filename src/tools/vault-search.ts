/** The vault's texts as one corpus, kept up to date by its events; built when the first search wants it. */
import type { Clock } from '#ports/clock';
import type { NoteEntry, Notes } from '#ports/notes';
import { Corpus } from '#search/corpus';
import { searchDocuments, type SearchResult } from '#search/grep';
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
  readonly signal: AbortSignal;
}

export class VaultSearch {
  readonly #notes: Notes;
  readonly #clock: Clock;
  #corpus: Corpus | null = null;
  #unsavedCount = 0;

  constructor(notes: Notes, clock: Clock) {
    this.#notes = notes;
    this.#clock = clock;
  }

  async grep(
    pattern: Pattern,
    { among, contextLines, maxExcerpts, signal }: SearchWish,
  ): Promise<SearchResult> {
    const corpus = this.#upToDate();
    const ids = among.filter(({ path }) => TEXT_FILE.test(path)).map(({ path }) => path);
    const { now, pause } = this.#clock;
    return searchDocuments(corpus, ids, pattern, {
      contextLines,
      maxExcerpts,
      signal,
      slice: { clock: now, pause },
    });
  }

  #upToDate(): Corpus {
    this.#corpus ??= this.#build();
    for (const path of this.#notes.unsaved()) {
      // Neither time nor size tells of what is typed and not saved.
      this.#unsavedCount += 1;
      this.#corpus.put(path, `unsaved ${this.#unsavedCount}`);
    }
    return this.#corpus;
  }

  #build(): Corpus {
    const corpus = new Corpus({ load: (path) => this.#load(path), cacheBytes: CACHE_BYTES });
    const put = (path: string) => {
      const entry = this.#notes.get(path);
      if (entry?.kind === 'file' && TEXT_FILE.test(path)) corpus.put(path, versionOf(entry));
    };
    for (const { path } of this.#notes.list()) put(path);
    this.#notes.onChange((event) => {
      if (event.kind === 'renamed') corpus.remove(event.from);
      if (event.kind === 'removed') corpus.remove(event.path);
      else put(event.path);
    });
    return corpus;
  }

  async #load(path: string): Promise<string> {
    const read = await this.#notes.read(path);
    if (!read.ok) throw new Error(`${path} can't be read as text.`);
    return read.value.text;
  }
}

function versionOf({ modified, size }: NoteEntry): string {
  return `${modified}:${size}`;
}
