/** Leaves out what stays the same in the middle of a long list or table, and says how much that is. */
import { CLASS } from './marks';
import { hasMark } from './merge';

/** So many stay beside what was changed. */
const BESIDE = 1;
/** Fewer than this are not worth leaving out. */
const WORTH = 3;

/** The stretches of a list that may be left out, by place; the ends are cut closer than the middle. */
export function quietStretches(isQuiet: readonly boolean[]): { from: number; to: number }[] {
  const stretches: { from: number; to: number }[] = [];
  let from = 0;
  for (let at = 0; at <= isQuiet.length; at += 1) {
    if (isQuiet[at]) continue;
    const first = from === 0 ? 0 : from + BESIDE;
    const last = at === isQuiet.length ? at : at - BESIDE;
    const isAll = from === 0 && at === isQuiet.length;
    if (!isAll && last - first >= WORTH) stretches.push({ from: first, to: last });
    from = at + 1;
  }
  return stretches;
}

export function leaveOutQuiet(holder: ParentNode): void {
  for (const list of holder.querySelectorAll('ul, ol, tbody')) {
    const children = [...list.children];
    for (const { from, to } of quietStretches(children.map((child) => !hasMark(child)))) {
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
