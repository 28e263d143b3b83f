/** The words of a search in conversations, and the passages that have most of them. */
import type { Snippet } from '#ports/app/conversations-port';
import { findLinks } from '#text/link-reader';
import { plainText } from '#text/plain-text';
import { oneLine } from '#text/shorten';
import { folded, FoldedText } from '#text/text-folding';

/** The shortest words beyond this number, and the rest of longer words, are ignored. */
const MAX_QUERY_WORDS = 12;
const MAX_WORD_CHARS = 200;

/** Lengths of a snippet. */
const EXCERPT_LEAD_CHARS = 40;
const EXCERPT_CHARS = 180;

/** A longer link may be cut in the middle. */
const MAX_LINK_CHARS = 1_000;

export class QueryWords {
  /** Folded; longest first, because the longest word is usually the rarest. */
  readonly #words: readonly string[];

  constructor(query: string) {
    const words = folded(query)
      .split(/\s+/u)
      .filter((word) => word !== '')
      .map((word) => word.slice(0, MAX_WORD_CHARS))
      .sort((a, b) => b.length - a.length);
    this.#words = [...new Set(words)].slice(0, MAX_QUERY_WORDS);
  }

  get all(): readonly string[] {
    return this.#words;
  }

  get none(): boolean {
    return this.#words.length === 0;
  }

  areIn(text: string): boolean {
    return this.areInFolded(folded(text));
  }

  areInFolded(text: string): boolean {
    return !this.none && this.#words.every((word) => text.includes(word));
  }

  /** Whether the folded text contains all words, one word per step. */
  *areInInSteps(text: string): Generator<void, boolean> {
    for (const word of this.#words) {
      if (!text.includes(word)) return false;
      yield;
    }
    return !this.none;
  }

  /** The next position of the rarest word in the folded text, or -1. */
  next(text: string, from: number): number {
    const [rarest] = this.#words;
    return rarest === undefined ? -1 : text.indexOf(rarest, from);
  }

  /** The passage that contains most of the words, in one line. */
  snippet(text: string, chars = EXCERPT_CHARS): Snippet {
    const whole = new FoldedText(text);
    const places = this.#words.flatMap((word) => {
      const [first] = whole.places(word);
      return first ? [first[0]] : [];
    });
    const passages = places.map((at) => this.#passage(text, at, chars));
    const [first = this.#passage(text, 0, chars), ...others] = passages;
    return others.reduce((best, each) => (each.found > best.found ? each : best), first).snippet;
  }

  #passage(text: string, at: number, chars: number): { snippet: Snippet; found: number } {
    let from = beginning(text, at);
    const first = linkAcross(text, from);
    if (first) from = first.to <= at ? first.to : first.from;
    let to = wholeFrom(text, Math.min(text.length, from + chars));
    const last = linkAcross(text, to);
    if (last) to = last.from > at ? last.from : last.to;
    const inside = oneLine(plainText(text.slice(from, to)));
    const shown = `${from > 0 ? '…' : ''}${inside}${to < text.length ? '…' : ''}`;
    const searched = new FoldedText(shown);
    const found = this.#words.filter((word) => searched.has(word)).length;
    return { snippet: { text: shown, ranges: this.#ranges(searched) }, found };
  }

  #ranges(text: FoldedText): [number, number][] {
    const all = this.#words.flatMap((word) => [...text.places(word)]);
    const ranges: [number, number][] = [];
    for (const [from, to] of all.sort((a, b) => a[0] - b[0])) {
      const last = ranges.at(-1);
      if (last && from <= last[1]) last[1] = Math.max(last[1], to);
      else ranges.push([from, to]);
    }
    return ranges;
  }
}

/** Start of the snippet: a little before the match, at the beginning of a word if there is one. */
function beginning(text: string, at: number): number {
  if (at <= EXCERPT_LEAD_CHARS) return 0;
  const space = text.slice(at - EXCERPT_LEAD_CHARS, at).search(/\s/u);
  return space < 0 ? wholeFrom(text, at - EXCERPT_LEAD_CHARS) : at - EXCERPT_LEAD_CHARS + space + 1;
}

/**
 * The link or embed that spans a position, or null. A cut link would be shown as its source text.
 */
function linkAcross(text: string, place: number): { from: number; to: number } | null {
  const start = Math.max(0, place - MAX_LINK_CHARS);
  const links = findLinks(text.slice(start, place + MAX_LINK_CHARS));
  const link = links.findLast(({ from, to }) => start + from < place && place < start + to);
  return link ? { from: start + link.from, to: start + link.to } : null;
}

/** Avoids splitting a surrogate pair. */
function wholeFrom(text: string, at: number): number {
  const before = text.charCodeAt(at - 1);
  return before >= 0xd800 && before <= 0xdbff ? at - 1 : at;
}
