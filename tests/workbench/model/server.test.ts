import { connect } from 'node:net';
import { BaseAnthropic } from '@anthropic-ai/sdk/client';
import { APIError } from '@anthropic-ai/sdk';
import {
  Messages,
  type MessageCreateParamsStreaming,
  type RawMessageStreamEvent,
} from '@anthropic-ai/sdk/resources/messages/messages';
import { Models } from '@anthropic-ai/sdk/resources/models';
import { afterEach, describe, expect, it } from 'vitest';
import * as faults from '#workbench/model/faults';
import {
  call,
  emptyThinking,
  ending,
  paced,
  redacted,
  reply,
  say,
  thinking,
  webSearch,
} from '#workbench/model/replies';
import { startModelServer, type ModelServer, type Respond } from '#workbench/model/server';

class Client extends BaseAnthropic {
  messages = new Messages(this);
  models = new Models(this);
}

const open: ModelServer[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((server) => server.close()));
});

async function serve(answer: Respond | ReturnType<Respond>, options: { refuse?: boolean } = {}) {
  const respond: Respond = typeof answer === 'function' ? answer : () => answer;
  const server = await startModelServer({ respond, wait: async () => {}, ...options });
  open.push(server);
  const client = new Client({
    ...{ apiKey: 'key', baseURL: server.url, maxRetries: 0 },
    // Another test of the worker may have left a window.
    dangerouslyAllowBrowser: true,
  });
  return { server, client };
}

const ask: MessageCreateParamsStreaming = {
  model: 'claude-sonnet-5-5',
  max_tokens: 1_000,
  stream: true,
  thinking: { type: 'adaptive', display: 'summarized' },
  messages: [{ role: 'user', content: 'Hello' }],
};

async function collect(client: Client, params = ask, signal?: AbortSignal) {
  const events: RawMessageStreamEvent[] = [];
  const stream = await client.messages.create(params, signal ? { signal } : {});
  let failure: unknown;
  try {
    for await (const event of stream) events.push(event);
  } catch (error) {
    failure = error;
  }
  const text = events
    .map((event) =>
      event.type === 'content_block_delta' && event.delta.type === 'text_delta'
        ? event.delta.text
        : '',
    )
    .join('');
  const types = events.map((event) => event.type);
  return { events, text, types, failure, whole: types.at(-1) === 'message_stop' };
}

