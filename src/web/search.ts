/** A search of the web by a provider that the user has chosen. */
import { isRecord, boundedText } from '#model/untrusted-text';
import type { Clock } from '#ports/clock';
import type { Searched } from '#ports/web';
import { usable, type Json } from './hits';
import { PROVIDERS, type ProviderName } from './search-providers';

export interface WebSearchRequest {
  readonly provider: ProviderName;
  /** Null where none is set. */
  readonly key: string | null;
  readonly fetch: typeof fetch;
  readonly clock: Pick<Clock, 'after'>;
}

/** Milliseconds. */
const LONGEST = 20_000;

const LONGEST_ANSWER = 2_000_000;

/** Never throws for what the world does. */
export async function searchBy(
  { provider, key, fetch, clock }: WebSearchRequest,
  query: string,
  limit: number,
  signal: AbortSignal,
): Promise<Searched> {
  const { title, most, request, hits, hit } = PROVIDERS[provider];
  const secret = key?.trim() ?? '';
  // Headers take these alone.
  if (!/^[!-~]+$/.test(secret)) return failed(`The key of ${title} is missing or no key. ${KEY}`);
  const stop = new AbortController();
  const abort = () => stop.abort();
  signal.addEventListener('abort', abort);
  const forget = clock.after(LONGEST, abort);
  try {
    const { url, init } = request(query, Math.min(limit, most), secret);
    const response = await fetch(url, { ...init, signal: stop.signal });
    const answer = jsonIn(await boundedText(response, LONGEST_ANSWER));
    if (!response.ok) return failed(inWords(title, response, answer, secret));
    const found = answer && hits(answer);
    if (!Array.isArray(found)) return failed(`${title} answered with something else than results.`);
    return { ok: true, hits: usable(found.filter(isRecord).map(hit)).slice(0, limit) };
  } catch (error) {
    if (signal.aborted) return failed('Stopped.');
    const why = stop.signal.aborted ? `no answer in ${LONGEST / 1000} s` : messageOf(error);
    return failed(`${title} can't be reached (${why}).`);
  } finally {
    forget();
    signal.removeEventListener('abort', abort);
  }
}

const KEY = 'The user can set it in Parley’s settings, under Web.';

function inWords(title: string, { status }: Response, answer: Json | null, key: string): string {
  // Servers repeat the key they refuse.
  const whole = saidIn(answer);
  const said = (key.length < 8 ? whole : whole.replaceAll(key, '(key)')).slice(0, 200);
  const detail = said === '' ? `${status}` : `${status}: ${said}`;
  if (/credit|quota|plan.{0,20}limit|usage limit/i.test(said) || [402, 432, 433].includes(status)) {
    return `The searches of this ${title} account are used up (${detail}).`;
  }
  const isKey = status === 401 || status === 403 || (status === 422 && /token/i.test(said));
  if (isKey) return `${title} refuses the key (${detail}). ${KEY}`;
  if (status === 429) return `${title} takes no more searches at present (${detail}). Try later.`;
  return `${title} failed (${detail}).`;
}

/** Each provider says it in another place. */
function saidIn(answer: unknown): string {
  if (typeof answer === 'string') return answer;
  if (!isRecord(answer)) return '';
  const { message, detail, error } = answer;
  return [message, detail, error].map(saidIn).find((each) => each !== '') ?? '';
}

function jsonIn(text: string): Json | null {
  try {
    const answer: unknown = JSON.parse(text);
    return isRecord(answer) ? answer : null;
  } catch {
    return null;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function failed(problem: string): Searched {
  return { ok: false, problem };
}
