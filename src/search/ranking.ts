/**
 * Ranks notes for a keyword search by BM25, with a bonus for matches in names, aliases, headings
 * and tags.
 */
import { isMisspelling, isUnspaced, typosIn, wordsOf } from './tokenizer';
import {
  countIn,
  EXACT_MATCH,
  fieldsIn,
  isInTitle,
  MATCH_KINDS,
  PREFIX_MATCH,
  QueryMatches,
  TYPO_MATCH,
  type Way,
  type WordForms,
} from './query-matches';
import { FIELD_BITS } from './postings';
import type { IndexedNote, WordIndex } from './word-index';

const WAY_WEIGHTS = [1, 0.5, 0.3] as const;

/**
 * If this many notes contain a query word, or a word that begins with it, its misspellings are
 * ignored.
 */
const ENOUGH_EXACT_MATCHES = 5;

const MAX_QUERY_WORDS = 16;
const MIN_PREFIX_CHARS = 3;

/** The usual BM25 parameters: term frequency saturation (k1) and length normalization (b). */
const BM25_K1 = 1.2;
const BM25_B = 0.7;

/**
 * Notes that match less than this share of the query's total weight are left out, unless no note
 * matches more.
 */
const MIN_SHARE = 0.2;

const BONUS = { title: 2.5, alias: 2, heading: 0.6, tag: 0.8 } as const;

export interface RankedNote {
  /** Its path. */
  readonly id: string;
  /** Number of the document. */
  readonly document: number;
  readonly score: number;
  /** Number of query words that the note matches in any way. */
  readonly words: number;
}

/** Relates a word of a note to the query word that it matches. */
export interface Match {
  /** Index of the query word, from 0. */
  readonly word: number;
  readonly score: number;
}

export interface Ranking {
  /** The words of the query. */
  readonly words: readonly string[];
  /** Best first, up to the limit. */
  readonly best: readonly RankedNote[];
  /** Number of notes found. */
  readonly found: number;
  /** Number of notes with every word of the query. */
  readonly withAllWords: number;
  /** Matching words of the notes. */
  readonly matches: ReadonlyMap<string, readonly Match[]>;
  /** Number of notes searched. */
  readonly count: number;
  /**
   * Query words that no note contains, even as the beginning of a word. Excludes words in scripts
   * without spaces.
   */
  readonly missing: readonly string[];
}

/** Returns the distinct words of a query, up to the maximum. */
export function queryWords(query: string): string[] {
  return [...new Set(wordsOf(query, true))].slice(0, MAX_QUERY_WORDS);
}

/** Ranks these notes only. Other notes never affect the result, not even by how rare a word is. */
export function rank(
  index: WordIndex,
  notes: readonly IndexedNote[],
  { query, limit }: { readonly query: string; readonly limit: number },
): Ranking {
  const words = queryWords(query);
  const forms = formsOf(index, words);
  const counted = new QueryMatches(index, notes, words.length, forms);
  const { seen } = counted;
  const count = notes.length;
  const having = counted.notesByColumn();
  const scores = having.map((notes, place) => {
    const kind = place % MATCH_KINDS;
    const exact = having[place - kind + PREFIX_MATCH]!;
    if (notes === 0 || (kind === TYPO_MATCH && exact >= ENOUGH_EXACT_MATCHES)) return 0;
    return WAY_WEIGHTS[kind]! * Math.log(1 + (count - notes + 0.5) / (notes + 0.5));
  });
  const scorer = new Scorer(counted, scores, count);
  const best = new BestNotes(limit, words.length);
  // No note may match enough of a long query; some result is better than none.
  for (const share of [MIN_SHARE, 0]) {
    if (best.found === 0) scorer.scoreRows(share, best);
  }
  // The order must not depend on when the words were indexed.
  const names = [...seen].map((number) => [index.word(number), number] as const);
  names.sort(([a], [b]) => (a < b ? -1 : 1));
  const matches = new Map<string, readonly Match[]>();
  for (const [name, number] of names) {
    const alternatives = forms.get(number) ?? [];
    matches.set(
      name,
      alternatives.map(({ word, kind }) => ({ word, score: scores[word * MATCH_KINDS + kind]! })),
    );
  }
  const missing = words.filter(
    (word, place) => having[place * MATCH_KINDS + PREFIX_MATCH] === 0 && !isUnspaced(word),
  );
  const { notes: shown, found, withAllWords } = best;
  return { words, best: shown, found, withAllWords, matches, count, missing };
}

/** Returns the numbers of all indexed words that match a query word, and how they match. */
function formsOf(index: WordIndex, words: readonly string[]): WordForms {
  const wanted = words.map((word) => ({
    word,
    typos: typosIn(word),
    begins: word.length >= MIN_PREFIX_CHARS || isUnspaced(word),
  }));
  const matchesOfName = new Map<number, Way[]>();
  for (const [place, { word, typos, begins }] of wanted.entries()) {
    // A typo never changes the first letter.
    for (const number of index.wordsLike(word, typos)) {
      const name = index.word(number);
      let kind = -1;
      if (name === word) kind = EXACT_MATCH;
      else if (begins && name.startsWith(word)) kind = PREFIX_MATCH;
      else if (isMisspelling(word, name, typos)) kind = TYPO_MATCH;
      if (kind < 0) continue;
      const known = matchesOfName.get(number);
      if (known) known.push({ word: place, kind });
      else matchesOfName.set(number, [{ word: place, kind }]);
    }
  }
  return matchesOfName;
}

