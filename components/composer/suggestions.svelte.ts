/** The suggestions that the composer offers while the user types after `@`, `[[` or `/`. */
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

  /** Nothing could be suggested, whatever the user types. */
  get hasNothing(): boolean {
    return this.#items.length === 0 && this.#typed?.query === '' && this.#typed.sign !== '/';
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
 * The search at the caret: a mention after `@`, a link after `[[`, or a command after a `/` at the
 * beginning of the text.
 */
export interface CaretSearch {
  readonly sign: '@' | '[[' | '/';
  /** Index of the sign. */
  readonly from: number;
  /** Index of the caret. */
  readonly to: number;
  /** Text after the sign. */
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
  // A link has its own end, so its name may have any number of words.
  const opened = before.lastIndexOf('[[');
  const name = before.slice(opened + 2);
  if (opened >= 0 && !/[[\]|\n]/.test(name)) {
    const isName = name.length <= MAX_QUERY_CHARS && !name.startsWith(' ');
    return isName ? { sign: '[[', from: opened, to: caret, query: name } : null;
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

/**
 * Replaces what was typed by `words`, and a space unless one or a punctuation mark follows. The end
 * of a link that was typed before its name goes, too.
 */
export function replaced(text: string, { sign, from, to }: CaretSearch, words: string): Edited {
  const after = text.slice(to);
  const rest = sign === '[[' ? after.replace(/^\]\]/, '') : after;
  const written = words === '' || /^[\s.,:;!?]/.test(rest) ? words : `${words} `;
  return { text: text.slice(0, from) + written + rest, caret: from + written.length };
}
