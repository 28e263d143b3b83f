import { describe, expect, test } from 'vitest';
import { searchBy, type ProviderName } from '#web/search-web';

const NEVER = new AbortController().signal;
const CLOCK = { after: () => () => undefined };

interface Sent {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body: unknown;
}

/** A search provider that gives every request this answer. */
function provider(answer: unknown, status = 200) {
  const sent: Sent[] = [];
  const fetched: typeof fetch = async (input, init) => {
    sent.push({
      url: input as string,
      method: init?.method ?? 'GET',
      headers: Object.fromEntries(new Headers(init?.headers)),
      body: typeof init?.body === 'string' ? (JSON.parse(init.body) as unknown) : null,
    });
    return new Response(typeof answer === 'string' ? answer : JSON.stringify(answer), { status });
  };
  const search = (name: ProviderName, limit = 10, key: string | null = 'key-1234') =>
    searchBy(
      { provider: name, key, fetch: fetched, clock: CLOCK },
      'old apple trees',
      limit,
      NEVER,
    );
  return { sent, search };
}

/** Answers in the form of each provider's API docs. */
const ANSWERS: Record<ProviderName, (hits: readonly [string, string, string][]) => unknown> = {
  brave: (hits) => ({
    type: 'search',
    query: { original: 'old apple trees' },
    web: {
      type: 'search',
      results: hits.map(([url, title, words]) => ({
        ...{ type: 'search_result', url, title, description: words, age: 'February 3, 2026' },
        profile: { name: 'Example', long_name: 'example.com' },
      })),
    },
  }),
  tavily: (hits) => ({
    ...{ query: 'old apple trees', answer: null, images: [], response_time: '1.2' },
    results: hits.map(([url, title, words]) => ({
      ...{ url, title, content: words, score: 0.9, raw_content: null },
      published_date: 'February 3, 2026',
    })),
  }),
  serper: (hits) => ({
    searchParameters: { q: 'old apple trees', type: 'search', engine: 'google' },
    organic: hits.map(([link, title, words], at) => ({
      ...{ title, link, snippet: words, position: at + 1, date: 'February 3, 2026' },
    })),
  }),
};

const NAMES: readonly ProviderName[] = ['brave', 'tavily', 'serper'];

