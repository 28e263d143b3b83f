import { describe, expect, it } from 'vitest';
import { BUILT_IN_MODELS } from '#providers/anthropic/anthropic-models';
import { testClock } from '../builders/fake-clock';
import { ask, HELLO, providerFor, servers } from '#tests/providers/provider';
import { gate, gatewayError } from '#workbench/model/faults';
import { reply } from '#workbench/model/replies';
import { MODELS } from '#workbench/model/model-list';
import { withoutMarks } from '#workbench/model/wire';
import { THINKING_LEVELS, type Thinking } from '#model/setting-choices';

const serve = servers();

describe('Requests to Claude', () => {
  it('a request has a cache mark on its system prompt and one for the whole conversation', async () => {
    const served = await serve(reply('Yes.'));
    await ask(served);
    const { body } = served.server.requests[0]!;
    expect(body.system).toEqual([
      { type: 'text', text: 'You are a test.', cache_control: { type: 'ephemeral' } },
    ]);
    expect(body.cache_control).toEqual({ type: 'ephemeral' });
    expect(JSON.stringify(body).match(/cache_control/g)).toHaveLength(2);
    expect(JSON.stringify(body.tools)).not.toContain('cache_control');
  });

  it.each([
    ['claude-haiku-5-5', { thinking: { type: 'adaptive' }, output_config: { effort: 'low' } }],
    ['claude-haiku-4-5-20251001', { thinking: { type: 'enabled', budget_tokens: 2_048 } }],
  ])(
    'a spoken request to %s thinks little and caches the prompt for an hour',
    async (model, expected) => {
      const served = await serve(reply('Yes.'));
      await ask(served, { model, isSpoken: true });
      const { body } = served.server.requests[0]!;
      expect(body).toMatchObject(expected);
      expect(body.system).toMatchObject([{ cache_control: { type: 'ephemeral', ttl: '1h' } }]);
      expect(body.cache_control).toEqual({ type: 'ephemeral' });
      expect(served.server.violations).toEqual([]);
    },
  );

  it('a spoken request keeps the level that the user chose, and a larger model its own', async () => {
    const sent = async (model: string, thinking: Thinking) => {
      const served = await serve(reply('Yes.'), { settings: { thinking } });
      await ask(served, { model, isSpoken: true });
      return served.server.requests[0]!.body.output_config;
    };
    expect(await sent('claude-haiku-5-5', 'high')).toEqual({ effort: 'high' });
    expect(await sent('claude-opus-5-5', 'auto')).toBeUndefined();
  });

  it('requests of one conversation start with the same bytes', async () => {
    const served = await serve(reply('Yes.'));
    await ask(served);
    await ask(served, {
      history: [
        ...HELLO,
        { role: 'model', parts: [{ type: 'text', text: 'Yes.' }] },
        { role: 'user', texts: ['More.'] },
      ],
    });
    const [one, two] = served.server.requests.map(({ body }) => body);
    expect(JSON.stringify(two?.tools)).toBe(JSON.stringify(one?.tools));
    expect(JSON.stringify(two?.system)).toBe(JSON.stringify(one?.system));
    expect(withoutMarks(two?.messages[0])).toEqual(one?.messages[0]);
    expect(served.server.violations).toEqual([]);
  });

  it('a call that the user declined or stopped is not sent as an error', async () => {
    const served = await serve(reply('Yes.'));
    const failedBy = (wireId: string, kind?: 'declined' | 'stopped') => ({
      wireId,
      result: { text: 'Not run.', failed: true, ...(kind ? { details: { kind } } : {}) },
      notes: [],
    });
    const called = (wireId: string) => ({
      ...{ type: 'call', wireId, name: 'read_file', input: { path: 'A.md' } },
    });
    await ask(served, {
      history: [
        ...HELLO,
        { role: 'model', parts: ['a', 'b', 'c'].map(called) as never },
        {
          role: 'results',
          results: [failedBy('a', 'declined'), failedBy('b', 'stopped'), failedBy('c')],
        },
      ],
    });
    const content = served.server.requests[0]?.body.messages.at(-1)?.content as object[];
    expect(content.map((block) => 'is_error' in block)).toEqual([false, false, true]);
  });

  it('two user messages without an answer in between are sent as one', async () => {
    const served = await serve(reply('Yes.'));
    await ask(served, {
      history: [
        { role: 'user', texts: ['One.'] },
        { role: 'user', texts: ['Two.'] },
      ],
    });
    expect(served.server.requests[0]?.body.messages).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'One.' },
          { type: 'text', text: 'Two.' },
        ],
      },
    ]);
    expect(served.server.violations).toEqual([]);
  });

  // The fake API has its own table of what each model refuses.
  it.each(
    BUILT_IN_MODELS.flatMap(({ id }) => THINKING_LEVELS.map((level) => [id, level] as const)),
  )('%s accepts a request with thinking %s', async (model, thinking) => {
    const served = await serve(reply('Yes.'), { settings: { thinking } });
    await ask(served, { model });
    expect(served.server.violations).toEqual([]);
  });

  it('a request asks for readable thinking, or disables it if the model permits that', async () => {
    const sent = async (model: string, thinking: 'auto' | 'off') => {
      const served = await serve(reply('Yes.'), { settings: { thinking } });
      await ask(served, { model });
      return served.server.requests[0]?.body.thinking;
    };
    expect(await sent('claude-opus-5-5', 'auto')).toEqual({
      type: 'adaptive',
      display: 'summarized',
    });
    expect(await sent('claude-haiku-4-5-20251001', 'auto')).toEqual({
      type: 'enabled',
      budget_tokens: 4_096,
    });
    expect(await sent('claude-haiku-5-5', 'off')).toEqual({ type: 'disabled' });
    expect(await sent('claude-sonnet-5-5', 'off')).toEqual({ type: 'between_tools' });
    expect(await sent('claude-opus-5-5', 'off')).toEqual({
      type: 'adaptive',
      display: 'summarized',
    });
    expect(await sent('a-model-nobody-knows', 'auto')).toBeUndefined();
  });

  it('a request asks for the chosen effort, or for a thinking budget from an older model', async () => {
    const sent = async (model: string, thinking: Thinking) => {
      const served = await serve(reply('Yes.'), { settings: { thinking } });
      await ask(served, { model });
      const { thinking: asked, output_config: output } = served.server.requests[0]!.body;
      return { asked, output };
    };
    expect(await sent('claude-opus-5-5', 'high')).toEqual({
      asked: { type: 'adaptive', display: 'summarized' },
      output: { effort: 'high' },
    });
    expect(await sent('claude-haiku-4-5-20251001', 'low')).toEqual({
      asked: { type: 'enabled', budget_tokens: 2_048 },
    });
    expect(await sent('a-model-nobody-knows', 'high')).toEqual({});
  });

  it('the provider says which thinking levels a model offers', async () => {
    const served = await serve(reply('Yes.'));
    const models = await served.provider.models();
    const levels = (id: string) => models.find((each) => each.id === id)?.thinkingLevels;
    expect(levels('claude-haiku-5-5')).toEqual(['auto', 'low', 'medium', 'high', 'off']);
    expect(levels('claude-opus-5-5')).toEqual(['auto', 'low', 'medium', 'high']);
    expect(BUILT_IN_MODELS.find(({ id }) => id === 'claude-fable-5')?.thinkingLevels).not.toContain(
      'off',
    );
  });

  describe('Background calls', () => {
    const aside = { prompt: { system: 'Sum it up.', tools: [] }, outputLimit: 2_000 };

    it.each(BUILT_IN_MODELS.map(({ id }) => id))('%s accepts a background call', async (model) => {
      const served = await serve(reply('Yes.'));
      await ask(served, { ...aside, model });
      expect(served.server.violations).toEqual([]);
      expect(served.server.requests[0]?.body).toMatchObject({ max_tokens: 2_000 });
    });

    it('a background call has no cache marks, no tools, and as little thinking as possible', async () => {
      const sent = async (model: string) => {
        const served = await serve(reply('Yes.'));
        await ask(served, { ...aside, model });
        return served.server.requests[0]?.body;
      };
      const body = await sent('claude-haiku-4-5-20251001');
      expect(Object.keys(body ?? {}).sort()).toEqual([
        'max_tokens',
        'messages',
        'model',
        'stream',
        'system',
        'thinking',
      ]);
      expect(body).toMatchObject({ system: 'Sum it up.', thinking: { type: 'disabled' } });
      expect(JSON.stringify(body)).not.toContain('cache_control');
      expect(await sent('claude-opus-5-5')).toMatchObject({
        thinking: { type: 'adaptive' },
        output_config: { effort: 'low' },
      });
    });
  });

  it('a request without a key fails without being sent', async () => {
    const served = await serve(reply('Yes.'), { key: null });
    expect(await ask(served)).toMatchObject([{ type: 'failure', failure: { kind: 'key' } }]);
    expect(served.server.requests).toEqual([]);
  });
});

