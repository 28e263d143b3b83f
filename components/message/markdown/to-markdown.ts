/** Converts drawn nodes back to Markdown. */
import { readListItem } from '#text/block-marks';
import { codeSpan, longestTicks } from '#text/shorten';

/** Marks around inline text. */
const AROUND: Readonly<Record<string, string>> = {
  ...{ strong: '**', b: '**', em: '*', i: '*', del: '~~', mark: '==' },
};

/** Elements that are copied as HTML. */
const HTML = new Set(['kbd', 'sub', 'sup', 'u', 'ins', 'small']);

const BLOCKS = new Set(
  'p h1 h2 h3 h4 h5 h6 hr pre blockquote ul ol li table div details summary section img'.split(' '),
);

/** Blocks separated by blank lines. */
export function toMarkdown(parent: ParentNode): string {
  const made: string[] = [];
  let line = '';
  for (const node of [...parent.childNodes, null]) {
    if (node && !isBlock(node)) {
      line += inline(node);
      continue;
    }
    if (line.trim() !== '') made.push(line.trim());
    line = '';
    if (node) made.push(block(node));
  }
  return made.filter((text) => text.trim() !== '').join('\n\n');
}

function isBlock(node: Node): node is HTMLElement {
  return BLOCKS.has((node as Element).localName ?? '');
}

function block(element: HTMLElement): string {
  const { localName: name } = element;
  if (element.matches('.callout')) return callout(element);
  if (/^h\d$/.test(name)) return `${'#'.repeat(Number(name[1]))} ${inside(element).trim()}`;
  if (element.matches('.parley-plain')) return element.textContent;
  if (name === 'p') return inside(element).trim();
  if (name === 'hr') return '---';
  if (name === 'img') return inline(element);
  if (name === 'pre') return fenced(element);
  if (name === 'blockquote') return after('> ', '> ', toMarkdown(element));
  if (name === 'table') return tableMarkdown(element);
  if (element.matches('section.footnotes')) {
    const notes = [...element.querySelectorAll<HTMLElement>('li[data-footnote]')].map(footnote);
    return notes.filter(Boolean).join('\n');
  }
  if (name === 'li') return item(element, '- ');
  if (name !== 'ul' && name !== 'ol') return toMarkdown(element);
  const first = Number(element.getAttribute('start') ?? 1);
  const items = [...element.children].map((child, at) =>
    item(child as HTMLElement, name === 'ol' ? `${first + at}. ` : '- '),
  );
  return items.join(element.querySelector(':scope > li > p') ? '\n\n' : '\n');
}

/** With the list mark on its first line, and the others indented. */
function item(element: HTMLElement, mark: string): string {
  if (element.dataset['footnote'] !== undefined) return footnote(element);
  const { task } = element.dataset;
  const text = element.querySelector(':scope > p')
    ? toMarkdown(element)
    : toMarkdown(element)
        .split('\n\n')
        .reduce((above, block) => above + (readListItem(block) ? '\n' : '\n\n') + block);
  return after(
    mark + (task === undefined ? '' : `[${task || ' '}] `),
    ' '.repeat(mark.length),
    text,
  );
}

function after(first: string, others: string, text: string): string {
  const lines = text.split('\n').map((line, at) => (at === 0 ? first : others) + line);
  return lines.map((line) => line.trimEnd()).join('\n');
}

function callout(element: HTMLElement): string {
  const { callout: kind, calloutFold = '' } = element.dataset;
  const title = element.querySelector('.callout-title-inner');
  const content = element.querySelector('.callout-content');
  const head = `[!${kind}]${calloutFold} ${title ? inside(title) : ''}`.trimEnd();
  return after('> ', '> ', content ? `${head}\n${toMarkdown(content)}` : head);
}

function footnote(element: HTMLElement): string {
  const { footnote: label = '' } = element.dataset;
  const text = toMarkdown(element);
  if (!label.startsWith(']')) return after(`[^${label}]: `, '    ', text);
  // An inline footnote stays inline if its text is copied, too.
  const root = element.getRootNode() as ParentNode;
  return root.querySelector(`[title][data-footnote="${label}"]`) ? '' : text;
}

