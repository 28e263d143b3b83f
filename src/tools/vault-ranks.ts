/** The vault's notes ranked for a query, over an index of their words that is made and mended when a search wants it. */
import type { Clock } from '#ports/clock';
import type { NoteEntry } from '#ports/notes';
import type { Corpus } from '#search/corpus';
import type { Passage } from '#search/passages';
import type { RankedNote, Ranking } from '#search/ranking';
import { inSlices, SlicedWork, type Slice } from '#search/slices';
import type { WordIndex } from '#search/word-index';
import type { Hides, VaultTexts } from './vault-texts';

export interface RankWish {
  readonly query: string;
  /** What of it is no note is left out. */
  readonly among: readonly Pick<NoteEntry, 'path'>[];
  /** So many of the best are wanted. */
  readonly limit: number;
  /** Whether a note is hidden by its text; the same function while the rule is the same. */
  readonly hides: Hides;
  /** Whether a path may be shown, as far as the host's index tells. */
  readonly sees: (path: string) => boolean;
  readonly signal: AbortSignal;
}

export interface FoundNote extends RankedNote {
  /** As it reads to tools. */
  readonly text: string;
  readonly passage: Passage;
}

export interface Ranked {
  readonly ranking: Ranking;
  /** The best first. */
  readonly best: readonly FoundNote[];
  /** Could not be read. */
  readonly unread: readonly string[];
}

const NOTE = /\.md$/i;

export class VaultRanks {
  readonly #texts: VaultTexts;
  readonly #slice: Slice;
  #index: WordIndex | null = null;
  /** Notes that their own text hides, by version, by the rule that was last in force: they are not in the index. */
  readonly #hidden = new Map<string, string>();
  #rule: Hides | null = null;
  #last: Promise<unknown> = Promise.resolve();

  constructor(texts: VaultTexts, { now, pause }: Clock) {
    this.#texts = texts;
    this.#slice = { clock: now, pause, milliseconds: 5 };
  }

  /** One search at a time: the index stays as it is while one goes through it. Null after an abort. */
  rank(wish: RankWish): Promise<Ranked | null> {
    const mine = this.#last.then(() => this.#rank(wish));
    this.#last = mine.catch(() => undefined);
    return mine;
  }

  async #rank({ query, among, limit, hides, sees, signal }: RankWish): Promise<Ranked | null> {
    const { WordIndex, rank, bestPassage } = await import('#search/ranked');
    if (hides !== this.#rule) {
      this.#index = null;
      this.#hidden.clear();
      this.#rule = hides;
    }
    const index = (this.#index ??= new WordIndex());
    const corpus = this.#texts.now();
    let ids = among.flatMap(({ path }) => (NOTE.test(path) ? [path] : []));
    const unread = await this.#mend(index, corpus, ids, signal);
    const work = new SlicedWork(this.#slice, signal);
    while (!work.stopped) {
      const ranking = await inSlices(rank(index, ids, query), work);
      const best: FoundNote[] = [];
      const lost = new Set<string>();
      for (const note of ranking.notes.slice(0, limit)) {
        const text = await corpus.text(note.id);
        work.resumed();
        if (text === undefined || hides(note.id, text)) {
          lost.add(note.id);
          continue;
        }
        const { matches, words } = ranking;
        const passage = await inSlices(bestPassage(text, matches, words.length), work);
        best.push({ ...note, text, passage });
      }
      for (const path of await this.#texts.escaped(best.map(({ id }) => id))) lost.add(path);
      for (const { id } of best) if (!sees(id)) lost.add(id);
      if (lost.size === 0) return { ranking, best, unread };
      ids = ids.filter((path) => !lost.has(path));
    }
    return null;
  }

  /** Takes in what changed. Gives what could not be read. */
  async #mend(
    index: WordIndex,
    corpus: Corpus,
    ids: readonly string[],
    signal: AbortSignal,
  ): Promise<readonly string[]> {
    for (const known of [index.ids(), this.#hidden.keys()]) {
      for (const id of known) if (corpus.version(id) === undefined) this.#forget(index, id);
    }
    // What changes while it is read is read again for the next search.
    const wanted = new Map<string, string>();
    for (const id of ids) {
      const version = corpus.version(id);
      const known = index.note(id)?.version ?? this.#hidden.get(id);
      if (version !== undefined && version !== known) wanted.set(id, version);
    }
    const judged = this.#rule ? this.#texts.judgedBy(this.#rule) : () => false;
    const visit = (id: string, text: string) => {
      const version = wanted.get(id) ?? '';
      this.#hidden.delete(id);
      if (!judged(id, text)) return index.put(id, version, text);
      index.remove(id);
      this.#hidden.set(id, version);
      return undefined;
    };
    const { unread } = await corpus.scan(wanted.keys(), visit, { slice: this.#slice, signal });
    for (const id of unread) this.#forget(index, id);
    return unread;
  }

  #forget(index: WordIndex, id: string): void {
    index.remove(id);
    this.#hidden.delete(id);
  }
}
