/** Selects what a search has found in a turn. */
import { folded, FoldedText } from '#text/text-folding';
import type { ScrollTarget } from '#stores/chat-state';

/** Selects the first match and returns the element to scroll to. */
export function selectFound(turn: HTMLElement, { role, query }: ScrollTarget): Element {
  const said = turn.querySelectorAll(role === 'agent' ? '.markdown-rendered' : '[data-person]');
  // The longest word says most about the place.
  const words = folded(query)
    .split(/\s+/)
    .filter(Boolean)
    .sort((one, other) => other.length - one.length);
  const range = words.flatMap((word) => [...said].flatMap((part) => firstIn(part, word) ?? []))[0];
  const place = range?.startContainer.parentElement ?? said[0] ?? turn;
  unfold(place, turn);
  if (range) {
    const selection = turn.ownerDocument.getSelection();
    selection?.removeAllRanges();
    selection?.addRange(range);
  }
  return place;
}

/** Opens folded parts, because hidden elements cannot be scrolled to. */
function unfold(place: Element, turn: Element): void {
  let fold = place.closest('details');
  while (fold && turn.contains(fold)) {
    fold.open = true;
    fold = fold.parentElement?.closest('details') ?? null;
  }
}

function firstIn(part: Element, word: string): Range | null {
  const { ownerDocument: document } = part;
  const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const [first] = new FoldedText(node.nodeValue ?? '').places(word);
    if (!first) continue;
    const range = document.createRange();
    range.setStart(node, first[0]);
    range.setEnd(node, first[1]);
    return range;
  }
  return null;
}
