/** Searches the vault: keyword search, patterns, and access to semantic search. */
import type { Clock } from '#ports/clock';
import type { NoteVault } from '#ports/vault';
import { searchDocuments, type SearchResult } from '#search/grep';
import { bestPassage, type RankedPassage } from '#search/passages';
import type { Pattern } from '#search/pattern';
import { rank, type RankedNote, type Ranking } from '#search/ranking';
import { inSlices, type Slice, SlicedWork } from '#search/sliced-work';
import { WordIndex } from '#search/word-index';
import { type SearchScope, VaultIndex, VaultTexts } from './text-index';
import { type VaultMeaningDeps, SemanticSearch } from './semantic-search';

export interface KeywordQuery extends SearchScope {
  readonly query: string;
  /** Maximum notes in `best`. */
  readonly limit: number;
}

export interface FoundNote extends RankedNote {
  /** The text as tools see it. */
  readonly text: string;
  readonly passage: RankedPassage;
}

export interface RankedNotes {
  readonly ranking: Ranking;
  /** Best first. */
  readonly best: readonly FoundNote[];
  /** Notes that could not be read. */
  readonly unread: readonly string[];
}

export class KeywordSearch {
  readonly #kept: VaultIndex<WordIndex>;
  readonly #slice: Slice;

  constructor(texts: VaultTexts, { now, pause }: Clock) {
    this.#slice = { clock: now, pause, milliseconds: 5 };
    this.#kept = new VaultIndex(texts, this.#slice);
  }

  /** Null if aborted. */
  rank(query: KeywordQuery): Promise<RankedNotes | null> {
    return this.#kept.inTurn(() => this.#rank(query));
  }

  async #rank(wish: KeywordQuery): Promise<RankedNotes | null> {
    const { query, limit, signal } = wish;
    const { index, ids, unread } = await this.#kept.update(wish, (old) => old ?? new WordIndex());
    let among = ids;
    const work = new SlicedWork(this.#slice, signal);
    while (!work.stopped) {
      const ranking = await inSlices(rank(index, among, query), work);
      const first = ranking.notes.slice(0, limit);
      const texts = await this.#kept.texts(
        first.map(({ id }) => id),
        wish,
      );
      work.resumed();
      if (texts.size < first.length) {
        const lost = new Set(first.flatMap(({ id }) => (texts.has(id) ? [] : [id])));
        among = among.filter((id) => !lost.has(id));
        continue;
      }
      const best: FoundNote[] = [];
      for (const note of first) {
        const text = texts.get(note.id) ?? '';
        const steps = bestPassage(text, ranking.matches, ranking.words.length);
        best.push({ ...note, text, passage: await inSlices(steps, work) });
      }
      return { ranking, best, unread };
    }
    return null;
  }
}

/** A pattern search. Excerpts come from the first matching files, in the order of `among`. */
export interface PatternQuery extends SearchScope {
  readonly contextLines: number;
  readonly maxExcerpts: number;
}

export class VaultSearch {
  readonly #notes: NoteVault;
  readonly #texts: VaultTexts;
  readonly ranks: KeywordSearch;
  readonly #clock: Clock;
  readonly #semanticDeps: VaultMeaningDeps;
  #semantic: SemanticSearch | null = null;

  /** @param notes the vault as tools see it */
  constructor(notes: NoteVault, clock: Clock, meaning: VaultMeaningDeps) {
    this.#notes = notes;
    this.#semanticDeps = meaning;
    this.#texts = new VaultTexts(notes);
    this.ranks = new KeywordSearch(this.#texts, clock);
    this.#clock = clock;
  }

  /** Whether `grep` searches the file. */
  isText(path: string): boolean {
    return this.#texts.isText(path);
  }

  /** Semantic search, created on first use. */
  semanticSearch(): SemanticSearch {
    if (this.#semantic) return this.#semantic;
    const meaning = new SemanticSearch(this.#texts, this.#semanticDeps);
    this.#notes.onChange(({ kind }) => {
      if (kind === 'removed' || kind === 'renamed') void meaning.forget();
    });
    return (this.#semantic = meaning);
  }

  async grep(
    pattern: Pattern,
    { among, contextLines, maxExcerpts, hides, sees, signal }: PatternQuery,
  ): Promise<SearchResult> {
    const corpus = this.#texts.now();
    let ids = among.filter(({ path }) => this.#texts.isText(path)).map(({ path }) => path);
    const { now, pause } = this.#clock;
    const slice = { clock: now, pause };
    for (;;) {
      const result = await searchDocuments(corpus, ids, pattern, {
        hides: this.#texts.judgedBy(hides),
        contextLines,
        maxExcerpts,
        signal,
        slice,
      });
      const found = result.found.map(({ id }) => id);
      const escaped = await this.#texts.escaped(found);
      const hidden = found.filter((path) => escaped.has(path) || !sees(path));
      if (hidden.length === 0) return result;
      ids = ids.filter((path) => !hidden.includes(path));
    }
  }
}
