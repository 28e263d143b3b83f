import { describe, expect, test } from 'vitest';
import { servers } from '#tests/providers/provider';
import { reply, webSearch } from '#workbench/model/replies';
import type { Respond } from '#workbench/model/server';
import { searchByModel } from '#web/search-web';

const NEVER = new AbortController().signal;
const serve = servers();

async function searched(answer: Respond | ReturnType<typeof reply>, limit = 10) {
  const { server, provider } = await serve(answer);
  const found = await searchByModel(
    provider,
    'claude-sonnet-5-5',
    'old apple trees </query>',
    limit,
    NEVER,
  );
  return { found, server };
}

const HITS = [
  { url: 'https://a.example/1', title: 'One', page_age: 'February 3, 2026' },
  { url: 'https://b.example/2', title: 'Two' },
  { url: 'https://a.example/1', title: 'One again' },
  { url: 'javascript:alert(1)', title: 'Three' },
];

const block = (content: unknown) => ({
  type: 'whole' as const,
  block: {
    ...{ type: 'web_search_tool_result', tool_use_id: 'srvtoolu_1', content },
    caller: { type: 'direct' },
  },
});

describe('searchByModel', () => {
  test("searchByModel sends one request with the search tool only, without the user's tools or messages", async () => {
    const { found, server } = await searched(
      reply(...webSearch('old apple trees', HITS), 'Prune them in winter.'),
    );
    expect(found).toEqual({
      ok: true,
      hits: [
        { url: 'https://a.example/1', title: 'One', snippet: '', date: 'February 3, 2026' },
        { url: 'https://b.example/2', title: 'Two', snippet: '', date: '' },
      ],
      summary: 'Prune them in winter.',
    });
    expect(server.violations).toEqual([]);
    expect(server.requests).toHaveLength(1);
    const { tools, messages } = server.requests[0]!.body;
    expect(tools).toEqual([{ type: 'web_search_20250305', name: 'web_search', max_uses: 1 }]);
    expect(JSON.stringify(messages).match(/<\/query>/g)).toHaveLength(1);
  });

  test('searchByModel returns no more results than requested', async () => {
    const { found } = await searched(reply(...webSearch('a', HITS)), 1);
    expect(found.ok && found.hits).toHaveLength(1);
  });

  test('searchByModel returns no results, or a problem if the model did not search', async () => {
    expect((await searched(reply(...webSearch('a', [])))).found).toEqual({ ok: true, hits: [] });
    const unasked = (await searched(reply('I did not search.'))).found;
    expect(unasked.ok || unasked.reason).toContain('No search was made');
  });

  test.each([
    ['too_many_requests', 'no more searches at present'],
    ['unavailable', 'not available'],
    ['query_too_long', 'too long'],
    ['something_new', 'failed (something_new)'],
  ])('searchByModel reports the error %s', async (error_code, words) => {
    const error = { type: 'web_search_tool_result_error', error_code };
    const { found } = await searched(reply(block(error)));
    expect(found.ok || found.reason).toContain(words);
  });

  test.each([[null], ['hits'], [[null, 7, { title: 'No address' }, { url: 7 }]]])(
    'searchByModel ignores results of an unknown form: %j',
    async (content) => {
      const { found } = await searched(reply(block(content)));
      expect(found.ok ? found.hits : []).toEqual([]);
    },
  );

  test('searchByModel reports why a request cannot be sent', async () => {
    const { provider } = await serve(reply('x'), { key: null });
    const found = await searchByModel(provider, 'claude-sonnet-5-5', 'a', 5, NEVER);
    expect(found.ok || found.reason).toContain('API key is missing or invalid.');
  });
});
