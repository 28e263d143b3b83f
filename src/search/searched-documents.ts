/** The texts that the search engine holds, each with what makes searching it fast. */
import { mayContain, type TrigramFilter, type TrigramQuery, trigramsOf } from './trigram-filter';

/** What the vault's rules make of a text. */
export interface TextRules {
  /** The text as tools see it, with all pending edits accepted. */
  accepted(path: string, raw: string): string;
  /** Whether the text hides its note under this excluded tag; '' is none. */
  hides(path: string, text: string, excludedTag: string): boolean;
}

export class SearchedDocument {
  /** Whether the note is in the word index. */
  isIndexed = false;
  #filter: TrigramFilter | null = null;
  #hidden: { readonly tag: string; readonly verdict: boolean } | null = null;

  constructor(
    readonly path: string,
    /** Null if the file cannot be read as text. */
    readonly text: string | null,
  ) {}

  /** Whether `isHidden` answers without a look at the text. */
  isJudged(tag: string): boolean {
    return tag === '' || this.#hidden?.tag === tag;
  }

  isHidden(tag: string, rules: TextRules): boolean {
    if (this.text === null || tag === '') return false;
    if (this.#hidden?.tag !== tag) {
      this.#hidden = { tag, verdict: rules.hides(this.path, this.text, tag) };
    }
    return this.#hidden.verdict;
  }

  get hasFilter(): boolean {
    return this.#filter !== null;
  }

  /** Works in steps. */
  *buildFilter(): Generator<void, void> {
    this.#filter = yield* trigramsOf(this.text ?? '');
  }

  /** False only if the text certainly does not match. */
  mayMatch(query: TrigramQuery): boolean {
    return this.#filter === null || mayContain(this.#filter, query);
  }
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** Null if the bytes are not UTF-8 text. */
export function decodedText(bytes: Uint8Array): string | null {
  try {
    const text = decoder.decode(bytes);
    return text.includes('\0') ? null : text;
  } catch {
    return null;
  }
}

export class SearchedDocuments {
  readonly #documents = new Map<number, SearchedDocument>();
  /** Numbers of documents that have no filter yet. */
  readonly #unfiltered = new Set<number>();

  get(number: number): SearchedDocument | undefined {
    return this.#documents.get(number);
  }

  /** Adds or replaces a document. */
  put(number: number, document: SearchedDocument): void {
    this.#documents.set(number, document);
    this.#unfiltered.add(number);
  }

  remove(number: number): void {
    this.#documents.delete(number);
    this.#unfiltered.delete(number);
  }

  /** Builds the missing filters, in steps. */
  *buildFilters(): Generator<void, void> {
    for (const number of this.#unfiltered) {
      const document = this.#documents.get(number);
      if (document) yield* document.buildFilter();
      this.#unfiltered.delete(number);
      yield;
    }
  }
}
