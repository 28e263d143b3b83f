/** Puts one block of a change in place. All that came from outside is cleaned before anything is marked in it. */
import { appendAll, type DrawingHost } from '../../message/markdown/draw';
import { plainHtml } from '../../message/markdown/html';
import { sanitise } from '../../message/markdown/sanitise';
import { leaveOutQuiet, numberItems } from './fold';
import { ANY_MARK, CLASS, type Mark } from './marks';
import { markAll, mergeBlocks } from './merge';
import type { Piece } from './pieces';

export interface PieceOptions {
  /** What stays the same in lists and tables is drawn, too. */
  readonly whole: boolean;
  readonly report: DrawingHost['report'];
}

/** Never throws: a block that cannot be drawn is drawn as plain text. */
export function drawPiece(
  element: HTMLElement,
  piece: Piece,
  { whole, report }: PieceOptions,
): void {
  const window = element.ownerDocument.defaultView;
  if (!window) return;
  const clean = (html: string) => sanitise(html, window);
  try {
    replaceAll(element, nodesOf(piece, clean));
    if (piece.kind === 'changed') {
      numberItems(element);
      if (!whole) leaveOutQuiet(element);
    }
    frameWide(element);
    // Nothing that is to be judged is folded away.
    for (const box of element.querySelectorAll('details')) box.open = true;
  } catch (error) {
    report('block of a change', error);
    replaceAll(element, plainNodesOf(piece, clean));
  }
}

type Clean = (html: string) => DocumentFragment;

function nodesOf(piece: Piece, clean: Clean): Iterable<Node> {
  switch (piece.kind) {
    case 'same':
      return [clean(piece.html)];
    case 'added':
    case 'removed':
      return markAll(clean(piece.html), piece.kind);
    case 'changed':
      return mergeBlocks(clean(piece.before.html), clean(piece.after.html));
  }
}

/** The text of each side as it is written, one below the other. */
function plainNodesOf(piece: Piece, clean: Clean): Iterable<Node> {
  const marked = (text: string, mark: Mark) => markAll(clean(plainHtml(text)), mark);
  switch (piece.kind) {
    case 'same':
      return [clean(plainHtml(piece.raw))];
    case 'added':
    case 'removed':
      return marked(piece.raw, piece.kind);
    case 'changed':
      return [...marked(piece.before.raw, 'removed'), ...marked(piece.after.raw, 'added')];
  }
}

function replaceAll(element: HTMLElement, nodes: Iterable<Node>): void {
  element.replaceChildren();
  appendAll(element, nodes);
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
