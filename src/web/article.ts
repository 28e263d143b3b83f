/** The main text of a page, without what surrounds it. */
import { Readability } from '@mozilla/readability';
import type { PageHost } from '#ports/web';

export interface Article {
  readonly title: string;
  /** As the page writes it; '' where it says none. */
  readonly date: string;
  readonly text: string;
}

/** Elements beyond which finding the main text of a page could hold up the window: all of it is given then. */
const MOST_SORTED = 12_000;

/** The same for how it is set. */
const MOST_SET = 40_000;

/** Elements within each other, for both: each of them looks at all that is below it again. */
const DEEPEST = 60;

/** Each begins a line. */
const LINES = /^(?:p|div|li|br|tr|h[1-6]|pre|blockquote|section|article|d[td])$/;

/** Where nothing is to be read. */
const SILENT = 'script,style,noscript,template,nav,footer,form,dialog';

/** What would load something, were it ever to stand in a window; what is said instead of a picture is kept. */
const LOADS = 'img,picture,source,video,audio,iframe,frame,object,embed,svg,link';

export function articleOf(
  html: string,
  url: string,
  { parse, markdown }: Pick<PageHost, 'parse' | 'markdown'>,
): Article {
  const read = () => {
    // The first base counts, so that its links begin where it was found, whatever it says itself.
    const document = parse(`<base href="${url.replaceAll('&', '&amp;')}">${html}`);
    for (const each of document.querySelectorAll(LOADS)) {
      each.replaceWith(each.getAttribute('alt') ?? '');
    }
    return document;
  };
  let document = read();
  const count = isDeep(document) ? Infinity : document.getElementsByTagName('*').length;
  if (count <= MOST_SORTED) {
    const serializer = (node: Node) => node as HTMLElement;
    const found = new Readability(document, { serializer }).parse();
    const text = found?.content ? markdown(found.content).trim() : '';
    const date = oneLine(found?.publishedTime ?? '').slice(0, 60);
    if (text !== '') return { title: oneLine(found?.title ?? ''), date, text };
    // It was taken apart.
    document = read();
  }
  for (const silent of document.querySelectorAll(SILENT)) silent.remove();
  const { title, body } = document;
  const text = count <= MOST_SET ? markdown(body) : plainText(body);
  return { title: oneLine(title), date: '', text: text.trim() };
}

function isDeep({ body }: Document): boolean {
  let depth = 0;
  for (let at: Element = body; ;) {
    if (at.firstElementChild) {
      at = at.firstElementChild;
      depth += 1;
      if (depth > DEEPEST) return true;
      continue;
    }
    while (at !== body && !at.nextElementSibling) {
      at = at.parentElement ?? body;
      depth -= 1;
    }
    if (at === body) return false;
    at = at.nextElementSibling ?? body;
  }
}

function plainText(body: HTMLElement): string {
  const texts: string[] = [];
  const walker = body.ownerDocument.createTreeWalker(
    body,
    NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT,
  );
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    if (node.nodeType === Node.TEXT_NODE) texts.push(node.nodeValue ?? '');
    else if (LINES.test(node.nodeName.toLowerCase())) texts.push('\n');
  }
  return texts.join('').replace(/\n\s*\n/g, '\n\n');
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 300);
}
