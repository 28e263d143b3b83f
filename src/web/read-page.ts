/** Reads a web page: fetches it with limits, decodes it, and extracts its main text as Markdown. */
import * as t from '#messages/web-messages';
import { Readability } from '@mozilla/readability';
import type { Clock } from '#ports/clock';
import { AddressRefused, type PageAnswer, type PageHost, type PageRead } from '#ports/web';
import { clip, firstCharacters, oneLine } from '#text/shorten';
import { isPublicAddress, isWithinNetworks, pageAddress, refusedAddress } from './address-guard';

export type PageKind = 'html' | 'text';

/** Returns null if the body cannot be read as text. */
export function kindOf(contentType: string | null, body: Uint8Array): PageKind | null {
  const type = (contentType ?? '').split(';')[0]!.trim().toLowerCase();
  if (/^(?:text\/html|application\/xhtml\+xml)$/.test(type)) return 'html';
  if (/^text\/|^application\/(?:json|xml|yaml|x-yaml|toml)$|\+(?:json|xml)$/.test(type)) {
    return 'text';
  }
  // With no type or a generic one, the body may still be text.
  if (!/^$|^application\/octet-stream$/.test(type) || body.subarray(0, 1_024).includes(0)) {
    return null;
  }
  return /^\s*</.test(new TextDecoder().decode(body.subarray(0, 1_024))) ? 'html' : 'text';
}

/**
 * Decodes a body as browsers do: by byte order mark, HTTP header, the page's own declaration, or
 * else as UTF-8 if it is valid.
 */
export function decodePage(contentType: string | null, body: Uint8Array): string {
  const labels = [
    markedAs(body),
    /charset\s*=\s*"?([^\s";]+)/i.exec(contentType ?? '')?.[1],
    declaredIn(body),
  ];
  for (const label of labels) {
    const decoder = label === undefined ? null : decoderOf(label);
    if (decoder) return decoder.decode(body);
  }
  const text = new TextDecoder().decode(body);
  // A truncated page may end inside a character.
  const isOther = text.slice(0, -1).includes('\uFFFD');
  return isOther ? new TextDecoder('windows-1252').decode(body) : text;
}

function markedAs([first, second, third]: Uint8Array): string | undefined {
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  return first === 0xff && second === 0xfe ? 'utf-16le' : undefined;
}

