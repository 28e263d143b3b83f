/**
 * Which words stand in which notes. For each note it keeps a list of the numbers of its words, and nothing the other
 * way round. To go through all these lists takes milliseconds, so that each search can count afresh only the notes it
 * may know of; a note leaves without its old text and without a trace, so that whatever happened before, answers are as
 * by an index made anew; and it takes about as much memory as the notes have letters. Minisearch has it the other way round: it wants the
 * old text of what is removed or cleans up later, by timers, which a hidden window stretches to a minute; and it counts
 * what it holds, whoever may know of it.
 */
import { noteLines, pieces, STEP, type Field } from './chunks';
import { lettersOf, wordsOf } from './tokenizer';

export interface IndexedNote {
  readonly version: string;
  /** Numbers of its words. */
  readonly words: Uint32Array;
  /** Of each, how often it stands in the text (`COUNT`), and in which other fields (`FIELD_BITS`). */
  readonly uses: Uint16Array;
  /** Words in the text. */
  readonly length: number;
  /** Words in its name. */
  readonly nameLength: number;
}

export const COUNT = 0xfff;
export const FIELD_BITS: Readonly<Record<Exclude<Field, 'body' | 'property'>, number>> = {
  title: 0x1000,
  alias: 0x2000,
  tag: 0x4000,
  heading: 0x8000,
};

const TAGS = /(?:^|[\s([{>"'*_~|])#([\p{L}\p{N}\p{M}_/-]+)/gu;

export class WordIndex {
  readonly #notes = new Map<string, IndexedNote>();
  readonly #numbers = new Map<string, number>();
  /** By number; '' where there is none any more. */
  readonly #names: string[] = [];
  readonly #letters: number[] = [];
  /** In how many notes each stands. */
  readonly #users: number[] = [];
  readonly #free: number[] = [];

  /** One more than the highest number. */
  get end(): number {
    return this.#names.length;
  }

  ids(): Iterable<string> {
    return this.#notes.keys();
  }

  version(id: string): string | undefined {
    return this.#notes.get(id)?.version;
  }

  note(id: string): IndexedNote | undefined {
    return this.#notes.get(id);
  }

  /** '' for a number that no word has. */
  word(number: number): string {
    return this.#names[number] ?? '';
  }

  lettersOf(number: number): number {
    return this.#letters[number] ?? 0;
  }

  /** In steps of some milliseconds at most; nothing changes before the last. */
  *put(id: string, version: string, text: string): Generator<void, void> {
    const uses = new Map<string, number>();
    let length = 0;
    const add = (field: Exclude<Field, 'property'>, words: readonly string[]) => {
      for (const word of words) {
        const use = uses.get(word) ?? 0;
        if (field !== 'body') uses.set(word, use | FIELD_BITS[field]);
        else uses.set(word, (use & COUNT) === COUNT ? use : use + 1);
      }
    };
    const name = wordsOf(id.slice(id.lastIndexOf('/') + 1).replace(/\.[^.]*$/, ''));
    add('title', name);
    let left = STEP;
    for (const { says, field } of noteLines(text)) {
      if (field === null) continue;
      for (const piece of pieces(says)) {
        const words = wordsOf(piece);
        const isText = field === 'heading' || field === 'body' || field === 'property';
        if (field !== 'property') add(field, words);
        if (field === 'heading' || field === 'property') add('body', words);
        if (isText) length += words.length;
        if (piece.includes('#')) {
          for (const [, tag = ''] of piece.matchAll(TAGS)) add('tag', wordsOf(tag));
        }
        left -= piece.length + 1;
        if (left > 0) continue;
        left = STEP;
        yield;
      }
    }
    const words = new Uint32Array(uses.size);
    let place = 0;
    for (const word of uses.keys()) {
      words[place++] = this.#numberOf(word);
      if (place % 4_000 === 0) yield;
    }
    // Before the old ones go, so that none goes that stays.
    for (const number of words) this.#users[number]! += 1;
    this.remove(id);
    this.#notes.set(id, {
      ...{ version, words, length, nameLength: name.length },
      uses: Uint16Array.from(uses.values()),
    });
  }

  remove(id: string): void {
    const note = this.#notes.get(id);
    if (!note) return;
    this.#notes.delete(id);
    for (const number of note.words) {
      this.#users[number]! -= 1;
      if (this.#users[number]! > 0) continue;
      this.#numbers.delete(this.word(number));
      this.#names[number] = '';
      this.#free.push(number);
    }
  }

  #numberOf(word: string): number {
    const number = this.#numbers.get(word) ?? this.#free.pop() ?? this.#names.length;
    if (!this.#numbers.has(word)) {
      this.#numbers.set(word, number);
      this.#names[number] = word;
      this.#letters[number] = lettersOf(word);
      this.#users[number] = 0;
    }
    return number;
  }
}
