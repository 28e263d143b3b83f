/** Asks for the texts that a search needs, a little ahead, in the order in which it reads them. */
import type { SearchedDocument, SearchedDocuments } from './searched-documents';

/** Limits of one request. */
const MAX_REQUEST_BYTES = 1_000_000;
const MAX_REQUEST_FILES = 256;

/** Texts are requested ahead until there are this many bytes, so that all readers stay busy. */
const MIN_BYTES_AHEAD = 6_000_000;

/** What a search does next; see `WAIT`. */
export type EngineStep =
  /** It has handled so many characters of text. */
  | number
  /** It needs the texts of these documents soon. */
  | Uint32Array;

/** The search cannot go on until a text arrives. */
export const WAIT = -1;

export class DocumentSupply {
  readonly #documents: SearchedDocuments;
  readonly #numbers: Uint32Array;
  readonly #isNeeded: (document: SearchedDocument) => boolean;
  /** Requested documents that the search has not read yet. */
  readonly #asked = new Set<SearchedDocument>();
  #bytesAhead = 0;
  /** Place of the first document that was not looked at. */
  #next = 0;

  /** @param isNeeded whether the search needs the text, which is not here */
  constructor(
    documents: SearchedDocuments,
    numbers: Uint32Array,
    isNeeded: (document: SearchedDocument) => boolean,
  ) {
    this.#documents = documents;
    this.#numbers = numbers;
    this.#isNeeded = isNeeded;
  }

  /** Whether texts have been requested ahead. */
  get isAhead(): boolean {
    return this.#asked.size > 0;
  }

  /**
   * Waits until the text of the document at this place of the numbers is here, if the search needs
   * it. Must be called for each document that lacks its text, and for all while it `isAhead`.
   */
  *bring(document: SearchedDocument, place: number): Generator<EngineStep, void> {
    this.#next = Math.max(this.#next, place + 1);
    const isAbsent = () =>
      document.pieces === undefined && this.#documents.get(document.number) === document;
    if (this.#asked.delete(document)) this.#bytesAhead -= document.size;
    else if (!isAbsent() || !this.#isNeeded(document)) return;
    else yield* this.#request([document]);
    while (this.#bytesAhead < MIN_BYTES_AHEAD && this.#next < this.#numbers.length) {
      yield* this.#request([]);
    }
    while (isAbsent()) yield WAIT;
  }

  /** Requests these documents and those that come next. */
  *#request(first: SearchedDocument[]): Generator<EngineStep, void> {
    const wanted = first;
    let bytes = first.reduce((sum, { size }) => sum + size, 0);
    while (
      this.#next < this.#numbers.length &&
      bytes < MAX_REQUEST_BYTES &&
      wanted.length < MAX_REQUEST_FILES
    ) {
      const document = this.#documents.get(this.#numbers[this.#next++]!);
      if (!document || document.pieces !== undefined || !this.#isNeeded(document)) continue;
      wanted.push(document);
      this.#asked.add(document);
      bytes += document.size;
      this.#bytesAhead += document.size;
    }
    if (wanted.length > 0) yield Uint32Array.from(wanted, ({ number }) => number);
  }
}
