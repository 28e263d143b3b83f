/**
 * An index of which words occur in which notes. It keeps a list of word numbers for each note and
 * no inverted lists: scanning all lists takes milliseconds, so each search can count only the notes
 * that the agent may know of. A note can be removed without its old text and leaves no trace, so
 * results equal those of a rebuilt index, and memory is about the size of the notes. MiniSearch,
 * which has inverted lists, needs the old text for a removal or cleans up later with timers, which
 * are slow in a hidden window; its counts would also include hidden notes.
 */
import { noteLines, splitLine, STEP_CHARS, type Field } from './chunks';
import { lettersOf, wordsOf } from './tokenizer';

export interface IndexedNote {
  readonly version: string;
  /** Numbers of the distinct words. */
  readonly words: Uint32Array;
  /**
   * For each word, the number of its occurrences in the text (`COUNT`) and the fields it occurs in
   * (`FIELD_BITS`).
   */
  readonly uses: Uint16Array;
  /** Total number of words in the text. */
  readonly length: number;
  /** Number of words in the name. */
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
  /** Words by their number; '' if the number is unused. */
  readonly #names: string[] = [];
  readonly #letters: number[] = [];
  /** Number of notes that use each word. */
  readonly #users: number[] = [];
  readonly #free: number[] = [];

  /** One more than the highest word number. */
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

  /** '' for an unused number. */
  word(number: number): string {
    return this.#names[number] ?? '';
  }

  lettersOf(number: number): number {
    return this.#letters[number] ?? 0;
  }

  /**
   * Adds or replaces a note, in steps of a few milliseconds. The old entry stays valid until the
   * last step.
   */
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
    let left = STEP_CHARS;
    for (const { says, field } of noteLines(text)) {
      if (field === null) continue;
      for (const piece of splitLine(says)) {
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
        left = STEP_CHARS;
        yield;
      }
    }
    const words = new Uint32Array(uses.size);
    let place = 0;
    for (const word of uses.keys()) {
      words[place++] = this.#numberOf(word);
      if (place % 4_000 === 0) yield;
    }
    // Count the new uses before `remove` releases the old words, so that words in both are kept.
    for (const number of words) this.#users[number]! += 1;
    this.remove(id);
    this.#notes.set(id, {
      version,
      words,
      length,
      nameLength: name.length,
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
