/** The suggestions that the composer offers while the user types after `@` or `/`. */
import type { Suggestion } from './mentions';

export type FindSuggestions = (typed: CaretSearch) => Promise<readonly Suggestion[]>;

export class Suggestions {
  readonly #find: FindSuggestions;
  #items = $state.raw<readonly Suggestion[]>([]);
  #active = $state(0);
  #typed = $state.raw<CaretSearch | null>(null);
  /** The position where the user dismissed the suggestions. */
  #dismissed: number | null = null;
  #looks = 0;

  constructor(find: FindSuggestions) {
    this.#find = find;
  }

  get items(): readonly Suggestion[] {
    return this.#items;
  }

  get open(): boolean {
    return this.#items.length > 0;
  }

  get active(): number {
    return this.#active;
  }

  set active(at: number) {
    this.#active = at;
  }

  get typed(): CaretSearch | null {
    return this.#typed;
  }

  /** Called after every change of the text or the caret. */
  async look(text: string, caret: number): Promise<void> {
    const look = (this.#looks += 1);
    const typed = searchAtCaret(text, caret);
    if (typed?.from !== this.#dismissed) this.#dismissed = null;
    if (!typed || this.#dismissed !== null) return this.#set(null, []);
    const items = await this.#find(typed);
    if (look === this.#looks) this.#set(typed, items);
  }

  move(by: 1 | -1): void {
    const { length } = this.#items;
    this.#active = (this.#active + by + length) % length;
  }

  /** Until the user types elsewhere. */
  dismiss(): void {
    this.#looks += 1;
    this.#dismissed = this.#typed?.from ?? null;
    this.#set(null, []);
  }

  close(): void {
    this.#looks += 1;
    this.#set(null, []);
  }

  #set(typed: CaretSearch | null, items: readonly Suggestion[]): void {
    const isSame = typed?.from === this.#typed?.from && typed?.query === this.#typed?.query;
    this.#typed = typed;
    this.#items = items;
    if (!isSame || this.#active >= items.length) this.#active = 0;
  }
}

/**
 * The search at the caret: a mention after `@`, or a command after a `/` at the beginning of the
 * text.
 */
export interface CaretSearch {
  readonly sign: '@' | '/';
  /** Index of the `@` or `/`. */
  readonly from: number;
  /** Index of the caret. */
  readonly to: number;
  /** Text after the character. */
  readonly query: string;
}

/** Characters; longer text is ordinary text. */
const MAX_QUERY_CHARS = 60;
/** Names have several words, sentences more. */
const MAX_QUERY_WORDS = 4;

export function searchAtCaret(text: string, caret: number): CaretSearch | null {
  const before = text.slice(0, caret);
  const command = /^\s*\/([^\n/]*)$/.exec(before);
  if (command) {
    const query = command[1] ?? '';
    return isShort(query) ? { sign: '/', from: caret - query.length - 1, to: caret, query } : null;
  }
  const from = before.lastIndexOf('@');
  const query = before.slice(from + 1);
  // In an email address a letter precedes the `@`. Scripts without spaces have no such letters
  // here.
  if (from < 0 || /[A-Za-z0-9._%+-]$/.test(before.slice(0, from))) return null;
  if (/^\s|\s{2}|[\n[\]]/.test(query) || !isShort(query)) return null;
  return { sign: '@', from, to: caret, query };
}

function isShort(query: string): boolean {
  return query.length <= MAX_QUERY_CHARS && query.split(' ').length <= MAX_QUERY_WORDS;
}

export interface Edited {
  readonly text: string;
  readonly caret: number;
}

/** Replaces what was typed by `words`, and a space unless one or a punctuation mark follows. */
export function replaced(text: string, { from, to }: CaretSearch, words: string): Edited {
  const rest = text.slice(to);
  const written = words === '' || /^[\s.,:;!?]/.test(rest) ? words : `${words} `;
  return { text: text.slice(0, from) + written + rest, caret: from + written.length };
}
