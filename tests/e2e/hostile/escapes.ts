/**
 * Finds anything in rendered text that could run, load, or pose as something outside its message.
 */

const TAGS = new Set(
  'p br hr h1 h2 h3 h4 h5 h6 blockquote pre code ul ol li input table thead tbody tr th td a button strong em del mark kbd sub sup u ins small span div details summary section'.split(
    ' ',
  ),
);

/** Classes that the Markdown renderer and its decorations may use. */
const CLASSES =
  /^(?:(?:internal|external)-link|tag|task-list-item(?:-checkbox)?|contains-task-list|is-(?:checked|collapsible|loaded)|math(?:-inline|-block)?|callout(?:-title|-title-inner|-icon|-content)?|footnotes|footnote-(?:ref|link|backref)|language-[\w+#.-]+|token|comment|string|keyword|number|function|operator|punctuation|mermaid|parley-(?:code|table|copy|picture|embed|embedded|added|removed|said|gap)|clickable-icon|block|piece|page|gap|p-[a-z\d]+)$/;

const OWN_NAMES = /^(?:Copy (?:code|table)|Done|To do|Back)$/;

/** Tags allowed in formulas and diagrams. */
const DRAWN_TAGS =
  /^(?:mjx-[a-z-]+|math|m[a-z]+|svg|g|rect|path|text|tspan|style|span|defs|marker|polygon|circle|line|title|desc)$/;

export function findEscapes(root: HTMLElement): string[] {
  const found = [...root.querySelectorAll<HTMLElement>('.markdown-rendered')].flatMap(inText);
  if (root.querySelector('[id]:not(.chat *, .widget [id^="svelte"])')) found.push('a name');
  if (!(document.body instanceof HTMLBodyElement)) found.push('the document’s body is hidden');
  if (typeof document.getElementById !== 'function') found.push('a function is hidden');
  if ('app' in window) found.push('a name is in the window');
  if (document.querySelectorAll('body > *').length > 2) found.push('something is in the page');
  if (getComputedStyle(document.body).display !== 'block') found.push('the page is styled');
  return found;
}

function inText(text: HTMLElement): string[] {
  const found: string[] = [];
  for (const element of text.querySelectorAll<HTMLElement>('*')) {
    if (element.closest('svg.svg-icon')) continue;
    const isDrawn = element.closest('.math.is-loaded') !== null && !element.matches('.math');
    found.push(...(isDrawn ? inPicture(element) : inElement(element)));
    const { position } = getComputedStyle(element);
    const isOurs = element.matches('.parley-copy, .parley-said');
    if (/fixed|sticky/.test(position) || (position === 'absolute' && !isOurs)) {
      found.push(`${element.localName} is ${position}`);
    }
    const { top, bottom, width } = element.getBoundingClientRect();
    // Reading a computed style can lay out a formula again, so both are measured together.
    const box = text.getBoundingClientRect();
    if (
      element.checkVisibility() &&
      width > 1 &&
      !isOurs &&
      (top < box.top - 2 || bottom > box.bottom + 2)
    ) {
      found.push(`${element.localName} is outside`);
    }
    if (element.shadowRoot) {
      for (const each of element.shadowRoot.querySelectorAll('*')) found.push(...inPicture(each));
    }
  }
  return found;
}

function inElement(element: HTMLElement): string[] {
  const found: string[] = [];
  const { localName: name } = element;
  if (!TAGS.has(name)) found.push(`the tag ${name}`);
  if (name === 'button' && !element.matches('.parley-copy, .parley-picture, .parley-embed')) {
    found.push('a button');
  }
  if (name === 'input' && !element.matches('[type="checkbox"][disabled]')) found.push('a field');
  for (const each of element.classList) {
    if (!CLASSES.test(each)) found.push(`the class ${each}`);
  }
  for (const { name: attribute, value } of element.attributes) {
    if (/^on|^style$|^id$|^name$|^src|^role$|^form|^ping$|^is$|^slot$/.test(attribute)) {
      found.push(`${name} has ${attribute}`);
    }
    if (attribute === 'aria-label' && !OWN_NAMES.test(value)) found.push(`the name ${value}`);
    if (attribute === 'href' && !/^(?:https?:\/\/|mailto:|#$)/i.test(value)) {
      found.push(`a link to ${value}`);
    }
  }
  return found;
}

function inPicture(element: Element): string[] {
  const found: string[] = [];
  if (!DRAWN_TAGS.test(element.localName)) found.push(`the tag ${element.localName} in a picture`);
  if (element.localName === 'style' && /url\(|@import|position/.test(element.textContent ?? '')) {
    found.push('styles that load');
  }
  for (const { name, value } of element.attributes) {
    const isName = name === 'id' && !(element.getRootNode() instanceof ShadowRoot);
    if (isName || /^on|href$|^src/.test(name)) found.push(`a picture has ${name}`);
    if (/url\((?!["']?#)|javascript:|position|inset/.test(value))
      found.push(`a picture has ${value}`);
  }
  return found;
}
