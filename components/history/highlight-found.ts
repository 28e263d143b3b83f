/** Highlights search matches without changing the drawn nodes. */
import { folded, FoldedText } from '#text/text-folding';
import type { Goal } from '#stores/chat-state';

const NAME = 'parley-found';

/** The element to scroll to. */
export function highlightMatches(log: Element, turn: HTMLElement, { role, query }: Goal): Element {
  const said = turn.querySelectorAll(role === 'agent' ? '.markdown-rendered' : '[data-person]');
  const words = [...new Set(folded(query).split(/\s+/))].filter(Boolean);
  const found = [...said].map((part) => ({ part, ...findsIn(part, words) }));
  // The one with most of the words, the first of several.
  const [best] = found.toSorted((a, b) => b.count - a.count);
  mark(log, best?.ranges ?? []);
  const place = best?.ranges[0]?.startContainer.parentElement ?? best?.part ?? turn;
  unfold(place, turn);
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

export function clearMatches(log: Element): void {
  mark(log, []);
}

function findsIn(part: Element, words: readonly string[]): { ranges: Range[]; count: number } {
  const { ownerDocument: document } = part;
  const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  const ranges: Range[] = [];
  const found = new Set<string>();
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const text = new FoldedText(node.nodeValue ?? '');
    for (const word of words) {
      for (const [from, to] of text.places(word)) {
        const range = document.createRange();
        range.setStart(node, from);
        range.setEnd(node, to);
        ranges.push(range);
        found.add(word);
      }
    }
  }
  return { ranges, count: found.size };
}

/** Other chats of a window share the highlight's name, and keep their ranges. */
function mark(log: Element, ranges: readonly Range[]): void {
  const view = log.ownerDocument.defaultView;
  if (!view || !('Highlight' in view)) return;
  const { highlights } = view.CSS;
  // Ranges in removed nodes are empty.
  const others = [...(highlights.get(NAME) ?? [])].filter(
    ({ collapsed, startContainer }) => !collapsed && !log.contains(startContainer),
  );
  highlights.set(NAME, new view.Highlight(...others, ...ranges));
}
