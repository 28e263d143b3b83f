/**
 * Writes a block's sanitized nodes into the page. Nothing else creates nodes from text from
 * outside.
 */
import * as t from '#messages/answer-messages';
import type { Ui } from '#ports/ui';
import type { PluginState } from '#stores/plugin-state';
import type { Block } from './blocks';
import { plainHtml } from './escape-html';
import { sanitize } from './sanitize';

/** What drawing needs from the panel: the host's renderers, and a receiver for caught errors. */
export type DrawingHost = Pick<PluginState, 'ui' | 'report'>;

const NOTHING_YET: Seam = { at: 0, levels: [{ name: '', tag: '', kept: 0, had: 0 }], dropped: 0 };

/** A drawn block. Nodes for the HTML it has in common with its previous HTML are kept. */
export class Drawing {
  readonly #element: HTMLElement;
  readonly #host: DrawingHost;
  #html = '';

  /** @param element empty, and changed by nobody else; its owner adds listeners */
  constructor(element: HTMLElement, host: DrawingHost) {
    this.#element = element;
    this.#host = host;
  }

  /** Never throws: a block that cannot be drawn becomes plain text. */
  draw({ html, raw }: Pick<Block, 'html' | 'raw'>): void {
    try {
      this.#draw(html);
    } catch (error) {
      this.#host.report(error);
      this.#html = '';
      drawPlain(this.#element, raw);
    }
  }

  #draw(html: string): void {
    if (html === this.#html) return;
    const before = this.#html;
    const seam = seamOf(before, html);
    this.#html = html;
    if (this.#growText(before, html, seam) || this.#grow(html, seam)) return;
    this.#element.replaceChildren();
    this.#grow(html, NOTHING_YET);
  }

  /**
   * False, with nothing changed, if more than the text of one node is new: only nodes have to be
   * sanitized.
   */
  #growText(before: string, html: string, { at, levels, dropped }: Seam): boolean {
    const [gone = '', goneEnd] = wordsAt(before, at);
    const [more, end] = wordsAt(html, at);
    if (end !== goneEnd || gone.length !== dropped || more?.includes('&')) return false;
    const holder = openElements(this.#element, levels)?.at(-1);
    const last = holder?.childNodes[(levels.at(-1)?.kept ?? 0) - 1];
    if (more === undefined || last?.nodeType !== Node.TEXT_NODE) return false;
    (last as Text).replaceData((last as Text).length - dropped, dropped, more);
    return true;
  }

  /**
   * False, with nothing changed, if the nodes do not match the HTML, because the browser arranged
   * them differently.
   */
  #grow(html: string, { at, levels, dropped }: Seam): boolean {
    const window = this.#element.ownerDocument.defaultView;
    if (!window) return true;
    const holders = openElements(this.#element, levels);
    if (!holders) return false;
    // Sanitized inside all elements open at the seam, as it would be in the whole.
    const fragment = sanitize(levels.map(({ tag }) => tag).join('') + html.slice(at), window);
    const sources: Node[] = [fragment];
    for (const { nodeName } of holders.slice(1)) {
      const source = sources.at(-1)?.firstChild;
      if (source?.nodeName !== nodeName) return false;
      sources.push(source);
    }
    dress(fragment, sources, this.#host.ui);
    holders.forEach((holder, depth) => {
      const isInnermost = depth === holders.length - 1;
      const added = [...(sources[depth]?.childNodes ?? [])].slice(isInnermost ? 0 : 1);
      while (holder.childNodes.length > (levels[depth]?.kept ?? 0)) holder.lastChild?.remove();
      if (isInnermost) joinText(holder.lastChild, added, dropped);
      appendAll(holder, added);
    });
    return true;
  }
}

/** Replaces everything in the element by plain text. */
export function drawPlain(element: HTMLElement, text: string): void {
  const window = element.ownerDocument.defaultView;
  if (window) element.replaceChildren(sanitize(plainHtml(text), window));
}

/**
 * One by one, because a call takes a limited number of arguments and a paragraph may have more
 * lines.
 */
export function appendAll(holder: ParentNode, nodes: Iterable<Node>): void {
  for (const node of nodes) holder.append(node);
}

/** The text up to the next tag, and the rest. */
function wordsAt(html: string, at: number): readonly string[] {
  const tag = html.indexOf('<', at);
  return tag < 0 ? [html.slice(at), ''] : [html.slice(at, tag), html.slice(tag)];
}

/** From the block's own element inward; null if their children do not match the drawn HTML. */
function openElements(element: Element, levels: readonly Level[]): Element[] | null {
  const found: Element[] = [];
  let holder: Element | null = element;
  for (const [depth, { name, kept, had }] of levels.entries()) {
    if (depth > 0 && holder?.localName !== name) return null;
    if (holder?.childNodes.length !== had) return null;
    found.push(holder);
    holder = unframed(holder.childNodes[kept - 1]);
  }
  return found;
}

/** Text that continues a kept text node is appended to it, as if both had come at once. */
function joinText(last: ChildNode | null, added: ChildNode[], dropped: number): void {
  if (last?.nodeType !== Node.TEXT_NODE) return;
  const text = last as Text;
  const more = added[0]?.nodeType === Node.TEXT_NODE ? (added.shift()?.textContent ?? '') : '';
  text.replaceData(text.length - dropped, dropped, more);
}

/** Wraps what may be too wide in a frame, except nodes that only hold the following ones. */
function dress(fragment: DocumentFragment, holders: readonly Node[], ui: Ui): void {
  for (const wide of fragment.querySelectorAll('pre, table')) {
    if (holders.includes(wide)) continue;
    const frame = fragment.ownerDocument.createElement('div');
    wide.replaceWith(frame);
    frame.append(wide);
    const isTable = wide.localName === 'table';
    frame.className = isTable ? 'parley-table' : 'parley-code';
    // Wide contents scroll, by keyboard too.
    (isTable ? frame : wide).setAttribute('tabindex', '0');
    if (isTable) continue;
    frame.append(copyButton(fragment.ownerDocument, ui));
  }
}

function unframed(node: Node | undefined): Element | null {
  if (node?.nodeType !== Node.ELEMENT_NODE) return null;
  const element = node as Element;
  return element.matches('.parley-code, .parley-table') ? element.firstElementChild : element;
}

function copyButton(document: Document, ui: Ui): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'parley-copy clickable-icon';
  button.setAttribute('aria-label', t.copyCode);
  ui.setIcon(button, 'copy');
  return button;
}

/** An element open at the seam; the first one holds the block and has no tag. */
export interface Level {
  readonly name: string;
  /** Its opening tag as written. */
  readonly tag: string;
  /** Number of kept children, including the next level. */
  readonly kept: number;
  /** Number of children in the page. */
  readonly had: number;
}

export interface Seam {
  /** Its position in both texts. */
  readonly at: number;
  /** Outermost first. */
  readonly levels: readonly Level[];
  /** Number of characters removed from the end of the last kept text. */
  readonly dropped: number;
}

interface Open {
  readonly name: string;
  readonly tag: string;
  children: number;
}

/**
 * A tag, or the text between two. The renderer escapes every other `<` and closes what it opens.
 */
const PIECE = /<(\/?)(\w+)(?:[^>"]|"[^"]*")*>|[^<]+/g;

const WITHOUT_END = new Set(['br', 'hr', 'input']);

/** References for one character; only the browser knows the length of others. */
const ESCAPE = /&(?:amp|lt|gt|quot|#\d\d);/g;

export function seamOf(before: string, after: string): Seam {
  const open: Open[] = [{ name: '', tag: '', children: 0 }];
  let path: { readonly element: Open; kept: number }[] | null = null;
  const opened = () => open.map((element) => ({ element, kept: element.children }));
  let at = 0;
  let dropped = 0;
  for (const [piece, slash, name] of before.matchAll(PIECE)) {
    if (path === null && after.startsWith(piece, at)) {
      at += piece.length;
    } else if (path === null) {
      path = opened();
      const stays = name === undefined ? sameText(piece, after.slice(at, at + piece.length)) : null;
      const last = path.at(-1);
      if (stays && last) {
        last.kept += 1;
        at += stays.same;
        ({ dropped } = stays);
      }
    }
    if (slash) {
      open.pop();
      continue;
    }
    const holder = open.at(-1);
    if (holder) holder.children += 1;
    if (name && !WITHOUT_END.has(name)) open.push({ name, tag: piece, children: 0 });
  }
  path ??= opened();
  const levels = path.map(({ element: { name, tag, children }, kept }) => {
    return { name, tag, kept, had: children };
  });
  return { at, levels, dropped };
}

/** How much of a text's beginning is kept, in HTML, and how many characters of its end are not. */
function sameText(before: string, after: string): { same: number; dropped: number } | null {
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  // Not inside a character reference.
  const sign = same > 0 ? before.lastIndexOf('&', same - 1) : -1;
  if (sign >= 0 && before.indexOf(';', sign) >= same) same = sign;
  const rest = before.slice(same).replace(ESCAPE, '-');
  return same === 0 || rest.includes('&') ? null : { same, dropped: rest.length };
}
