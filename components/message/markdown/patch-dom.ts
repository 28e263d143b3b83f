/**
 * Writes a block's sanitized nodes into the page. Nothing else creates nodes from text from
 * outside.
 */
import * as t from '#messages/answer-messages';
import { commonStart } from '#text/list-diff';
import type { Citations } from '#model/passage';
import type { Ui } from '#ports/ui';
import type { PluginState } from '#stores/plugin-state';
import type { Block } from './blocks';
import { plainHtml } from './escape-html';
import { LETTER, sanitize } from './sanitize';
import { nameSources, NO_CITATIONS } from './source-numbers';

/** What drawing needs from the panel: the host's renderers, and a receiver for caught errors. */
export type DrawingHost = Pick<PluginState, 'ui' | 'report'>;

/** A drawn block. Nodes that it has in common with its previous HTML are kept. */
export class Drawing {
  readonly #element: HTMLElement;
  readonly #host: DrawingHost;
  #html = '';

  /** @param element empty, and changed by nobody else; its owner adds listeners */
  constructor(element: HTMLElement, host: DrawingHost) {
    this.#element = element;
    this.#host = host;
  }

  /**
   * Never throws: a block that cannot be drawn becomes plain text.
   *
   * @param citations the sources of its numbers
   */
  draw({ html, raw }: Pick<Block, 'html' | 'raw'>, citations: Citations = NO_CITATIONS): void {
    const window = this.#element.ownerDocument.defaultView;
    if (html === this.#html || !window) return;
    const before = this.#html;
    this.#html = html;
    if (isOnlyGrown(this.#element, before, html)) return;
    try {
      if (haveOnlyRowsGrown(this.#element, before, html, window, citations)) return;
      const fragment = sanitize(html, window);
      nameSources(fragment, citations);
      dress(fragment, this.#host.ui);
      replaceNodes(this.#element, fragment);
    } catch (error) {
      this.#host.report(error);
      this.#html = '';
      drawPlain(this.#element, raw);
    }
  }
}

/** The last words of a block, without references for characters, and the closing tags after them. */
const LAST_WORDS = /(?<=[>;])([^<>&;]+)((?:<\/\w+>\s*)+)$/;

/**
 * Writes the new last words, if nothing else is new, as at most chunks of an answer. Words need not
 * be sanitized. False, with nothing changed, if anything else is new or the nodes are others.
 */
function isOnlyGrown(element: HTMLElement, before: string, html: string): boolean {
  const [[gone, words = ''], [more, newWords = '']] = [
    LAST_WORDS.exec(before) ?? [''],
    LAST_WORDS.exec(html) ?? [''],
  ];
  if (words.trim() === '' || newWords.trim() === '') return false;
  // The first letter may decide the direction.
  if (!LETTER.test(words) && LETTER.test(newWords)) return false;
  const isRestSame =
    gone.slice(words.length) === more.slice(newWords.length) &&
    before.slice(0, -gone.length) === html.slice(0, -more.length);
  const last = isRestSame ? lastText(element) : null;
  if (!last?.data.endsWith(words)) return false;
  writeText(last, last.data.slice(0, last.length - words.length) + newWords);
  return true;
}

/** The last text that is more than white space. */
function lastText(element: Element): Text | null {
  const texts = element.ownerDocument.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  for (let at = texts.lastChild(); at; at = texts.previousNode()) {
    if ((at as Text).data.trim() !== '') return at as Text;
  }
  return null;
}

/**
 * Draws the last rows of a table, if nothing else is new: to sanitize all rows at each chunk would
 * take longer than all else in an answer. False, with nothing changed, if anything else is new.
 */
function haveOnlyRowsGrown(
  element: HTMLElement,
  before: string,
  html: string,
  window: Window,
  citations: Citations,
): boolean {
  const rows = html.indexOf('<tbody>') + '<tbody>'.length;
  const from = html.lastIndexOf('<tr>', commonStart(before, html) - '<tr>'.length);
  if (!isTable(before) || !isTable(html) || from < rows) return false;
  // Text has no `<`, so each of these begins a row.
  const kept = html.slice(rows, from).split('<tr>').length - 1;
  const holder = element.querySelector('tbody');
  const first = holder?.children[kept];
  const fresh = sanitize(`<table><tbody>${html.slice(from)}`, window).querySelector('tbody');
  if (!holder || !first || !fresh) return false;
  nameSources(fresh, citations);
  replaceNodes(holder, fresh, [...holder.childNodes].indexOf(first));
  return true;
}

/** Whether it is one table and nothing else. */
function isTable(html: string): boolean {
  const end = '</table>';
  return html.startsWith('<table>') && html.indexOf(end) === html.trimEnd().length - end.length;
}

/**
 * Makes the nodes of an element, from one of them on, equal to others, which are moved into it where
 * they differ.
 */
function replaceNodes(holder: Node, others: Node, from = 0): void {
  const [known, fresh] = [[...holder.childNodes].slice(from), [...others.childNodes]];
  for (const [at, node] of fresh.entries()) {
    const old = known[at];
    if (!old) holder.appendChild(node);
    else if (!isMadeEqual(old, node)) holder.replaceChild(node, old);
  }
  for (const gone of known.slice(fresh.length)) gone.remove();
}

/** False, with nothing changed, if the nodes are of different kinds. */
function isMadeEqual(old: Node, node: Node): boolean {
  if (old.isEqualNode(node)) return true;
  if (old.nodeType !== node.nodeType) return false;
  if (old.nodeType === Node.TEXT_NODE) {
    writeText(old as Text, (node as Text).data);
    return true;
  }
  if (!old.cloneNode().isEqualNode(node.cloneNode())) return false;
  replaceNodes(old, node);
  return true;
}

/** Keeps a selection in the words that stay. */
function writeText(text: Text, words: string): void {
  const same = commonStart(text.data, words);
  text.replaceData(same, text.length - same, words.slice(same));
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

/** Wraps what may be too wide in a frame. */
function dress(fragment: DocumentFragment, ui: Ui): void {
  for (const wide of fragment.querySelectorAll<HTMLElement>('pre, table')) {
    const frame = fragment.ownerDocument.createElement('div');
    wide.replaceWith(frame);
    frame.append(wide);
    const isTable = wide.localName === 'table';
    frame.className = isTable ? 'parley-table' : 'parley-code';
    if (wide.dir !== '') frame.dir = wide.dir;
    // Wide contents scroll, by keyboard too.
    (isTable ? frame : wide).setAttribute('tabindex', '0');
    const button = copyButton(fragment.ownerDocument, isTable ? t.copyTable : t.copyCode, ui);
    if (!isTable) {
      frame.append(button);
      continue;
    }
    // Beside what scrolls.
    const around = fragment.ownerDocument.createElement('div');
    around.className = 'parley-code';
    frame.replaceWith(around);
    around.append(frame, button);
  }
}

function copyButton(document: Document, label: string, ui: Ui): HTMLButtonElement {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'parley-copy clickable-icon';
  button.setAttribute('aria-label', label);
  button.lang = 'en';
  ui.setIcon(button, 'copy');
  return button;
}
