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
  const count = document.getElementsByTagName('*').length;
  if (count <= MOST_SORTED) {
    const serializer = (node: Node) => node as HTMLElement;
    const found = new Readability(document, { serializer }).parse();
    const text = found?.content ? markdown(found.content).trim() : '';
    const date = (found?.publishedTime ?? '').trim();
    if (text !== '') return { title: oneLine(found?.title ?? ''), date, text };
    // It was taken apart.
    document = read();
  }
  for (const silent of document.querySelectorAll(SILENT)) silent.remove();
  const { title, body } = document;
  const text =
    count <= MOST_SET ? markdown(body) : (body.textContent ?? '').replace(/\n\s*\n/g, '\n\n');
  return { title: oneLine(title), date: '', text: text.trim() };
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, 300);
}
