/**
 * Ranks notes for a keyword search by BM25, with a bonus for matches in names, aliases, headings
 * and tags.
 */
import { isMisspelling, lettersOf, mayBeAlike, typosIn, isUnspaced, wordsOf } from './tokenizer';
import { COUNT, FIELD_BITS, type IndexedNote, type WordIndex } from './word-index';

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
  readonly id: string;
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
  /** Best first. */
  readonly notes: readonly RankedNote[];
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

interface Tally {
  readonly id: string;
  readonly note: IndexedNote;
  /** Count and field bits, by query word and kind of match. */
  readonly uses: Uint32Array;
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
  ids: Iterable<string>,
  query: string,
): Generator<void, Ranking> {
  const words = queryWords(query);
  const standIns = yield* formsOf(index, words);
  const marked = new Uint8Array(index.end);
  for (const number of standIns.keys()) marked[number] = 1;
  const seen = new Set<number>();
  const tallies: Tally[] = [];
  let count = 0;
  let length = 0;
  for (const id of ids) {
    const note = index.note(id);
    if (!note) continue;
    count += 1;
    length += note.length;
    const uses = tally(note, marked, standIns, words.length, seen);
    if (uses) tallies.push({ id, note, uses });
    if (count % 64 === 0) yield;
  }
  const found = foundBy(tallies, words.length);
  const scores = found.map((notes, place) => {
    const kind = place % MATCH_KINDS;
    const exact = found[place - kind + PREFIX_MATCH]!;
    if (notes === 0 || (kind === TYPO_MATCH && exact >= ENOUGH_EXACT_MATCHES)) return 0;
    return WAY_WEIGHTS[kind]! * Math.log(1 + (count - notes + 0.5) / (notes + 0.5));
  });
  const notes: RankedNote[] = [];
  // No note may match enough of a long query; some result is better than none.
  for (const share of [MIN_SHARE, 0]) {
    if (notes.length > 0) break;
    for (const [place, each] of tallies.entries()) {
      if (place % 256 === 0) yield;
      const note = scored(each, scores, words.length, length / count, share);
      if (note) notes.push(note);
    }
  }
  yield;
  notes.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  const matches = new Map<string, readonly Match[]>();
  for (const number of seen) {
    const name = index.word(number);
    const alternatives = standIns.get(number) ?? [];
    matches.set(
      name,
      alternatives.map(({ word, kind }) => ({ word, score: scores[word * MATCH_KINDS + kind]! })),
    );
  }
  const missing = words.filter(
    (word, place) => found[place * MATCH_KINDS + PREFIX_MATCH] === 0 && !isUnspaced(word),
  );
  return { words, notes, matches, count, missing };
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
  for (let number = 0; number < index.end; number++) {
    if (number % 4_000 === 3_999) yield;
    const name = index.word(number);
    if (name === '') continue;
    const letters = index.lettersOf(number);
    for (const [place, { word, typos, begins, letters: own }] of wanted.entries()) {
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

function tally(
  { words, uses }: IndexedNote,
  marked: Uint8Array,
  standIns: ReadonlyMap<number, readonly Way[]>,
  count: number,
  seen: Set<number>,
): Uint32Array | null {
  let all: Uint32Array | null = null;
  for (let at = 0; at < words.length; at++) {
    const number = words[at]!;
    if (marked[number] !== 1) continue;
    seen.add(number);
    all ??= new Uint32Array(count * MATCH_KINDS);
    const use = uses[at]!;
    for (const { word, kind } of standIns.get(number)!) {
      const place = word * MATCH_KINDS + kind;
      // Field bits are shifted to leave room for the sum of several counts.
      const old = all[place]!;
      all[place] = ((old | ((use & ~COUNT) << 12)) & ~MANY) + ((old & MANY) + (use & COUNT));
    }
  }
  return all;
}

/** Mask of the summed counts. The field bits are 12 bits higher than in the index. */
const MANY = 0xffffff;

/** Counts the notes that match each query word, by this kind of match or a better one. */
function foundBy(tallies: readonly Tally[], words: number): number[] {
  const found = new Array<number>(words * MATCH_KINDS).fill(0);
  for (const { uses } of tallies) {
    for (let word = 0; word < words; word++) {
      let any = 0;
      for (let place = word * MATCH_KINDS; place < (word + 1) * MATCH_KINDS; place++) {
        any |= uses[place]!;
        if (any !== 0) found[place]! += 1;
      }
    }
  }
  return found;
}

/** Returns null if the note matches too little of the query. */
function scored(
  { id, note, uses }: Tally,
  scores: readonly number[],
  words: number,
  average: number,
  share: number,
): RankedNote | null {
  const soon = BM25_K1 * (1 - BM25_B + (average > 0 ? (BM25_B * note.length) / average : BM25_B));
  const isInName = (place: number) => ((uses[place]! >>> 12) & FIELD_BITS.title) !== 0;
  let named = 0;
  for (let word = 0; word < words; word++) {
    if (isInName(word * MATCH_KINDS) || isInName(word * MATCH_KINDS + PREFIX_MATCH)) named += 1;
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
    for (let place = word * MATCH_KINDS; place < (word + 1) * MATCH_KINDS; place++) {
      most = Math.max(most, scores[place]!);
      const use = uses[place]!;
      if (use === 0) continue;
      own = Math.max(own, scores[place]!);
      const times = use & MANY;
      const fields = use >>> 12;
      let value = (times * (BM25_K1 + 1)) / (times + soon);
      if (fields & FIELD_BITS.title) value += BONUS.title * nameShare;
      if (fields & FIELD_BITS.alias) value += BONUS.alias;
      if (fields & FIELD_BITS.heading) value += BONUS.heading;
      if (fields & FIELD_BITS.tag) value += BONUS.tag;
      best = Math.max(best, value * scores[place]!);
    }
    score += best;
    has += own;
    all += most;
    if (own > 0) found += 1;
  }
  if (found === 0 || has < all * share) return null;
  // Multiplying by the matched share favors notes that match more of the query.
  return { id, score: (score * has) / all, words: found };
}