describe('the fake model server', () => {
  it('the server streams every kind of block as the API does', async () => {
    const { client, server } = await serve(
      reply(
        thinking('Let me look.'),
        emptyThinking(),
        redacted(),
        ...webSearch('tea', [{ url: 'https://tea.test', title: 'Tea' }]),
        say('Grüße, 世界 👋', [{ type: 'web_search_result_location', url: 'https://tea.test' }]),
        call('read_file', { path: 'Lists/Shopping.md', note: 'zwölf' }),
        call('list_files', {}),
      ),
    );
    const { events, text, whole } = await collect(client);
    const starts = events.flatMap((event) =>
      event.type === 'content_block_start' ? [event.content_block.type] : [],
    );
    const json = events.flatMap((event) =>
      event.type === 'content_block_delta' &&
      event.delta.type === 'input_json_delta' &&
      event.index === 6
        ? [event.delta.partial_json]
        : [],
    );
    expect(whole).toBe(true);
    expect(text).toBe('Grüße, 世界 👋');
    expect(starts).toEqual([
      'thinking',
      'thinking',
      'redacted_thinking',
      'server_tool_use',
      'web_search_tool_result',
      'text',
      'tool_use',
      'tool_use',
    ]);
    expect(json[0]).toBe('');
    expect(JSON.parse(json.join(''))).toEqual({ path: 'Lists/Shopping.md', note: 'zwölf' });
    expect(events.find((event) => event.type === 'message_delta')).toMatchObject({
      delta: { stop_reason: 'tool_use' },
    });
    expect(server.violations).toEqual([]);
    expect(server.requests[0]?.outcome).toBe('sent');
  });

  it('the server splits text into deltas and bytes into writes of the given sizes', async () => {
    const words = 'Ein längerer Satz mit Umlauten äöü und einem 👩‍🍳 darin.';
    const { client } = await serve(paced(reply(words), { chunkBytes: 5, wireBytes: 7 }));
    const { text, types } = await collect(client);
    expect(text).toBe(words);
    expect(types.filter((type) => type === 'content_block_delta').length).toBeGreaterThan(8);
  });

  it('the server delays deltas with the clock it is given', async () => {
    const waited: number[] = [];
    const server = await startModelServer({
      respond: () => paced(reply('abcdef'), { chunkBytes: 2, delayMs: 900_000 }),
      wait: async (milliseconds) => waited.push(milliseconds),
    });
    open.push(server);
    const client = new Client({
      ...{ apiKey: 'key', baseURL: server.url, maxRetries: 0 },
      // Another test of the worker may have left a window.
      dangerouslyAllowBrowser: true,
    });
    expect((await collect(client)).text).toBe('abcdef');
    expect(waited).toEqual([900_000, 900_000, 900_000]);
  });

  it.each([
    'end_turn',
    'max_tokens',
    'stop_sequence',
    'pause_turn',
    'refusal',
    'model_context_window_exceeded',
  ] as const)('the server ends a reply with stop reason %s', async (reason) => {
    const { client } = await serve(ending(reply('Words'), reason));
    const { events } = await collect(client);
    expect(events.find((event) => event.type === 'message_delta')?.delta.stop_reason).toBe(reason);
  });

  it.each(faults.STATUSES)(
    "the server fails with status %i in the API's error format",
    async (status) => {
      const { client } = await serve(faults.statusError(status));
      const error = await collect(client).catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(APIError);
      expect(error).toMatchObject({ status, type: faults.ERRORS[status]?.errorType });
    },
  );

  it('the server sends retry-after only if the fault sets it', async () => {
    const { client, server } = await serve(faults.rateLimited(7));
    const first = await collect(client).catch((thrown: unknown) => thrown);
    expect((first as APIError).headers?.get('retry-after')).toBe('7');
    server.setRespond(() => faults.rateLimited());
    const second = await collect(client).catch((thrown: unknown) => thrown);
    expect((second as APIError).headers?.get('retry-after')).toBe(null);
  });

  it('the server can send an error event in mid-stream', async () => {
    const { client } = await serve(faults.errorEvent(reply('Half of this is lost'), 1));
    const { failure } = await collect(client);
    expect(failure).toMatchObject({ type: 'overloaded_error' });
    expect((failure as APIError).status).toBeUndefined();
  });

  it('the server can end a stream cleanly without message_stop, which the client does not notice', async () => {
    const text = paced(reply('one two three'), { chunkBytes: 4 });
    const { client } = await serve(faults.earlyEnd(text, 2));
    expect(await collect(client)).toMatchObject({
      text: 'one two ',
      whole: false,
      failure: undefined,
    });
  });

  it('the server can destroy the socket in mid-stream after its writes have arrived', async () => {
    const text = paced(reply('one two three'), { chunkBytes: 4 });
    const { client, server } = await serve(faults.cut(text, 2));
    const { text: got, failure } = await collect(client);
    expect(got).toBe('one two ');
    expect(failure).toBeInstanceOf(TypeError);
    expect(server.requests[0]?.outcome).toBe('broken');
  });

  it('the server can destroy the socket before any answer', async () => {
    const { client } = await serve(faults.noAnswer());
    await expect(collect(client)).rejects.toMatchObject({ status: undefined });
  });

  it('the server stalls until the client disconnects', async () => {
    const { client, server } = await serve(
      faults.stall(paced(reply('one two'), { chunkBytes: 4 }), 1),
    );
    const stop = new AbortController();
    const stream = await client.messages.create(ask, { signal: stop.signal });
    let text = '';
    for await (const event of stream) {
      if (event.type !== 'content_block_delta' || event.delta.type !== 'text_delta') continue;
      text += event.delta.text;
      stop.abort();
    }
    expect(text).toBe('one ');
    expect(server.requests).toHaveLength(1);
  });

  it('the server treats a reply as cut off if the client disconnected', async () => {
    const { client, server } = await serve(
      faults.stall(paced(reply('one two'), { chunkBytes: 4 }), 1),
    );
    const stop = new AbortController();
    const stream = await client.messages.create(ask, { signal: stop.signal });
    for await (const event of stream) if (event.type === 'content_block_delta') stop.abort();
    server.setRespond(() => reply('Fine'));
    const said = (content: string, role: 'user' | 'assistant') => ({ role, content });
    const messages = [said('Hello', 'user'), said('one ', 'assistant'), said('Go on', 'user')];
    await collect(client, { ...ask, messages });
    expect(server.violations).toEqual(['request 1: message 1 is a reply that was cut']);
  });

  it('the server counts tokens, including those written to and read from the cache', async () => {
    const { client, server } = await serve(reply('four'));
    const params: MessageCreateParamsStreaming = {
      ...ask,
      cache_control: { type: 'ephemeral' },
      system: 'x'.repeat(8_000),
    };
    const usage = async (messages: MessageCreateParamsStreaming['messages']) => {
      const { events } = await collect(client, { ...params, messages });
      const start = events.find((event) => event.type === 'message_start');
      const end = events.find((event) => event.type === 'message_delta');
      return { ...start?.message.usage, output: end?.usage.output_tokens };
    };
    const first = await usage(ask.messages);
    expect(first).toMatchObject({ input_tokens: 0, cache_read_input_tokens: 0, output: 1 });
    const written = first.cache_creation_input_tokens ?? 0;
    expect(first.cache_creation).toEqual({
      ephemeral_5m_input_tokens: written,
      ephemeral_1h_input_tokens: 0,
    });
    const next = await usage([
      ...ask.messages,
      { role: 'assistant', content: 'four' },
      { role: 'user', content: 'More' },
    ]);
    expect(next.cache_read_input_tokens).toBe(written);
    expect(server.violations).toEqual([]);
  });

  it('the server continues a stalled reply when the gate opens', async () => {
    const gate = faults.gate();
    const { client } = await serve(
      faults.stall(paced(reply('one two'), { chunkBytes: 4 }), 1, gate.promise),
    );
    const stream = await client.messages.create(ask);
    let text = '';
    for await (const event of stream) {
      if (event.type !== 'content_block_delta' || event.delta.type !== 'text_delta') continue;
      text += event.delta.text;
      gate.open();
    }
    expect(text).toBe('one two');
  });

  it('a slow start holds back even the headers until the gate opens', async () => {
    const gate = faults.gate();
    const { client } = await serve(faults.slowStart(reply('late'), gate.promise));
    let arrived = false;
    const pending = collect(client).then((got) => {
      arrived = true;
      return got;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(arrived).toBe(false);
    gate.open();
    expect((await pending).text).toBe('late');
  });

  it('the server can be closed while a reply is stalled', async () => {
    const { client, server } = await serve(faults.stall(reply('never'), 0));
    const stream = await client.messages.create(ask);
    open.splice(open.indexOf(server), 1);
    await server.close();
    const rest = (async () => {
      for await (const event of stream) void event;
    })();
    await expect(rest).rejects.toBeInstanceOf(TypeError);
  });

  it('the server can send malformed input and input cut off by max_tokens', async () => {
    const calls = reply(call('edit_file', { path: 'Lists/Shopping.md', edits: [] }));
    const { client, server } = await serve(faults.malformedInput(calls));
    const json = async () => {
      const { events } = await collect(client);
      const text = events
        .map((event) =>
          event.type === 'content_block_delta' && event.delta.type === 'input_json_delta'
            ? event.delta.partial_json
            : '',
        )
        .join('');
      const end = events.find((event) => event.type === 'message_delta');
      return { text, reason: end?.delta.stop_reason };
    };
    const malformed = await json();
    expect(() => JSON.parse(malformed.text) as unknown).toThrow(SyntaxError);
    expect(malformed.reason).toBe('tool_use');
    server.setRespond(() => faults.inputCut(calls));
    expect(await json()).toEqual({ text: '{"path":"Lis', reason: 'max_tokens' });
  });

  it('the server sends the details of a refusal', async () => {
    const { client } = await serve(faults.refused(reply('I cannot'), 'Not this.', 'cyber'));
    const { events } = await collect(client);
    expect(events.find((event) => event.type === 'message_delta')?.delta).toMatchObject({
      stop_reason: 'refusal',
      stop_details: { type: 'refusal', category: 'cyber', explanation: 'Not this.' },
    });
  });

  it('the server can answer without an event stream or with a wrong content type', async () => {
    const { client, server } = await serve(faults.notAStream());
    expect(await collect(client)).toMatchObject({ types: [], whole: false });
    server.setRespond(() => faults.wrongType(reply('right'), 'text/plain'));
    expect((await collect(client)).text).toBe('right');
    server.setRespond(() => faults.gatewayError());
    await expect(collect(client)).rejects.toMatchObject({ status: 502 });
  });

  it('the server can send pings between deltas', async () => {
    const { server } = await serve(paced(reply('one two three'), { chunkBytes: 4, pingEvery: 1 }));
    const body = await (
      await fetch(`${server.url}/v1/messages`, { method: 'POST', body: JSON.stringify(ask) })
    ).text();
    expect(body.match(/event: ping/g)).toHaveLength(5);
  });

  it('the server lists models in pages with lifecycle, limits and capabilities', async () => {
    const { client } = await serve(reply('unused'));
    const found = [];
    for await (const model of client.models.list({ limit: 3 })) found.push(model);
    expect(found.length).toBeGreaterThan(6);
    expect(found.find((model) => model.id === 'claude-sonnet-4-5')).toMatchObject({
      lifecycle: 'deprecated',
      retires_at: '2026-11-30T00:00:00Z',
    });
    expect(await client.models.retrieve('claude-opus-5-5')).toMatchObject({
      max_tokens: 128_000,
      capabilities: {
        thinking: { types: { adaptive: { supported: true }, disabled: { supported: false } } },
      },
    });
    await expect(client.models.retrieve('claude-none')).rejects.toMatchObject({ status: 404 });
  });

  it('the server allows requests from pages of other origins', async () => {
    const { server } = await serve(reply('Hi'));
    const preflight = await fetch(`${server.url}/v1/messages`, {
      method: 'OPTIONS',
      headers: {
        origin: 'http://localhost:5173',
        'access-control-request-method': 'POST',
        'access-control-request-headers': 'authorization, anthropic-version, content-type',
      },
    });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toContain('authorization');
    const answer = await fetch(`${server.url}/v1/messages`, {
      method: 'POST',
      body: JSON.stringify(ask),
    });
    expect(answer.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('the server answers an unknown path with 404 and records an error of its own', async () => {
    const { server } = await serve(reply('Hi'));
    for (const unknown of ['/', '//', '/v1/complete', '/v1/messages/batches', '/v1/models/']) {
      const answer = await fetch(`${server.url}${unknown}`);
      expect([unknown, answer.status]).toEqual([unknown, 404]);
    }
    expect(server.violations).toEqual([]);
    const failed = await fetch(`${server.url}/v1/models/%E0%A4%A`);
    expect([failed.status, await failed.json()]).toMatchObject([500, { type: 'error' }]);
    expect(server.violations).toEqual([expect.stringContaining('URI malformed')]);
  });

  it('the server survives a client that leaves during its upload', async () => {
    const { client, server } = await serve(reply('Hi'));
    const socket = connect(server.port, '127.0.0.1');
    socket.write('POST /v1/messages HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{"half"');
    await expect.poll(() => socket.bytesWritten).toBeGreaterThan(0);
    socket.destroy();
    expect((await collect(client)).text).toBe('Hi');
    expect(server.violations).toEqual([]);
  });

  it('the server rejects a port that is in use', async () => {
    const { server } = await serve(reply('Hi'));
    const second = startModelServer({ respond: () => reply('Hi'), port: server.port });
    await expect(second).rejects.toMatchObject({ code: 'EADDRINUSE' });
  });

  it('the server records violations and, with `refuse`, rejects such requests', async () => {
    const wrong = { ...ask, temperature: 1 } as MessageCreateParamsStreaming;
    const recorded = await serve(reply('Hi'));
    expect((await collect(recorded.client, wrong)).text).toBe('Hi');
    expect(recorded.server.violations).toEqual(['request 0: temperature no longer exists']);
    const refusing = await serve(reply('Hi'), { refuse: true });
    await expect(collect(refusing.client, wrong)).rejects.toMatchObject({ status: 400 });
  });

  it('the server records an error that the script throws as a violation', async () => {
    const { client, server } = await serve(() => {
      throw new Error('expected 1 to be 2');
    });
    await expect(collect(client)).rejects.toMatchObject({ status: 400 });
    expect(server.violations).toEqual(['request 0: respond threw: expected 1 to be 2']);
  });

  it('the server omits thinking text unless a summary is requested', async () => {
    const { client } = await serve(reply(thinking('Secret steps'), 'Hi'));
    const thought = async (params: MessageCreateParamsStreaming) =>
      (await collect(client, params)).events
        .map((event) =>
          event.type === 'content_block_delta' && event.delta.type === 'thinking_delta'
            ? event.delta.thinking
            : '',
        )
        .join('');
    expect(await thought(ask)).toBe('Secret steps');
    expect(await thought({ ...ask, thinking: { type: 'adaptive' } })).toBe('');
  });
});
