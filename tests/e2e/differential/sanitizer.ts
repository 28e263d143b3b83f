/** The sanitizers of an answer, to be built in two ways and compared. */
import {
  cleanDiagram,
  cleanFormula,
  sanitize,
} from '../../../components/message/markdown/sanitize.ts';

/** What each sanitizer leaves of a text. */
export function left(html: string): Readonly<Record<'answer' | 'diagram' | 'formula', string>> {
  const holder = document.implementation.createHTMLDocument('').createElement('span');
  holder.innerHTML = html;
  return {
    answer: written(sanitize(html, window)),
    diagram: written(cleanDiagram(html, window)),
    formula: written(cleanFormula(holder, window)),
  };
}

function written(node: Node | null): string {
  const holder = document.implementation.createHTMLDocument('').createElement('div');
  if (node) holder.append(node);
  return holder.innerHTML;
}
