/**
 * The last check before text from outside becomes part of the window. Only what is listed here
 * passes: no styles, no handlers, no forms, nothing that loads by itself.
 */
import * as t from '#messages/answer-messages';
import createPurifier, { type Config, type DOMPurify, type WindowLike } from 'dompurify';

const TAGS = [
  ...['p', 'br', 'hr', 'h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'blockquote', 'pre', 'code'],
  ...['ul', 'ol', 'li', 'input', 'table', 'thead', 'tbody', 'tr', 'th', 'td', 'a', 'button'],
  ...['strong', 'em', 'del', 'mark', 'kbd', 'sub', 'sup', 'u', 'ins', 'small', 'span'],
  ...['div', 'details', 'summary', 'section'],
];

const ATTRIBUTES = [
  ...['href', 'title', 'class', 'start', 'align', 'type', 'checked', 'disabled', 'open'],
  ...['data-note', 'data-src', 'data-callout', 'data-callout-fold', 'data-footnote', 'data-task'],
  ...['data-source', 'data-link'],
  ...['target', 'rel', 'dir'],
];

/** The renderer's own classes; any other could imitate the look of something else. */
const CLASSES =
  /^(?:(?:internal|external)-link|parley-(?:embed|picture|plain|cites?)|tag|task-list-item(?:-checkbox)?|contains-task-list|is-(?:checked|collapsible|outdated)|math(?:-inline|-block)?|callout(?:-title|-title-inner|-icon|-content)?|footnotes|footnote-(?:ref|link|backref)|language-[\w+#.-]{1,40})$/;

/** Classes of links that the panel handles itself. */
const HANDLED = new Set(['tag', 'footnote-link', 'parley-cite']);

/** Blocks whose direction depends on the script of their text. */
const DIRECTED = new Set('P H1 H2 H3 H4 H5 H6 UL OL TD TH BLOCKQUOTE'.split(' '));

/**
 * They take their direction from the text of their first paragraph, which must not have its own.
 */
const HOLDERS = new Set(['LI', 'BLOCKQUOTE']);

export const LETTER = /\p{L}/u;
const RIGHT_TO_LEFT =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u;

/** By the first letter, as for `dir="auto"`, which cannot look into cells with their own direction. */
export function isRightToLeft(text: string): boolean {
  return RIGHT_TO_LEFT.test(LETTER.exec(text)?.[0] ?? '');
}

const RULES = {
  ALLOWED_TAGS: TAGS,
  ALLOWED_ATTR: ATTRIBUTES,
  ALLOW_DATA_ATTR: false,
  ALLOW_ARIA_ATTR: false,
  // Their values are words or numbers, or are checked by `restrict`; only links are checked as
  // URLs.
  ADD_URI_SAFE_ATTR: ATTRIBUTES.filter((name) => name !== 'href'),
  ALLOWED_URI_REGEXP: /^(?:https?:|mailto:|#$)/i,
  RETURN_DOM_FRAGMENT: true,
};

const purifiers = new WeakMap<object, DOMPurify>();

/** Sanitized nodes of `window`'s document. */
export function sanitize(html: string, window: Window): DocumentFragment {
  // Configured to return nodes, which its type does not show.
  const clean = purifier(window).sanitize(html) as unknown as DocumentFragment | null;
  // Null if the text contained another kind of document, such as a frameset.
  return clean ? window.document.adoptNode(clean) : window.document.createDocumentFragment();
}

function purifier(window: Window): DOMPurify {
  const known = purifiers.get(window);
  if (known) return known;
  const made = createPurifier(window as unknown as WindowLike);
  // Read once, because that takes longer than sanitizing a line.
  made.setConfig(RULES);
  made.addHook('afterSanitizeAttributes', (node) => restrict(node));
  purifiers.set(window, made);
  return made;
}

/** Selectors are avoided: in jsdom, each document asked for one leaves listeners on its window. */
function restrict(element: Element): void {
  const classes = [...element.classList].filter((name) => CLASSES.test(name));
  if (classes.length > 0) element.setAttribute('class', classes.join(' '));
  else element.removeAttribute('class');
  const isFirst = element.tagName === 'P' && HOLDERS.has(element.parentElement?.tagName ?? '');
  const isDirected = DIRECTED.has(element.tagName) || classes.includes('callout-title');
  // Of its head alone, because rows may be added later.
  const head = element.tagName === 'TABLE' ? (element as HTMLTableElement).tHead : null;
  if (head && isRightToLeft(head.textContent)) element.setAttribute('dir', 'rtl');
  // A cell without letters has the direction of its table.
  const isNumber = /^T[DH]$/.test(element.tagName) && !LETTER.test(element.textContent);
  if (isDirected && !isFirst && !isNumber) element.setAttribute('dir', 'auto');
  const isPicture = element.tagName === 'BUTTON' && classes.includes('parley-picture');
  if (!isPicture || !isWebAddress(element.getAttribute('data-src'))) {
    element.removeAttribute('data-src');
  }
  switch (element.tagName) {
    case 'A':
      // It opens outside, and does not learn where it was clicked.
      if (element.hasAttribute('data-note')) element.setAttribute('href', '#');
      else if (element.getAttribute('href') === '#' && !classes.some((name) => HANDLED.has(name))) {
        element.removeAttribute('href');
      }
      if (classes.includes('footnote-backref')) element.setAttribute('aria-label', t.back);
      element.setAttribute('rel', 'noopener noreferrer');
      element.setAttribute('target', '_blank');
      return;
    case 'INPUT':
      // Only task checkboxes.
      if (element.getAttribute('type') !== 'checkbox') element.remove();
      else element.setAttribute('disabled', '');
      element.setAttribute('aria-label', element.hasAttribute('checked') ? t.done : t.toDo);
      return;
    case 'BUTTON':
      if (!classes.includes('parley-embed')) element.removeAttribute('data-note');
      element.setAttribute('type', 'button');
      return;
    default:
      for (const name of ['href', 'data-note', 'target', 'rel', 'type']) {
        element.removeAttribute(name);
      }
  }
}

function isWebAddress(address: string | null): boolean {
  return address !== null && /^https?:/i.test(address) && URL.canParse(address);
}

const DIAGRAM_RULES: Config = {
  USE_PROFILES: { svg: true, mathMl: true },
  ADD_TAGS: ['span'],
  FORBID_TAGS: ['a', 'image', 'animate', 'animatemotion', 'animatetransform', 'set', 'use'],
  FORBID_ATTR: ['href', 'xlink:href', 'src', 'tabindex', 'contenteditable'],
  ALLOW_DATA_ATTR: false,
  CUSTOM_ELEMENT_HANDLING: {
    tagNameCheck: /^mjx-[a-z-]+$/,
    attributeNameCheck: /^(?!on|id$|name$|is$|slot$|part$|href|src|auto|popover)[a-z-]+$/,
    allowCustomizedBuiltInElements: false,
  },
};

/**
 * A URL in a style other than a reference inside the same SVG, or something that could be one in
 * disguise.
 */
const LOADS = /url\s*\(\s*['"]?(?!#)|@import|image(?:-set)?\s*\(|\\|\/\*/i;

/** Moves it out of its place between its neighbors. */
const LEAVES = /position|inset|z-index/i;

/** SVG as the window's own nodes. */
export function cleanDiagram(svg: string, window: Window): Node {
  const options = { ...DIAGRAM_RULES, RETURN_DOM_FRAGMENT: true } as const;
  return diagramPurifier(window, () => undefined).sanitize(svg, options);
}

/** Null if nothing of it is left. */
export function cleanFormula(formula: HTMLElement, window: Window): ChildNode | null {
  const holder = formula.ownerDocument.createElement('span');
  holder.append(formula);
  const rules = {
    ...DIAGRAM_RULES,
    IN_PLACE: true,
    FORBID_ATTR: [...(DIAGRAM_RULES.FORBID_ATTR ?? []), 'id'],
  };
  const restrict = (element: Element) => {
    const classes = [...element.classList].filter((name) => /^(?:mjx|mathjax|tex)/i.test(name));
    if (classes.length < element.classList.length) element.setAttribute('class', classes.join(' '));
    keepFormulaStyles(element);
  };
  diagramPurifier(window, restrict).sanitize(holder, rules);
  return holder.firstChild;
}

/** A declaration with which MathJax sets formulas. */
const FORMULA_STYLE =
  /^\s*(?:font-(?:size|style|weight|family)|color|background-color|(?:min-)?width|height|vertical-align|text-align|(?:padding|margin)(?:-(?:top|right|bottom|left))?|border(?:-(?:top|right|bottom|left))?(?:-(?:width|style|color))?)\s*:\s*(?:[\w\s.#%,-]+|rgba?\([\d\s.,%]+\))\s*$/i;

/** Em by which a part may be moved over what precedes it: more than accents and roots need. */
const MAX_OVERLAP_EM = 3;

function movesTooFar(declaration: string): boolean {
  return Array.from(declaration.matchAll(/[\s:]-(\d*\.?\d+)([a-z%]*)/gi)).some(
    ([, amount, unit]) => unit !== 'em' || Number(amount) > MAX_OVERLAP_EM,
  );
}

function keepFormulaStyles(element: Element): void {
  const style = element.getAttribute('style');
  if (style === null) return;
  const kept = style
    .split(';')
    .filter((each) => FORMULA_STYLE.test(each) && !movesTooFar(each))
    .map((each) => each.trim());
  if (kept.length > 0) element.setAttribute('style', `${kept.join('; ')};`);
  else element.removeAttribute('style');
}

function diagramPurifier(window: Window, restrict: (element: Element) => void) {
  const made = createPurifier(window as unknown as WindowLike);
  made.addHook('uponSanitizeElement', (node) => {
    if (node.nodeName.toLowerCase() === 'style' && LOADS.test(node.textContent ?? '')) {
      node.textContent = '';
    }
  });
  made.addHook('afterSanitizeAttributes', (element) => {
    for (const { name, value } of [...element.attributes]) {
      if (LOADS.test(value)) element.removeAttribute(name);
    }
    if (LEAVES.test(element.getAttribute('style') ?? '')) element.removeAttribute('style');
    restrict(element);
  });
  return made;
}
