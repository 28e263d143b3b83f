/** Puts one block of a change in place. All that came from outside is cleaned before anything is marked in it. */
import { sanitise } from '../../message/markdown/sanitise';
import { leaveOutQuiet, numberItems } from './fold';
import { ANY_MARK, CLASS } from './marks';
import { markAll, mergeBlocks } from './merge';
import type { Piece } from './pieces';

/** @param whole what stays the same in lists and tables is drawn, too */
export function drawPiece(element: HTMLElement, piece: Piece, whole: boolean): void {
  const window = element.ownerDocument.defaultView;
  if (!window) return;
  const clean = (html: string) => sanitise(html, window);
  switch (piece.kind) {
    case 'same':
      element.replaceChildren(clean(piece.html));
      break;
    case 'added':
    case 'removed':
      element.replaceChildren(...markAll(clean(piece.html), piece.kind));
      break;
    case 'changed':
      element.replaceChildren(...mergeBlocks(clean(piece.before), clean(piece.after)));
      numberItems(element);
      if (!whole) leaveOutQuiet(element);
  }
  frameWide(element);
  // Nothing that is to be judged is folded away.
  for (const box of element.querySelectorAll('details')) box.open = true;
}

/** Code and tables may be wider than their place. */
function frameWide(element: HTMLElement): void {
  for (const wide of element.querySelectorAll('pre, table')) {
    const frame = element.ownerDocument.createElement('div');
    const isCode = wide.localName === 'pre';
    frame.className = isCode ? 'parley-code' : 'parley-table';
    (isCode ? wide : frame).setAttribute('tabindex', '0');
    wide.replaceWith(frame);
    frame.append(wide);
    if (isCode) {
      // What runs looks like what is only shown, but for its language.
      const languages = [...wide.querySelectorAll('code')].flatMap(
        ({ className }) => /language-(\S+)/.exec(className)?.[1] ?? [],
      );
      if (languages.length > 0) frame.dataset.language = [...new Set(languages)].join(' → ');
    }
    if (!wide.matches(ANY_MARK)) continue;
    for (const name of Object.values(CLASS)) {
      if (wide.classList.contains(name)) frame.classList.add(name);
      wide.classList.remove(name);
    }
  }
}
