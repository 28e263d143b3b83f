/** The texts that the search engine holds. */
import type { StoredFilter } from './trigram-store';
import type { IndexedNote, DeclaredDocument } from './word-index';

/** What the vault's rules make of a text. */
export interface TextRules {
  /** The text as tools see it, with the pending edits accepted that have these ids. */
  accepted(path: string, raw: string, own: readonly string[]): string;
  /** Whether the text hides its note under this excluded tag; '' is none. */
  hides(path: string, text: string, excludedTag: string): boolean;
}

export class SearchedDocument implements DeclaredDocument {
  readonly number: number;
  readonly path: string;
  readonly size: number;
  /** Whether its text is the one in its file, so that it can be read again. */
  readonly isInFile: boolean;
  readonly own: readonly string[];
  /**
   * The text, whole or in pieces. Null if the file cannot be read as text; undefined if it is not
   * here.
   */
  pieces: string | readonly string[] | null | undefined = undefined;
  /** The note in the word index. */
  indexed: IndexedNote | null = null;
  /** The trigrams of its text, known once it is indexed. */
  trigrams: StoredFilter | null = null;
  /** The tag under which `#isHidden` was judged; '' if it was not. */
  #judgedTag = '';
  #isHidden = false;

  constructor({ number, path, size, own }: DeclaredDocument, isInFile: boolean) {
    this.number = number;
    this.path = path;
    this.size = size;
    this.isInFile = isInFile;
    this.own = own.length > 0 ? own : NO_IDS;
  }

  /** Whether its text is here. */
  get isHere(): boolean {
    return this.pieces !== undefined && this.pieces !== null;
  }

  /** The whole text, joined by each call. Null and undefined mean what they mean for the pieces. */
  text(): string | null | undefined {
    const { pieces } = this;
    return typeof pieces === 'object' ? pieces && pieces.join('') : pieces;
  }

  /** Whether it is known if the text hides the note. */
  isJudged(tag: string): boolean {
    return tag === '' || this.#judgedTag === tag || this.pieces === null;
  }

  /** The document must be judged, or its text be here. */
  isHidden(tag: string, rules: TextRules): boolean {
    if (tag === '' || this.pieces === null) return false;
    if (this.#judgedTag !== tag) {
      this.#isHidden = rules.hides(this.path, this.text() ?? '', tag);
      this.#judgedTag = tag;
    }
    return this.#isHidden;
  }
}

/** Shared by nearly all documents, which saves memory. */
const NO_IDS: readonly string[] = [];

/** Limit of the files whose texts stay in memory, in bytes on disk. */
export const MAX_HELD_BYTES = 400_000_000;

export class SearchedDocuments {
  readonly #maxHeldBytes: number;
  /** By number. Numbers are never used again, so it has gaps. */
  readonly #documents: (SearchedDocument | undefined)[] = [];
  #heldBytes = 0;
  #keepsTexts = true;
  /** Documents with a text that is not kept: it is dropped after its use and read again. */
  readonly #borrowed = new Set<SearchedDocument>();

  constructor(maxHeldBytes: number) {
    this.#maxHeldBytes = maxHeldBytes;
  }

  get(number: number): SearchedDocument | undefined {
    return this.#documents[number];
  }

  /** Whether the text is dropped after its use. */
  isBorrowed(document: SearchedDocument): boolean {
    return this.#borrowed.size > 0 && this.#borrowed.has(document);
  }

  /** Adds or replaces a document. */
  put(document: SearchedDocument): void {
    this.remove(document.number);
    this.#documents[document.number] = document;
  }

  setText(document: SearchedDocument, pieces: readonly string[] | null): void {
    this.#dropText(document);
    // An array for a single string would take more memory than a short text.
    document.pieces = pieces?.length === 1 ? pieces[0]! : pieces;
    if (pieces === null) return;
    const fits = this.#keepsTexts && this.#heldBytes + document.size <= this.#maxHeldBytes;
    if (document.isInFile && !fits) {
      this.#borrowed.add(document);
    } else {
      this.#heldBytes += document.size;
    }
  }

  remove(number: number): void {
    const document = this.#documents[number];
    if (!document) return;
    this.#dropText(document);
    this.#documents[number] = undefined;
  }

  /** Drops the borrowed text of a document that the search is done with. */
  release(document: SearchedDocument): void {
    this.#dropText(document);
  }

  /**
   * Drops the borrowed texts that an aborted search may have left.
   *
   * @param keepsTexts whether the texts that come from now on are kept as far as they fit
   */
  beginSearch(keepsTexts: boolean): void {
    this.#keepsTexts = keepsTexts;
    for (const document of this.#borrowed) this.#dropText(document);
  }

  #dropText(document: SearchedDocument): void {
    if (document.isHere && !this.#borrowed.delete(document)) this.#heldBytes -= document.size;
    document.pieces = undefined;
  }
}
