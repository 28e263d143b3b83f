/** The suggestions that the composer offers while the user types after `@` or `/`. */
import type { Suggestion } from './mentions';

export type Find = (typed: Typed) => Promise<readonly Suggestion[]>;

export class Suggestions {
  readonly #find: Find;
  #items = $state.raw<readonly Suggestion[]>([]);
  #active = $state(0);
  #typed = $state.raw<Typed | null>(null);
  /** Where the user does not want any. */
  #dismissed: number | null = null;
  #looks = 0;

  constructor(find: Find) {
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

  get typed(): Typed | null {
    return this.#typed;
  }

  /** After every change of the text or the caret. */
  async look(text: string, caret: number): Promise<void> {
    const look = (this.#looks += 1);
    const typed = typedAt(text, caret);
    if (typed?.from !== this.#dismissed) this.#dismissed = null;
    if (!typed || this.#dismissed !== null) return this.#set(null, []);
    const items = await this.#find(typed);
    if (look === this.#looks) this.#set(typed, items);
  }

  move(by: 1 | -1): void {
    const { length } = this.#items;
    this.#active = (this.#active + by + length) % length;
  }

  /** Until something is typed elsewhere. */
  dismiss(): void {
    this.#looks += 1;
    this.#dismissed = this.#typed?.from ?? null;
    this.#set(null, []);
  }

  close(): void {
    this.#looks += 1;
    this.#set(null, []);
  }

  #set(typed: Typed | null, items: readonly Suggestion[]): void {
    const isSame = typed?.from === this.#typed?.from && typed?.query === this.#typed?.query;
    this.#typed = typed;
    this.#items = items;
    if (!isSame || this.#active >= items.length) this.#active = 0;
  }
}

/** What is being looked for where the caret is: a mention after `@`, or a command after a `/` that begins the text. */
export interface Typed {
  readonly sign: '@' | '/';
  /** Where the sign stands. */
  readonly from: number;
  /** The caret. */
  readonly to: number;
  /** Behind the sign. */
  readonly query: string;
}

/** In characters; longer ones are ordinary words. */
const MAX_QUERY_CHARS = 60;
/** Names have several words, sentences more. */
const MAX_QUERY_WORDS = 4;

export function typedAt(text: string, caret: number): Typed | null {
  const before = text.slice(0, caret);
  const command = /^\s*\/([^\n/]*)$/.exec(before);
  if (command) {
    const query = command[1] ?? '';
    return isShort(query) ? { sign: '/', from: caret - query.length - 1, to: caret, query } : null;
  }
  const from = before.lastIndexOf('@');
  const query = before.slice(from + 1);
  // An address of mail has a letter before its sign. Scripts without spaces have none of these.
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

/** With `words` in place of what was typed, and a space behind them. */
export function replaced(text: string, { from, to }: Typed, words: string): Edited {
  const rest = text.slice(to);
  const written = words === '' || /^\s/.test(rest) ? words : `${words} `;
  return { text: text.slice(0, from) + written + rest, caret: from + written.length };
}