/** Computes the scores of notes from how they match the query. */
class Scorer {
  readonly #matches: QueryMatches;
  /** By query word and kind of match. */
  readonly #weights: Float64Array;
  /** The best weight of each word, summed. */
  readonly #allWeights: number;
  readonly #averageLength: number;

  constructor(matches: QueryMatches, weights: readonly number[], notes: number) {
    this.#matches = matches;
    this.#weights = Float64Array.from(weights);
    let all = 0;
    for (let word = 0; word < weights.length; word += MATCH_KINDS) {
      all += Math.max(0, ...weights.slice(word, word + MATCH_KINDS));
    }
    this.#allWeights = all;
    this.#averageLength = matches.rows.totalLength / notes;
  }

  /** Leaves out notes that match less than this share of the query. */
  scoreRows(share: number, best: BestNotes): void {
    const { rows, end } = this.#matches;
    for (let row = 0; row < end; row++) {
      if (this.#matches.isMatched(row)) this.#scoreRow(row, rows.notes[row]!, share, best);
    }
  }

  #scoreRow(row: number, note: IndexedNote, share: number, best: BestNotes): void {
    const { cells, rows } = this.#matches;
    const weights = this.#weights;
    const first = this.#matches.firstCell(row);
    const average = this.#averageLength;
    const length = rows.lengths[row]!;
    const soon = BM25_K1 * (1 - BM25_B + (average > 0 ? (BM25_B * length) / average : BM25_B));
    let nameShare = -1;
    let score = 0;
    let has = 0;
    let found = 0;
    for (let word = 0; word < weights.length; word += MATCH_KINDS) {
      let most = 0;
      let own = 0;
      for (let column = word; column < word + MATCH_KINDS; column++) {
        const cell = cells[first + column]!;
        if (cell === 0) continue;
        const weight = weights[column]!;
        if (weight > own) own = weight;
        const times = countIn(cell);
        const fields = fieldsIn(cell);
        let value = (times * (BM25_K1 + 1)) / (times + soon);
        if (fields !== 0) {
          if (fields & FIELD_BITS.title) {
            if (nameShare < 0) nameShare = this.#nameShare(first, note);
            value += BONUS.title * nameShare;
          }
          if (fields & FIELD_BITS.alias) value += BONUS.alias;
          if (fields & FIELD_BITS.heading) value += BONUS.heading;
          if (fields & FIELD_BITS.tag) value += BONUS.tag;
        }
        if (value * weight > most) most = value * weight;
      }
      score += most;
      has += own;
      if (own > 0) found += 1;
    }
    if (found === 0 || has < this.#allWeights * share) return;
    // Multiplying by the matched share favors notes that match more of the query.
    best.add(note, (score * has) / this.#allWeights, found);
  }

  /** The fewer other words the name has, the more likely it is the note that the user means. */
  #nameShare(first: number, note: IndexedNote): number {
    const { cells } = this.#matches;
    let named = 0;
    for (let column = 0; column < this.#weights.length; column += MATCH_KINDS) {
      const place = first + column;
      if (isInTitle(cells[place + EXACT_MATCH]! | cells[place + PREFIX_MATCH]!)) named += 1;
    }
    return 0.5 + 0.5 * Math.min(1, named / Math.max(1, note.nameLength));
  }
}

/** Counts notes and keeps the best ones, because sorting all of them would take most of the time. */
class BestNotes {
  readonly notes: RankedNote[] = [];
  found = 0;
  withAllWords = 0;
  readonly #limit: number;
  readonly #words: number;
  /** A lower score is not among the best. */
  #least = -1;

  constructor(limit: number, words: number) {
    this.#limit = limit;
    this.#words = words;
  }

  /** @param words number of query words that the note matches */
  add(note: IndexedNote, score: number, words: number): void {
    this.found += 1;
    if (words === this.#words) this.withAllWords += 1;
    if (score >= this.#least) this.#insert(note, score, words);
  }

  #insert({ document: { path: id, number } }: IndexedNote, score: number, words: number): void {
    const { notes } = this;
    const last = notes[this.#limit - 1];
    if (last && !isBetter(score, id, last)) return;
    let place = notes.length;
    while (place > 0 && isBetter(score, id, notes[place - 1]!)) place -= 1;
    notes.splice(place, 0, { id, document: number, score, words });
    if (notes.length > this.#limit) notes.pop();
    this.#least = notes[this.#limit - 1]?.score ?? -1;
  }
}

function isBetter(score: number, id: string, other: RankedNote): boolean {
  return score > other.score || (score === other.score && id < other.id);
}
