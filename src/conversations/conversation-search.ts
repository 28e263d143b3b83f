/** The words of a query, and where they stand in a text. Case and the way a letter is composed do not matter. */
import { type Conversation, stepText, type Turn, validSteps } from '#model/conversation';
import { messagesOfTurn } from '#model/conversation-summary';
import type { ConversationId } from '#model/ids';
import { plainText } from '#model/plain-text';
import type {
  HistorySearchOptions,
  HistorySearchResult,
  ListedConversation,
  SearchHit,
  Snippet,
} from '#ports/history';
import { Corpus, type ScanReport } from '#search/corpus';
import { inSlices, type Slice, SlicedWork } from '#search/slices';

/** More, or longer ones, are no query. */
const MAX_QUERY_WORDS = 12;
const MAX_WORD_CHARS = 200;

/** Of a snippet, in characters. */
const EXCERPT_LEAD_CHARS = 40;
const EXCERPT_CHARS = 180;

/** In characters; a longer one is cut wherever it comes to be cut. */
const MAX_LINK_CHARS = 1_000;
const LINK = /!?\[\[[^[\]\n]*\]\]|!?\[[^[\]\n]*\]\([^()\n]*(?:\([^()\n]*\)[^()\n]*)*\)/g;

export class QueryWords {
  /** The longest first: it is the rarest, as a rule. */
  readonly #words: readonly RegExp[];

  constructor(query: string) {
    const words = query
      .normalize('NFC')
      .split(/\s+/u)
      .filter((word) => word !== '')
      .map((word) => word.slice(0, MAX_WORD_CHARS))
      .sort((a, b) => b.length - a.length);
    this.#words = [...new Set(words)].slice(0, MAX_QUERY_WORDS).map(wordRegExp);
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
    let to = wholeFrom(text, Math.min(text.length, from + EXCERPT_CHARS));
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
  if (at <= EXCERPT_LEAD_CHARS) return 0;
  const space = text.slice(at - EXCERPT_LEAD_CHARS, at).search(/\s/u);
  return space < 0 ? wholeFrom(text, at - EXCERPT_LEAD_CHARS) : at - EXCERPT_LEAD_CHARS + space + 1;
}

/** The link or picture that stands across a place: a part of one would be shown as it is written. */
function linkAcross(text: string, place: number): { from: number; to: number } | null {
  const start = Math.max(0, place - MAX_LINK_CHARS);
  for (const { 0: link, index } of text.slice(start, place + MAX_LINK_CHARS).matchAll(LINK)) {
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

export type Fetched = (work: SlicedWork) => Promise<Conversation>;

export interface ConversationSearchDeps {
  readonly slice: Slice;
  /** Differs whenever what was said in the conversation does. */
  version(id: ConversationId): string;
  /** As it is now, to be folded in slices. Rejects when it can't be read. */
  fetch(id: ConversationId): Promise<Fetched>;
}

/** What was said stays in memory between searches, but not more of it than this. */
const CACHE_BYTES = 96_000_000;
const MAX_READ_AHEAD = 4;

export class ConversationSearch {
  readonly #deps: ConversationSearchDeps;
  readonly #corpus: Corpus<ConversationText>;
  /** The last few loads, the newest last. */
  #loads: readonly Promise<unknown>[] = Array.from({ length: MAX_READ_AHEAD }, () =>
    Promise.resolve(),
  );

  constructor(deps: ConversationSearchDeps) {
    this.#deps = deps;
    this.#corpus = new Corpus({
      load: (id) => this.#load(id as ConversationId),
      cacheBytes: CACHE_BYTES,
    });
  }

  /** @param all the one last written in last */
  async search(
    all: readonly ListedConversation[],
    query: string,
    options: HistorySearchOptions = {},
  ): Promise<HistorySearchResult> {
    this.#keepUp(all);
    const words = new QueryWords(query);
    if (words.none) return { hits: [], complete: true, unread: 0 };
    const { among } = options;
    const newestFirst = all.toReversed().filter(({ id }) => among?.has(id) ?? true);
    const hits = new HitCollector(options);
    try {
      await this.#searchTitles(newestFirst, words, hits);
      const { finished, unread } = await this.#searchMessages(newestFirst, words, hits);
      return { hits: hits.all, complete: finished, unread: unread.length };
    } finally {
      hits.close();
    }
  }

