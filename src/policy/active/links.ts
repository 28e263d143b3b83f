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
export function activeLinks(text: string, budget: Budget): FoundLinks {
  const reader = new LinkReader(text, budget);
  const { images, acts } = reader.read();
  const bare = bareActs(text, budget);
  const known = new Set(bare);
  const others = [...acts, ...angleLinks(text)].filter((each) => !known.has(targetOf(each)));
  return { images, acts: [...bare, ...others] };
}

/** The address in a link as it is reported, such as `](obsidian://open`. */
function targetOf(link: string): string {
  return link.replace(/^(?:\]\(|\]:\s*)?<?/, '').replace(/>$/, '');
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
    const definitions: { readonly name: string | null; readonly text: string }[] = [];
    /** Labels of images by reference. */
    const names = new Set<string>();
    /** A footnote, which is a definition if an image refers to it. */
    let isByFootnote = false;
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
        const name = this.#nameOf(index);
        if (name !== null) {
          names.add(name);
          continue;
        }
        const end = this.#image(index);
        if (end === null) isOpen = true;
        else marks.lastIndex = end;
      } else if (text[index + 1] === ':') {
        const name = index - label > MAX_NAME_CHARS ? '' : text.slice(label, index);
        // A footnote's text may begin with an address.
        const isFootnote = /^\^\S+$/.test(name);
        const target = this.#target(index + 2);
        const whole = text.slice(index, target.end);
        if (!isLocal(target)) {
          definitions.push({
            name: isFootnote ? '^' : PLAIN_NAME.test(name) ? normalized(name) : null,
            text: whole,
          });
        }
        if (isLeading && !isFootnote && !isPlain(target)) this.#addAct(whole);
        isByName ||= isOpen;
      } else {
        const opening = this.#next.word(index + 1);
        if (text[opening] !== '(') {
          isByName ||= isOpen;
          isByFootnote ||= isOpen && (text.startsWith('[^', opening) || text[label] === '^');
          continue;
        }
        const target = this.#target(opening + 1);
        if (isOpen && !isLocal(target)) this.#addImage(target);
        if (!isPlain(target)) this.#acts.push(`](${target.text}`);
      }
    }
    const isMeant = (name: string | null) => {
      if (name === '^') return isByFootnote;
      return isByName || (name === null ? names.size > 0 : names.has(name));
    };
    const meant = definitions.flatMap(({ name, text: each }) => (isMeant(name) ? [each] : []));
    meant.forEach((each) => this.#budget.spendOn(each));
    return { images: [...this.#images, ...meant], acts: this.#acts };
  }

  /** The name of an image such as `![name]`; null unless every parser reads it alike. */
  #nameOf(at: number): string | null {
    const text = this.#text;
    const end = this.#next.label(at + 2);
    if (text[end] !== ']' || end - at > MAX_NAME_CHARS) return null;
    const name = text.slice(at + 2, end);
    const next = this.#next.word(end + 1);
    const isApart = /\n[ \t]*\n/.test(text.slice(end + 1, next));
    if (!isApart && /[([:]/.test(text[next] ?? '')) return null;
    return PLAIN_NAME.test(name) ? normalized(name) : null;
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
    if (close === null || !target.isClear || !isBalanced(target.text)) return null;
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
      // Another link within the title may be the one that counts.
      if (this.#next.link(at) < end) return null;
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
    return this.#targetOf(start, this.#balancedEnd(start, this.#next.end(start)));
  }

  /** Where a target ends that may contain pairs of brackets. */
  #balancedEnd(start: number, end: number): number {
    const text = this.#text;
    if (text[end] !== ')' || !text.slice(start, end).includes('(')) return end;
    let depth = 0;
    let at = start;
    for (; at < text.length && !/\s/.test(text.charAt(at)); at += 1) {
      if (text[at] === '\\') at += 1;
      else if (text[at] === '(') depth += 1;
      else if (text[at] === ')' && (depth -= 1) < 0) break;
    }
    this.#budget.spend(at - start);
    return Math.min(at, text.length);
  }

  #targetOf(start: number, end: number): Target {
    const isClear = this.#next.link(start) >= end;
    // Such targets may be within each other.
    if (!isClear) this.#budget.spend(end - start);
    return { text: this.#text.slice(start, end), isClear, end };
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

/** Longer labels count as any label. */
const MAX_NAME_CHARS = 200;

/** A label without any mark. */
const PLAIN_NAME = /^\^?[\p{L}\p{N}][\p{L}\p{N} .,_-]*$/u;

/** Labels are compared without case and with single blanks. */
function normalized(name: string): string {
  return name.trim().replace(/\s+/g, ' ').toLowerCase().toUpperCase();
}

/** Whether all brackets of a target have their counterpart. */
function isBalanced(target: string): boolean {
  if (target.startsWith('<')) return true;
  let depth = 0;
  for (const sign of target) {
    if (sign === '(') depth += 1;
    else if (sign === ')' && (depth -= 1) < 0) return false;
  }
  return depth === 0;
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
