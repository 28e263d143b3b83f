/** What a search has found, as far as it can be trusted to be of that form. */
import type { WebHit } from '#ports/web';

export type Json = Readonly<Record<string, unknown>>;

/** Each page once, and only what can be read. */
export function usable(hits: readonly WebHit[]): WebHit[] {
  const seen = new Set<string>();
  return hits.filter(({ url }) => {
    if (!/^https?:\/\//i.test(url) || !URL.canParse(url) || seen.has(url)) return false;
    seen.add(url);
    return true;
  });
}

const LONGEST_URL = 2_000;

export function hitOf(url: unknown, title: unknown, snippet: unknown, date: unknown): WebHit {
  return {
    url: typeof url === 'string' && url.length <= LONGEST_URL ? url.trim() : '',
    title: textOf(title, 300),
    snippet: textOf(snippet, 1_000),
    date: textOf(date, 60),
  };
}

/** In one line and without the marks by which some providers show what was found. */
function textOf(value: unknown, most: number): string {
  if (typeof value !== 'string') return '';
  const plain = value
    .replace(/<\/?(?:strong|b|em)>/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  return plain.length > most ? `${plain.slice(0, most).replace(/[\uD800-\uDBFF]$/, '')}…` : plain;
}
