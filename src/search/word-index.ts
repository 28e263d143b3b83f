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
import {
  COUNT,
  FIELD_BITS,
  NO_POSTINGS,
  type Postings,
  PostingsReader,
  PostingsWriter,
  type WordUse,
} from './postings';
import { wordsOf } from './tokenizer';
import { SortedWords } from './sorted-words';

type IndexedDocument = Pick<DeclaredDocument, 'number' | 'path'>;

/** A class, because objects of a class take less memory, and there is one for each note. */
export class IndexedNote {
  readonly document: IndexedDocument;
  /** Total number of words in the text. */
  readonly length: number;
  /** Number of words in the name. */
  readonly nameLength: number;
  /** Place in the inverted lists; -1 until the note is merged. */
  slot = -1;
  isRemoved = false;
  /** The note's own list until it is merged: numbers of its distinct words, and their uses. */
  words: Uint32Array;
  uses: Uint16Array;

  constructor(
    document: IndexedDocument,
    lengths: { readonly text: number; readonly name: number },
    words: Uint32Array,
    uses: Uint16Array,
  ) {
    this.document = document;
    this.length = lengths.text;
    this.nameLength = lengths.name;
    this.words = words;
    this.uses = uses;
  }
}

const TAGS = /(?:^|[\s([{>"'*_~|])#([\p{L}\p{N}\p{M}_/-]+)/gu;

/** Entries of notes that are not merged yet, beyond which merging is worth its time. */
const MIN_MERGED_ENTRIES = 200_000;

/** Recent entries beyond which a merge after indexing saves about a megabyte. */
const MIN_RECENT_ENTRIES = 50_000;

const NO_WORDS = new Uint32Array(0);
const NO_USES = new Uint16Array(0);

export class WordIndex {
  /** The words of the inverted lists; their places are their numbers. */
  #names = new SortedWords([]);
  /** The words that are new, whose numbers come next. */
  #newNames: string[] = [];
  /** Numbers of the words of recent notes. */
  #numbers = new Map<string, number>();
  #postings: Postings = NO_POSTINGS;
  /** By slot. */
  #merged: IndexedNote[] = [];
  readonly #recent = new Set<IndexedNote>();
  #recentEntries = 0;
  #removed = 0;

  /** One more than the highest word number. */
  get end(): number {
    return this.#names.length + this.#newNames.length;
  }

  /** One more than the highest slot. */
  get slotEnd(): number {
    return this.#merged.length;
  }

  word(number: number): string {
    const { length } = this.#names;
    return number < length ? this.#names.at(number) : (this.#newNames[number - length] ?? '');
  }

  /**
   * Numbers of all words that begin with this one, and of those with the same first UTF-16 unit
   * whose length differs by no more than `typos`.
   */
  *wordsLike(word: string, typos: number): Generator<number> {
    const names = this.#names;
    const unit = word.charCodeAt(0);
    const place = names.placeOf(word);
    const isLike = (chars: number) => Math.abs(chars - word.length) <= typos;
    for (let number = names.placeOf(word.charAt(0)); typos > 0 && number < place; number++) {
      if (isLike(names.charsAt(number))) yield number;
    }
    let number = place;
    while (number < names.length && names.at(number).startsWith(word)) yield number++;
    const end = typos > 0 ? names.placeOf(String.fromCharCode(unit + 1)) : number;
    for (; number < end; number++) if (isLike(names.charsAt(number))) yield number;
    for (const [at, name] of this.#newNames.entries()) {
      if (name.charCodeAt(0) === unit) yield names.length + at;
    }
  }

  /** Whether a merge would make searches faster or save much memory. */
  get needsMerge(): boolean {
    const few = Math.max(MIN_MERGED_ENTRIES, this.#postings.entries / 4);
    return this.#recentEntries > few || this.#removed > Math.max(1_000, this.slotEnd / 4);
  }

  /** Whether a merge after indexing would save memory. */
  get hasManyRecent(): boolean {
    return this.#recentEntries > MIN_RECENT_ENTRIES;
  }

  /** Indexes a note. */
  add(document: IndexedDocument, text: string): IndexedNote {
    const uses = new Map<string, WordUse>();
    let length = 0;
    const add = (field: Exclude<Field, 'property'>, words: readonly string[]) => {
      for (const word of words) {
        const use = uses.get(word) ?? 0;
        if (field !== 'body') uses.set(word, use | FIELD_BITS[field]);
        else uses.set(word, (use & COUNT) === COUNT ? use : use + 1);
      }
    };
    const name = wordsOf(stemOf(document.path));
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
    const note = new IndexedNote(
      document,
      { text: length, name: name.length },
      Uint32Array.from(uses.keys(), (word) => this.#numberOf(word)),
      Uint16Array.from(uses.values()),
    );
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
    /** New slots by old ones; -1 for removed notes. */
    const slots = new Int32Array(this.slotEnd).fill(-1);
    for (const [slot, note] of kept.entries()) slots[note.slot] = slot;
    const reader = new PostingsReader(this.#postings, this.slotEnd);
    const added = listsOf(recent, this.end);
    const writer = new PostingsWriter(this.#postings.bytes.length, added.notes.length);
    const names: string[] = [];
    for (const word of this.#inOrder()) {
      const count = reader.read(word);
      for (let at = 0; at < count; at++) {
        const slot = slots[reader.slots[at]!]!;
        if (slot >= 0) writer.add(slot, reader.uses[at]!);
      }
      for (let at = added.starts[word]!; at < added.starts[word + 1]!; at++) {
        writer.add(kept.length + added.notes[at]!, added.uses[at]!);
      }
      if (writer.endList()) names.push(this.word(word));
    }
    const notes = [...kept, ...recent];
    for (const [slot, note] of notes.entries()) {
      note.slot = slot;
      note.words = NO_WORDS;
      note.uses = NO_USES;
    }
    this.#names = new SortedWords(names);
    this.#newNames = [];
    this.#numbers = new Map();
    this.#postings = writer.postings();
    this.#merged = notes;
    this.#recent.clear();
    this.#recentEntries = 0;
    this.#removed = 0;
  }

  /** The inverted lists, new after each merge. Notes that are not merged are missing. */
  lists(): PostingsReader {
    return new PostingsReader(this.#postings, this.slotEnd);
  }

  /** The numbers of all words, in the order of the words. */
  *#inOrder(): Generator<number> {
    const { length } = this.#names;
    const added = Array.from(this.#newNames, (_, at) => length + at);
    const before = (one: number, other: number) => this.word(one) < this.word(other);
    let number = 0;
    for (const next of added.sort((one, other) => (before(one, other) ? -1 : 1))) {
      while (number < length && before(number, next)) yield number++;
      yield next;
    }
    while (number < length) yield number++;
  }

  #numberOf(word: string): number {
    const known = this.#numbers.get(word);
    if (known !== undefined) return known;
    const name = ownCopy(word);
    const place = this.#names.placeOf(word);
    const isMerged = place < this.#names.length && this.#names.at(place) === word;
    const number = isMerged ? place : this.#names.length + this.#newNames.push(name) - 1;
    this.#numbers.set(name, number);
    return number;
  }
}

/** A longer part of a text may keep the whole text in memory. */
const MAX_COPIED_CHARS = 12;

function ownCopy(word: string): string {
  return word.length > MAX_COPIED_CHARS ? word.split('').join('') : word;
}

/** The notes of each word, by its number: their places in this list, and the uses. */
function listsOf(notes: readonly IndexedNote[], wordEnd: number) {
  const starts = new Uint32Array(wordEnd + 1);
  for (const { words } of notes) for (const word of words) starts[word + 1]! += 1;
  for (let word = 0; word < wordEnd; word++) starts[word + 1]! += starts[word]!;
  const next = starts.slice();
  const lists = {
    starts,
    notes: new Uint32Array(starts[wordEnd]!),
    uses: new Uint16Array(starts[wordEnd]!),
  };
  for (const [index, { words, uses }] of notes.entries()) {
    for (let at = 0; at < words.length; at++) {
      const place = next[words[at]!]!++;
      lists.notes[place] = index;
      lists.uses[place] = uses[at]!;
    }
  }
  return lists;
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
