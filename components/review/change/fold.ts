/** Leaves out what stays the same in the middle of a long list or table, and says how much that is. */
import { CLASS } from './marks';
import { hasMark } from './merge';

/** Fewer than this are not worth leaving out. */
const WORTH = 2;

/** What is looked at, in the order in which it stands. */
export interface Quiet {
  /** Nothing of it changes. */
  readonly isQuiet: boolean;
  /** It may stay beside what changes, for orientation. */
  readonly isShort: boolean;
}

/** The stretches that may be left out, from one place to before another. */
export function quietStretches(things: readonly Quiet[]): { from: number; to: number }[] {
  const stretches: { from: number; to: number }[] = [];
  const isShort = (at: number) => things[at]?.isShort === true;
  let from = 0;
  for (let at = 0; at <= things.length; at += 1) {
    if (things[at]?.isQuiet) continue;
    const first = from > 0 && isShort(from) ? from + 1 : from;
    const last = at < things.length && isShort(at - 1) ? at - 1 : at;
    const isAll = from === 0 && at === things.length;
    if (!isAll && last - first >= WORTH) stretches.push({ from: first, to: last });
    from = at + 1;
  }
  return stretches;
}

export function leaveOutQuiet(holder: ParentNode): void {
  for (const list of holder.querySelectorAll('ul, ol, tbody')) {
    const children = [...list.children];
    const quiet = children.map((child) => ({ isQuiet: !hasMark(child), isShort: true }));
    for (const { from, to } of quietStretches(quiet)) {
      const left = children.slice(from, to);
      left[0]?.before(gap(list, left));
      for (const child of left) child.remove();
    }
  }
}

/** What goes has no number of its own any more, and what is left out keeps its. */
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
  const words = `${left.length} unchanged`;
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
