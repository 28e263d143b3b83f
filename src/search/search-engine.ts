/**
 * Searches documents by pattern, and by the words of a query. It asks for the texts that it needs and
 * does not hold. Everything works in steps, so that it can run in a worker that stays reachable, or
 * in slices on the main thread.
 */
import { type DocumentMatches, type SearchResult, searchTextInSteps } from './grep';
import { bestPassage, type RankedPassage } from './passages';
import { compilePattern, type PatternOptions } from './pattern';
import { rank, type RankedNote, type Ranking } from './ranking';
import { DocumentSupply, type EngineStep } from './document-supply';
import { decodeWords, encodeWords } from './kept-words';
import {
  decodedText,
  MAX_HELD_BYTES,
  SearchedDocument,
  SearchedDocuments,
  type TextRules,
} from './searched-documents';
import { type IndexedNote, WordIndex, type DeclaredDocument } from './word-index';

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

export interface WordSearchResult extends Omit<Ranking, 'best'> {
  /** Best first. */
  readonly best: readonly FoundNote[];
  /** Notes that could not be read as text. */
  readonly unread: readonly string[];
}

/** Indexes the words of these notes. They are all that may be kept on disk. */
export interface WordIndexing extends EngineScope {
  /**
   * When the index is returned to be kept: if enough has changed; only if the one on disk has words
   * of notes that are gone or hidden; or never.
   */
  readonly keeps: 'changes' | 'removals' | 'nothing';
}

export interface IndexResult {
  /** The index to keep on disk; null if the last one is good enough. */
  readonly kept: ArrayBuffer | null;
  /** Whether enough has changed that it should be kept at the next occasion. */
  readonly isDue: boolean;
}

/**
 * The index is written again when this many notes, or a hundredth of all, differ. A restart repairs
 * fewer differences quickly.
 */
const MIN_UNKEPT_NOTES = 50;

/** Documents that are skipped in a step. */
const STEP_DOCUMENTS = 4_096;

export class SearchEngine {
  readonly #rules: TextRules;
  readonly #documents: SearchedDocuments;
  #words = new WordIndex();
  /** The tag of the index on disk; null if there is none. */
  #keptTag: string | null = null;
  /** The notes whose words are on disk. */
  #keptPaths: ReadonlySet<string> = new Set();
  #indexedScope: IndexedScope | null = null;
  /** Number of notes that differ from the index on disk. */
  #unkept = 0;

  /** @param maxHeldBytes limit of the texts in memory, in bytes of their files */
  constructor(rules: TextRules, maxHeldBytes = MAX_HELD_BYTES) {
    this.#rules = rules;
    this.#documents = new SearchedDocuments(maxHeldBytes);
  }

  /** Adds or replaces a document, without its text. */
  declare(declared: DeclaredDocument): void {
    this.remove(declared.number);
    this.#indexedScope = null;
    this.#documents.put(new SearchedDocument(declared));
  }

  /** Sets the text of a document; `content` is null if it could not be read. */
  supply(number: number, content: Uint8Array | null): void {
    const document = this.#documents.get(number);
    // Two searches may have asked for it. Its filter and its words are those of the first answer.
    if (!document || typeof document.text === 'string') return;
    if (content === null) this.#indexedScope = null;
    this.#documents.setText(document, content && this.#seen(document, content));
  }

  /** Adds or replaces a document with a text that is not in its file. */
  put(number: number, path: string, text: string): void {
    this.declare({ number, path, size: text.length, stamp: '', own: [] });
    this.#documents.setText(this.#documents.get(number)!, text);
  }

  remove(number: number): void {
    const document = this.#documents.get(number);
    if (!document) return;
    this.#indexedScope = null;
    this.#unindex(document);
    this.#documents.remove(number);
  }

