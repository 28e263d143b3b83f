/** Functions of the `obsidian` module that need a screen. */
import type { SearchMatches, SearchResult } from 'obsidian';

export { finishRenderMath, loadMathJax, renderMath } from './drawing/math';
export { loadMermaid } from './drawing/mermaid';
export { loadPrism } from './drawing/prism';

export function setTooltip(el: HTMLElement, tooltip: string): void {
  if (tooltip) el.setAttribute('aria-label', tooltip);
  else el.removeAttribute('aria-label');
  el.title = tooltip;
}

export function renderMatches(
  el: HTMLElement | DocumentFragment,
  text: string,
  matches: SearchMatches | null,
  offset = 0,
): void {
  let at = 0;
  for (const [from, to] of matches ?? []) {
    el.append(text.slice(at, from + offset));
    el.createSpan({ cls: 'suggestion-highlight', text: text.slice(from + offset, to + offset) });
    at = to + offset;
  }
  el.append(text.slice(at));
}

export function renderResults(
  el: HTMLElement,
  text: string,
  result: SearchResult,
  offset?: number,
): void {
  renderMatches(el, text, result.matches, offset);
}

const ACTIVE = 'script, iframe, object, embed, link, style, base, meta, form';

export function sanitizeHTMLToDom(html: string): DocumentFragment {
  const template = document.createElement('template');
  template.innerHTML = html;
  for (const element of template.content.querySelectorAll(ACTIVE)) element.remove();
  for (const element of template.content.querySelectorAll('*')) {
    for (const { name, value } of [...element.attributes]) {
      if (/^on/i.test(name) || /^\s*(javascript|data:text)/i.test(value)) {
        element.removeAttribute(name);
      }
    }
  }
  return document.importNode(template.content, true);
}
