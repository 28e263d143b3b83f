/**
 * Formulas and diagrams come from programs that were given text from outside, and are no more trusted than that. What
 * would load, run, link, or reach beyond its own place is taken out of them.
 */
import createPurifier, { type Config, type WindowLike } from 'dompurify';

const RULES: Config = {
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

/** In a style: another address than a place in the same picture, or what could be one in disguise. */
const LOADS = /url\s*\(\s*['"]?(?!#)|@import|image(?:-set)?\s*\(|\\|\/\*/i;

/** Out of its place, which is between its neighbours. */
const LEAVES = /position|inset|z-index/i;

/** SVG in a window's own nodes. */
export function cleanDiagram(svg: string, window: Window): Node {
  const options = { ...RULES, RETURN_DOM_FRAGMENT: true } as const;
  return purifier(window, () => undefined).sanitize(svg, options);
}

/** Null where nothing is left of it. */
export function cleanFormula(formula: HTMLElement, window: Window): ChildNode | null {
  const holder = formula.ownerDocument.createElement('span');
  holder.append(formula);
  const rules = { ...RULES, IN_PLACE: true, FORBID_ATTR: [...(RULES.FORBID_ATTR ?? []), 'id'] };
  const restrict = (element: Element) => {
    const classes = [...element.classList].filter((name) => /^(?:mjx|mathjax|tex)/i.test(name));
    if (classes.length < element.classList.length) element.setAttribute('class', classes.join(' '));
  };
  purifier(window, restrict).sanitize(holder, rules);
  return holder.firstChild;
}

function purifier(window: Window, restrict: (element: Element) => void) {
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
