/** What is added to a block once it is finished: its formulas, colours of code, diagrams, icons of callouts. */
import type { CodePiece, Ui } from '#ports/ui';
import { cleanDiagram, cleanFormula } from './picture';

/** What is drawn is marked, and nothing is drawn twice. */
const LEFT =
  '.callout-icon:empty, .math:not(.is-loaded), pre:not(.is-loaded) > code[class^="language-"]';

/** Milliseconds after which others have their turn. */
const SLICE = 8;

/** More letters than this take too long to be coloured. */
const COLOURED = 20_000;

/**
 * Once it is near to be seen. What is out of sight costs nothing, however long the conversation.
 *
 * @returns lets go of it
 */
export function decorateWhenSeen(block: Element, ui: Ui): (() => void) | undefined {
  const Observer = block.ownerDocument.defaultView?.IntersectionObserver;
  if (!block.querySelector(LEFT)) return undefined;
  if (!Observer) return void decorate(block, ui);
  const near = { scrollMargin: '400px' };
  const observer = new Observer((entries) => {
    if (!entries.some(({ isIntersecting }) => isIntersecting)) return;
    observer.disconnect();
    void decorate(block, ui);
  }, near);
  observer.observe(block);
  return () => observer.disconnect();
}

export async function decorate(block: Element, ui: Ui): Promise<void> {
  const window = block.ownerDocument.defaultView;
  if (!window) return;
  let began = window.performance.now();
  for (const element of block.querySelectorAll<HTMLElement>(LEFT)) {
    // Code by itself: it makes more nodes than all else.
    if (element.localName === 'code' || window.performance.now() - began > SLICE) {
      await new Promise((resolve) => window.setTimeout(resolve));
      began = window.performance.now();
    }
    if (element.matches('.callout-icon')) drawIcon(element, window, ui);
    // Where something is marked in it, it stays as it is written.
    else if (element.childElementCount > 0) continue;
    else if (element.matches('.math')) await drawFormula(element, window, ui);
    else await drawCode(element, window, ui);
  }
}

/** The theme knows which. */
function drawIcon(element: HTMLElement, window: Window, ui: Ui): void {
  const named = window.getComputedStyle(element).getPropertyValue('--callout-icon');
  ui.setIcon(element, named.trim().replace(/^lucide-/, '') || 'pencil');
}

/** They would stay for all formulas after this one, or reach beyond it. */
const FORBIDDEN =
  /\\(?:[a-z]*def|(?:future)?let|[a-z]*(?:command|environment)|Declare\w+|require|csname|href|class|cssId|style|data|bbox|unicode|includegraphics|html\w*|Newextarrow)(?![a-z])/i;

async function drawFormula(element: HTMLElement, window: Window, ui: Ui): Promise<void> {
  element.classList.add('is-loaded');
  const source = element.textContent ?? '';
  if (FORBIDDEN.test(source)) return;
  const isBlock = element.matches('.math-block');
  const drawn = await ui.formula(source.replace(/^\$+|\$+$/g, '').trim(), isBlock);
  const clean = drawn && cleanFormula(drawn, window);
  if (!clean) return;
  element.dataset['source'] = source;
  element.replaceChildren(clean);
  // A wide one is scrolled, by keyboard too.
  if (isBlock) element.tabIndex = 0;
}

async function drawCode(code: HTMLElement, window: Window, ui: Ui): Promise<void> {
  const pre = code.parentElement;
  const text = code.textContent ?? '';
  const language = code.className.slice('language-'.length);
  if (!pre || text.length > COLOURED) return;
  // Themes look for the language in both.
  pre.className = `${code.className} is-loaded`;
  if (language === 'mermaid') return drawDiagram(pre, text, window, ui);
  const pieces = await ui.codePieces(text, language);
  if (pieces) code.replaceChildren(...pieces.map((piece) => codeNode(piece, window.document)));
}

function codeNode(piece: CodePiece, document: Document): Node {
  if (typeof piece === 'string') return document.createTextNode(piece);
  const span = document.createElement('span');
  span.className = `token ${piece.kinds}`;
  span.append(...piece.inside.map((each) => codeNode(each, document)));
  return span;
}

/**
 * What could load something or run while it is drawn, before anything can be taken out of it: addresses, HTML, pictures,
 * configuration, calls, and functions in styles. Such a diagram stays as it is written.
 */
const RISKY =
  /\/\/|\\|(?:https?|file|app|data|javascript):|@\{|%%\{|^\s*---\s*$|<(?!br *\/?>|[-=.|<*ox\s>)}])|&#?\w+;|#(?:lt|gt|0*6[02]|x0*3[ce]);|^\s*(?:click|link|call)\b|(?:style|classDef)\b.*[^\w\s#,:;.%-]|url|@import|image\s*\(/im;

/** Labels as text of the picture, not as HTML inside it. */
const PLAIN =
  '%%{init: {"securityLevel": "strict", "htmlLabels": false, "flowchart": {"htmlLabels": false}}}%%\n';

async function drawDiagram(pre: Element, text: string, window: Window, ui: Ui): Promise<void> {
  const svg = RISKY.test(text) ? null : await ui.diagram(PLAIN + text);
  if (svg === null || !pre.isConnected) return;
  const place = window.document.createElement('div');
  place.className = 'mermaid';
  // Its styles and names count inside only.
  place.attachShadow({ mode: 'open' }).append(cleanDiagram(svg, window));
  pre.after(place);
  pre.setAttribute('hidden', '');
}