describe.each(NAMES)('Search by %s', (name) => {
  test("searchBy sends the request of the provider's API and reads its results", async () => {
    const { sent, search } = provider(
      ANSWERS[name]([['https://a.example/1', 'One', 'Prune <strong>old</strong>\n trees']]),
    );
    expect(await search(name, 5)).toEqual({
      ok: true,
      hits: [
        {
          ...{ url: 'https://a.example/1', title: 'One', snippet: 'Prune old trees' },
          date: 'February 3, 2026',
        },
      ],
    });
    expect(sent).toEqual([
      {
        brave: {
          url: 'https://api.search.brave.com/res/v1/web/search?q=old+apple+trees&count=5&text_decorations=false',
          method: 'GET',
          headers: { accept: 'application/json', 'x-subscription-token': 'key-1234' },
          body: null,
        },
        tavily: {
          url: 'https://api.tavily.com/search',
          method: 'POST',
          headers: {
            ...{ accept: 'application/json', 'content-type': 'application/json' },
            authorization: 'Bearer key-1234',
          },
          body: { query: 'old apple trees', max_results: 5 },
        },
        serper: {
          url: 'https://google.serper.dev/search',
          method: 'POST',
          headers: {
            ...{ accept: 'application/json', 'content-type': 'application/json' },
            'x-api-key': 'key-1234',
          },
          body: { q: 'old apple trees', num: 5 },
        },
      }[name],
    ]);
  });

  test('searchBy returns no results', async () => {
    expect(await provider(ANSWERS[name]([])).search(name)).toEqual({ ok: true, hits: [] });
    const other = await provider({ error: 'none' }).search(name);
    expect(other).toMatchObject(name === 'brave' ? { hits: [] } : { ok: false });
  });

  test('searchBy drops duplicates, unreadable URLs and results above the limit', async () => {
    const hits: [string, string, string][] = [
      ['https://a.example/1', 'One', ''],
      ['javascript:alert(1)', 'Two', ''],
      ['https://a.example/1', 'One again', ''],
      ['file:///etc/passwd', 'Three', ''],
      ['', 'Four', ''],
      [`https://a.example/${'long'.repeat(1_000)}`, 'Five', ''],
      ['http://b.example/', 'Six', 'x'.repeat(5_000)],
      ['https://c.example/', 'Seven', ''],
    ];
    const found = await provider(ANSWERS[name](hits)).search(name, 2);
    if (!found.ok) throw new Error(found.reason);
    expect(found.hits.map(({ url }) => url)).toEqual(['https://a.example/1', 'http://b.example/']);
    expect(found.hits[1]?.snippet.length).toBeLessThan(1_100);
  });

  test.each<[string, unknown, number, RegExp]>([
    ['a page instead of an answer', '<html>', 200, /something else than results/],
    [
      'hits of another form',
      { web: { results: 7 }, results: 7, organic: 7 },
      200,
      /something else/,
    ],
    ['a wrong key', { message: 'Unauthorized.' }, 401, /refuses the key \(401: Unauthorized\.\)/],
    ['a forbidden key', { message: 'Unauthorized.' }, 403, /refuses the key/],
    ['its own way to say it', { detail: { error: 'Invalid key' } }, 401, /401: Invalid key/],
    ['another', { error: { detail: 'Query is odd' } }, 422, /failed \(422: Query is odd\)/],
    ['the key repeated', { message: 'No such key: key-1234' }, 401, /No such key: •••/],
    ['too many requests', { error: { detail: 'slow down' } }, 429, /no more searches at present/],
    ['no credit', { message: 'Not enough credits' }, 400, /used up/],
    [
      'the limit of what is paid by use',
      { detail: { error: 'pay-as-you-go limit' } },
      433,
      /used up/,
    ],
    ['a wrong token', { error: { detail: 'The token is invalid' } }, 422, /refuses the key/],
    ['the plan’s limit', { detail: { error: 'exceeds your plan limit' } }, 432, /used up/],
    ['a failure of its own', 'Bad gateway', 502, /failed \(502\)/],
  ])('searchBy reports an answer with %s', async (_what, answer, status, words) => {
    const found = await provider(answer, status).search(name);
    expect(found.ok || found.reason).toMatch(words);
    expect(JSON.stringify(found)).not.toContain('key-1234');
  });

  test.each([null, '', '  ', 'a key with spaces', 'schlüssel'])(
    'searchBy sends no request with the key %j',
    async (key) => {
      const { sent, search } = provider({});
      const found = await search(name, 10, key);
      expect(found.ok || found.reason).toMatch(/missing or no key.*settings, under Search and web/);
      expect(sent).toEqual([]);
    },
  );
});

test('searchBy reports a failed connection, a timeout and an abort', async () => {
  const failing =
    (error: Error): typeof fetch =>
    async () => {
      throw error;
    };
  const ask = (fetched: typeof fetch, clock = CLOCK as never, signal = NEVER) =>
    searchBy({ provider: 'brave', key: 'key', fetch: fetched, clock }, 'a', 5, signal);
  const unreached = await ask(failing(new TypeError('getaddrinfo ENOTFOUND')));
  expect(unreached.ok || unreached.reason).toContain('ENOTFOUND');
  const hanging: typeof fetch = (_input, init) =>
    new Promise((_resolve, reject) => {
      init?.signal?.addEventListener('abort', () => reject(new Error('aborted')));
    });
  const atOnce = { after: (_: number, call: () => void) => (setImmediate(call), () => undefined) };
  const slow = await ask(hanging, atOnce as never);
  expect(slow.ok || slow.reason).toContain('no answer in 20 s');
  const stop = new AbortController();
  const stopped = ask(hanging, CLOCK as never, stop.signal);
  stop.abort();
  expect(await stopped).toEqual({ ok: false, reason: 'Stopped.' });
});

test('searchBy cancels an endless answer', async () => {
  let isLetGo = false;
  const endless: typeof fetch = async () =>
    new Response(
      new ReadableStream({
        pull: (controller) => controller.enqueue(new Uint8Array(500_000).fill(97)),
        cancel: () => void (isLetGo = true),
      }),
    );
  const searching = { provider: 'serper' as const, key: 'key', fetch: endless, clock: CLOCK };
  const found = await searchBy(searching, 'a', 5, NEVER);
  expect(found.ok || found.reason).toContain('too long');
  expect(isLetGo).toBe(true);
});
