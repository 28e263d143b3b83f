/**
 * Searches the text of conversations for the words of a query. Letter case, accents and Unicode
 * composition do not matter.
 */
import { findLinks } from '#text/link-reader';
import { type Conversation, stepText, type Turn, validSteps } from '#model/conversation';
import { messagesOfTurn } from '#model/conversation-summary';
import type { ConversationId } from '#model/ids';
import { plainText } from '#text/plain-text';
import { folded, FoldedText } from '#text/text-folding';
import type {
  HistorySearchOptions,
  HistorySearchResult,
  ListedConversation,
  SearchHit,
  Snippet,
} from '#ports/app/conversations-port';
import { PathCache } from '#ports/path-cache';
import { inSlices, type SliceClock, Slices } from '#ports/slices';
import { oneLine } from '#text/shorten';

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

export type LoadConversation = (slices: Slices) => Promise<Conversation>;

export interface ConversationSearchDeps {
  readonly clock: SliceClock;
  /** Changes whenever the text of the conversation does. */
  version(id: ConversationId): string;
  /** The current conversation, to be reduced in slices. Rejects if it cannot be read. */
  fetch(id: ConversationId): Promise<LoadConversation>;
}

/** Limit for the text that is kept in memory between searches. */
const CACHE_BYTES = 160_000_000;

export class ConversationSearch {
  readonly #deps: ConversationSearchDeps;
  readonly #texts = new PathCache<ConversationText>(CACHE_BYTES, ({ length }) => length * 2);

  constructor(deps: ConversationSearchDeps) {
    this.#deps = deps;
  }

  /** @param all sorted by last use, the most recent last */
  async search(
    all: readonly ListedConversation[],
    query: string,
    options: HistorySearchOptions = {},
  ): Promise<HistorySearchResult> {
    const words = new QueryWords(query);
    if (words.none) return { hits: [], complete: true, unread: 0 };
    const { among } = options;
    const newestFirst = all.toReversed().filter(({ id }) => among?.has(id) ?? true);
    if (options.best) return this.#searchBest(newestFirst, words, options, options.best);
    const hits = new HitCollector(options);
    try {
      await this.#searchTitles(newestFirst, words, hits);
      const unread = await this.#searchMessages(newestFirst, words, hits);
      return { hits: hits.all, complete: !hits.signal.aborted, unread };
    } finally {
      hits.close();
    }
  }

  async #searchBest(
    newestFirst: readonly ListedConversation[],
    words: QueryWords,
    { limit = MAX_HITS, signal = NO_SIGNAL, range = ALWAYS }: HistorySearchOptions,
    { excerptChars }: { readonly excerptChars: number },
  ): Promise<HistorySearchResult> {
    const listed = new Set<string>(newestFirst.map(({ id }) => id));
    const slices = new Slices(this.#deps.clock, signal);
    const ranking = new Ranking(words.all, range);
    let unread = 0;
    for (const conversation of newestFirst) {
      if (slices.stopped) break;
      for (const [where, text] of titleTexts(conversation)) {
        ranking.take(folded(text), { conversation, where, time: conversation.updated, text });
      }
      const text = await this.#textOf(conversation.id, slices);
      if (!text) {
        unread += 1;
        continue;
      }
      const isFoundElsewhere = listed.has(conversation.forks.at(-1)?.parent ?? '');
      for (const word of words.all) {
        ranking.takeMessages(conversation, text, word, isFoundElsewhere ? text.own : 0);
        if (slices.isDue) await slices.pause();
      }
    }
    const best = ranking.best();
    const hits = best.slice(0, limit).map(({ candidate, count }): SearchHit => {
      const found = { words: count, of: words.all.length };
      const { conversation, where, time, text, said } = candidate;
      const snippet = words.snippet(text.normalize('NFC').trimEnd(), excerptChars);
      const hit = {
        conversation: conversation.id,
        title: conversation.title,
        time,
        snippet,
        found,
      };
      if (!said || where !== 'message') return { ...hit, where: where as 'title' | 'summary' };
      return { ...hit, where, message: said.message, role: said.role };
    });
    const complete = !slices.stopped && best.length <= limit;
    return { hits, complete, unread };
  }

  async #searchTitles(
    newestFirst: readonly ListedConversation[],
    words: QueryWords,
    hits: HitCollector,
  ): Promise<void> {
    const slices = new Slices(this.#deps.clock, hits.signal);
    for (const each of newestFirst) {
      if (slices.stopped) return;
      addTitleHits(each, words, hits);
      if (slices.isDue) await slices.pause();
    }
  }

  /** Returns the number of conversations that could not be read. */
  async #searchMessages(
    newestFirst: readonly ListedConversation[],
    words: QueryWords,
    hits: HitCollector,
  ): Promise<number> {
    const listed = new Set<string>(newestFirst.map(({ id }) => id));
    const slices = new Slices(this.#deps.clock, hits.signal);
    let unread = 0;
    for (const conversation of newestFirst) {
      if (slices.stopped) break;
      const text = await this.#textOf(conversation.id, slices);
      if (!text) {
        unread += 1;
        continue;
      }
      // Text that a fork shares with its parent is found only once: in the parent, if that is
      // listed.
      const isFoundElsewhere = listed.has(conversation.forks.at(-1)?.parent ?? '');
      const steps = messageHits(conversation, text, words, hits, isFoundElsewhere ? text.own : 0);
      while (!slices.stopped && !steps.next().done) if (slices.isDue) await slices.pause();
      if (slices.isDue) await slices.pause();
    }
    return unread;
  }

  /** Null if it cannot be read. */
  async #textOf(id: ConversationId, slices: Slices): Promise<ConversationText | null> {
    const version = this.#deps.version(id);
    const known = this.#texts.get(id, version);
    if (known) return known;
    try {
      const fetched = await this.#deps.fetch(id);
      slices.resumed();
      const text = await inSlices(textInSteps(await fetched(slices)), slices);
      this.#texts.set(id, version, text);
      return text;
    } catch {
      return null;
    }
  }
}

