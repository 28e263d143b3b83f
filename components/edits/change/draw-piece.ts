/**
 * Draws one block of a change. Text from outside is sanitized before anything is highlighted in it.
 */
import * as t from '#messages/edit-messages';
import { withInvisibleMarks } from '#text/invisible-characters';
import { plainHtml } from '../../message/markdown/escape-html';
import { appendAll, type DrawingHost } from '../../message/markdown/patch-dom';
import { sanitize } from '../../message/markdown/sanitize';
import type { ChangedValue } from './changed-values';
import { type Drawn, hiddenChanges } from './hidden-source';
import { hasMark, markAll, mergeBlocks } from './merge-blocks';
import { ANY_MARK, CLASS, type Mark } from './merge-inline';
import { type Piece, type Side, unchangedRanges } from './read-change';

export interface PieceOptions {
  /** Whether unchanged parts of lists and tables are drawn, too. */
  readonly whole: boolean;
  readonly report: DrawingHost['report'];
}

/**
 * Never throws: a block that cannot be drawn becomes plain text.
 *
 * @returns the changed source that the drawing does not show
 */
export function drawPiece(
  element: HTMLElement,
  piece: Piece,
  { whole, report }: PieceOptions,
): readonly ChangedValue[] {
  const window = element.ownerDocument.defaultView;
  if (!window) return [];
  const clean = (html: string) => markInvisible(sanitize(html, window));
  try {
    const [before, after] = sidesOf(piece, clean);
    // Merging consumes the nodes.
    const hidden = hiddenChanges(before, after);
    replaceAll(element, nodesOf(piece.kind, before, after));
    if (piece.kind === 'changed') {
      numberItems(element);
      if (!whole) omitUnchanged(element);
    }
    frameWide(element);
    // Nothing that the user has to review is collapsed.
    for (const box of element.querySelectorAll('details')) box.open = true;
    return hidden;
  } catch (error) {
    report(error);
    replaceAll(element, plainNodesOf(piece, clean));
    return [];
  }
}

type Clean = (html: string) => DocumentFragment;

function markInvisible(nodes: DocumentFragment): DocumentFragment {
  const texts = nodes.ownerDocument.createTreeWalker(nodes, NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) {
    const { currentNode: node } = texts;
    node.textContent = withInvisibleMarks(node.textContent ?? '');
  }
  return nodes;
}

function sidesOf(piece: Piece, clean: Clean): [before: Drawn | null, after: Drawn | null] {
  const read = ({ html, raw }: Side): Drawn => ({ raw, nodes: clean(html) });
  switch (piece.kind) {
    case 'same': {
      const after = read(piece);
      return [{ ...after, raw: piece.rawBefore }, after];
    }
    case 'added':
      return [null, read(piece)];
    case 'removed':
      return [read(piece), null];
    case 'changed':
      return [read(piece.before), read(piece.after)];
  }
}

function nodesOf(kind: Piece['kind'], before: Drawn | null, after: Drawn | null): Iterable<Node> {
  if (after === null) return before ? markAll(before.nodes, 'removed') : [];
  if (before === null) return markAll(after.nodes, 'added');
  return kind === 'same' ? [after.nodes] : mergeBlocks(before.nodes, after.nodes);
}

/** The source of each side, one below the other. */
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

/** Code and tables may be wider than their container. */
function frameWide(element: HTMLElement): void {
  for (const wide of element.querySelectorAll<HTMLElement>('pre, table')) {
    const frame = element.ownerDocument.createElement('div');
    const isCode = wide.localName === 'pre';
    frame.className = isCode ? 'parley-code' : 'parley-table';
    if (wide.dir !== '') frame.dir = wide.dir;
    (isCode ? wide : frame).setAttribute('tabindex', '0');
    wide.replaceWith(frame);
    frame.append(wide);
    if (isCode) {
      // Active blocks look like inactive ones except for their language.
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

export function omitUnchanged(holder: ParentNode): void {
  for (const list of holder.querySelectorAll('ul, ol, tbody')) {
    const children = [...list.children];
    const quiet = children.map((child) => ({ isQuiet: !hasMark(child), isShort: true }));
    for (const { from, to } of unchangedRanges(quiet)) {
      const left = children.slice(from, to);
      left[0]?.before(gap(list, left));
      for (const child of left) child.remove();
    }
  }
}

/** A removed item has no number of its own, and items left out keep theirs. */
export function numberItems(holder: ParentNode): void {
  for (const list of holder.querySelectorAll('ol')) {
    let number = Number(list.getAttribute('start') ?? 1);
    for (const item of list.children) {
      item.setAttribute('value', String(number));
      if (!item.classList.contains(CLASS.removed)) number += 1;
    }
  }
}

function gap(list: Element, left: readonly Element[]): Element {
  const { ownerDocument: document } = list;
  const words = t.unchangedCount(left.length);
  if (list.localName !== 'tbody') {
    const item = document.createElement('li');
    item.className = 'parley-gap';
    item.textContent = words;
    return item;
  }
  const row = document.createElement('tr');
  row.className = 'parley-gap';
  const cell = document.createElement('td');
  cell.colSpan = left[0]?.children.length ?? 1;
  cell.textContent = words;
  row.append(cell);
  return row;
}