  async #searchTitles(
    newestFirst: readonly ListedConversation[],
    words: QueryWords,
    hits: HitCollector,
  ): Promise<void> {
    const work = new SlicedWork(this.#deps.slice, hits.signal);
    for (const each of newestFirst) {
      if (work.stopped) return;
      addTitleHits(each, words, hits);
      if (work.isDue) await work.pause();
    }
  }

  #searchMessages(
    newestFirst: readonly ListedConversation[],
    words: QueryWords,
    hits: HitCollector,
  ): Promise<ScanReport> {
    const listed = new Map<string, ListedConversation>(newestFirst.map((each) => [each.id, each]));
    return this.#corpus.scan(
      listed.keys(),
      (id, text) => {
        const conversation = listed.get(id);
        // What two have in common is found once: in the one in which it was said, if that is there.
        const isFoundElsewhere = listed.has(conversation?.forks.at(-1)?.parent ?? '');
        const from = isFoundElsewhere ? text.own : 0;
        return conversation && messageHits(conversation, text, words, hits, from);
      },
      { slice: this.#deps.slice, signal: hits.signal },
    );
  }

  #keepUp(all: readonly ListedConversation[]): void {
    const there = new Set<string>();
    for (const { id } of all) {
      there.add(id);
      this.#corpus.put(id, this.#deps.version(id));
    }
    for (const id of this.#corpus.ids()) if (!there.has(id)) this.#corpus.remove(id);
  }

  /**
   * One after the other, with the next few files read ahead: each load takes a slice, and all of them at once would
   * hold the thread for as many.
   */
  #load(id: ConversationId): Promise<ConversationText> {
    const [oldest, newest] = [this.#loads[0], this.#loads.at(-1)];
    const fetching = Promise.resolve(oldest).then(() => this.#deps.fetch(id));
    fetching.catch(() => undefined);
    const loaded = Promise.resolve(newest).then(async () => {
      const fetched = await fetching;
      const work = new SlicedWork(this.#deps.slice);
      return inSlices(textInSteps(await fetched(work)), work);
    });
    this.#loads = [...this.#loads.slice(1), loaded.catch(() => undefined)];
    return loaded;
  }
}

function addTitleHits(
  { id, title, summary, updated: time }: ListedConversation,
  words: QueryWords,
  hits: HitCollector,
): void {
  const texts = [
    ['title', title],
    ['summary', summary ?? ''],
  ] as const;
  for (const [where, written] of texts) {
    const text = written.normalize('NFC');
    if (!words.areIn(text)) continue;
    hits.add({ conversation: id, title, time, where, snippet: words.snippet(text) });
  }
}

/** A message a step. The newest are told first. */
function* messageHits(
  { id, title }: ListedConversation,
  { text, starts, said }: ConversationText,
  words: QueryWords,
  hits: HitCollector,
  /** Of the first message that counts. */
  first: number,
): Generator<void, void> {
  // Most conversations are passed over here.
  if (!(yield* words.areInInSteps(text))) return;
  const found: number[] = [];
  for (let at = words.next(text, starts[first] ?? text.length); at >= 0;) {
    const place = placeOf(at, starts);
    const end = starts[place + 1] ?? text.length;
    if (words.areIn(text.slice(starts[place], end))) found.push(place);
    at = words.next(text, end);
    yield;
  }
  for (const place of found.reverse()) {
    const who = said[place];
    if (!who) continue;
    const message = text.slice(starts[place], starts[place + 1] ?? text.length).trimEnd();
    hits.add({
      conversation: id,
      title,
      ...who,
      where: 'message',
      snippet: words.snippet(message),
    });
    yield;
  }
}

/** Which of the messages, by where they start, holds this place. */
function placeOf(at: number, starts: readonly number[]): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if ((starts[middle] ?? 0) <= at) low = middle;
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

  /** Aborted when no more are taken. */
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

export interface Said {
  /** The message's id; words on the way to an answer have their turn's and step's. */
  readonly message: string;
  /** Milliseconds since 1970. */
  readonly time: number;
  readonly role: 'user' | 'agent';
}

export interface ConversationText {
  readonly length: number;
  /** All that was said, in order, a message after the other. */
  readonly text: string;
  /** Where each message begins; what was said at `starts[n]` is `said[n]`. */
  readonly starts: readonly number[];
  readonly said: readonly Said[];
  /** What `said` before this place was said in the conversation from which this one parted. */
  readonly own: number;
}

/** A turn a step. */
export function* textInSteps(conversation: Conversation): Generator<void, ConversationText> {
  const texts: string[] = [];
  const starts: number[] = [];
  const said: Said[] = [];
  let length = 0;
  let own = 0;
  const parted = conversation.forks.at(-1)?.turnsBefore ?? 0;
  for (const [at, turn] of conversation.turns.entries()) {
    if (at === parted) own = said.length;
    for (const { text, ...who } of saidIn(turn)) {
      const written = text.normalize('NFC');
      texts.push(written);
      starts.push(length);
      said.push(who);
      length += written.length + 1;
    }
    yield;
  }
  // No word holds a line break, so none is found across two messages.
  return { length, text: texts.join('\n'), starts, said, own };
}

function saidIn(turn: Turn): (Said & { readonly text: string })[] {
  const [asked, ...messages] = messagesOfTurn(turn).map(({ id, time, role, text }) => ({
    ...{ message: id, time, role, text },
  }));
  const reply = messages.at(-1)?.text ?? '';
  const onTheWay = validSteps(turn).flatMap((step) => {
    const text = stepText(step);
    // The last words are the answer, which is there already.
    if (text === '' || reply.includes(text)) return [];
    const message = `${turn.id}.${step.index}`;
    return [{ message, time: step.started, role: 'agent' as const, text }];
  });
  const all = [...(asked ? [asked] : []), ...onTheWay, ...messages];
  return all.sort((a, b) => a.time - b.time);
}
