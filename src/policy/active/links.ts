/**
 * Finds images that load from elsewhere, and links that make a program act. Where a text can be
 * read in two ways, it counts as an image.
 */
import { type Budget, nextPlace } from './budget';
import { isPlainLink, isVaultTarget } from './targets';

export interface FoundLinks {
  /** Targets of images. */
  readonly images: readonly string[];
  /** Links and addresses that make a program act when they are followed. */
  readonly acts: readonly string[];
}

/** @param text without shown code */
export function linksIn(text: string, budget: Budget): FoundLinks {
  const reader = new LinkReader(text, budget);
  const { images, acts } = reader.read();
  const bare = bareActs(text, budget);
  const others = [...acts, ...angleLinks(text)].filter(
    (each) => !bare.some((address) => each.includes(address)),
  );
  return { images, acts: [...bare, ...others] };
}

interface Target {
  readonly text: string;
  /** Whether it is read whole. Another link within it would have two readings. */
  readonly isClear: boolean;
  readonly end: number;
}

const STEPS_PER_MARK = 40;

class LinkReader {
  readonly #text: string;
  readonly #budget: Budget;
  readonly #images: string[] = [];
  readonly #acts: string[] = [];
  readonly #next: Readonly<
    Record<'word' | 'end' | 'angle' | 'line' | 'link' | 'label', (from: number) => number>
  >;

