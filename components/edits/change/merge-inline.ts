/**
 * Merges two runs of inline text with emphasis, links and checkboxes, and highlights every word
 * that differs.
 */
import * as t from '#messages/edit-messages';
import { isRewrite, wordDiff } from '#text/word-diff';

/** Stands for a checkbox or a button in the compared text. */
const PLACEHOLDER = '\uFFFC';

/** A part of the text with one formatting. */
interface Stretch {
  readonly text: string;
  /** The elements around it, outermost first. */
  readonly around: readonly Element[];
  /** The line break, checkbox or button; null for text. */
  readonly leaf: Element | null;
  /** The HTML of the elements around it and of the leaf, in order to compare them. */
  readonly format: string;
}

/**
 * Null if one is a rewrite of the other.
 *
 * @param always whether rewrites are merged, too
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
  const [old, fresh] = [new Cursor(olds), new Cursor(news)];
  for (const { kind, text } of pieces) {
    if (kind === 'removed') writer.write(old.take(text.length), 'removed');
    else if (kind === 'added') writer.write(fresh.take(text.length), 'added');
    else writeSameText(writer, old.take(text.length), fresh.take(text.length));
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

/** Writes words that both sides have. Those whose formatting changed are marked as replaced. */
function writeSameText(writer: Writer, before: Stretch[], after: Stretch[]): void {
  const [olds, news] = cutAlike(before, after);
  let [removed, added]: [Stretch[], Stretch[]] = [[], []];
  const flush = () => {
    writer.write(removed, 'removed');
    writer.write(added, 'added');
    [removed, added] = [[], []];
  };
  news.forEach((fresh, at) => {
    const old = olds[at];
    if (old && old.format !== fresh.format) {
      removed.push(old);
      added.push(fresh);
      return;
    }
    flush();
    writer.write([fresh], null);
  });
  flush();
}

/** Splits both sides at each other's boundaries, so that they can be compared one by one. */
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
      return text === '' ? [] : [{ text, around, leaf: null, format: formatOf(around) }];
    }
    if (node.nodeType !== Node.ELEMENT_NODE) return [];
    const element = node as Element;
    if (element.localName === 'br') {
      return [{ text: '\n', around, leaf: element, format: `${formatOf(around)}<br>` }];
    }
    if (element.localName === 'input' || element.localName === 'button') {
      const format = formatOf(around) + element.outerHTML;
      return [{ text: PLACEHOLDER, around, leaf: element, format }];
    }
    return stretchesOf([...element.childNodes], [...around, element]);
  });
}

function formatOf(around: readonly Element[]): string {
  return around.map(tagOf).join('');
}

const tags = new WeakMap<Element, string>();

/** The HTML of the element without its contents. */
function tagOf(element: Element): string {
  const known = tags.get(element);
  if (known !== undefined) return known;
  const tag = (element.cloneNode(false) as Element).outerHTML;
  tags.set(element, tag);
  return tag;
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
  readonly tag: string;
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
      const wereOpen = this.#openElements(stretch.around, mark);
      if (!wereOpen || this.#mark?.kind !== mark) this.#mark = null;
      this.#put(stretch, mark);
      this.#last = mark;
    }
  }

  #put({ text, leaf }: Stretch, mark: Mark | null): void {
    const node = leaf ? leaf.cloneNode(true) : this.#document.createTextNode(text);
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

  /** Closes and opens elements until exactly these are open. Returns whether they already were. */
  #openElements(around: readonly Element[], mark: Mark | null): boolean {
    let depth = 0;
    for (; depth < around.length; depth += 1) {
      const [open, element] = [this.#open[depth], around[depth]];
      if (!open || !element || !tryMerge(open, element, mark)) break;
    }
    const wereOpen = depth === this.#open.length && depth === around.length;
    this.#open.length = depth;
    for (const element of around.slice(depth)) {
      const copy = element.cloneNode(false) as Element;
      (this.#open.at(-1)?.element ?? this.fragment).appendChild(copy);
      const open: Open = { element: copy, tag: tagOf(element), before: null, after: null };
      open[sideOf(mark)] = element;
      this.#open.push(open);
    }
    return wereOpen;
  }
}

/** Removed text belongs to the old side, all else to the new one. */
function sideOf(mark: Mark | null): 'before' | 'after' {
  return mark === 'removed' ? 'before' : 'after';
}

/**
 * Lets the open element stand for this one, too. False if they differ, or if it already stands for
 * another one of the same side: a second link next to the first stays separate.
 */
function tryMerge(open: Open, element: Element, mark: Mark | null): boolean {
  const side = sideOf(mark);
  if (open[side] === element) return true;
  if (open[side] !== null || open.tag !== tagOf(element)) return false;
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

/** An element for highlighted words. With `isSaid`, it names the mark to screen readers. */
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
