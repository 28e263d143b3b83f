/**
 * Searches the texts that it holds: by pattern, and by the words of a query. Everything works in
 * steps, so that it can run in a worker that stays reachable, or in slices on the main thread.
 */
import { type DocumentMatches, type SearchResult, searchTextInSteps } from './grep';
import { bestPassage, type RankedPassage } from './passages';
import { compilePattern, type PatternOptions } from './pattern';
import { rank, type RankedNote, type Ranking } from './ranking';
import {
  decodedText,
  SearchedDocument,
  SearchedDocuments,
  type TextRules,
} from './searched-documents';
import { WordIndex } from './word-index';

/** Documents to search, by their number, and the tag that hides a note. */
export interface EngineScope {
  readonly among: Uint32Array;
  readonly excludedTag: string;
}

export interface PatternSearch extends EngineScope, PatternOptions {
  readonly written: string;
  /** Lines before and after a match. */
  readonly contextLines: number;
  /** Matches beyond this limit are counted without an excerpt. */
  readonly maxExcerpts: number;
}

export interface WordSearch extends EngineScope {
  readonly query: string;
  /** Maximum notes with a passage. */
  readonly limit: number;
}

export interface FoundNote extends RankedNote {
  /** The text as tools see it. */
  readonly text: string;
  readonly passage: RankedPassage;
}

export interface WordSearchResult extends Pick<Ranking, 'words' | 'matches' | 'count' | 'missing'> {
  /** Number of notes found. */
  readonly found: number;
  /** Number of notes with every word of the query. */
  readonly withAllWords: number;
  /** Best first. */
  readonly best: readonly FoundNote[];
  /** Notes that could not be read as text. */
  readonly unread: readonly string[];
}

/** Characters of text handled in a step. */
export type StepChars = number;

export class SearchEngine {
  readonly #rules: TextRules;
  readonly #documents = new SearchedDocuments();
  readonly #words = new WordIndex();

  constructor(rules: TextRules) {
    this.#rules = rules;
  }

  /** Adds or replaces a document; `content` is null if it could not be read. */
  put(number: number, path: string, content: Uint8Array | string | null): void {
    this.remove(number);
    const text = content instanceof Uint8Array ? this.#seen(path, content) : content;
    this.#documents.put(number, new SearchedDocument(path, text));
  }

  remove(number: number): void {
    const document = this.#documents.get(number);
    if (!document) return;
    if (document.isIndexed) this.#words.remove(document.path);
    this.#documents.remove(number);
  }

  /** Prepares for later searches, in steps. */
  prepare(): Iterator<void, void> {
    return this.#documents.buildFilters();
  }

  /** Documents that come first get the excerpts. */
  *grep(search: PatternSearch): Generator<StepChars, SearchResult> {
    const compiled = compilePattern(search.written, search);
    if (!compiled.ok) throw new Error(compiled.reason);
    const { pattern } = compiled;
    const { contextLines, maxExcerpts } = search;
    const unread: string[] = [];
    const found: DocumentMatches[] = [];
    const total = { matches: 0, lines: 0, files: 0, searched: 0 };
    let room = maxExcerpts;
    for (const number of search.among) {
      const document = yield* this.#visible(number, search.excludedTag, unread);
      if (!document) continue;
      const { path, text } = document;
      total.searched += 1;
      if (pattern.trigrams !== null && !document.mayMatch(pattern.trigrams)) continue;
      const steps = searchTextInSteps(text, pattern, { contextLines, maxExcerpts: room });
      let step = steps.next();
      for (; !step.done; step = steps.next()) yield 0;
      yield text.length;
      const { matches, lines, excerpts } = step.value;
      if (matches === 0) continue;
      total.matches += matches;
      total.lines += lines;
      total.files += 1;
      if (excerpts.length === 0) continue;
      room -= excerpts.length;
      found.push({ id: path, matches, excerpts });
    }
    return { ...total, found, unread };
  }

  /** Ranks notes by the words of a query. First indexes what is new. */
  *rank(search: WordSearch): Generator<StepChars, WordSearchResult> {
    const unread: string[] = [];
    const texts = new Map<string, string>();
    for (const number of search.among) {
      const document = yield* this.#visible(number, search.excludedTag, unread);
      if (!document) continue;
      const { path, text } = document;
      texts.set(path, text);
      if (document.isIndexed) continue;
      const steps = this.#words.put(path, '', text);
      for (let step = steps.next(); !step.done; step = steps.next()) yield 0;
      document.isIndexed = true;
      yield text.length;
    }
    const ranking = yield* stepped(rank(this.#words, texts.keys(), search.query));
    const { words, matches, count, missing, notes } = ranking;
    const best: FoundNote[] = [];
    for (const note of notes.slice(0, search.limit)) {
      const text = texts.get(note.id) ?? '';
      const passage = yield* stepped(bestPassage(text, matches, words.length));
      best.push({ ...note, text, passage });
    }
    const withAllWords = notes.filter((note) => note.words === words.length).length;
    return { words, matches, count, missing, best, found: notes.length, withAllWords, unread };
  }

  #seen(path: string, bytes: Uint8Array): string | null {
    const raw = decodedText(bytes);
    return raw === null ? null : this.#rules.accepted(path, raw);
  }

  /** Null if the document is hidden, or cannot be read and is now in `unread`. */
  *#visible(
    number: number,
    excludedTag: string,
    unread: string[],
  ): Generator<StepChars, ReadableDocument | null> {
    const document = this.#documents.get(number);
    if (!document) return null;
    if (!isReadable(document)) {
      unread.push(document.path);
      return null;
    }
    if (!document.isJudged(excludedTag)) yield document.text.length;
    if (!document.isHidden(excludedTag, this.#rules)) return document;
    if (document.isIndexed) this.#words.remove(document.path);
    document.isIndexed = false;
    return null;
  }
}

type ReadableDocument = SearchedDocument & { readonly text: string };

function isReadable(document: SearchedDocument): document is ReadableDocument {
  return document.text !== null;
}

function* stepped<Value>(steps: Generator<void, Value>): Generator<StepChars, Value> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    yield 0;
  }
}
