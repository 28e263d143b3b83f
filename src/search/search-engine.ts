/**
 * Searches documents by pattern, and by the words of a query. It asks for the texts that it needs and
 * does not hold. It yields between documents, so that its worker stays reachable.
 */
import { type DocumentMatches, type SearchResult, searchTextInSteps } from './grep';
import { bestPassage, type RankedPassage } from './passages';
import { compilePattern, type PatternOptions } from './pattern';
import { rank, type RankedNote, type Ranking } from './ranking';
import { DocumentSupply, type EngineStep } from './document-supply';
import { decodedPieces } from './text-pieces';
import {
  MAX_HELD_BYTES,
  SearchedDocument,
  SearchedDocuments,
  type TextRules,
} from './searched-documents';
import { trigramsOf } from './trigram-filter';
import { TrigramStore } from './trigram-store';
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
  /** The share of a document if not all excerpts of all documents fit; no limit by default. */
  readonly maxExcerptsEach?: number;
  /** Whether all documents with a match are listed, without excerpts. */
  readonly onlyCounts?: boolean;
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
  /** How many notes were left out, because indexing them would have taken too long. */
  readonly unindexed: number;
}

/**
 * Characters of notes that a search by words indexes before it answers, which takes two or three
 * seconds. The rest is indexed in the background, and by the next searches.
 */
const MAX_NEW_CHARS = 25_000_000;

/** Documents that are listed although there is no room for their excerpts. */
const MAX_WITHOUT_EXCERPTS = 50;

/** Documents that are skipped in a step. */
const STEP_DOCUMENTS = 4_096;

export class SearchEngine {
  readonly #rules: TextRules;
  readonly #documents: SearchedDocuments;
  readonly #words = new WordIndex();
  readonly #trigrams = new TrigramStore();
  readonly #maxNewChars: number;

  /**
   * @param maxHeldBytes limit of the texts in memory, in bytes of their files
   * @param maxNewChars of notes that a search by words indexes
   */
  constructor(rules: TextRules, maxHeldBytes = MAX_HELD_BYTES, maxNewChars = MAX_NEW_CHARS) {
    this.#rules = rules;
    this.#maxNewChars = maxNewChars;
    this.#documents = new SearchedDocuments(maxHeldBytes);
  }

  /** Adds or replaces a document, without its text. */
  declare(declared: DeclaredDocument): void {
    this.remove(declared.number);
    this.#documents.put(new SearchedDocument(declared, true));
  }

  /** Sets the text of a document; `content` is null if it could not be read. */
  supply(number: number, content: Uint8Array | null): void {
    const document = this.#documents.get(number);
    // Two searches may have asked for it. Its words are those of the first answer.
    if (!document || document.isHere) return;
    this.#documents.setText(document, content && this.#seen(document, content));
  }

  /** Adds or replaces a document with a text that is not in its file. */
  put(number: number, path: string, text: string): void {
    this.remove(number);
    const document = new SearchedDocument({ number, path, size: text.length, own: [] }, false);
    this.#documents.put(document);
    this.#documents.setText(document, [text]);
  }

  remove(number: number): void {
    const document = this.#documents.get(number);
    if (!document) return;
    this.#unindex(document);
    this.#documents.remove(number);
  }

  /** Documents that come first get the excerpts. */
  *grep(search: PatternSearch): Generator<EngineStep, SearchResult> {
    const compiled = compilePattern(search.written, search);
    if (!compiled.ok) throw new Error(compiled.reason);
    const { pattern } = compiled;
    const { contextLines, maxExcerpts, maxExcerptsEach = Infinity, onlyCounts = false } = search;
    const unread: string[] = [];
    const found: DocumentMatches[] = [];
    const total = { matches: 0, lines: 0, files: 0, searched: 0 };
    let room = onlyCounts ? 0 : maxExcerpts;
    // As long as all of it fits, a document has more than its share.
    let unlimitedRoom = room;
    let unlisted = MAX_WITHOUT_EXCERPTS;
    const needsText = ({ trigrams }: SearchedDocument) =>
      trigrams === null ||
      pattern.trigrams === null ||
      this.#trigrams.mayMatch(trigrams, pattern.trigrams);
    const skip = (document: SearchedDocument) => {
      if (needsText(document)) return false;
      total.searched += 1;
      return true;
    };
    const visit: Visit = { ...NO_LIMIT, needsText, skip, keepsTexts: true };
    for (const document of this.#visible(search, unread, visit)) {
      if (!(document instanceof SearchedDocument)) {
        yield document;
        continue;
      }
      const { path } = document;
      const text = document.text();
      if (typeof text !== 'string') continue;
      total.searched += 1;
      const most = Math.max(Math.min(room, maxExcerptsEach), unlimitedRoom);
      const steps = searchTextInSteps(text, pattern, { contextLines, maxExcerpts: most });
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
      if (excerpts.length === 0 && !onlyCounts && unlisted <= 0) continue;
      if (excerpts.length === 0) unlisted -= 1;
      room -= Math.min(excerpts.length, maxExcerptsEach);
      unlimitedRoom -= Math.min(excerpts.length, unlimitedRoom);
      found.push({ id: path, matches, lines, excerpts });
    }
    return { ...total, found, unread };
  }

