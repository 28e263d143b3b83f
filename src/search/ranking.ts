/**
 * Ranks notes for a keyword search by BM25, with a bonus for matches in names, aliases, headings
 * and tags.
 */
import { isMisspelling, lettersOf, mayBeAlike, typosIn, isUnspaced, wordsOf } from './tokenizer';
import { COUNT, FIELD_BITS, type IndexedNote, type WordIndex, type WordUse } from './word-index';

/** How a word of a note matches a word of the query. */
const EXACT_MATCH = 0;
const PREFIX_MATCH = 1;
const TYPO_MATCH = 2;
const MATCH_KINDS = 3;
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

interface Way {
  readonly word: number;
  readonly kind: number;
}

/** Returns the distinct words of a query, up to the maximum. */
export function queryWords(query: string): string[] {
  return [...new Set(wordsOf(query, true))].slice(0, MAX_QUERY_WORDS);
}

/**
 * Ranks these notes only. Other notes never affect the result, not even by how rare a word is.
 * Works in steps of a few milliseconds, between which the index must not change.
 */
export function* rank(
  index: WordIndex,
  notes: readonly IndexedNote[],
  { query, limit }: { readonly query: string; readonly limit: number },
): Generator<void, Ranking> {
  const words = queryWords(query);
  const forms = yield* formsOf(index, words);
  const counter = new Counter(index, words.length, forms);
  const length = counter.begin(notes);
  yield;
  yield* counter.countMerged();
  yield* counter.countOthers(notes);
  const { tallies, seen } = counter;
  const count = notes.length;
  const having = tallies.notesByPlace(words.length);
  yield;
  const scores = having.map((notes, place) => {
    const kind = place % MATCH_KINDS;
    const exact = having[place - kind + PREFIX_MATCH]!;
    if (notes === 0 || (kind === TYPO_MATCH && exact >= ENOUGH_EXACT_MATCHES)) return 0;
    return WAY_WEIGHTS[kind]! * Math.log(1 + (count - notes + 0.5) / (notes + 0.5));
  });
  const best = new BestNotes(limit, words.length);
  // No note may match enough of a long query; some result is better than none.
  for (const share of [MIN_SHARE, 0]) {
    if (best.found > 0) break;
    for (let at = 0; at < tallies.count; at++) {
      if (at % 1_024 === 0) yield;
      best.add(tallies.scored(at, scores, words.length, length / count, share));
    }
  }
  yield;
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
function* formsOf(index: WordIndex, words: readonly string[]): Generator<void, Map<number, Way[]>> {
  const wanted = words.map((word) => ({
    word,
    typos: typosIn(word),
    letters: lettersOf(word),
    begins: word.length >= MIN_PREFIX_CHARS || isUnspaced(word),
  }));
  const matchesOfName = new Map<number, Way[]>();
  for (const [place, { word, typos, begins, letters: own }] of wanted.entries()) {
    // A typo never changes the first letter.
    for (const [at, number] of index.wordsLike(word).entries()) {
      if (at % 4_000 === 3_999) yield;
      const name = index.word(number);
      const letters = index.lettersOf(number);
      let kind = -1;
      if (name === word) kind = EXACT_MATCH;
      else if (begins && name.startsWith(word)) kind = PREFIX_MATCH;
      else if (
        typos > 0 &&
        Math.abs(name.length - word.length) <= typos &&
        mayBeAlike(letters, own, typos) &&
        isMisspelling(word, name, typos)
      ) {
        kind = TYPO_MATCH;
      }
      if (kind < 0) continue;
      const known = matchesOfName.get(number);
      if (known) known.push({ word: place, kind });
      else matchesOfName.set(number, [{ word: place, kind }]);
    }
  }
  return matchesOfName;
}

/** Counts how the notes of a search match its words. */
class Counter {
  readonly tallies: Tallies;
  /** Numbers of words that occur in one of the notes. */
  readonly seen = new Set<number>();
  readonly #index: WordIndex;
  readonly #forms: ReadonlyMap<number, readonly Way[]>;
  /** By slot: one more than the place of the note in `#notes`, or 0 if it is not searched. */
  readonly #searched: Uint32Array;
  /** By slot: one more than the place of the tally, or 0 if there is none yet. */
  readonly #found: Uint32Array;
  #notes: readonly IndexedNote[] = [];

  constructor(index: WordIndex, words: number, forms: ReadonlyMap<number, readonly Way[]>) {
    this.#index = index;
    this.tallies = new Tallies(words * MATCH_KINDS);
    this.#forms = forms;
    this.#searched = new Uint32Array(index.slotEnd);
    this.#found = new Uint32Array(index.slotEnd);
  }

  /** Returns the total length of the notes. */
  begin(notes: readonly IndexedNote[]): number {
    this.#notes = notes;
    let length = 0;
    for (let at = 0; at < notes.length; at++) {
      const note = notes[at]!;
      length += note.length;
      if (note.slot >= 0) this.#searched[note.slot] = at + 1;
    }
    return length;
  }

  *countMerged(): Generator<void, void> {
    for (const [number, ways] of this.#forms) {
      let isSeen = false;
      this.#index.eachUse(number, (slot, use) => {
        const searched = this.#searched[slot]!;
        if (searched === 0) return;
        let place = this.#found[slot]!;
        if (place === 0) {
          place = this.tallies.begin(this.#notes[searched - 1]!) + 1;
          this.#found[slot] = place;
        }
        isSeen = true;
        this.tallies.add(place - 1, use, ways);
      });
      if (isSeen) this.seen.add(number);
      yield;
    }
  }

  *countOthers(notes: readonly IndexedNote[]): Generator<void, void> {
    if (this.#index.isMerged) return;
    const marked = new Uint8Array(this.#index.end);
    for (const number of this.#forms.keys()) marked[number] = 1;
    for (const [at, note] of notes.entries()) {
      if (note.slot < 0) this.#countOne(note, marked);
      if (at % 1_024 === 0) yield;
    }
  }

  #countOne(note: IndexedNote, marked: Uint8Array): void {
    let place = -1;
    for (let at = 0; at < note.words.length; at++) {
      const number = note.words[at]!;
      if (marked[number] !== 1) continue;
      this.seen.add(number);
      if (place < 0) place = this.tallies.begin(note);
      this.tallies.add(place, note.uses[at]!, this.#forms.get(number)!);
    }
  }
}

/** Mask of the summed counts. The field bits are 12 bits higher than in the index. */
const MANY = 0xffffff;

/** Which notes match the query, each with its counts and field bits by query word and kind. */
class Tallies {
  readonly #notes: IndexedNote[] = [];
  /** Number of words times kinds of matches. */
  readonly #places: number;
  #uses: Uint32Array;

  constructor(places: number) {
    this.#places = places;
    this.#uses = new Uint32Array(places * 1_024);
  }

  get count(): number {
    return this.#notes.length;
  }

  /** Returns the number of the new tally. */
  begin(note: IndexedNote): number {
    if ((this.count + 1) * this.#places > this.#uses.length) {
      const larger = new Uint32Array(this.#uses.length * 2);
      larger.set(this.#uses);
      this.#uses = larger;
    }
    return this.#notes.push(note) - 1;
  }

  add(tally: number, use: WordUse, ways: readonly Way[]): void {
    for (const { word, kind } of ways) {
      const place = tally * this.#places + word * MATCH_KINDS + kind;
      // Field bits are shifted to leave room for the sum of several counts.
      const old = this.#uses[place]!;
      this.#uses[place] = ((old | ((use & ~COUNT) << 12)) & ~MANY) + ((old & MANY) + (use & COUNT));
    }
  }

  /** Counts the notes that match each query word, by this kind of match or a better one. */
  notesByPlace(words: number): number[] {
    const found = new Array<number>(words * MATCH_KINDS).fill(0);
    for (let tally = 0; tally < this.count; tally++) {
      for (let word = 0; word < words; word++) {
        let any = 0;
        for (let kind = 0; kind < MATCH_KINDS; kind++) {
          const place = word * MATCH_KINDS + kind;
          any |= this.#uses[tally * this.#places + place]!;
          if (any !== 0) found[place]! += 1;
        }
      }
    }
    return found;
  }

  /** Null if the note matches too little of the query. */
  scored(
    tally: number,
    scores: readonly number[],
    words: number,
    average: number,
    share: number,
  ): RankedNote | null {
    const note = this.#notes[tally]!;
    const uses = this.#uses;
    const first = tally * this.#places;
    const soon = BM25_K1 * (1 - BM25_B + (average > 0 ? (BM25_B * note.length) / average : BM25_B));
    let named = 0;
    for (let word = 0; word < words; word++) {
      const place = first + word * MATCH_KINDS;
      const fields = (uses[place + EXACT_MATCH]! | uses[place + PREFIX_MATCH]!) >>> 12;
      if ((fields & FIELD_BITS.title) !== 0) named += 1;
    }
    // The fewer other words the name has, the more likely it is the note that the user means.
    const nameShare = 0.5 + 0.5 * Math.min(1, named / Math.max(1, note.nameLength));
    let score = 0;
    let has = 0;
    let all = 0;
    let found = 0;
    for (let word = 0; word < words; word++) {
      let best = 0;
      let most = 0;
      let own = 0;
      for (let kind = 0; kind < MATCH_KINDS; kind++) {
        const weight = scores[word * MATCH_KINDS + kind]!;
        most = Math.max(most, weight);
        const use = uses[first + word * MATCH_KINDS + kind]!;
        if (use === 0) continue;
        own = Math.max(own, weight);
        const times = use & MANY;
        const fields = use >>> 12;
        let value = (times * (BM25_K1 + 1)) / (times + soon);
        if (fields & FIELD_BITS.title) value += BONUS.title * nameShare;
        if (fields & FIELD_BITS.alias) value += BONUS.alias;
        if (fields & FIELD_BITS.heading) value += BONUS.heading;
        if (fields & FIELD_BITS.tag) value += BONUS.tag;
        best = Math.max(best, value * weight);
      }
      score += best;
      has += own;
      all += most;
      if (own > 0) found += 1;
    }
    if (found === 0 || has < all * share) return null;
    // Multiplying by the matched share favors notes that match more of the query.
    const { path: id, document } = note;
    return { id, document, score: (score * has) / all, words: found };
  }
}

/** Counts notes and keeps the best ones, because sorting all of them would take most of the time. */
class BestNotes {
  readonly notes: RankedNote[] = [];
  found = 0;
  withAllWords = 0;
  readonly #limit: number;
  readonly #words: number;

  constructor(limit: number, words: number) {
    this.#limit = limit;
    this.#words = words;
  }

  add(note: RankedNote | null): void {
    if (!note) return;
    this.found += 1;
    if (note.words === this.#words) this.withAllWords += 1;
    const { notes } = this;
    const last = notes[this.#limit - 1];
    if (last && !isBetter(note, last)) return;
    let place = notes.length;
    while (place > 0 && isBetter(note, notes[place - 1]!)) place -= 1;
    notes.splice(place, 0, note);
    if (notes.length > this.#limit) notes.pop();
  }
}

function isBetter(a: RankedNote, b: RankedNote): boolean {
  return a.score > b.score || (a.score === b.score && a.id < b.id);
}