function fenced(element: HTMLElement): string {
  const text = element.textContent.replace(/\n$/, '');
  const language = /language-(\S+)/.exec(element.firstElementChild?.className ?? '')?.[1] ?? '';
  const fence = '`'.repeat(Math.max(3, longestTicks(text) + 1));
  return `${fence}${language}\n${text}\n${fence}`;
}

export function tableMarkdown(element: HTMLElement): string {
  const rows = [...element.querySelectorAll('tr')].map((row) => [...row.children]);
  const lines = rows.map((cells) => {
    return `| ${cells.map((cell) => inside(cell).trim().replace(/\n/g, '<br>').replaceAll('|', '\\|')).join(' | ')} |`;
  });
  const rules = (rows[0] ?? []).map((cell) => {
    const side = cell.getAttribute('align');
    return `${side === 'left' || side === 'center' ? ':' : ''}---${side === 'right' || side === 'center' ? ':' : ''}`;
  });
  const [head = '', ...others] = lines;
  return [head, `| ${rules.join(' | ')} |`, ...others].join('\n');
}

function inside(element: ParentNode): string {
  return [...element.childNodes].map(inline).join('');
}

function inline(node: Node): string {
  if (node.nodeType === Node.TEXT_NODE) return (node.textContent ?? '').replace(/\n/g, ' ');
  if (node.nodeType !== Node.ELEMENT_NODE) return '';
  const element = node as HTMLElement;
  const { localName: name, dataset } = element;
  const text = element.textContent;
  if (element.matches('.math')) return dataset['source'] ?? text;
  if (element.matches('.footnote-backref, .parley-copy, .parley-said, svg')) return '';
  if (dataset['link'] !== undefined) return ` (${dataset['link']})`;
  if (element.matches('.footnote-ref, .parley-cites')) return inside(element);
  if (dataset['footnote'] !== undefined) {
    return dataset['footnote'].startsWith(']')
      ? `^[${element.title}]`
      : `[^${dataset['footnote']}]`;
  }
  if (element.matches('.parley-picture')) {
    return `![${text.replace(/^Show picture: | \([^()]*\)$/g, '')}](${dataset['src']})`;
  }
  if (name === 'img') {
    return `![${element.getAttribute('alt') ?? ''}](${element.getAttribute('src') ?? ''})`;
  }
  if (dataset['note'] !== undefined) {
    const plain = text.trim() === dataset['note'].replace(/#\^?/g, ' > ');
    const link = `[[${dataset['note']}${plain ? '' : `|${inside(element)}`}]]`;
    return element.matches('.parley-embed') ? `!${link}` : link;
  }
  if (element.matches('a.external-link')) {
    const address = element.getAttribute('href') ?? '';
    return text === address ? address : `[${inside(element)}](${address})`;
  }
  if (name === 'br') return '\n';
  if (name === 'code') return codeSpan(text);
  const mark = AROUND[name];
  if (mark) return mark + inside(element) + mark;
  return HTML.has(name) ? `<${name}>${inside(element)}</${name}>` : inside(element);
}

/** User messages and text that is not drawn yet are copied as written; folded text is not. */
const TEXTS = '.markdown-rendered, .person p, .far';

/** Elements without which their children would be plain text. */
const WHOLE = 'ul, ol, table, thead, tbody, tr, pre, blockquote';

export function handleCopy(event: ClipboardEvent): void {
  const { currentTarget, clipboardData } = event;
  const log = currentTarget as HTMLElement;
  const selection = log.ownerDocument.getSelection();
  if (!selection || selection.isCollapsed || !clipboardData) return;
  const range = selection.getRangeAt(0);
  const texts = [...log.querySelectorAll<HTMLElement>(TEXTS)].filter(
    (text) =>
      range.intersectsNode(text) &&
      !text.parentElement?.closest(`${TEXTS}, .change, details:not([open])`),
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
  // A selection inside one line stays plain text.
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
