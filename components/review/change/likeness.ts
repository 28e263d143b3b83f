/** How much two texts have in common. */

export interface Words {
  readonly counts: ReadonlyMap<string, number>;
  readonly total: number;
}

/** Scripts without spaces are taken by the character. */
const WORD =
  /\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Thai}|[\p{L}\p{M}\p{N}]+/gu;

export function wordsOf(text: string): Words {
  const counts = new Map<string, number>();
  let total = 0;
  for (const [word] of text.matchAll(WORD)) {
    counts.set(word, (counts.get(word) ?? 0) + 1);
    total += 1;
  }
  return { counts, total };
}

/** How many of their words two texts share, from 0 to 1. */
export function sharing(one: Words, other: Words): number {
  if (one.total + other.total === 0) return 1;
  let shared = 0;
  for (const [word, count] of one.counts) shared += Math.min(count, other.counts.get(word) ?? 0);
  return (2 * shared) / (one.total + other.total);
}

/** Two of one kind that share fewer of their words than this are two, and not one that was changed. */
const LIKE = 0.3;

/** Whatever is in them: what is alike is found further in. */
const LOOKED_INTO = new Set(
  'ul ol table thead tbody tr td th blockquote pre div details section'.split(' '),
);

export interface Comparable {
  /** The name of its element. */
  readonly kind: string;
  readonly words: Words;
}

/** Whether one block may have become the other: 0, or the more the likelier. */
export function likeness(one: Comparable, other: Comparable): number {
  if (one.kind !== other.kind) return 0;
  const shared = sharing(one.words, other.words);
  if (LOOKED_INTO.has(one.kind)) return 0.01 + shared;
  return shared >= LIKE ? shared : 0;
}
