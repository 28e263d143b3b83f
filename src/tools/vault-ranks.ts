/** The vault's notes ranked by the words of a query. */
import type { Clock } from '#ports/clock';
import type { Passage } from '#search/passages';
import type { RankedNote, Ranking } from '#search/ranking';
import { inSlices, SlicedWork, type Slice } from '#search/slices';
import type { WordIndex } from '#search/word-index';
import { VaultIndex, type Looking } from './vault-index';
import type { VaultTexts } from './vault-texts';

export interface RankWish extends Looking {
  readonly query: string;
  /** So many of the best are wanted. */
  readonly limit: number;
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

export class VaultRanks {
  readonly #kept: VaultIndex<WordIndex>;
  readonly #slice: Slice;

  constructor(texts: VaultTexts, { now, pause }: Clock) {
    this.#slice = { clock: now, pause, milliseconds: 5 };
    this.#kept = new VaultIndex(texts, this.#slice);
  }

  /** Null after an abort. */
  rank(wish: RankWish): Promise<Ranked | null> {
    return this.#kept.inTurn(() => this.#rank(wish));
  }

  async #rank(wish: RankWish): Promise<Ranked | null> {
    const { WordIndex, rank, bestPassage } = await import('#search/ranked');
    const { query, limit, signal } = wish;
    const { index, ids, unread } = await this.#kept.mended(wish, (old) => old ?? new WordIndex());
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
