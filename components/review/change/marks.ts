/** How what comes and what goes is marked: for the eye by more than colour, for the ear by a word. */

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
