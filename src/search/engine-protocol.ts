/** Messages between the search and the engine that runs in a worker. */
import type { FileBatch } from '#ports/vault';
import type { DeclaredDocument } from './word-index';
import type { SearchResult } from './grep';
import type { TextReplace, TextReplacements } from './replacements';
import type { EngineScope, PatternSearch, WordSearch, WordSearchResult } from './search-engine';

export interface SearchKinds {
  readonly grep: { readonly search: PatternSearch; readonly result: SearchResult };
  /** Prepares later searches. */
  readonly index: { readonly search: EngineScope; readonly result: null };
  readonly rank: { readonly search: WordSearch; readonly result: WordSearchResult };
  readonly replace: { readonly search: TextReplace; readonly result: TextReplacements };
}

export type SearchKind = keyof SearchKinds;

export type SearchOf = {
  [Kind in SearchKind]: { readonly kind: Kind; readonly search: SearchKinds[Kind]['search'] };
}[SearchKind];

/** Files of declared documents, in the order of their numbers. Unknown numbers are ignored. */
export interface DocumentBatch extends FileBatch {
  readonly numbers: Uint32Array;
}

/** Documents in the form in which a message with thousands of them takes the least time. */
export interface PackedDocuments {
  readonly numbers: Uint32Array;
  /** In bytes; more than four gigabytes count as four. */
  readonly sizes: Uint32Array;
  readonly paths: readonly string[];
  readonly own: ReadonlyMap<number, readonly string[]>;
}

export function packDocuments(documents: readonly DeclaredDocument[]): PackedDocuments {
  return {
    numbers: Uint32Array.from(documents, ({ number }) => number),
    sizes: Uint32Array.from(documents, ({ size }) => Math.min(size, 0xffff_ffff)),
    paths: documents.map(({ path }) => path),
    own: new Map(
      documents.flatMap(({ number, own }) => (own.length > 0 ? [[number, own] as const] : [])),
    ),
  };
}

export function unpackDocuments(packed: PackedDocuments): DeclaredDocument[] {
  const { numbers, sizes, paths, own } = packed;
  return Array.from(numbers, (number, at) => ({
    ...{ number, path: paths[at]!, size: sizes[at]! },
    own: own.get(number) ?? [],
  }));
}

export type ToEngine =
  /** Adds documents, or replaces those with the same number. */
  | { readonly do: 'declare'; readonly documents: PackedDocuments }
  /** The texts of declared documents. */
  | { readonly do: 'put'; readonly batch: DocumentBatch }
  /** The text as tools see it, of a note that differs from its file. */
  | {
      readonly do: 'put-text';
      readonly number: number;
      readonly path: string;
      readonly text: string;
    }
  | { readonly do: 'remove'; readonly numbers: readonly number[] }
  | ({ readonly do: 'search'; readonly id: number } & SearchOf)
  | { readonly do: 'stop'; readonly id: number };

export type FromEngine =
  /** Sent when the search begins, and after every few megabytes. */
  | { readonly says: 'progress'; readonly id: number }
  /** The search needs the texts of these documents next. */
  | { readonly says: 'needs'; readonly id: number; readonly numbers: Uint32Array }
  | {
      readonly says: 'result';
      readonly id: number;
      readonly result: SearchKinds[SearchKind]['result'];
    }
  | { readonly says: 'stopped'; readonly id: number }
  | { readonly says: 'failed'; readonly id: number; readonly reason: string };

/** A running engine. */
export interface EngineLink {
  post(message: ToEngine, transfer?: readonly ArrayBuffer[]): void;
  close(): void;
}

export interface EngineEvents {
  heard(message: FromEngine): void;
  /** The engine has ended by itself. */
  failed(problem: string): void;
}

/** Starts an engine; null if that is not possible. */
export type StartEngine = (events: EngineEvents) => EngineLink | null;
