/**
 * A compact set of the trigrams of a text, to skip texts that cannot contain a literal. Trigrams
 * are hashed, so it may contain a trigram by chance, but it never lacks one of the text.
 */
import { requiredLiterals, type RegexNode } from './regex-syntax';

/** At most this share of the bits is set: fewer bits take less memory, but skip fewer texts. */
const MAX_DENSITY = 0.35;
const MIN_BITS = 256;
export const MAX_BITS = 2 ** 21;

/** One bit per hash; the number of bits is a power of two. */
export type TrigramFilter = Uint32Array;

/** Hashes of trigrams, of which a matching text has all of at least one alternative. */
export type TrigramQuery = readonly (readonly number[])[];

/**
 * The case folding of UTF-16 units. Characters that a regular expression takes for the same when it
 * ignores case have the same fold, except outside of the Basic Multilingual Plane.
 */
let folds: Uint16Array | null = null;

function caseFolds(): Uint16Array {
  if (folds) return folds;
  folds = new Uint16Array(0x10000);
  // A few characters, such as `ﬅ` and `ﬆ`, are the same only in that they become the same capitals.
  const capitals = new Map<string, number>();
  for (let unit = 0; unit < folds.length; unit++) {
    const character = String.fromCharCode(unit);
    const upper = character.toUpperCase();
    const lower = (upper.length === 1 ? upper : character).toLowerCase();
    folds[unit] = lower.length === 1 ? lower.charCodeAt(0) : unit;
    if (upper.length === 1) continue;
    folds[unit] = capitals.get(upper) ?? folds[unit]!;
    capitals.set(upper, folds[unit]!);
  }
  return folds;
}

function hashOf(first: number, second: number, third: number): number {
  const mixed =
    Math.imul(first, 0x9e3779b1) ^ Math.imul(second, 0x85ebca6b) ^ Math.imul(third, 0xc2b2ae35);
  return (mixed ^ (mixed >>> 15)) >>> 0;
}

export function trigramsOf(text: string): TrigramFilter {
  const fold = caseFolds();
  const wanted = 2 ** Math.ceil(Math.log2(text.length * 2 + 1));
  const bits = Math.min(MAX_BITS, Math.max(MIN_BITS, wanted));
  const filter = new Uint32Array(bits / 32);
  let first = fold[text.charCodeAt(0)]!;
  let second = fold[text.charCodeAt(1)]!;
  for (let at = 2; at < text.length; at++) {
    const third = fold[text.charCodeAt(at)]!;
    const bit = hashOf(first, second, third) & (bits - 1);
    filter[bit >>> 5]! |= 1 << (bit & 31);
    first = second;
    second = third;
  }
  return compact(filter);
}

/** Halves the filter as often as its density allows. */
function compact(whole: TrigramFilter): TrigramFilter {
  let filter = whole;
  while (filter.length > MIN_BITS / 32) {
    const half = filter.length / 2;
    const folded = filter.slice(0, half);
    for (let at = 0; at < half; at++) folded[at]! |= filter[at + half]!;
    if (countBits(folded) > half * 32 * MAX_DENSITY) break;
    filter = folded;
  }
  return filter;
}

function countBits(words: Uint32Array): number {
  let count = 0;
  for (let word of words) {
    word -= (word >>> 1) & 0x55555555;
    word = (word & 0x33333333) + ((word >>> 2) & 0x33333333);
    count += Math.imul((word + (word >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
  }
  return count;
}

/** Null if the pattern may match a text without a known trigram. */
export function trigramQuery(tree: RegexNode): TrigramQuery | null {
  const branches = tree.kind === 'choice' ? tree.branches : [tree];
  const alternatives = branches.map((branch) => requiredLiterals(branch).flatMap(trigramHashes));
  return alternatives.every((hashes) => hashes.length > 0) ? alternatives : null;
}

/**
 * Line breaks can differ between a text and a pattern, and the case of a surrogate pair changes one
 * of its halves, so trigrams with either are left out.
 */
function trigramHashes(literal: string): number[] {
  const fold = caseFolds();
  return literal.split(/[\n\r\uD800-\uDFFF]/).flatMap((part) => {
    const units = Array.from({ length: part.length }, (_, at) => fold[part.charCodeAt(at)]!);
    return units.slice(2).map((unit, at) => hashOf(units[at]!, units[at + 1]!, unit));
  });
}

/**
 * Whether a text with this filter may match.
 *
 * @param from where the filter begins in an array of several
 */
export function mayMatch(
  filters: Uint32Array,
  query: TrigramQuery,
  from = 0,
  length = filters.length,
): boolean {
  const mask = length * 32 - 1;
  const has = (hash: number) => {
    const bit = hash & mask;
    return (filters[from + (bit >>> 5)]! & (1 << (bit & 31))) !== 0;
  };
  return query.some((hashes) => hashes.every(has));
}
