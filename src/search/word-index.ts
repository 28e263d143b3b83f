/**
 * An index of which words occur in which notes: a compact inverted list of most notes, and word lists
 * of the notes indexed since, which are merged into it from time to time. Each search names the notes
 * that the agent may know of, and counts only those. A note is removed without its old text: no
 * search names it again, and the next merge drops it. MiniSearch needs the old text for a removal or
 * cleans up later with timers, which are slow in a hidden window; its counts would also include
 * hidden notes.
 */
import { stemOf } from '#text/paths';
import { noteLines, type Field } from './chunks';
import { wordsOf } from './tokenizer';

/** How often a word occurs in the text of a note (`COUNT`), and in which fields (`FIELD_BITS`). */
export type WordUse = number;

export const COUNT = 0xfff;
export const FIELD_BITS: Readonly<Record<Exclude<Field, 'body' | 'property'>, number>> = {
  title: 0x1000,
  alias: 0x2000,
  tag: 0x4000,
  heading: 0x8000,
};

export interface IndexedNote {
  readonly path: string;
  /** Total number of words in the text. */
  readonly length: number;
  /** Number of words in the name. */
  readonly nameLength: number;
  /** Number of the document. */
  readonly document: number;
  /** Place in the inverted lists; -1 until the note is merged. */
  slot: number;
  isRemoved: boolean;
  /** The note's own list until it is merged: numbers of its distinct words, and their uses. */
  words: Uint32Array;
  uses: Uint16Array;
}

/** The notes of each word, by its number. */
export interface InvertedLists {
  /** Where the list of each word begins, and the end of the last one. */
  readonly starts: Uint32Array;
  /** Ascending within each list. */
  readonly slots: Uint32Array;
  readonly uses: Uint16Array;
}