function declaredIn(body: Uint8Array): string | undefined {
  const beginning = new TextDecoder('latin1').decode(body.subarray(0, 1_024));
  const label = /<meta[^>]+charset\s*=\s*["']?([^\s"'/>;]+)|<\?xml[^>]+encoding\s*=\s*["']([^"']+)/i
    .exec(beginning)
    ?.slice(1)
    .find((each) => each !== undefined);
  // The declaration was found by reading single bytes, so the page cannot be UTF-16.
  return label && /^utf-?16/i.test(label) ? 'utf-8' : label;
}

function decoderOf(label: string): TextDecoder | null {
  try {
    return new TextDecoder(label);
  } catch {
    return null;
  }
}

export interface Article {
  readonly title: string;
  /** As the page declares it; '' if it does not, or if no main text was found. */
  readonly date: string;
  readonly text: string;
}

/** In larger pages, finding the main text could block the window, so the whole page is returned. */
const MAX_ARTICLE_ELEMENTS = 12_000;

/**
 * Larger pages are returned as plain text, because converting them to Markdown could block the
 * window.
 */
const MAX_MARKDOWN_ELEMENTS = 40_000;

/**
 * More deeply nested pages are returned as plain text, because each level scans everything below it
 * again.
 */
const MAX_ELEMENT_DEPTH = 60;

/** Elements that start a new line in plain text. */
const LINES = /^(?:p|div|li|br|tr|h[1-6]|pre|blockquote|section|article|d[td])$/;

/** Elements without readable text. */
const SILENT = 'script,style,noscript,template,nav,footer,form,dialog';

/**
 * Elements that would load something when displayed. They are replaced by their alternative text.
 */
const LOADS = 'img,picture,source,video,audio,iframe,frame,object,embed,svg,link';

export function articleOf(
  html: string,
  url: string,
  { parse, markdown }: Pick<PageHost, 'parse' | 'markdown'>,
): Article {
  const read = () => {
    // Only the first `<base>` of a page counts. This one makes links relative to the URL that the
    // page was fetched from.
    const document = parse(`<base href="${url.replaceAll('&', '&amp;')}">${html}`);
    for (const each of document.querySelectorAll(LOADS)) {
      each.replaceWith(each.getAttribute('alt') ?? '');
    }
    return document;
  };
  let document = read();
  const isPlain = isDeep(document) || hasNestedHeadings(document);
  const count = isPlain ? Infinity : document.getElementsByTagName('*').length;
  if (count <= MAX_ARTICLE_ELEMENTS) {
    const serializer = (node: Node) => node as HTMLElement;
    const found = new Readability(document, { serializer }).parse();
    const text = found?.content ? markdown(found.content).trim() : '';
    const date = oneLine(found?.publishedTime ?? '').slice(0, 60);
    if (text !== '')
      return { title: firstCharacters(oneLine(found?.title ?? ''), MAX_TITLE_CHARS), date, text };
    // Extraction has changed the document, so parse it again.
    document = read();
  }
  for (const silent of document.querySelectorAll(SILENT)) silent.remove();
  const { title, body } = document;
  const text = count <= MAX_MARKDOWN_ELEMENTS ? markdown(body) : plainText(body);
  return { title: firstCharacters(oneLine(title), MAX_TITLE_CHARS), date: '', text: text.trim() };
}

/**
 * A converter that underlines headings doubles the text with every heading inside another, so a page
 * of 1 KB could fill the memory.
 */
function hasNestedHeadings(document: Document): boolean {
  return HEADINGS.some((name) =>
    Array.from(document.getElementsByTagName(name)).some(
      (heading) => heading.parentElement?.closest(HEADINGS.join()) != null,
    ),
  );
}

const HEADINGS = ['h1', 'h2', 'h3', 'h4', 'h5', 'h6'] as const;

function isDeep({ body }: Document): boolean {
  let depth = 0;
  for (let at: Element = body; ;) {
    if (at.firstElementChild) {
      at = at.firstElementChild;
      depth += 1;
      if (depth > MAX_ELEMENT_DEPTH) return true;
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

const MAX_TITLE_CHARS = 300;

/** After decompression. */
const MAX_PAGE_BYTES = 1_000_000;

/** Includes all redirects. */
const MAX_READ_MS = 20_000;

const MAX_REDIRECTS = 5;

const HEADERS = {
  accept: 'text/html,application/xhtml+xml,text/plain;q=0.9,*/*;q=0.5',
  'accept-encoding': 'gzip, deflate',
  'user-agent': 'Mozilla/5.0 (compatible; Parley)',
};

export interface PageReader {
  readonly host: PageHost;
  readonly clock: Pick<Clock, 'after'>;
}

/** Never throws for network or server errors. */
export async function readPage(
  { host, clock }: PageReader,
  raw: string,
  signal: AbortSignal,
): Promise<PageRead> {
  const first = pageAddress(raw);
  if (!first.ok) return first;
  const stop = new AbortController();
  const abort = () => stop.abort();
  signal.addEventListener('abort', abort);
  const forget = clock.after(MAX_READ_MS, abort);
  let { url } = first;
  const requested = url.href;
  const via: string[] = [];
  const led = () => (via.length === 0 ? [] : [...via, url.href]);
  // Messages do not quote a redirect target, because it is untrusted text.
  const named = () => (via.length === 0 ? shown(requested) : t.redirectOf(shown(requested)));
  const networks = host.networks();
  // A server in the user's own network may have a public address.
  const mayConnect = (address: string) =>
    isPublicAddress(address) && !isWithinNetworks(address, networks);
  try {
    for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
      // The fragment matters only in a browser.
      url.hash = '';
      const request = {
        url,
        headers: HEADERS,
        most: MAX_PAGE_BYTES,
        signal: stop.signal,
        mayConnect,
      };
      const answer = await host.get(request);
      const to = answer.status >= 300 && answer.status < 400 ? answer.header('location') : null;
      if (to === null) {
        const why = whyNoPage(answer);
        return why === null
          ? page(answer, url, via, host)
          : failed(t.pageProblem(named(), why), led());
      }
      const next = pageAddress(to, url);
      if (!next.ok) return failed(t.redirectRefused(named()), led());
      via.push(url.href);
      url = next.url;
    }
    return failed(t.tooManyHops(shown(requested), MAX_REDIRECTS), led());
  } catch (error) {
    if (signal.aborted) return failed(t.stopped, led());
    if (error instanceof AddressRefused) {
      return via.length === 0
        ? refusedAddress(requested, t.privateNetwork)
        : failed(t.pageProblem(named(), `${t.privateNetwork}.`), led());
    }
    const why = stop.signal.aborted ? t.noWholeAnswer(MAX_READ_MS / 1000) : codeOf(error);
    return failed(t.pageUnreadable(named(), why), led());
  } finally {
    forget();
    signal.removeEventListener('abort', abort);
  }
}

/** Why there is nothing to read, as the end of a sentence; null if there is something. */
function whyNoPage({ status, header, body }: PageAnswer): string | null {
  if (status < 200 || status > 299) return t.pageStatus(status);
  const type = header('content-type');
  if (kindOf(type, body) !== null) return null;
  const named = /^[\w.+-]{1,60}\/[\w.+-]{1,60}(?=\s*(?:;|$))/.exec(type ?? '')?.[0];
  return t.noPage(named);
}

function page(
  { header, body, isCut }: PageAnswer,
  { href }: URL,
  via: readonly string[],
  host: PageHost,
): PageRead {
  const type = header('content-type');
  const kind = kindOf(type, body);
  const text = decodePage(type, body);
  const article =
    kind === 'html' ? articleOf(text, href, host) : { title: '', date: '', text: text.trim() };
  return { ok: true, page: { url: href, via, ...article, isCut } };
}

function shown(url: string): string {
  return clip(url, 200);
}

function codeOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code !== 'string') return String(message ?? error).slice(0, 200);
  if (/CERT|SIGNATURE|ALTNAME/.test(code)) return t.certificateUntrusted;
  return t.HOST_ERRORS[code] ?? (/^(?:Z|HPE|ERR)_/.test(code) ? t.answerBroken : code);
}

function failed(problem: string, led: readonly string[] = []): PageRead {
  return { ok: false, reason: problem, ...(led.length > 0 ? { led } : {}) };
}
