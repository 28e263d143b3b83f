/**
 * Searches the text of conversations for the words of a query. Letter case, accents and Unicode
 * composition do not matter.
 */
import type { Conversation } from '#model/conversation';
import type { ConversationId } from '#model/ids';
import { folded } from '#text/text-folding';
import type {
  HistorySearchOptions,
  HistorySearchResult,
  ListedConversation,
  SearchHit,
} from '#ports/app/conversations-port';
import { PathCache } from '#ports/path-cache';
import { inSlices, type SliceClock, Slices } from '#ports/slices';
import {
  type ConversationText,
  type FoldedMessage,
  placeOf,
  textInSteps,
} from './conversation-text';
import { QueryWords } from './query-words';

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

const MAX_HITS = 100;

class HitCollector {
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