  /** Ranks notes by the words of a query. First indexes what is new, as far as that is quick. */
  *rank(search: WordSearch): Generator<EngineStep, WordSearchResult> {
    const unread: string[] = [];
    const { notes, unindexed } = yield* this.#indexed(search, unread, true, this.#maxNewChars);
    const ranking = rank(this.#words, notes, search);
    const { words, matches, count, missing, found, withAllWords } = ranking;
    const best: FoundNote[] = [];
    const texts = new Map<string, string>();
    const scope = { ...search, among: Uint32Array.from(ranking.best, ({ document }) => document) };
    for (const document of this.#visible(scope, [], EVERY_TEXT)) {
      if (!(document instanceof SearchedDocument)) yield document;
      else texts.set(document.path, document.text() ?? '');
    }
    for (const note of ranking.best) {
      const text = texts.get(note.id) ?? '';
      const passage = bestPassage(text, matches, words.length);
      best.push({ ...note, text, passage });
    }
    return { words, matches, count, missing, best, found, withAllWords, unread, unindexed };
  }

  /** Indexes what is new ahead of the searches. Keeps no texts in memory. */
  *index(scope: EngineScope): Generator<EngineStep, null> {
    yield* this.#indexed(scope, [], false, Infinity);
    if (this.#words.hasManyRecent) this.#words.merge();
    return null;
  }

  /** Indexes what is new, and returns the notes of a scope, and how many are missing. */
  *#indexed(
    scope: EngineScope,
    unread: string[],
    keepsTexts: boolean,
    maxNewChars: number,
  ): Generator<EngineStep, { notes: IndexedNote[]; unindexed: number }> {
    const notes: IndexedNote[] = [];
    let unindexed = 0;
    // Hidden notes do not count, so that no answer depends on them.
    let newChars = 0;
    const isOver = () => newChars >= maxNewChars;
    const leave = () => {
      unindexed += 1;
    };
    const visit: Visit = {
      ...{ keepsTexts, isOver, leave },
      needsText: ({ indexed }) => indexed === null,
      skip: ({ indexed }) => {
        if (indexed !== null) notes.push(indexed);
        else if (isOver()) leave();
        return indexed !== null || isOver();
      },
    };
    for (const document of this.#visible(scope, unread, visit)) {
      if (!(document instanceof SearchedDocument)) {
        yield document;
        continue;
      }
      const text = document.text();
      if (typeof text !== 'string') continue;
      const note = this.#words.add(document, text);
      document.indexed = note;
      document.trigrams = this.#trigrams.put(trigramsOf(text));
      notes.push(note);
      newChars += text.length;
      yield text.length;
      if (this.#words.needsMerge) this.#words.merge();
    }
    return { notes, unindexed };
  }

  #seen({ path, own }: SearchedDocument, bytes: Uint8Array): readonly string[] | null {
    const pieces = decodedPieces(bytes);
    if (pieces === null) return null;
    const raw = pieces.join('');
    const text = this.#rules.accepted(path, raw, own);
    return text === raw ? pieces : [text];
  }

  #unindex(document: SearchedDocument): void {
    if (!document.indexed) return;
    this.#words.remove(document.indexed);
    document.indexed = null;
    if (document.trigrams !== null) this.#trigrams.remove(document.trigrams);
    document.trigrams = null;
  }

  /**
   * Yields the documents of a scope that are not hidden, in order, and the steps on the way. The
   * text of a document is here if the visit needs it, and until the next one. Documents that cannot
   * be read are added to `unread`.
   */
  *#visible(
    { among, excludedTag }: EngineScope,
    unread: string[],
    { needsText, skip, keepsTexts, isOver, leave }: Visit,
  ): Generator<EngineStep | SearchedDocument, void> {
    const documents = this.#documents;
    documents.beginSearch(keepsTexts);
    const supply = new DocumentSupply(
      documents,
      among,
      (each) =>
        !isOver() &&
        (!each.isJudged(excludedTag) ||
          (!each.isHidden(excludedTag, this.#rules) && needsText(each))),
    );
    for (let place = 0; place < among.length; place++) {
      if (place % STEP_DOCUMENTS === STEP_DOCUMENTS - 1) yield 0;
      const document = documents.get(among[place]!);
      if (!document) continue;
      if (document.pieces === undefined || supply.isAhead) yield* supply.bring(document, place);
      if (document.pieces === null) {
        unread.push(document.path);
        continue;
      }
      if (!document.isJudged(excludedTag)) {
        if (document.pieces === undefined) {
          // Otherwise another text has replaced the document in the meantime.
          if (isOver()) leave();
          continue;
        }
        yield document.size;
      }
      if (document.isHidden(excludedTag, this.#rules)) this.#unindex(document);
      else if (!skip(document)) yield document;
      if (documents.isBorrowed(document)) documents.release(document);
    }
  }
}

/** What a search does with the documents of its scope. */
interface Visit {
  /** Whether the texts that it reads stay in memory as far as they fit. */
  readonly keepsTexts: boolean;
  /** Whether no more texts are read. */
  isOver(): boolean;
  /** Called then for each document of which it is unknown whether it is hidden. */
  leave(): void;
  needsText(document: SearchedDocument): boolean;
  /** Called for each visible document. True if the search is done with it. */
  skip(document: SearchedDocument): boolean;
}

const NO_LIMIT = { isOver: () => false, leave: () => undefined };

const EVERY_TEXT: Visit = {
  ...NO_LIMIT,
  keepsTexts: true,
  needsText: () => true,
  skip: () => false,
};