describe('Requests to compatible servers', () => {
  const compatible = {
    settings: { compatibility: true },
    server: { validate: { api: 'compatible' } },
  } as const;

  it('a request to a compatible server has the old headers and no newer parameters', async () => {
    const served = await serve(reply('Yes.'), compatible);
    const events = await ask(served, { model: 'claude-opus-5-5' });
    expect(events.at(-1)).toMatchObject({ type: 'end', stop: 'end' });
    const { headers, body } = served.server.requests[0]!;
    expect(headers).toMatchObject({
      'x-api-key': 'sk-test-1',
      'anthropic-version': '2023-06-01',
    });
    expect(Object.keys(body).sort()).toEqual([
      'max_tokens',
      'messages',
      'model',
      'stream',
      'system',
      'tools',
    ]);
    expect(body.system).toBe('You are a test.');
    expect(served.server.violations).toEqual([]);
  });

  it('a background call to a compatible server has no newer parameters', async () => {
    const served = await serve(reply('Yes.'), compatible);
    const prompt = { system: 'Sum it up.', tools: [] };
    await ask(served, { model: 'claude-opus-5-5', prompt, outputLimit: 2_000 });
    expect(served.server.violations).toEqual([]);
    expect(served.server.requests[0]?.body).toMatchObject({ max_tokens: 2_000 });
  });

  it('a compatible server does not need a key', async () => {
    const served = await serve(reply('Yes.'), { ...compatible, key: null });
    expect((await ask(served)).at(-1)).toMatchObject({ type: 'end' });
    expect(served.server.violations).toEqual([]);
  });

  it('a request makes call ids unique if a compatible server repeated them', async () => {
    const served = await serve(reply('Yes.'), compatible);
    const step = [
      {
        role: 'model' as const,
        parts: [{ type: 'call' as const, wireId: 'call_0', name: 'read_file', input: {} }],
      },
      {
        role: 'results' as const,
        results: [{ wireId: 'call_0', result: { text: 'Milk', failed: false }, notes: [] }],
      },
    ];
    await ask(served, { history: [...HELLO, ...step, ...step] });
    expect(served.server.violations).toEqual([]);
  });
});