  /**
   * Takes over an index that was kept on disk, for the documents that are unchanged since. Works in
   * steps; the engine changes only in the last one.
   */
  *restore(bytes: Uint8Array): Generator<void, void> {
    const kept = yield* decodeWords(bytes);
    if (!kept) return;
    this.#words = yield* WordIndex.of(kept.lists);
    this.#indexedScope = null;
    this.#keptTag = kept.excludedTag;
    this.#keptPaths = pathsOf(kept.lists.notes);
    this.#unkept = 0;
    const notes = new Map(this.#words.merged.map((note) => [note.path, note]));
    for (const document of this.#documents.all()) {
      const note = notes.get(document.path);
      // A text that is not in a file has no stamp.
      const isSame = document.stamp !== '' && note?.stamp === document.stamp;
      document.indexed = isSame ? note : null;
      if (isSame) note.document = document.number;
      if (document.indexed && !document.isJudged(kept.excludedTag)) {
        document.judgeVisible(kept.excludedTag);
      }
    }
  }

  /** Prepares for later searches, in steps. */
  prepare(): Iterator<void, void> {
    return this.#documents.buildFilters();
  }

  /** Documents that come first get the excerpts. */
  *grep(search: PatternSearch): Generator<EngineStep, SearchResult> {
    const compiled = compilePattern(search.written, search);
    if (!compiled.ok) throw new Error(compiled.reason);
    const { pattern } = compiled;
    const { contextLines, maxExcerpts } = search;
    const unread: string[] = [];
    const found: DocumentMatches[] = [];
    const total = { matches: 0, lines: 0, files: 0, searched: 0 };
    let room = maxExcerpts;
    const visit: Visit = {
      needsText: (document) => document.mayMatch(pattern.trigrams),
      skip: (document) => {
        total.searched += 1;
        return !document.mayMatch(pattern.trigrams);
      },
    };
    for (const document of this.#visible(search, unread, visit)) {
      if (!(document instanceof SearchedDocument)) {
        yield document;
        continue;
      }
      const { path, text } = document;
      if (typeof text !== 'string') continue;
      const steps = searchTextInSteps(text, pattern, { contextLines, maxExcerpts: room });
      let step = steps.next();
      let handled = 0;
      for (; !step.done; step = steps.next()) {
        handled += step.value;
        yield step.value;
      }
      yield Math.max(0, text.length - handled);
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
  *rank(search: WordSearch): Generator<EngineStep, WordSearchResult> {
    const unread: string[] = [];
    const indexed = yield* this.#indexed(search, unread);
    const ranking = yield* stepped(rank(this.#words, indexed, search));
    const { words, matches, count, missing, found, withAllWords } = ranking;
    const best: FoundNote[] = [];
    const texts = new Map<string, string>();
    const scope = { ...search, among: Uint32Array.from(ranking.best, ({ document }) => document) };
    for (const document of this.#visible(scope, [], EVERY_TEXT)) {
      if (!(document instanceof SearchedDocument)) yield document;
      else if (typeof document.text === 'string') texts.set(document.path, document.text);
    }
    for (const note of ranking.best) {
      const text = texts.get(note.id) ?? '';
      const passage = yield* stepped(bestPassage(text, matches, words.length));
      best.push({ ...note, text, passage });
    }
    return { words, matches, count, missing, best, found, withAllWords, unread };
  }

  /** Indexes what is new, and returns the index if it should be written to disk. */
  *index(scope: WordIndexing): Generator<EngineStep, IndexResult> {
    const indexed = new Set(yield* this.#indexed(scope, []));
    for (const note of this.#words.notes()) {
      if (indexed.has(note)) continue;
      this.#words.remove(note);
      this.#indexedScope = null;
      this.#unkept += 1;
    }
    const paths = pathsOf(indexed);
    const isLeaking =
      this.#keptTag !== scope.excludedTag || [...this.#keptPaths].some((path) => !paths.has(path));
    const few = Math.max(MIN_UNKEPT_NOTES, indexed.size / 100);
    const isDue = isLeaking || this.#unkept >= few;
    const isWanted = isLeaking ? scope.keeps !== 'nothing' : scope.keeps === 'changes';
    if (!isDue || !isWanted) return { kept: null, isDue };
    yield* stepped(this.#words.merge());
    const lists = this.#words.lists();
    // A note that was removed during the merge is still in the lists.
    if (lists.notes.some((_, slot) => this.#words.merged[slot]?.isRemoved)) {
      return { kept: null, isDue };
    }
    const bytes = yield* stepped(encodeWords({ lists, excludedTag: scope.excludedTag }));
    this.#keptTag = scope.excludedTag;
    this.#keptPaths = pathsOf(lists.notes);
    this.#unkept = 0;
    return { kept: bytes.buffer, isDue: false };
  }

  *#indexed(scope: EngineScope, unread: string[]): Generator<EngineStep, IndexedNote[]> {
    const known = this.#indexedScope;
    if (known && isSameScope(known.scope, scope)) {
      unread.push(...known.unread);
      return known.notes;
    }
    const notes: IndexedNote[] = [];
    const visit: Visit = {
      needsText: ({ indexed }) => indexed === null || indexed.isRemoved,
      skip: ({ indexed }) => {
        if (indexed === null || indexed.isRemoved) return false;
        notes.push(indexed);
        return true;
      },
    };
    this.#indexedScope = null;
    let isWhole = true;
    for (const document of this.#visible(scope, unread, visit)) {
      if (!(document instanceof SearchedDocument)) {
        yield document;
        continue;
      }
      const { text } = document;
      if (typeof text !== 'string') {
        isWhole = false;
        continue;
      }
      const note = yield* stepped(this.#words.add(document, text));
      document.indexed = note;
      notes.push(note);
      this.#unkept += 1;
      yield text.length;
      if (this.#words.needsMerge) yield* stepped(this.#words.merge());
    }
    if (isWhole) this.#indexedScope = { scope, notes, unread: [...unread] };
    return notes;
  }

  #seen({ path, own }: SearchedDocument, bytes: Uint8Array): string | null {
    const raw = decodedText(bytes);
    return raw === null ? null : this.#rules.accepted(path, raw, own);
  }

  #unindex(document: SearchedDocument): void {
    if (!document.indexed) return;
    this.#words.remove(document.indexed);
    document.indexed = null;
    this.#unkept += 1;
  }

  /**
   * Yields the documents of a scope that are not hidden, in order, and the steps on the way. The
   * text of a document is here if the visit needs it, and until the next one. Documents that cannot
   * be read are added to `unread`.
   */
  *#visible(
    { among, excludedTag }: EngineScope,
    unread: string[],
    { needsText, skip }: Visit,
  ): Generator<EngineStep | SearchedDocument, void> {
    const documents = this.#documents;
    documents.releaseAll();
    const supply = new DocumentSupply(
      documents,
      among,
      (each) => !each.isJudged(excludedTag) || needsText(each),
    );
    for (let place = 0; place < among.length; place++) {
      if (place % STEP_DOCUMENTS === STEP_DOCUMENTS - 1) yield 0;
      const document = documents.get(among[place]!);
      if (!document) continue;
      if (document.text === undefined || supply.isAhead) yield* supply.bring(document, place);
      if (document.text === null) {
        unread.push(document.path);
        continue;
      }
      if (!document.isJudged(excludedTag)) {
        // Another text may have replaced the document in the meantime.
        if (document.text === undefined) continue;
        yield document.text.length;
      }
      if (document.isHidden(excludedTag, this.#rules)) this.#unindex(document);
      else if (!skip(document)) yield document;
      if (documents.isBorrowed(document)) yield* stepped(documents.release(document));
    }
  }
}

/** What a search does with the documents of its scope. */
interface Visit {
  needsText(document: SearchedDocument): boolean;
  /** Called for each visible document. True if the search is done with it. */
  skip(document: SearchedDocument): boolean;
}

const EVERY_TEXT: Visit = { needsText: () => true, skip: () => false };

/** The notes of the last scope, until a document changes. */
interface IndexedScope {
  readonly scope: EngineScope;
  readonly notes: IndexedNote[];
  readonly unread: readonly string[];
}

function pathsOf(notes: Iterable<Pick<IndexedNote, 'path'>>): ReadonlySet<string> {
  return new Set(Array.from(notes, ({ path }) => path));
}

function isSameScope(one: EngineScope, other: EngineScope): boolean {
  const { among } = other;
  return (
    one.excludedTag === other.excludedTag &&
    one.among.length === among.length &&
    one.among.every((number, at) => number === among[at])
  );
}

function* stepped<Value>(steps: Generator<void, Value>): Generator<EngineStep, Value> {
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
    yield 0;
  }
}
