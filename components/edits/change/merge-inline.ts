/**
 * Merges two runs of inline text with emphasis, links and checkboxes, and highlights every word
 * that differs.
 */
import * as t from '#messages/edit-messages';
import { isRewrite, wordDiff } from '#text/word-diff';

/** Stands for a checkbox, a button or a line break in the compared text. */
const THING = '\uFFFC';

/** A part of the text with one formatting. */
interface Stretch {
  readonly text: string;
  /** The elements around it, outermost first. */
  readonly around: readonly Element[];
  /** The node, if it is not text. */
  readonly thing: Element | null;
  /** Parts with the same text and formatting are equal. */
  readonly look: string;
}

/**
 * Null if one is a rewrite of the other.
 *
 * @param always whether they are merged whatever they have in common
 */
export function mergeRuns(
  before: readonly Node[],
  after: readonly Node[],
  always: boolean,
): DocumentFragment | null {
  const [olds, news] = [stretchesOf(before), stretchesOf(after)];
  const pieces = wordDiff(textOf(olds), textOf(news));
  const changed = pieces.flatMap(({ kind, text }) => (kind === 'same' ? [] : [text]));
  if (!always && isRewrite(changed, textOf(olds), textOf(news))) return null;
  const writer = new Writer(documentOf([...after, ...before]));
  const [old, young] = [new Cursor(olds), new Cursor(news)];
  for (const { kind, text } of pieces) {
    if (kind === 'removed') writer.write(old.take(text.length), 'removed');
    else if (kind === 'added') writer.write(young.take(text.length), 'added');
    else writeSame(writer, old.take(text.length), young.take(text.length));
  }
  return writer.fragment;
}

/** Highlights a whole run. */
export function markRun(nodes: readonly Node[], mark: Mark): DocumentFragment {
  const writer = new Writer(documentOf(nodes));
  writer.write(stretchesOf(nodes), mark);
  return writer.fragment;
}

function documentOf(nodes: readonly Node[]): Document {
  return nodes[0]?.ownerDocument ?? document;
}

/** Words whose formatting changed count as replaced. */
function writeSame(writer: Writer, before: Stretch[], after: Stretch[]): void {
  const [olds, news] = cutAlike(before, after);
  let [gone, come]: [Stretch[], Stretch[]] = [[], []];
  const flush = () => {
    writer.write(gone, 'removed');
    writer.write(come, 'added');
    [gone, come] = [[], []];
  };
  news.forEach((young, at) => {
    const old = olds[at];
    if (old && old.look !== young.look) {
      gone.push(old);
      come.push(young);
      return;
    }
    flush();
    writer.write([young], null);
  });
  flush();
}

/** Splits both sides at each other's boundaries, so that they can be processed in parallel. */
function cutAlike(before: Stretch[], after: Stretch[]): [Stretch[], Stretch[]] {
  const ends = (stretches: Stretch[]) => {
    let at = 0;
    return stretches.map(({ text }) => (at += text.length));
  };
  const all = [...new Set([...ends(before), ...ends(after)])].sort((one, other) => one - other);
  const cut = (stretches: Stretch[]) => {
    const cursor = new Cursor(stretches);
    let at = 0;
    return all.flatMap((end) => {
      const taken = cursor.take(end - at);
      at = end;
      return taken;
    });
  };
  return [cut(before), cut(after)];
}

function textOf(stretches: readonly Stretch[]): string {
  return stretches.map(({ text }) => text).join('');
}

function stretchesOf(nodes: readonly Node[], around: readonly Element[] = []): Stretch[] {
  return nodes.flatMap((node): Stretch[] => {
    if (node.nodeType === Node.TEXT_NODE) {
      const text = node.textContent ?? '';
      return text === '' ? [] : [{ text, around, thing: null, look: lookOf(around) }];
    }
    if (node.nodeType !== Node.ELEMENT_NODE) return [];
    const element = node as Element;
    if (element.localName === 'br') {
      return [{ text: '\n', around, thing: element, look: `${lookOf(around)}<br>` }];
    }
    if (element.localName === 'input' || element.localName === 'button') {
      const look = lookOf(around) + element.outerHTML;
      return [{ text: THING, around, thing: element, look }];
    }
    return stretchesOf([...element.childNodes], [...around, element]);
  });
}

function lookOf(around: readonly Element[]): string {
  return around.map(shellOf).join('');
}

const shells = new WeakMap<Element, string>();

/** The element without its contents. */
function shellOf(element: Element): string {
  const known = shells.get(element);
  if (known !== undefined) return known;
  const shell = (element.cloneNode(false) as Element).outerHTML;
  shells.set(element, shell);
  return shell;
}

/** Reads parts by number of characters. */
class Cursor {
  readonly #stretches: readonly Stretch[];
  #at = 0;
  #within = 0;

