/** The words of a query, and where they stand in a text. Case and the way a letter is composed do not matter. */
import { plainText } from '#model/plain-text';
import type { Snippet } from '#ports/history';

/** More, or longer ones, are no query. */
const MOST_WORDS = 12;
const LONGEST_WORD = 200;

/** Of a snippet, in characters. */
const BEFORE = 40;
const LENGTH = 180;

/** In characters; a longer one is cut wherever it comes to be cut. */
const LONGEST_LINK = 1_000;
const LINK = /!?\[\[[^[\]\n]*\]\]|!?\[[^[\]\n]*\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)/g;

export class QueryWords {
  /** The longest first: it is the rarest, as a rule. */
  readonly #words: readonly RegExp[];

  constructor(query: string) {
    const words = query
      .normalize('NFC')
      .split(/\s+/u)
      .filter((word) => word !== '')
      .map((word) => word.slice(0, LONGEST_WORD))
      .sort((a, b) => b.length - a.length);
    this.#words = [...new Set(words)].slice(0, MOST_WORDS).map(wordRegExp);
  }

  get none(): boolean {
    return this.#words.length === 0;
  }

  areIn(text: string): boolean {
    return !this.none && this.#words.every((word) => find(word, text, 0) >= 0);
  }

  /** The same, a word a step. */
  *areInInSteps(text: string): Generator<void, boolean> {
    for (const word of this.#words) {
      if (find(word, text, 0) < 0) return false;
      yield;
    }
    return !this.none;
  }

  /** Where the rarest stands next, or -1. */
  next(text: string, from: number): number {
    const [rarest] = this.#words;
    return rarest ? find(rarest, text, from) : -1;
  }

  /** The passage in which most of them stand close together, in one line. */
  snippet(text: string): Snippet {
    const places = this.#words.map((word) => find(word, text, 0)).filter((at) => at >= 0);
    const passages = places.map((at) => this.#passage(text, at));
    const [first = this.#passage(text, 0), ...others] = passages;
    return others.reduce((best, each) => (each.found > best.found ? each : best), first).snippet;
  }

  #passage(text: string, at: number): { snippet: Snippet; found: number } {
    let from = beginning(text, at);
    const first = linkAcross(text, from);
    if (first) from = first.to <= at ? first.to : first.from;
    let to = wholeFrom(text, Math.min(text.length, from + LENGTH));
    const last = linkAcross(text, to);
    if (last) to = last.from > at ? last.from : last.to;
    const inside = plainText(text.slice(from, to)).replace(/\s+/gu, ' ').trim();
    const shown = `${from > 0 ? '…' : ''}${inside}${to < text.length ? '…' : ''}`;
    const found = this.#words.filter((word) => find(word, shown, 0) >= 0).length;
    return { snippet: { text: shown, ranges: this.#ranges(shown) }, found };
  }

  #ranges(text: string): [number, number][] {
    const all: [number, number][] = [];
    for (const word of this.#words) {
      for (let at = find(word, text, 0); at >= 0; at = find(word, text, word.lastIndex)) {
        all.push([at, word.lastIndex]);
      }
    }
    const ranges: [number, number][] = [];
    for (const [from, to] of all.sort((a, b) => a[0] - b[0])) {
      const last = ranges.at(-1);
      if (last && from <= last[1]) last[1] = Math.max(last[1], to);
      else ranges.push([from, to]);
    }
    return ranges;
  }
}

/** A little before, with a whole word if there is one. */
function beginning(text: string, at: number): number {
  if (at <= BEFORE) return 0;
  const space = text.slice(at - BEFORE, at).search(/\s/u);
  return space < 0 ? wholeFrom(text, at - BEFORE) : at - BEFORE + space + 1;
}

/** The link or picture that stands across a place: a part of one would be shown as it is written. */
function linkAcross(text: string, place: number): { from: number; to: number } | null {
  const start = Math.max(0, place - LONGEST_LINK);
  for (const { 0: link, index } of text.slice(start, place + LONGEST_LINK).matchAll(LINK)) {
    const from = start + index;
    const to = from + link.length;
    if (from < place && place < to) return { from, to };
  }
  return null;
}

/** Not between the two halves of one character. */
function wholeFrom(text: string, at: number): number {
  const before = text.charCodeAt(at - 1);
  return before >= 0xd800 && before <= 0xdbff ? at - 1 : at;
}

function find(word: RegExp, text: string, from: number): number {
  word.lastIndex = from;
  return word.exec(text)?.index ?? -1;
}

function wordRegExp(word: string): RegExp {
  return new RegExp(word.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&'), 'giu');
}
