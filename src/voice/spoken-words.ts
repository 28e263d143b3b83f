/**
 * The words of a spoken message without what speech adds to them: the assistant's name, fillers,
 * "please", letter case and punctuation.
 */
import type { Settings } from '#model/settings';
import { wireNameFrom } from '#model/wire-name';

export interface SpokenWords {
  /** Lower case, without the name and the fillers; empty if nothing else was said. */
  readonly words: readonly string[];
  /** All words of the message, since a filler may be part of a name. */
  readonly whole: readonly string[];
  readonly isQuestion: boolean;
}

/** Each name as a list of words, the longest first. */
export type AssistantNames = readonly (readonly string[])[];

/** Everything that users call the assistant: its full name, the last word of it, the wake word. */
export function assistantNames({
  assistantName,
  wireName,
}: Pick<Settings, 'assistantName' | 'wireName'>): AssistantNames {
  const full = plainWords(assistantName);
  const names = [full, full.slice(-1), plainWords(wireName.trim() || wireNameFrom(assistantName))];
  return names.filter((name) => name.length > 0).sort((a, b) => b.length - a.length);
}

const FILLERS = new Set([
  'hey',
  'hi',
  'hello',
  'um',
  'uh',
  'er',
  'oh',
  'well',
  'so',
  'and',
  'then',
]);
const POLITE = new Set(['please', 'thanks', 'thank', 'just', 'now']);

