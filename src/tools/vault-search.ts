/** Searches over the vault's texts, which show nothing that is out of sight. */
import type { Clock } from '#ports/clock';
import type { NoteVault } from '#ports/vault';
import type { SearchResult } from '#search/grep';
import type { Pattern } from '#search/pattern';
import type { Looking } from './vault-index';
import type { MeaningParts, VaultMeaning } from './vault-meaning';
import { VaultRanks } from './vault-ranks';
import { VaultTexts } from './vault-texts';

/** What is searched in the order in which excerpts are wanted. */
export interface SearchWish extends Looking {
  readonly contextLines: number;
  readonly maxExcerpts: number;
}

export class VaultSearch {
  readonly #notes: NoteVault;
  readonly #texts: VaultTexts;
  readonly ranks: VaultRanks;
  readonly #clock: Clock;
  readonly #meaningParts: MeaningParts;
  #meaning: Promise<VaultMeaning> | null = null;

  /** @param notes as they read to tools */
  constructor(notes: NoteVault, clock: Clock, meaning: MeaningParts) {
    this.#notes = notes;
    this.#meaningParts = meaning;
    this.#texts = new VaultTexts(notes);
    this.ranks = new VaultRanks(this.#texts, clock);
    this.#clock = clock;
  }

  /** Whether `grep` searches the file. */
  isText(path: string): boolean {
    return this.#texts.isText(path);
  }

  /** What there is to search notes by their meaning. */
  meaning(): Promise<VaultMeaning> {
    return (this.#meaning ??= import('./vault-meaning').then(({ VaultMeaning }) => {
      const meaning = new VaultMeaning(this.#texts, this.#meaningParts);
      this.#notes.onChange(({ kind }) => {
        if (kind === 'removed' || kind === 'renamed') void meaning.forget();
      });
      return meaning;
    }));
  }

  async grep(
    pattern: Pattern,
    { among, contextLines, maxExcerpts, hides, sees, signal }: SearchWish,
  ): Promise<SearchResult> {
    const { searchDocuments } = await import('#search/grep');
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
