/** Two runs of words with their emphasis, links and boxes as one, in which every word that differs is marked. */
import { wordDiff } from '#model/diff/word-diff';
import { lineDiff } from './source-diff';

/** What stands for a box, a button or a line break in the text that is compared. */
const THING = '\uFFFC';

/** A stretch of a run that has one look. */
interface Stretch {
  readonly text: string;
  /** The elements around it, from the outside. */
  readonly around: readonly Element[];
  /** Where it is no text. */
  readonly thing: Element | null;
  /** Stretches of the same text and look are the same. */
  readonly look: string;
}

/** Less than this in common, and the words of both are not worth reading through each other. */
const COMMON = 0.3;

export interface RunOptions {
  /** Merged whatever they have in common. */
  readonly always: boolean;
  /** Of code: line by line. */
  readonly isCode: boolean;
}

/** Null where the two have too little in common to be read as one. */
export function mergeRuns(
  before: readonly Node[],
  after: readonly Node[],
  options: RunOptions,
): DocumentFragment | null {
  const [olds, news] = [stretchesOf(before), stretchesOf(after)];
  const pieces = (options.isCode ? lineDiff : wordDiff)(textOf(olds), textOf(news));
  const common = pieces.reduce(
    (sum, { kind, text }) => sum + (kind === 'same' ? text.trim().length : 0),
    0,
  );
  const whole = textOf(olds).length + textOf(news).length;
  if (!options.always && (2 * common) / Math.max(1, whole) < COMMON) return null;
  const writer = new Writer(documentOf([...after, ...before]));
  const [old, young] = [new Cursor(olds), new Cursor(news)];
  for (const { kind, text } of pieces) {
    if (kind === 'removed') writer.write(old.take(text.length), 'removed');
    else if (kind === 'added') writer.write(young.take(text.length), 'added');
    else writeSame(writer, old.take(text.length), young.take(text.length));
  }
  return writer.fragment;
}

/** A whole run, marked. */
export function markRun(nodes: readonly Node[], mark: Mark): DocumentFragment {
  const writer = new Writer(documentOf(nodes));
  writer.write(stretchesOf(nodes), mark);
  return writer.fragment;
}

function documentOf(nodes: readonly Node[]): Document {
  return nodes[0]?.ownerDocument ?? document;
}

/** The same words may look another way: then they were replaced. */
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

/** Both cut wherever either is, so that they go side by side. */
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

/** The element without what is in it. */
function shellOf(element: Element): string {
  const known = shells.get(element);
  if (known !== undefined) return known;
  const shell = (element.cloneNode(false) as Element).outerHTML;
  shells.set(element, shell);
  return shell;
}

/** Reads stretches by so many characters. */
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
  /** The element it was made of on either side; null while that side had no part in it. */
  before: Element | null;
  after: Element | null;
}

/** Puts stretches one after the other, inside elements of their own. */
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
      // Said once, however many elements what goes or comes is spread over.
      this.#mark = { kind: mark, element: marked(this.#document, mark, this.#last !== mark) };
      holder.appendChild(this.#mark.element);
    }
    this.#mark.element.append(node);
  }

  /** Whether all that was open is still what is written into. */
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

/** What goes is of the old side, all else of the new one; a second link beside the first stays a second one. */
function takesIn(open: Open, element: Element, mark: Mark | null): boolean {
  const side = mark === 'removed' ? 'before' : 'after';
  if (open[side] === element) return true;
  if (open[side] !== null || open.shell !== shellOf(element)) return false;
  open[side] = element;
  return true;
}

export type Mark = 'added' | 'removed';

/**
 * Classes that nothing from outside can have: text is cleaned before it is marked, and cleaning leaves only the classes
 * on its own list.
 */
export const CLASS: Record<Mark, string> = { added: 'parley-added', removed: 'parley-removed' };

export const ANY_MARK = '.parley-added, .parley-removed';

const SAID: Record<Mark, string> = { added: 'added: ', removed: 'removed: ' };

/** An empty element for marked words. */
export function marked(document: Document, mark: Mark, isSaid: boolean): Element {
  const element = document.createElement(mark === 'added' ? 'ins' : 'del');
  element.className = CLASS[mark];
  if (isSaid) element.append(said(document, SAID[mark]));
  return element;
}

const HOLDERS = new Set(['ul', 'ol', 'table', 'thead', 'tbody', 'tr', 'blockquote', 'pre']);

/** Marks a whole block. */
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

/** For the ear only. */
function said(document: Document, words: string): Element {
  const element = document.createElement('span');
  element.className = 'parley-said';
  element.textContent = words;
  return element;
}
