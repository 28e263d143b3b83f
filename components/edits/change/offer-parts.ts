/** Puts buttons next to the drawn changes that are exactly the parts of an edit. */
import * as t from '#messages/edit-messages';
import { withInvisibleMarks } from '#text/invisible-characters';
import type { EditPart } from '#model/edit/edit-parts';
import type { ChosenPart } from '#ports/app/edits-port';
import type { Ui } from '#ports/ui';
import { ANY_MARK, CLASS } from './merge-inline';

const OFFER = 'parley-part';
/** The place of a part among those of its edit. */
const PART = 'data-part';
const CHOICE = 'data-choice';

/** Offers either all parts or none, so that each button decides what is drawn beside it. */
export function offerParts(
  drawn: HTMLElement,
  parts: readonly EditPart[],
  setIcon: Ui['setIcon'],
): void {
  for (const old of drawn.querySelectorAll(`.${OFFER}`)) old.remove();
  const ends = parts[0]?.property == null ? endsOfGroups(drawn, parts) : rowsOf(drawn, parts);
  if (ends?.length !== parts.length) return;
  ends.forEach((end, at) => {
    const part = parts[at];
    if (part) place(end, offer(drawn.ownerDocument, part, [at, parts.length], setIcon));
  });
}

/** What the button does that the target is in; null if it is in none. */
export function partAt(target: Element): ChosenPart | null {
  const element = target.closest<HTMLElement>(`[${PART}]`);
  const choice = target.closest(`[${CHOICE}]`)?.getAttribute(CHOICE);
  if (!element || (choice !== 'accept' && choice !== 'reject')) return null;
  const { of, removed = '', added = '' } = element.dataset;
  return { part: Number(element.getAttribute(PART)), of: Number(of), removed, added, choice };
}

function rowsOf(drawn: HTMLElement, parts: readonly EditPart[]): Element[] {
  const rows = [...drawn.querySelectorAll('tr')];
  return parts.flatMap(({ property }) => {
    const name = withInvisibleMarks(property ?? '');
    const row = rows.find((each) => each.querySelector('th')?.textContent === name);
    return row?.querySelector('td') ?? [];
  });
}

interface Group {
  end: Element;
  removed: string;
  added: string;
}

/** Null if what is drawn differs from the parts. */
function endsOfGroups(drawn: HTMLElement, parts: readonly EditPart[]): Element[] | null {
  const groups: Group[] = [];
  for (const mark of drawn.querySelectorAll(ANY_MARK)) {
    if (mark.parentElement?.closest(ANY_MARK)) continue;
    const last = groups.at(-1);
    const isNext = last !== undefined && last.end === previousOf(mark);
    const group = isNext ? last : { end: mark, removed: '', added: '' };
    if (!isNext) groups.push(group);
    group.end = mark;
    group[mark.classList.contains(CLASS.added) ? 'added' : 'removed'] += textOf(mark);
  }
  const isSame = groups.every(({ removed, added }, at) => {
    const part = parts[at];
    return part && plain(part.removed) === plain(removed) && plain(part.added) === plain(added);
  });
  return isSame ? groups.map(({ end }) => end) : null;
}

/** The element directly before it; blank text between two blocks does not count. */
function previousOf(mark: Element): Element | null {
  let node = mark.previousSibling;
  while (node && isNothing(node, isBlock(mark))) node = node.previousSibling;
  return node?.nodeType === Node.ELEMENT_NODE ? (node as Element) : null;
}

function isNothing({ nodeType, textContent }: Node, isOfBlocks: boolean): boolean {
  if (nodeType === Node.COMMENT_NODE) return true;
  const text = textContent ?? '';
  return nodeType === Node.TEXT_NODE && (isOfBlocks ? text.trim() : text) === '';
}

function isBlock({ localName }: Element): boolean {
  return localName !== 'ins' && localName !== 'del';
}

/** Without the words for screen readers. */
function textOf(mark: Element): string {
  const copy = mark.cloneNode(true) as Element;
  for (const span of copy.querySelectorAll('span')) {
    if ([t.added, t.removed].includes(span.textContent.trim())) span.remove();
  }
  return copy.textContent ?? '';
}

/** Marks of Markdown are not drawn. */
function plain(text: string): string {
  return text.replace(/[^\p{L}\p{N}]+/gu, '');
}

function place(end: Element, offered: Element): void {
  if (end.localName === 'ins' || end.localName === 'del') end.after(offered);
  else (end.querySelector(':scope > :is(td, th):last-child') ?? end).append(offered);
}

function offer(
  document: Document,
  { removed, added, property }: EditPart,
  [at, of]: readonly [number, number],
  setIcon: Ui['setIcon'],
): Element {
  const element = document.createElement('span');
  element.className = OFFER;
  element.setAttribute(PART, String(at));
  Object.assign(element.dataset, { of, removed, added });
  const words = property ?? [removed, added].map((text) => text.trim()).join(' → ');
  for (const [choice, icon, name] of [
    ['accept', 'check', t.acceptPart(words)],
    ['reject', 'x', t.rejectPart(words)],
  ] as const) {
    const button = document.createElement('button');
    button.type = 'button';
    button.setAttribute(CHOICE, choice);
    button.setAttribute('aria-label', name);
    setIcon(button, icon);
    element.append(button);
  }
  return element;
}