const TAGS = /(?:^|[\s([{>"'*_~|])#([\p{L}\p{N}\p{M}_/-]+)/gu;

/** Entries of notes that are not merged yet, beyond which merging is worth its time. */
const MIN_MERGED_ENTRIES = 200_000;

const NO_WORDS = new Uint32Array(0);
const NO_USES = new Uint16Array(0);

export class WordIndex {
  #numbers = new Map<string, number>();
  #names: string[] = [];
  /** Word numbers by the first UTF-16 unit of the word. */
  #byFirstUnit = new Map<number, number[]>();
  #starts: Uint32Array = new Uint32Array(1);
  #slots: Uint32Array = NO_WORDS;
  #uses: Uint16Array = NO_USES;
  /** By slot. */
  #merged: IndexedNote[] = [];
  readonly #recent = new Set<IndexedNote>();
  #recentEntries = 0;
  #removed = 0;

  /** One more than the highest word number. */
  get end(): number {
    return this.#names.length;
  }

  /** One more than the highest slot. */
  get slotEnd(): number {
    return this.#merged.length;
  }

  word(number: number): string {
    return this.#names[number] ?? '';
  }

  /** Numbers of all words that begin with the same UTF-16 unit. */
  wordsLike(word: string): readonly number[] {
    return this.#byFirstUnit.get(word.charCodeAt(0)) ?? [];
  }

  /** Whether a merge would make searches faster or save much memory. */
  get needsMerge(): boolean {
    const few = Math.max(MIN_MERGED_ENTRIES, this.#slots.length / 4);
    return this.#recentEntries > few || this.#removed > Math.max(1_000, this.slotEnd / 4);
  }

  /** Indexes a note. */
  add({ number, path }: Pick<DeclaredDocument, 'number' | 'path'>, text: string): IndexedNote {
    const uses = new Map<string, number>();
    let length = 0;
    const add = (field: Exclude<Field, 'property'>, words: readonly string[]) => {
      for (const word of words) {
        const use = uses.get(word) ?? 0;
        if (field !== 'body') uses.set(word, use | FIELD_BITS[field]);
        else uses.set(word, (use & COUNT) === COUNT ? use : use + 1);
      }
    };
    const name = wordsOf(stemOf(path));
    add('title', name);
    for (const { says, field } of noteLines(text)) {
      if (field === null) continue;
      const words = wordsOf(says);
      const isText = field === 'heading' || field === 'body' || field === 'property';
      if (field !== 'property') add(field, words);
      if (field === 'heading' || field === 'property') add('body', words);
      if (isText) length += words.length;
      if (says.includes('#')) {
        for (const [, tag = ''] of says.matchAll(TAGS)) add('tag', wordsOf(tag));
      }
    }
    const note: IndexedNote = {
      ...{ path, length, nameLength: name.length },
      ...{ document: number, slot: -1, isRemoved: false },
      words: Uint32Array.from(uses.keys(), (word) => this.#numberOf(word)),
      uses: Uint16Array.from(uses.values()),
    };
    this.#recent.add(note);
    this.#recentEntries += note.words.length;
    return note;
  }

  /** The note must not be searched again. */
  remove(note: IndexedNote): void {
    if (note.isRemoved) return;
    note.isRemoved = true;
    if (!this.#recent.delete(note)) this.#removed += 1;
    else this.#recentEntries -= note.words.length;
  }

  /** Merges all notes into the inverted lists. */
  merge(): void {
    const recent = [...this.#recent];
    const kept = this.#merged.filter(({ isRemoved }) => !isRemoved);
    const notes = [...kept, ...recent];
    /** New slots by old ones; -1 for removed notes. */
    const slots = new Int32Array(this.#merged.length).fill(-1);
    for (const [slot, note] of kept.entries()) slots[note.slot] = slot;
    const counts = new Uint32Array(this.end);
    for (let word = 0; word + 1 < this.#starts.length; word++) {
      const [from, to] = [this.#starts[word]!, this.#starts[word + 1]!];
      for (let at = from; at < to; at++) if (slots[this.#slots[at]!]! >= 0) counts[word]! += 1;
    }
    for (const { words } of recent) for (const word of words) counts[word]! += 1;
    const names: string[] = [];
    const numbers = new Map<string, number>();
    const starts: number[] = [];
    /** Where the next entry of each word goes, by its old number. */
    const next = new Uint32Array(counts.length);
    let total = 0;
    for (const [word, count] of counts.entries()) {
      if (count === 0) continue;
      numbers.set(this.word(word), names.length);
      names.push(this.word(word));
      starts.push(total);
      next[word] = total;
      total += count;
    }
    starts.push(total);
    const newSlots = new Uint32Array(total);
    const newUses = new Uint16Array(total);
    for (let word = 0; word + 1 < this.#starts.length; word++) {
      const [from, to] = [this.#starts[word]!, this.#starts[word + 1]!];
      for (let at = from; at < to; at++) {
        const slot = slots[this.#slots[at]!]!;
        if (slot < 0) continue;
        const place = next[word]!++;
        newSlots[place] = slot;
        newUses[place] = this.#uses[at]!;
      }
    }
    for (const [index, { words, uses }] of recent.entries()) {
      for (let at = 0; at < words.length; at++) {
        const place = next[words[at]!]!++;
        newSlots[place] = kept.length + index;
        newUses[place] = uses[at]!;
      }
    }
    for (const [slot, note] of notes.entries()) {
      note.slot = slot;
      note.words = NO_WORDS;
      note.uses = NO_USES;
    }
    this.#names = names;
    this.#numbers = numbers;
    this.#byFirstUnit = byFirstUnit(names);
    this.#starts = Uint32Array.from(starts);
    this.#slots = newSlots;
    this.#uses = newUses;
    this.#merged = notes;
    this.#recent.clear();
    this.#recentEntries = 0;
    this.#removed = 0;
  }

  /** The inverted lists, in new arrays after each merge. Notes that are not merged are missing. */
  lists(): InvertedLists {
    return { starts: this.#starts, slots: this.#slots, uses: this.#uses };
  }

  #numberOf(word: string): number {
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    const number = this.#names.length;
    this.#numbers.set(word, number);
    this.#names.push(word);
    addTo(this.#byFirstUnit, word, number);
    return number;
  }
}

function byFirstUnit(words: readonly string[]): Map<number, number[]> {
  const numbers = new Map<number, number[]>();
  for (const [number, word] of words.entries()) addTo(numbers, word, number);
  return numbers;
}

function addTo(numbers: Map<number, number[]>, word: string, number: number): void {
  const unit = word.charCodeAt(0);
  const known = numbers.get(unit);
  if (known) known.push(number);
  else numbers.set(unit, [number]);
}

/** A file that can be searched, whose text the engine asks for when it needs it. */
export interface DeclaredDocument {
  readonly number: number;
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  /** Ids of the pending edits in it whose text counts. */
  readonly own: readonly string[];
}
