/** A page of the web, read: asked for hop by hop, each judged before it is asked, and brought to plain Markdown. */
import type { Clock } from '#ports/clock';
import { AddressRefused, type PageAnswer, type PageHost, type PageRead } from '#ports/web';
import { isPublicAddress, isWithinNetworks } from './address-guard';
import { articleOf } from './article';
import { OWN, pageAddress, refused } from './page-address';
import { decoded, kindOf } from './page-type';

/** Bytes, once unpacked. */
const MOST = 1_000_000;

/** Milliseconds for all hops together. */
const LONGEST = 20_000;

const MOST_HOPS = 5;

const HEADERS = {
  accept: 'text/html,application/xhtml+xml,text/plain;q=0.9,*/*;q=0.5',
  'accept-encoding': 'gzip, deflate, br',
  'user-agent': 'Mozilla/5.0 (compatible; Parley)',
};

export interface PageReader {
  /** Null where the machine gives none. */
  readonly host: PageHost | null;
  readonly clock: Pick<Clock, 'after'>;
}

/** Never throws for what the world does. */
export async function readPage(
  { host, clock }: PageReader,
  raw: string,
  signal: AbortSignal,
): Promise<PageRead> {
  const first = pageAddress(raw);
  if (!first.ok) return first;
  if (!host) return failed('Web pages can only be read on a desktop.');
  const stop = new AbortController();
  const abort = () => stop.abort();
  signal.addEventListener('abort', abort);
  const forget = clock.after(LONGEST, abort);
  let { url } = first;
  const asked = url.href;
  const via: string[] = [];
  const led = () => (via.length === 0 ? [] : [...via, url.href]);
  // What it sends on to is the words of a stranger.
  const named = () => (via.length === 0 ? shown(asked) : `What ${shown(asked)} sends on to`);
  const networks = host.networks();
  // What lies in the user's own network may well have a public address.
  const mayConnect = (address: string) =>
    isPublicAddress(address) && !isWithinNetworks(address, networks);
  try {
    for (let hop = 0; hop <= MOST_HOPS; hop += 1) {
      // Nobody but a reader's own window sees it.
      url.hash = '';
      const request = { url, headers: HEADERS, most: MOST, signal: stop.signal, mayConnect };
      const answer = await host.get(request);
      const to = answer.status >= 300 && answer.status < 400 ? answer.header('location') : null;
      if (to === null) {
        const why = whyNoPage(answer);
        return why === null ? page(answer, url, via, host) : failed(`${named()} ${why}`, led());
      }
      const next = pageAddress(to, url);
      if (!next.ok) return failed(`${named()} sends on to a place that is not read from.`, led());
      via.push(url.href);
      url = next.url;
    }
    return failed(`${shown(asked)} sends on more than ${MOST_HOPS} times.`, led());
  } catch (error) {
    if (signal.aborted) return failed('Stopped.', led());
    if (error instanceof AddressRefused) {
      return via.length === 0 ? refused(asked, OWN) : failed(`${named()} ${OWN}.`, led());
    }
    const why = stop.signal.aborted ? `no whole answer in ${LONGEST / 1000} s` : codeOf(error);
    return failed(`${named()} can't be read (${why}).`, led());
  } finally {
    forget();
    signal.removeEventListener('abort', abort);
  }
}

/** Null where there is something to read. */
function whyNoPage({ status, header, body }: PageAnswer): string | null {
  if (status < 200 || status > 299) return `answers ${status}${STATUS_WORDS[status] ?? ''}.`;
  const type = header('content-type');
  if (kindOf(type, body) !== null) return null;
  const named = /^[\w.+-]{1,60}\/[\w.+-]{1,60}(?=\s*(?:;|$))/.exec(type ?? '')?.[0];
  return `is no page but ${named ?? 'something else'}. Pages, plain text and data as text can be read.`;
}

function page(
  { header, body, isCut }: PageAnswer,
  { href }: URL,
  via: readonly string[],
  host: PageHost,
): PageRead {
  const type = header('content-type');
  const kind = kindOf(type, body);
  const text = decoded(type, body);
  const article =
    kind === 'html' ? articleOf(text, href, host) : { title: '', date: '', text: text.trim() };
  return { ok: true, page: { url: href, via, ...article, isCut } };
}

const STATUS_WORDS: Readonly<Record<number, string>> = {
  401: ': it wants a login',
  402: ': it wants money',
  403: ': it does not let programs read it',
  404: ': there is no such page',
  410: ': the page is gone',
  429: ': too many requests',
};

function shown(url: string): string {
  return url.length > 200 ? `${url.slice(0, 200)}…` : url;
}

function codeOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (typeof code !== 'string') return String(message ?? error).slice(0, 200);
  if (/CERT|SIGNATURE|ALTNAME/.test(code)) return NOT_TRUSTED;
  return CODES[code] ?? (/^(?:Z|HPE|ERR)_/.test(code) ? 'its answer is broken' : code);
}

const NOT_TRUSTED =
  'its certificate is not trusted; where a proxy stands between, pages can’t be read';

const CODES: Readonly<Record<string, string>> = {
  ENOTFOUND: 'there is no such host',
  EAI_AGAIN: 'the name of its host can’t be looked up; the computer may be offline',
  ECONNREFUSED: 'its host refuses the connection',
  ECONNRESET: 'its host closed the connection',
  EPROTO: 'its host speaks no https, or another than this computer',
  ETIMEDOUT: 'its host does not answer',
  EHOSTUNREACH: 'no way leads to its host',
  ENETUNREACH: 'no way leads to its host; the computer may be offline',
};

function failed(problem: string, led: readonly string[] = []): PageRead {
  return { ok: false, problem, ...(led.length > 0 ? { led } : {}) };
}
