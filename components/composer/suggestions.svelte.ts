/** What is offered while something is typed behind `@` or `/`. */
import type { Suggestion } from './mentions';
import { typedAt, type Typed } from './typed';

export type Find = (typed: Typed) => Promise<readonly Suggestion[]>;

export class Suggestions {
  readonly #find: Find;
  #items = $state.raw<readonly Suggestion[]>([]);
  #active = $state(0);
  #typed = $state.raw<Typed | null>(null);
  /** Where the person does not want any. */
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
