/** What each search provider is asked and how it answers, after their published descriptions. */
import { isRecord } from '#model/untrusted-text';
import type { SearchProvider } from '#model/settings';
import type { WebHit } from '#ports/web';
import { hitOf, type Json } from './hits';

/** Those with keys of their own. */
export type ProviderName = Exclude<SearchProvider, '' | 'anthropic'>;

export interface Provider {
  readonly title: string;
  /** Of hits that one search gives. */
  readonly most: number;
  request(query: string, limit: number, key: string): { url: string; init: RequestInit };
  /** Whatever stands where the hits are to be. */
  hits(answer: Json): unknown;
  hit(each: Json): WebHit;
}

const JSON_BODY = { 'content-type': 'application/json', accept: 'application/json' };

export const PROVIDERS: Readonly<Record<ProviderName, Provider>> = {
  // https://api-dashboard.search.brave.com/app/documentation/web-search
  brave: {
    title: 'Brave Search',
    most: 20,
    request: (q, limit, key) => ({
      url: `https://api.search.brave.com/res/v1/web/search?${new URLSearchParams({
        ...{ q, count: String(limit), text_decorations: 'false' },
      }).toString()}`,
      init: { headers: { accept: 'application/json', 'x-subscription-token': key } },
    }),
    hits: ({ web }) => (isRecord(web) ? web['results'] : []),
    hit: ({ url, title, description, page_age, age }) =>
      hitOf(url, title, description, age ?? page_age),
  },
  // https://docs.tavily.com/documentation/api-reference/endpoint/search
  tavily: {
    title: 'Tavily',
    most: 20,
    request: (query, limit, key) => ({
      url: 'https://api.tavily.com/search',
      init: {
        method: 'POST',
        headers: { ...JSON_BODY, authorization: `Bearer ${key}` },
        body: JSON.stringify({ query, max_results: limit }),
      },
    }),
    hits: ({ results }) => results,
    hit: ({ url, title, content, published_date }) => hitOf(url, title, content, published_date),
  },
  // https://serper.dev
  serper: {
    title: 'Serper',
    most: 100,
    request: (q, limit, key) => ({
      url: 'https://google.serper.dev/search',
      init: {
        method: 'POST',
        headers: { ...JSON_BODY, 'x-api-key': key },
        body: JSON.stringify({ q, num: limit }),
      },
    }),
    hits: ({ organic }) => organic,
    hit: ({ link, title, snippet, date }) => hitOf(link, title, snippet, date),
  },
};