describe('The list of models', () => {
  it('the provider lists the models of the API with their limits and retirement dates', async () => {
    const served = await serve(reply('Yes.'));
    const models = await served.provider.models();
    expect(models.map(({ id }) => id)).toEqual(MODELS.map(({ id }) => id));
    expect(models.find(({ id }) => id === 'claude-sonnet-4-5')).toMatchObject({
      name: 'Claude Sonnet 4.5',
      deprecated: true,
      retires: '2026-11-30',
    });
    expect(models.find(({ id }) => id === 'claude-opus-5-5')).toMatchObject({
      window: 1_000_000,
      maxOutput: 128_000,
      deprecated: false,
      retires: null,
    });
  });

  it.each(MODELS.flatMap(({ id }) => THINKING_LEVELS.map((level) => [id, level] as const)))(
    "%s accepts a request based on the API's list, with thinking %s",
    async (model, thinking) => {
      const served = await serve(reply('Yes.'), { settings: { thinking } });
      await served.provider.models();
      await ask(served, { model });
      expect(served.server.violations).toEqual([]);
    },
  );

  it('the provider lists the built-in models without a key or a reachable API', async () => {
    const served = await serve(reply('Yes.'), { key: null });
    expect(await served.provider.models()).toBe(BUILT_IN_MODELS);
    expect(await providerFor('http://127.0.0.1:1').models()).toBe(BUILT_IN_MODELS);
  });

  const listing = (list: unknown): typeof fetch => {
    return async () => Response.json(list);
  };

  it('the provider reads the list of models page by page until a cursor repeats', async () => {
    const asked: string[] = [];
    const pages = [
      { data: [{ id: 'one' }, { id: 'two/2' }], has_more: true, last_id: 'two/2' },
      { data: [{ id: 'three' }], has_more: true, last_id: 'three' },
      { data: [{ id: 'four' }], has_more: true, last_id: 'three' },
    ];
    const fetch: typeof globalThis.fetch = async (input) => {
      asked.push(String(input));
      return Response.json(pages[asked.length - 1]);
    };
    const models = await providerFor('http://localhost:1/base/', { fetch }).models();
    expect(models.map(({ id }) => id)).toEqual(['one', 'two/2', 'three', 'four']);
    expect(asked).toEqual([
      'http://localhost:1/base/v1/models?limit=100',
      'http://localhost:1/base/v1/models?limit=100&after_id=two%2F2',
      'http://localhost:1/base/v1/models?limit=100&after_id=three',
    ]);
  });

  it('the provider lists the models of a compatible server even without a key', async () => {
    const fetch = listing({
      object: 'list',
      data: [{ id: 'llama3.2:latest', object: 'model', created: 1, owned_by: 'library' }],
    });
    const settings = { compatibility: true };
    const provider = providerFor('http://localhost:11434', { fetch, settings, key: null });
    expect(await provider.models()).toMatchObject([
      { id: 'llama3.2:latest', name: 'llama3.2:latest', deprecated: false, retires: null },
    ]);
  });

  it.each([
    ['an empty list', { data: [], has_more: false }],
    ['another object', { models: ['a'] }],
    ['a list without ids', { data: [null, { name: 'x' }] }],
    ['no list', { data: { one: 1 }, has_more: true, last_id: 'one' }],
    ['null', null],
  ])('the provider lists the built-in models when the answer is %s', async (_words, list) => {
    const provider = providerFor('https://api.anthropic.com', { fetch: listing(list) });
    expect(await provider.models()).toBe(BUILT_IN_MODELS);
  });

  it('the provider lists the built-in models when the answer stalls', async () => {
    const clock = testClock();
    const asked = gate();
    const fetch: typeof globalThis.fetch = async (_input, init) => {
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(new TextEncoder().encode('{"data": ['));
          init?.signal?.addEventListener('abort', () =>
            controller.error(new DOMException('Stopped.', 'AbortError')),
          );
          asked.open();
        },
      });
      return new Response(body, { headers: { 'content-type': 'application/json' } });
    };
    const models = providerFor('https://api.anthropic.com', { fetch, clock }).models();
    await asked.promise;
    await clock.advance(15_000);
    expect(await models).toBe(BUILT_IN_MODELS);
    expect(clock.pending).toBe(0);
  });

  it('the provider lists the models even while messages fail', async () => {
    const served = await serve(gatewayError());
    expect((await served.provider.models()).length).toBe(MODELS.length);
  });
});
