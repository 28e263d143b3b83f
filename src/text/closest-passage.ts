/** Finds the passage of a text that is most similar to another one. */
import { wordPattern } from './word-reader';

/** A passage of a text; `end` is exclusive. */
export interface TextPassage {
  start: number;
  end: number;
}

/** Minimum share of the wanted words that a passage must contain to be shown to the model. */
const MIN_SHARE = 0.34;

/**
 * The passage most similar to `wanted`: of as many words, those that share the most with it.
 *
 * @param minShare minimum share of the wanted words that it must contain
 */
export function closestPassage(
  text: string,
  wanted: string,
  minShare = MIN_SHARE,
): TextPassage | null {
  const target = wordsIn(wanted);
  const words = wordsIn(text);
  const open = new Map<string, number>();
  for (const { word } of target) open.set(word, (open.get(word) ?? 0) + 1);
  let shared = 0;
  let best = { last: 0, shared: 0 };
  for (const [at, { word }] of words.entries()) {
    const left = open.get(word);
    if (left !== undefined && left > 0) shared += 1;
    if (left !== undefined) open.set(word, left - 1);
    const leaving = words[at - target.length]?.word ?? '';
    const owed = open.get(leaving);
    if (owed !== undefined && owed >= 0) shared -= 1;
    if (owed !== undefined) open.set(leaving, owed + 1);
    if (shared > best.shared) best = { last: at, shared };
  }
  const around = words.slice(Math.max(0, best.last - target.length + 1), best.last + 1);
  const own = around.filter(({ word }) => open.has(word));
  const [first, last] = [own[0], own.at(-1)];
  if (!first || !last || best.shared < target.length * minShare) return null;
  return { start: first.start, end: last.end };
}

function wordsIn(text: string): (TextPassage & { readonly word: string })[] {
  return [...text.matchAll(wordPattern())].map(({ 0: word, index }) => ({
    word: word.toLowerCase(),
    start: index,
    end: index + word.length,
  }));
}
