/**
 * Merges two drawn blocks into one with differences highlighted in place: in the list, the table,
 * the sentence.
 */
import { appendAll } from '../../message/markdown/patch-dom';
import { align, type Comparable, similarity, type Pair, wordListOf } from './align';
import { ANY_MARK, markBlock, type Mark, markRun, mergeRuns } from './merge-inline';

/** Contents of a block: inline text, or blocks. Only contents of the same kind are merged. */
interface Item extends Comparable {
  /** Null for text without its own element, such as in a list item. */
  readonly element: Element | null;
  readonly isRun: boolean;
  readonly nodes: readonly Node[];
  readonly html: string;
}

const INLINE = new Set(
  'a strong em del mark kbd sub sup u ins small code br input button span'.split(' '),
);
const RUNS = new Set('p h1 h2 h3 h4 h5 h6'.split(' '));
const CELLS = new Set(['td', 'th']);

/** Elements that may occur only once in their place; their parent is replaced instead. */
const PARTS = new Set('td th tr thead tbody'.split(' '));

/** Takes and returns sanitized nodes; the input nodes are consumed. */
export function mergeBlocks(before: ParentNode, after: ParentNode): Node[] {
  return mergeItems(itemsOf(before), itemsOf(after));
}

export function markAll(holder: ParentNode, mark: Mark): Node[] {
  return itemsOf(holder).map((item) => markItem(item, mark));
}

function mergeItems(before: readonly Item[], after: readonly Item[]): Node[] {
  return pairsOf(before, after).flatMap((pair): Node[] => {
    if (pair.before === null) return [markItem(pair.after, 'added')];
    if (pair.after === null) return [markItem(pair.before, 'removed')];
    return mergePair(pair.before, pair.after);
  });
}

function pairsOf(before: readonly Item[], after: readonly Item[]): Pair<Item>[] {
  const isRow = [...before, ...after].every(({ kind }) => CELLS.has(kind));
  if (!isRow || before.length !== after.length) {
    return align<Item>(before, after, { key: ({ html }) => html, like: similarity });
  }
  // If the number of cells is unchanged, they belong to the same columns.
  return before.flatMap((old, at) => {
    const young = after[at];
    return young ? [{ before: old, after: young }] : [];
  });
}

function mergePair(before: Item, after: Item): Node[] {
  if (before.html === after.html) return [...after.nodes];
  const inside =
    before.isRun && after.isRun ? mergedRun(before, after) : mergedInside(before, after);
  // If only something outside the text differs, such as the language of code.
  const isMarked = inside?.some(hasMark) ?? false;
  if (!inside || (!isMarked && !PARTS.has(after.kind))) {
    return [markItem(before, 'removed'), markItem(after, 'added')];
  }
  if (!after.element) return inside;
  const shell = after.element.cloneNode(false) as Element;
  appendAll(shell, inside);
  return [shell];
}

/** Null if one is a rewrite of the other. */
function mergedRun(before: Item, after: Item): Node[] | null {
  const holder = after.nodes[0]?.parentElement?.localName ?? '';
  const merged = mergeRuns(innerOf(before), innerOf(after), CELLS.has(holder));
  return merged && [...merged.childNodes];
}

function mergedInside(before: Item, after: Item): Node[] {
  const [old, young] = [before.element, after.element];
  return old && young ? mergeBlocks(old, young) : [];
}

function innerOf({ element, nodes }: Item): readonly Node[] {
  return element ? [...element.childNodes] : nodes;
}

export function hasMark(node: Node): boolean {
  if (node.nodeType !== Node.ELEMENT_NODE) return false;
  const element = node as Element;
  return element.matches(ANY_MARK) || element.querySelector(ANY_MARK) !== null;
}

function markItem({ element, nodes }: Item, mark: Mark): Node {
  return element ? markBlock(element, mark) : markRun(nodes, mark);
}

function itemsOf(holder: ParentNode): Item[] {
  const items: Item[] = [];
  let run: Node[] = [];
  const flush = () => {
    if (run.length > 0) items.push(itemOf(null, run));
    run = [];
  };
  for (const node of holder.childNodes) {
    const element = node.nodeType === Node.ELEMENT_NODE ? (node as Element) : null;
    if (element && !INLINE.has(element.localName)) {
      flush();
      items.push(itemOf(element, [element]));
    } else if (run.length > 0 || element || (node.textContent ?? '').trim() !== '') {
      run.push(node);
    }
  }
  flush();
  return items;
}

function itemOf(element: Element | null, nodes: readonly Node[]): Item {
  // A callout of another type counts as another block, whatever it contains.
  const callout = element?.getAttribute('data-callout') ?? null;
  const kind = callout === null ? (element?.localName ?? 'p') : `callout ${callout}`;
  return {
    element,
    kind,
    isRun: element === null || RUNS.has(kind),
    nodes,
    html: nodes.map(htmlOf).join(''),
    words: wordListOf(nodes.map(({ textContent }) => textContent ?? '').join(' ')),
  };
}

function htmlOf(node: Node): string {
  return node.nodeType === Node.ELEMENT_NODE
    ? (node as Element).outerHTML
    : (node.textContent ?? '');
}