const NO_SIGNAL = new AbortController().signal;

const ALWAYS = { from: -Infinity, to: Infinity };

/** A text that has some of the words. */
interface Candidate {
  readonly conversation: ListedConversation;
  readonly where: 'title' | 'summary' | 'message';
  readonly time: number;
  readonly text: string;
  readonly said?: FoldedMessage;
}

/** Texts of less than this share of the best one’s score are left out. */
const MIN_SCORE_SHARE = 0.5;

/** Ranks texts by the words in them, of which rare ones count more. */
class Ranking {
  readonly #words: readonly string[];
  readonly #range: { readonly from: number; readonly to: number };
  readonly #found = new Map<string, { candidate: Candidate; words: Set<string> }>();
  readonly #counts = new Map<string, number>();

  constructor(words: readonly string[], range: { readonly from: number; readonly to: number }) {
    this.#words = words;
    this.#range = range;
  }

  take(text: string, candidate: Candidate): void {
    const key = `${candidate.conversation.id} ${candidate.where}`;
    for (const word of this.#words) if (text.includes(word)) this.#add(key, candidate, word);
  }

  takeMessages(
    conversation: ListedConversation,
    { folded: text, said }: ConversationText,
    word: string,
    first: number,
  ): void {
    const start = (place: number) => said[place]?.start ?? text.length;
    for (let at = text.indexOf(word, start(first)); at >= 0;) {
      const place = placeOf(at, said);
      const message = said[place];
      if (!message) return;
      const { time, text: written } = message;
      const candidate = { conversation, where: 'message', time, text: written, said: message };
      this.#add(`${conversation.id} ${place}`, candidate as Candidate, word);
      at = text.indexOf(word, start(place + 1));
    }
  }

  #add(key: string, candidate: Candidate, word: string): void {
    const { from, to } = this.#range;
    if (candidate.time < from || candidate.time >= to) return;
    const known = this.#found.get(key) ?? { candidate, words: new Set<string>() };
    known.words.add(word);
    this.#found.set(key, known);
    this.#counts.set(word, (this.#counts.get(word) ?? 0) + 1);
  }

  /** The best first, the newest first among equals. */
  best(): { readonly candidate: Candidate; readonly count: number }[] {
    const all = this.#found.size;
    const weight = (word: string) => Math.log(1 + all / (this.#counts.get(word) ?? 1));
    const scored = [...this.#found.values()].map(({ candidate, words }) => ({
      candidate,
      count: words.size,
      score: [...words].reduce((sum, word) => sum + weight(word), 0),
    }));
    scored.sort((a, b) => b.score - a.score || b.candidate.time - a.candidate.time);
    const least = (scored[0]?.score ?? 0) * MIN_SCORE_SHARE;
    return scored.filter(({ score }) => score >= least);
  }
}

function titleTexts({ title, summary }: ListedConversation) {
  return [
    ['title', title],
    ['summary', summary ?? ''],
  ] as const;
}

function addTitleHits(
  conversation: ListedConversation,
  words: QueryWords,
  hits: HitCollector,
): void {
  const { id, title, updated: time } = conversation;
  for (const [where, written] of titleTexts(conversation)) {
    if (!words.areIn(written)) continue;
    const snippet = words.snippet(written.normalize('NFC'));
    hits.add({ conversation: id, title, time, where, snippet });
  }
}