export function spokenWords(text: string, names: AssistantNames): SpokenWords {
  const whole = plainWords(text);
  let words = whole.filter((word, at, all) => {
    return !POLITE.has(word) && !(word === 'you' && all[at - 1] === 'thank');
  });
  let from = 0;
  for (;;) {
    const name = names.find((each) => isAt(words, from, each));
    if (name) from += name.length;
    else if (from < words.length - 1 && isFiller(words, from, names)) from += 1;
    else break;
  }
  words = words.slice(from);
  const last = names.find((each) => each.every((word, at) => words.at(at - each.length) === word));
  if (last) words = words.slice(0, -last.length);
  return { words, whole, isQuestion: /\?[\s"'”’)]*$/.test(text) };
}

/** The text without the assistant's name, and what greets it, at the start. */
export function withoutAddress(text: string, names: AssistantNames): string {
  if (names.length === 0) return text;
  const gap = '[^\\p{L}\\p{N}]+';
  const greeting = `(?:(?:${[...FILLERS, 'ok', 'okay'].join('|')})${gap})*`;
  const name = names.map((words) => words.join(gap)).join('|');
  const address = new RegExp(`^${greeting}(?:${name})(?![\\p{L}\\p{N}])[\\s,.:;!–—-]*`, 'iu');
  return text.trimStart().replace(address, '');
}

/** How many words at the end are polite or a name of the assistant: those of the last one. */
export function politeEnd(words: readonly string[], names: AssistantNames): number {
  const name = names.find((each) => isAt(words, words.length - each.length, each));
  if (name) return name.length;
  if (words.at(-1) === 'you' && words.at(-2) === 'thank') return 2;
  return POLITE.has(words.at(-1) ?? '') ? 1 : 0;
}

/** The words that are neither polite nor a name of the assistant. */
export function ordinaryWords(words: readonly string[], names: AssistantNames): readonly string[] {
  const named = new Set(names.flat());
  return words.filter((word, at) => {
    const isThanked = word === 'you' && words[at - 1] === 'thank';
    return !POLITE.has(word) && !named.has(word) && !isThanked;
  });
}

/** "OK" is a filler only before the name, because elsewhere it may be the answer. */
function isFiller(words: readonly string[], at: number, names: AssistantNames): boolean {
  const word = words[at] ?? '';
  if (FILLERS.has(word)) return true;
  return (word === 'ok' || word === 'okay') && names.some((each) => isAt(words, at + 1, each));
}

function isAt(words: readonly string[], from: number, name: readonly string[]): boolean {
  return name.every((word, at) => words[from + at] === word);
}

/** Whether the words are said one after the other, with nothing between them. */
export function hasRun(words: readonly string[], run: readonly string[]): boolean {
  return words.some((_, from) => isAt(words, from, run));
}

/** In lower case, without punctuation. */
export function plainWords(text: string): string[] {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[’‘`]/g, "'")
    .split(/[^\p{L}\p{M}\p{N}']+/u)
    .map(withoutQuotes)
    .filter((word) => word !== '');
}

/** By index, because a pattern for the end takes quadratic time over a run of apostrophes. */
function withoutQuotes(word: string): string {
  let [start, end] = [0, word.length];
  while (word[start] === "'") start += 1;
  while (end > start && word[end - 1] === "'") end -= 1;
  return word.slice(start, end);
}

const MAX_ANSWER_WORDS = 5;

/** Whether the message is as short as an answer usually is. */
export function isShortAnswer({ words }: SpokenWords): boolean {
  return words.length <= MAX_ANSWER_WORDS;
}

/** Words before the verb of a request. */
const REQUEST_OPENINGS =
  /^(?:(?:can|could|would|will) you |i (?:want|need|would like) (?:you )?to |i'd like (?:you )?to |let's |also |go and )+/;
const REQUEST_VERBS = new Set(
  'add append attach book buy call change check clean clear collect compare complete copy count create cross describe draft edit email explain fill find finish fix fold get give group insert link list log look make mark merge move note open order organize paint plan print put read record remember remind rename reorder replace research rewrite save schedule search send set show sort split start summarize summarise tag take tell tick track transfer translate turn update write'.split(
    ' ',
  ),
);
/** Verbs that also decide: with an object of their own they make a request. */
const DECIDING_VERBS = new Set('delete remove keep allow deny approve cancel stop undo'.split(' '));
const QUESTION_WORDS = new Set(
  "what what's who who's when where where's why how which is are do does did has have".split(' '),
);
/** Words that name nothing by themselves. */
const EMPTY_WORDS = new Set(
  'it that this these those them one ones a an the to me my us there here up off out of for in on all everything nothing something is are do does did done not you i should shall again going what which note file'.split(
    ' ',
  ),
);

/** They point at something that was said before, as in "the last one"; "the last note" does not. */
const POINTING_END = /(?: the)? (?:first|second|last|next|other|same)(?: ones?)?$/;

/** Whether the message asks for something new by itself, such as "add milk to my shopping list". */
export function isLikelyRequest({ words }: SpokenWords): boolean {
  const all = words.join(' ').replace(POINTING_END, '');
  const rest = all.replace(REQUEST_OPENINGS, '').split(' ');
  const [verb = '', ...object] = rest;
  const isVerb = REQUEST_VERBS.has(verb) || QUESTION_WORDS.has(verb) || DECIDING_VERBS.has(verb);
  const namesNothing = (word: string) => EMPTY_WORDS.has(word) || DECIDING_VERBS.has(word);
  return isVerb && object.some((word) => !namesNothing(word) && word !== 'yes' && word !== 'no');
}

const ARTICLES = new Set(['a', 'an', 'the']);

/** Whether the words are one of the choices, apart from articles, letter case and punctuation. */
export function isWholeChoice({ words }: SpokenWords, choices: readonly string[]): boolean {
  const folded = (all: readonly string[]) =>
    all.filter((word) => !ARTICLES.has(word) && !POLITE.has(word)).join(' ');
  const said = folded(words);
  return said !== '' && choices.some((choice) => folded(plainWords(choice)) === said);
}

/** Whether the words name one of the choices and nothing else. */
export function isChoice({ words }: SpokenWords, choices: readonly string[]): boolean {
  const said = words.filter((word) => !EMPTY_WORDS.has(word));
  return choices.some((choice) => {
    const named = plainWords(choice);
    return said.length > 0 && said.every((word) => named.includes(word));
  });
}
