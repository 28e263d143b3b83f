/** Puts a block's clean nodes in place. Nothing else here makes nodes of what came from outside. */
import type { Ui } from '#ports/ui';
import type { PluginState } from '#stores/plugin-state';
import type { Block } from './blocks';
import { plainHtml } from './escape-html';
import { sanitise } from './sanitize';

/** What drawing needs of the panel: the host's own drawing, and where caught errors go. */
export type DrawingHost = Pick<PluginState, 'ui' | 'report'>;

const NOTHING_YET: Seam = { at: 0, levels: [{ name: '', tag: '', kept: 0, had: 0 }], dropped: 0 };

/** A block as it is drawn. What its HTML has in common with the HTML before stays the very same nodes. */
export class Drawing {
  readonly #element: HTMLElement;
  readonly #host: DrawingHost;
  #html = '';

  /** @param element empty, and filled by nobody else; listeners are its owner's */
  constructor(element: HTMLElement, host: DrawingHost) {
    this.#element = element;
    this.#host = host;
  }

  /** Never throws: a block that cannot be drawn is drawn as plain text. */
  draw({ html, raw }: Pick<Block, 'html' | 'raw'>): void {
    try {
      this.#draw(html);
    } catch (error) {
      this.#host.report('block of text', error);
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

  /** False, with nothing changed, where more than the words of one text are new: only nodes have to be cleaned. */
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

  /** False, with nothing changed, where the nodes are not as the HTML says: the browser has put them another way. */
  #grow(html: string, { at, levels, dropped }: Seam): boolean {
    const window = this.#element.ownerDocument.defaultView;
    if (!window) return true;
    const holders = openElements(this.#element, levels);
    if (!holders) return false;
    // Cleaned inside all that is open at the seam, as it would be in the whole.
    const fragment = sanitise(levels.map(({ tag }) => tag).join('') + html.slice(at), window);
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

/** Text as it is written, in place of all that is in the element. */
export function drawPlain(element: HTMLElement, text: string): void {
  const window = element.ownerDocument.defaultView;
  if (window) element.replaceChildren(sanitise(plainHtml(text), window));
}

/** One by one: a call takes only so many arguments, and a paragraph may have more lines than that. */
export function appendAll(holder: ParentNode, nodes: Iterable<Node>): void {
  for (const node of nodes) holder.append(node);
}

/** Up to the next tag, and what comes from there on. */
function wordsAt(html: string, at: number): readonly string[] {
  const tag = html.indexOf('<', at);
  return tag < 0 ? [html.slice(at), ''] : [html.slice(at, tag), html.slice(tag)];
}

/** From the block's own element inwards; null where they have other children than the HTML that is drawn. */
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

/** What goes on is one text with what stays, as it is where both come at once. */
function joinText(last: ChildNode | null, added: ChildNode[], dropped: number): void {
  if (last?.nodeType !== Node.TEXT_NODE) return;
  const text = last as Text;
  const more = added[0]?.nodeType === Node.TEXT_NODE ? (added.shift()?.textContent ?? '') : '';
  text.replaceData(text.length - dropped, dropped, more);
}

/** Frames what may be too wide, but for those nodes that are here only to hold what follows. */
function dress(fragment: DocumentFragment, holders: readonly Node[], ui: Ui): void {
  for (const wide of fragment.querySelectorAll('pre, table')) {
    if (holders.includes(wide)) continue;
    const frame = fragment.ownerDocument.createElement('div');
    wide.replaceWith(frame);
    frame.append(wide);
    const isTable = wide.localName === 'table';
    frame.className = isTable ? 'parley-table' : 'parley-code';
    // What is wide is scrolled, by keyboard too.
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
  button.setAttribute('aria-label', 'Copy code');
  ui.setIcon(button, 'copy');
  return button;
}

/** An element that is open at the seam; the first is the one that holds the block and that no tag names. */
export interface Level {
  readonly name: string;
  /** Its opening tag as it is written. */
  readonly tag: string;
  /** So many of its children stay, the next level among them. */
  readonly kept: number;
  /** So many it has as it is drawn. */
  readonly had: number;
}

export interface Seam {
  /** Its place in both texts. */
  readonly at: number;
  /** From the outside to the inside. */
  readonly levels: readonly Level[];
  /** So many characters at the end of the last text that stays do not. */
  readonly dropped: number;
}

interface Open {
  readonly name: string;
  readonly tag: string;
  children: number;
}

/** A tag, or the text between two. The dialect leaves no other `<` unescaped, and closes what it opens. */
const PIECE = /<(\/?)(\w+)(?:[^>"]|"[^"]*")*>|[^<]+/g;

const WITHOUT_END = new Set(['br', 'hr', 'input']);

/** What stands for one character; how many others stand for is the browser's to know. */
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

/** How much of a text's beginning stays, in HTML, and how many characters of its end do not. */
function sameText(before: string, after: string): { same: number; dropped: number } | null {
  let same = 0;
  while (same < before.length && before[same] === after[same]) same += 1;
  // Not in the middle of what stands for one character.
  const sign = same > 0 ? before.lastIndexOf('&', same - 1) : -1;
  if (sign >= 0 && before.indexOf(';', sign) >= same) same = sign;
  const rest = before.slice(same).replace(ESCAPE, '-');
  return same === 0 || rest.includes('&') ? null : { same, dropped: rest.length };
}