  constructor(text: string, budget: Budget) {
    this.#text = text;
    this.#budget = budget;
    this.#next = {
      word: nextPlace(text, /\S/g),
      end: nextPlace(text, /[\s)]/g),
      angle: nextPlace(text, '>'),
      line: nextPlace(text, '\n'),
      link: nextPlace(text, /\]\s*[(:]/g),
      label: nextPlace(text, /[[\]\\\n]/g),
    };
  }

  read(): FoundLinks {
    const text = this.#text;
    if (!text.includes('[')) return { images: [], acts: [] };
    const marks = /!\[|\[|\]|\n/g;
    /** Whether an image whose extent is unclear began in this paragraph. */
    let isOpen = false;
    let isByName = false;
    let label = 0;
    /** Where the line begins, and whether its first bracket has been seen. */
    let line = { start: 0, hasBracket: false };
    /** Whether the label may be the one of a definition, because nothing but marks precedes it. */
    let isLeading = false;
    const definitions: string[] = [];
    for (let mark = marks.exec(text); mark; mark = marks.exec(text)) {
      const { index } = mark;
      if (mark[0] !== '\n') this.#budget.spend(STEPS_PER_MARK);
      if (mark[0] === '\n') {
        if (this.#isBlank(line.start, index)) isOpen = false;
        line = { start: index + 1, hasBracket: false };
      } else if (mark[0] === '[') {
        label = index + 1;
        isLeading = !line.hasBracket && /^[ \t>*+\-\d.)]*$/.test(text.slice(line.start, index));
        line.hasBracket = true;
      } else if (mark[0] === '![') {
        label = index + 2;
        if (isEscaped(text, index)) continue;
        const end = this.#image(index);
        if (end === null) isOpen = true;
        else marks.lastIndex = end;
      } else if (text[index + 1] === ':') {
        if (text[label] === '^') continue;
        const target = this.#target(index + 2);
        const whole = text.slice(index, Math.min(target.end, index + 300));
        if (!isLocal(target)) {
          this.#budget.spendOn(whole);
          definitions.push(whole);
        }
        if (isLeading && !isPlain(target)) this.#addAct(whole);
        isByName ||= isOpen;
      } else {
        const opening = this.#next.word(index + 1);
        if (text[opening] !== '(') {
          isByName ||= isOpen;
          continue;
        }
        const target = this.#target(opening + 1);
        if (isOpen && !isLocal(target)) this.#addImage(target);
        if (!isPlain(target)) this.#acts.push(`](${target.text}`);
      }
    }
    return { images: [...this.#images, ...(isByName ? definitions : [])], acts: this.#acts };
  }

  /**
   * Reads an image that every parser reads alike.
   *
   * @returns where it ends, or null if it is not that simple
   */
  #image(at: number): number | null {
    const text = this.#text;
    const isEmbed = text.startsWith('![[', at);
    const start = at + (isEmbed ? 3 : 2);
    const end = this.#next.label(start);
    if (text[end] !== ']') return null;
    if (isEmbed) {
      if (text[end + 1] !== ']' || text[end + 2] === '(' || text[end + 2] === '[') return null;
      const [path = ''] = text.slice(start, end).split(/[#|]/, 1);
      if (!isVaultTarget(path)) this.#images.push(path);
      return end + 2;
    }
    if (text[end + 1] !== '(') return null;
    const target = this.#target(end + 2);
    const close = this.#closeOf(target.end);
    if (close === null || !target.isClear) return null;
    if (!isLocal(target)) this.#addImage(target);
    if (!isPlain(target)) this.#acts.push(`](${target.text}`);
    return close;
  }

  /** The end of a link whose target ends at a place: a title and `)`. Null if something else follows. */
  #closeOf(from: number): number | null {
    const text = this.#text;
    let at = this.#next.word(from);
    const quote = text[at];
    if (at > from && (quote === '"' || quote === "'")) {
      const end = text.indexOf(quote, at + 1);
      if (end < 0 || end > this.#next.line(at)) return null;
      this.#budget.spend(end - at);
      at = end + 1;
      while (text[at] === ' ') at += 1;
    }
    return text[at] === ')' ? at + 1 : null;
  }

  #isBlank(from: number, end: number): boolean {
    return /^[ \t>]*$/.test(this.#text.slice(from, end));
  }

  /** The target from a place on, after blanks of any number. */
  #target(from: number): Target {
    const text = this.#text;
    const start = this.#next.word(from);
    if (text[start] === '<') {
      const close = this.#next.angle(start);
      if (close < this.#next.line(start)) return this.#targetOf(start, close + 1);
    }
    return this.#targetOf(start, this.#next.end(start));
  }

  #targetOf(start: number, end: number): Target {
    const isClear = this.#next.link(start) >= end;
    return { text: this.#text.slice(start, isClear ? end : start + 100), isClear, end };
  }

  #addAct(text: string): void {
    this.#budget.spendOn(text);
    this.#acts.push(text);
  }

  #addImage({ text }: Target): void {
    this.#budget.spendOn(text);
    this.#images.push(text);
  }
}

function isLocal({ text, isClear }: Target): boolean {
  return isClear && isVaultTarget(text);
}

function isPlain({ text, isClear }: Target): boolean {
  return isClear && isPlainLink(text);
}

/** Whether a backslash takes the meaning from the character at a place. */
function isEscaped(text: string, at: number): boolean {
  let count = 0;
  while (count < 8 && text[at - 1 - count] === '\\') count += 1;
  return count % 2 === 1 && count < 8;
}

/** Addresses that make a program act. Some parsers turn bare ones into links. */
const ACTS =
  /\b(?:obsidian|vscode|shell|javascript|vbscript|file|smb|ms-[a-z-]{1,30}|data):(?=\S)/gi;

function bareActs(text: string, budget: Budget): string[] {
  const found: string[] = [];
  const wordEnd = nextPlace(text, /\s/g);
  let done = 0;
  for (const { index } of text.matchAll(ACTS)) {
    if (index < done) continue;
    done = wordEnd(index);
    const address = text.slice(index, done);
    const isAddress = /[(;,]/.test(address) || /[a-z]:\//i.test(address);
    if (!isAddress) continue;
    budget.spendOn(address);
    found.push(address.replace(/[)>]{1,9}$/, ''));
  }
  return found;
}

function angleLinks(text: string): string[] {
  return Array.from(text.matchAll(/<([a-z][\w+.-]*:(?!:)[^\s<>]*)>/gi)).flatMap(
    ([whole, target = '']) => (isPlainLink(target) ? [] : [whole]),
  );
}