  constructor(stretches: readonly Stretch[]) {
    this.#stretches = stretches;
  }

  take(length: number): Stretch[] {
    const taken: Stretch[] = [];
    let left = length;
    while (left > 0) {
      const stretch = this.#stretches[this.#at];
      if (!stretch) break;
      const text = stretch.text.slice(this.#within, this.#within + left);
      taken.push(text === stretch.text ? stretch : { ...stretch, text });
      left -= text.length;
      this.#within += text.length;
      if (this.#within < stretch.text.length) continue;
      this.#at += 1;
      this.#within = 0;
    }
    return taken;
  }
}

interface Open {
  readonly element: Element;
  readonly shell: string;
  /** The original element on each side; null if the side has none. */
  before: Element | null;
  after: Element | null;
}

/** Writes parts one after the other into new elements. */
class Writer {
  readonly fragment: DocumentFragment;
  readonly #document: Document;
  readonly #open: Open[] = [];
  #mark: { readonly kind: Mark; readonly element: Element } | null = null;
  #last: Mark | null = null;

  constructor(document: Document) {
    this.#document = document;
    this.fragment = document.createDocumentFragment();
  }

  write(stretches: readonly Stretch[], mark: Mark | null): void {
    for (const stretch of stretches) {
      const stays = this.#enter(stretch.around, mark);
      if (!stays || this.#mark?.kind !== mark) this.#mark = null;
      this.#put(stretch, mark);
      this.#last = mark;
    }
  }

  #put({ text, thing }: Stretch, mark: Mark | null): void {
    const node = thing ? thing.cloneNode(true) : this.#document.createTextNode(text);
    const holder = this.#open.at(-1)?.element ?? this.fragment;
    if (mark === null) {
      holder.appendChild(node);
      return;
    }
    if (!this.#mark) {
      // Announced once, however many elements it spans.
      this.#mark = { kind: mark, element: createMark(this.#document, mark, this.#last !== mark) };
      holder.appendChild(this.#mark.element);
    }
    this.#mark.element.append(node);
  }

  /** Whether everything that was open is still being written into. */
  #enter(around: readonly Element[], mark: Mark | null): boolean {
    let depth = 0;
    for (; depth < around.length; depth += 1) {
      const [open, element] = [this.#open[depth], around[depth]];
      if (!open || !element || !takesIn(open, element, mark)) break;
    }
    const stays = depth === this.#open.length && depth === around.length;
    this.#open.length = depth;
    for (const element of around.slice(depth)) {
      const copy = element.cloneNode(false) as Element;
      (this.#open.at(-1)?.element ?? this.fragment).appendChild(copy);
      const open: Open = { element: copy, shell: shellOf(element), before: null, after: null };
      takesIn(open, element, mark);
      this.#open.push(open);
    }
    return stays;
  }
}

/**
 * Removed text belongs to the old side, all else to the new one; a second link next to the first
 * stays separate.
 */
function takesIn(open: Open, element: Element, mark: Mark | null): boolean {
  const side = mark === 'removed' ? 'before' : 'after';
  if (open[side] === element) return true;
  if (open[side] !== null || open.shell !== shellOf(element)) return false;
  open[side] = element;
  return true;
}

export type Mark = 'added' | 'removed';

/**
 * Classes that text from outside cannot have, because it is sanitized before they are added and
 * sanitizing removes unknown classes.
 */
export const CLASS: Record<Mark, string> = { added: 'parley-added', removed: 'parley-removed' };

export const ANY_MARK = '.parley-added, .parley-removed';

const SAID: Record<Mark, string> = { added: `${t.added} `, removed: `${t.removed} ` };

/** An empty element for highlighted words. */
export function createMark(document: Document, mark: Mark, isSaid: boolean): Element {
  const element = document.createElement(mark === 'added' ? 'ins' : 'del');
  element.className = CLASS[mark];
  if (isSaid) element.append(said(document, SAID[mark]));
  return element;
}

const HOLDERS = new Set(['ul', 'ol', 'table', 'thead', 'tbody', 'tr', 'blockquote', 'pre']);

/** Highlights a whole block. */
export function markBlock(block: Element, mark: Mark): Element {
  const document = block.ownerDocument;
  let element = block;
  if (block.localName === 'hr') {
    element = document.createElement('div');
    element.append(block);
  }
  element.classList.add(CLASS[mark]);
  let holder = element;
  while (HOLDERS.has(holder.localName) && holder.firstElementChild) {
    holder = holder.firstElementChild;
  }
  holder.prepend(said(document, SAID[mark]));
  return element;
}

/** For screen readers only. */
function said(document: Document, words: string): Element {
  const element = document.createElement('span');
  element.className = 'parley-said';
  element.textContent = words;
  return element;
}
