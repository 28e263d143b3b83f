/** A part of an answer is copied as Markdown, as the whole is. */
import { toMarkdown } from './markdown/to-markdown';

/** What the person said, and what is not drawn yet, stands as it was written. */
const TEXTS = '.markdown-rendered, .person > p, .far';

/** Holders without which their parts would be nothing but words. */
const WHOLE = 'ul, ol, table, thead, tbody, tr, pre, blockquote';

export function copied(event: ClipboardEvent): void {
  const { currentTarget, clipboardData } = event;
  const log = currentTarget as HTMLElement;
  const selection = log.ownerDocument.getSelection();
  if (!selection || selection.isCollapsed || !clipboardData) return;
  const range = selection.getRangeAt(0);
  const texts = [...log.querySelectorAll<HTMLElement>(TEXTS)].filter(
    (text) => range.intersectsNode(text) && !text.parentElement?.closest(`${TEXTS}, .change`),
  );
  const parts = texts.map((text) => partOf(text, range)).filter((part) => part !== '');
  if (parts.length === 0) return;
  clipboardData.setData('text/plain', parts.join('\n\n'));
  event.preventDefault();
}

function partOf(text: HTMLElement, range: Range): string {
  const part = text.ownerDocument.createRange();
  part.selectNodeContents(text);
  if (part.compareBoundaryPoints(Range.START_TO_START, range) < 0) {
    part.setStart(range.startContainer, range.startOffset);
  }
  if (part.compareBoundaryPoints(Range.END_TO_END, range) > 0) {
    part.setEnd(range.endContainer, range.endOffset);
  }
  const { commonAncestorContainer: common } = part;
  let nodes = part.cloneContents();
  const inner = common.nodeType === Node.ELEMENT_NODE ? (common as Element) : common.parentElement;
  if (text.localName === 'p' || inner?.closest('pre')) return part.toString().trim();
  // Words from the middle of one line stay words.
  if (!nodes.querySelector('li, tr, td, th, p, pre, br')) return toMarkdown(nodes);
  for (let holder = inner; holder && holder !== text; holder = holder.parentElement) {
    if (!holder.matches(WHOLE)) continue;
    const copy = holder.cloneNode(false) as Element;
    copy.append(nodes);
    nodes = text.ownerDocument.createDocumentFragment();
    nodes.append(copy);
  }
  return toMarkdown(nodes);
}