/** Finds the messages with all words, one message per step, and reports the newest first. */
function* messageHits(
  { id, title }: ListedConversation,
  { folded: text, said: messages }: ConversationText,
  words: QueryWords,
  hits: HitCollector,
  /** Index of the first message to search. */
  first: number,
): Generator<void, void> {
  // Most conversations are skipped here.
  if (!(yield* words.areInInSteps(text))) return;
  const found: number[] = [];
  const start = (place: number) => messages[place]?.start ?? text.length;
  for (let at = words.next(text, start(first)); at >= 0;) {
    const place = placeOf(at, messages);
    const end = start(place + 1);
    if (words.areInFolded(text.slice(start(place), end))) found.push(place);
    at = words.next(text, end);
    yield;
  }
  for (const place of found.reverse()) {
    const said = messages[place];
    if (!said) continue;
    const { message, time, role, text: written } = said;
    const snippet = words.snippet(written.trimEnd());
    hits.add({ conversation: id, title, message, time, role, where: 'message', snippet });
    yield;
  }
}

/** The index of the message that contains this position of the folded text. */
function placeOf(at: number, messages: readonly FoldedMessage[]): number {
  let low = 0;
  let high = messages.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((messages[middle]?.start ?? 0) <= at) low = middle;
    else high = middle - 1;
  }
  return low;
}

const MAX_HITS = 100;

export class HitCollector {
  readonly all: SearchHit[] = [];
  readonly #options: HistorySearchOptions;
  readonly #stop = new AbortController();
  readonly #asked = () => this.#stop.abort();

  constructor(options: HistorySearchOptions) {
    this.#options = options;
    options.signal?.addEventListener('abort', this.#asked);
    if (options.signal?.aborted) this.#stop.abort();
  }

  /** Aborted when there are enough hits. */
  get signal(): AbortSignal {
    return this.#stop.signal;
  }

  add(hit: SearchHit): void {
    if (this.signal.aborted) return;
    const { limit = MAX_HITS, onHit } = this.#options;
    this.all.push(hit);
    onHit?.(hit);
    if (this.all.length >= limit) this.#stop.abort();
  }

  close(): void {
    this.#options.signal?.removeEventListener('abort', this.#asked);
  }
}

export interface SearchableMessage {
  /** The id of the message. Text before the final answer has the ids of its turn and step. */
  readonly message: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly role: 'user' | 'agent';
}

interface FoldedMessage extends SearchableMessage {
  readonly text: string;
  /** Where the message begins in the folded text of the conversation. */
  readonly start: number;
}

export interface ConversationText {
  /** Characters of all texts in memory. */
  readonly length: number;
  /** All messages in order, one after the other, folded. */
  readonly folded: string;
  readonly said: readonly FoldedMessage[];
  /**
   * Index in `said` of the first message of this conversation itself. Earlier ones come from the
   * parent of a fork.
   */
  readonly own: number;
}

/** Collects the text, one turn per step. */
export function* textInSteps(conversation: Conversation): Generator<void, ConversationText> {
  const texts: string[] = [];
  const said: FoldedMessage[] = [];
  let start = 0;
  let length = 0;
  let own = 0;
  const parted = conversation.forks.at(-1)?.turnsBefore ?? 0;
  for (const [at, turn] of conversation.turns.entries()) {
    if (at === parted) own = said.length;
    for (const { text: written, ...who } of saidIn(turn)) {
      const text = written.normalize('NFC');
      const plain = folded(text);
      texts.push(plain);
      said.push({ ...who, text, start });
      start += plain.length + 1;
      length += text.length + plain.length;
    }
    yield;
  }
  // Words contain no line breaks, so no match spans two messages.
  return { length, folded: texts.join('\n'), said, own };
}

function saidIn(turn: Turn): (SearchableMessage & { readonly text: string })[] {
  const [asked, ...messages] = messagesOfTurn(turn).map(({ id, time, role, text }) => ({
    message: id,
    time,
    role,
    text,
  }));
  const said = messages.map(({ text }) => text);
  const onTheWay = validSteps(turn).flatMap((step) => {
    const text = stepText(step);
    // The answer and a question in plain text are already included.
    if (text === '' || said.some((each) => each.includes(text))) return [];
    const message = `${turn.id}.${step.index}`;
    return [{ message, time: step.started, role: 'agent' as const, text }];
  });
  const all = [...(asked ? [asked] : []), ...onTheWay, ...messages];
  return all.sort((a, b) => a.time - b.time);
}
