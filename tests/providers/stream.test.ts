import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import type { HistoryMessage, ModelEvent } from '#ports/model-provider';
import { desktopFetch } from '#obsidian/platform/node-fetch';
import { NODE } from '#tests/builders/node-modules';
import {
  ask,
  collect,
  HELLO,
  noWindow,
  partsOf,
  providerFor,
  request,
  servers,
  until,
} from '#tests/providers/provider';
import {
  gate,
  malformedInput,
  noAnswer,
  paused,
  refused,
  slowStart,
  stall,
} from '#workbench/model/faults';
import {
  call,
  counting,
  emptyThinking,
  ending,
  paced,
  redacted,
  reply,
  thinking,
  webSearch,
} from '#workbench/model/replies';

const serve = servers();

const loud: unknown[] = [];
const hear = (reason: unknown) => void loud.push(reason);
process.on('unhandledRejection', hear);
afterEach(() => {
  expect(loud.splice(0)).toEqual([]);
});

function textOf(events: readonly ModelEvent[], type: 'text' | 'thinking' | 'call'): string {
  return events
    .map((event) => (event.type === 'delta' && event.delta.type === type ? event.delta.text : ''))
    .join('');
}

/** A provider whose server sends exactly these events. */
function says(events: readonly unknown[], options: { readonly key?: string } = {}) {
  const lines = events.map((event) => {
    const { type } = (event ?? { type: 'message_start' }) as { type: string };
    return `event: ${type}\ndata: ${JSON.stringify(event)}\n\n`;
  });
  const fetch: typeof globalThis.fetch = async () => new Response(lines.join(''));
  return { provider: providerFor('http://localhost:1', { fetch, ...options }) };
}

describe('Streams', () => {
  it('a stream yields text, thinking, and calls as deltas, and each part in full at its end', async () => {
    const input = { path: 'Grüße.md', note: 'a\n"b" 世界 👋' };
    const served = await serve(
      paced(reply(thinking('Let me see.'), 'Grüße, 世界 👋', call('read_file', input, 'toolu_1')), {
        chunkBytes: 3,
        wireBytes: 5,
      }),
    );
    const events = await ask(served);
    expect(textOf(events, 'thinking')).toBe('Let me see.');
    expect(textOf(events, 'text')).toBe('Grüße, 世界 👋');
    expect(JSON.parse(textOf(events, 'call'))).toEqual(input);
    expect(partsOf(events)).toMatchObject([
      { type: 'thinking', text: 'Let me see.' },
      { type: 'text', text: 'Grüße, 世界 👋' },
      { type: 'call', wireId: 'toolu_1', name: 'read_file', input },
    ]);
    expect(events.filter(({ type }) => type === 'delta').length).toBeGreaterThan(10);
    expect(events.at(-1)).toMatchObject({ type: 'end', stop: 'calls' });
    expect(served.server.violations).toEqual([]);
  });

  it('a stream that is cut off has already reported the usage of its prompt', async () => {
    const served = await serve(stall(counting(reply('Yes.'), { input_tokens: 500 }), 1));
    const stop = new AbortController();
    const events = await collect(served.provider.stream(request(), stop.signal), ({ type }) => {
      if (type === 'delta') stop.abort();
    });
    expect(events[0]).toMatchObject({ type: 'usage', usage: { input: 500 } });
    expect(events.at(-1)).toMatchObject({ type: 'delta' });
  });

  it('a stream yields the name of a call before its input, which may be empty', async () => {
    const served = await serve(reply(call('list_files', {})));
    const events = await ask(served);
    expect(events.find(({ type }) => type === 'delta')).toEqual({
      type: 'delta',
      index: 0,
      delta: { type: 'call', name: 'list_files', text: '' },
    });
    expect(partsOf(events)).toMatchObject([{ name: 'list_files', input: {} }]);
  });

  it('a call keeps the text of an input that is not a JSON object', async () => {
    const served = await serve(
      malformedInput(reply(call('edit_file', { path: 'A.md' })), '{"a": ['),
    );
    expect(partsOf(await ask(served))).toMatchObject([{ input: {}, malformed: '{"a": [' }]);
    served.server.setRespond(() => malformedInput(reply(call('edit_file', {})), '["no object"]'));
    expect(partsOf(await ask(served))).toMatchObject([{ input: {}, malformed: '["no object"]' }]);
  });

  it('a call keeps the text of an input that is nested too deeply', async () => {
    const nested = (levels: number) => `${'{"a":'.repeat(levels)}1${'}'.repeat(levels)}`;
    const served = await serve(malformedInput(reply(call('edit_file', {})), nested(100)));
    expect(partsOf(await ask(served))).toMatchObject([
      { input: JSON.parse(nested(100)) as object },
    ]);
    served.server.setRespond(() => malformedInput(reply(call('edit_file', {})), nested(101)));
    expect(partsOf(await ask(served))).toMatchObject([{ input: {}, malformed: nested(101) }]);
  });

  it('a stream reports the usage that the server sent last', async () => {
    const served = await serve(
      counting(reply('Yes.'), {
        input_tokens: 3,
        output_tokens: 42,
        cache_read_input_tokens: 1_000,
        cache_creation_input_tokens: 200,
      }),
    );
    expect((await ask(served)).at(-1)).toMatchObject({
      usage: { input: 3, output: 42, cacheRead: 1_000, cacheWrite: 200 },
    });
  });

  it("a refusal includes the server's explanation", async () => {
    const served = await serve(refused(reply('I cannot.'), 'It is about biology.'));
    expect((await ask(served)).at(-1)).toMatchObject({
      stop: 'refused',
      detail: 'It is about biology.',
    });
  });

  it('an unknown stop reason counts as the end of the answer', async () => {
    const served = await serve(ending(reply('Well.'), 'moon_rise' as never));
    expect((await ask(served)).at(-1)).toMatchObject({ stop: 'end' });
  });
});

describe('History in requests', () => {
  it("a request sends the model's own parts back unchanged and in order", async () => {
    const first = reply(
      thinking('Hm, 世界.'),
      emptyThinking(),
      redacted(),
      '\n\n',
      'I look.',
      call('read_file', { path: 'A.md', n: 1.5, list: [null, true] }, 'toolu_1'),
    );
    const served = await serve(first);
    const parts = partsOf(await ask(served));
    // The conversation file stores them as JSON.
    const kept = JSON.parse(JSON.stringify(parts)) as typeof parts;
    const history: HistoryMessage[] = [
      ...HELLO,
      { role: 'model', parts: kept },
      {
        role: 'results',
        results: [{ wireId: 'toolu_1', result: { text: 'Milk', failed: false }, notes: ['News.'] }],
      },
    ];
    served.server.setRespond(() => reply('Done.'));
    await ask(served, { history });
    // The fake API compares the parts with what it sent; the other assertions check the rest.
    expect(served.server.violations).toEqual([]);
    const [, sent, results] = served.server.requests[1]?.body.messages ?? [];
    expect(sent?.content).toHaveLength(5);
    expect(sent?.content[0]).toEqual(first.blocks[0]);
    expect(results?.content).toEqual([
      {
        type: 'tool_result',
        tool_use_id: 'toolu_1',
        content: [
          { type: 'text', text: 'Milk' },
          { type: 'text', text: 'News.' },
        ],
      },
    ]);
  });

  it("a request sends the server's own tool calls back in full after a paused turn", async () => {
    const hits = [{ url: 'https://tea.test', title: 'Tea' }];
    const served = await serve(paused(reply(...webSearch('tea', hits), 'So far.')));
    const parts = partsOf(await ask(served));
    served.server.setRespond(() => reply('And on.'));
    await ask(served, { history: [...HELLO, { role: 'model', parts }] });
    expect(served.server.violations).toEqual([]);
    expect(served.server.requests[1]?.body.messages[1]?.content[0]).toMatchObject({
      type: 'server_tool_use',
      input: { query: 'tea' },
    });
  });

  it('a request replaces texts that the API would refuse', async () => {
    const served = await serve(reply('Yes.'));
    const half = 'half a \ud83d character';
    await ask(served, {
      prompt: { system: `System ${half}`, tools: [] },
      history: [
        { role: 'user', texts: ['One', half] },
        {
          role: 'model',
          parts: [
            { type: 'text', text: ' \n' },
            { type: 'call', wireId: 'toolu_1', name: 'read_file', input: { a: [{ b: half }] } },
          ],
        },
        {
          role: 'results',
          results: [{ wireId: 'toolu_1', result: { text: ' ', failed: true }, notes: [half] }],
        },
      ],
    });
    expect(served.server.violations).toEqual([]);
    const sent = JSON.stringify(served.server.requests[0]?.body);
    expect(sent).toContain('half a \ufffd character');
    expect(sent).toContain('"is_error":true');
  });
});

describe('Stopping a stream', () => {
  it('a stream whose signal is already aborted sends nothing and yields nothing', async () => {
    const served = await serve(reply('Yes.'));
    expect(await ask(served, {}, AbortSignal.abort())).toEqual([]);
    expect(served.server.requests).toEqual([]);
    expect(served.clock.pending).toBe(0);
  });

  it('a stream that is stopped before the headers ends without an event', async () => {
    const asked = gate();
    const stop = new AbortController();
    const served = await serve(() => {
      asked.open();
      return slowStart(reply('Yes.'), new Promise(() => {}));
    });
    const events = ask(served, {}, stop.signal);
    await asked.promise;
    stop.abort();
    expect(await events).toEqual([]);
    expect(served.clock.pending).toBe(0);
    await until(() => served.server.requests[0]?.outcome !== undefined);
    expect(served.server.requests[0]?.outcome).toBe('aborted');
  });

  it('a stream that is stopped within the body ends without another event and closes its connection', async () => {
    const stop = new AbortController();
    const served = await serve(stall(paced(reply('One two three four'), { chunkBytes: 4 }), 2));
    let after = 0;
    const events = await collect(served.provider.stream(request(), stop.signal), () => {
      if (stop.signal.aborted) after += 1;
      else if ((after -= 1) === -2) {
        after = 0;
        stop.abort();
      }
    });
    expect(events).toHaveLength(2);
    expect(after).toBe(0);
    await until(() => served.server.requests[0]?.outcome !== undefined);
    expect(served.clock.pending).toBe(0);
  });

  it('a stopped stream yields no more events even if the whole reply has arrived', async () => {
    const served = await serve(reply('One', call('read_file', {}), call('list_files', {})));
    for (let at = 1; at < 8; at += 1) {
      const stop = new AbortController();
      let seen = 0;
      const events = await collect(served.provider.stream(request(), stop.signal), () => {
        seen += 1;
        if (seen === at) stop.abort();
      });
      expect(events).toHaveLength(at);
    }
  });

  it('a stream closes its connection when its consumer stops iterating', async () => {
    const served = await serve(stall(reply('One two three four'), 1));
    for await (const event of served.provider.stream(request(), new AbortController().signal)) {
      if (event.type === 'delta') break;
    }
    await until(() => served.server.requests[0]?.outcome !== undefined);
    expect(served.clock.pending).toBe(0);
  });
});

describe('Unreachable endpoints', () => {
  it('an unreachable custom endpoint is reported as an endpoint failure', async () => {
    const provider = providerFor('http://127.0.0.1:1');
    expect(await ask({ provider })).toMatchObject([
      { failure: { kind: 'endpoint', sentence: 'No answer from 127.0.0.1:1.' } },
    ]);
  });

  it('an unreachable Anthropic endpoint is a network failure only while this computer is offline', async () => {
    const { fetch: node } = desktopFetch(NODE, noWindow);
    const unreachable: typeof fetch = (input, init) =>
      node(String(input).replace('https://api.anthropic.com', 'http://127.0.0.1:1'), init);
    const endpoint = 'https://api.anthropic.com';
    const offline = providerFor(endpoint, { fetch: unreachable, isOffline: true });
    expect(await ask({ provider: offline })).toMatchObject([{ failure: { kind: 'network' } }]);
    const online = providerFor(endpoint, { fetch: unreachable });
    expect(await ask({ provider: online })).toMatchObject([
      { failure: { kind: 'endpoint', sentence: 'Anthropic could not be reached.' } },
    ]);
    const alike = providerFor('https://api.anthropic.com.example.test', {
      fetch: () => unreachable('http://127.0.0.1:1'),
    });
    expect(await ask({ provider: alike })).toMatchObject([{ failure: { kind: 'endpoint' } }]);
  });

  it("the failure names the cause when the browser's fetch wraps it", async () => {
    const fetch: typeof globalThis.fetch = async () => {
      throw new TypeError('fetch failed', { cause: new Error('The certificate has expired.') });
    };
    const provider = providerFor('http://localhost:1', { fetch });
    expect(await ask({ provider })).toMatchObject([
      { failure: { kind: 'endpoint', detail: 'The certificate has expired.' } },
    ]);
  });

  it('the failure names the cause when the server hangs up before it answers', async () => {
    const served = await serve(noAnswer());
    const [event] = await ask(served);
    expect(event).toMatchObject({ failure: { kind: 'endpoint', detail: 'socket hang up' } });
  });
});

describe('Streams of compatible servers', () => {
  const nested = (levels: number): object => (levels === 0 ? {} : { a: nested(levels - 1) });
  it('a compatible server may omit token counts', async () => {
    const events = await ask(
      says([
        { type: 'message_start', message: { id: 'one' } },
        { type: 'content_block_start', index: 0, content_block: { type: 'text', text: 'Milk.' } },
        { type: 'content_block_stop', index: 0 },
        { type: 'message_delta', delta: { stop_reason: 'end_turn' } },
        { type: 'message_stop' },
      ]),
    );
    expect(partsOf(events)).toEqual([{ type: 'text', text: 'Milk.' }]);
    expect(events.at(-1)).toMatchObject({ type: 'end', stop: 'end', usage: { input: 0 } });
  });

  it.each([
    ['an empty event', null],
    ['a message event without its message', { type: 'message_start' }],
    ['an event that is nested too deeply', { type: 'ping', more: nested(200) }],
    ['a block event without its block', { type: 'content_block_start', index: 0 }],
    ['a message delta without its delta', { type: 'message_delta', delta: null }],
  ])('a stream with %s is reported as cut off', async (_words, event) => {
    expect(await ask(says([event]))).toMatchObject([{ failure: { kind: 'cut' } }]);
  });
});

describe('Keys in answers', () => {
  it('a key that the server repeats is redacted, even if it is split over chunks', async () => {
    const key = 'sk-ant-0123456789';
    const input = { [key]: [`x ${key}`] };
    const whole = reply(
      thinking(`My ${key}.`),
      `Your ${key}!`,
      call('read_file', input, 'toolu_1'),
    );
    for (const chunkBytes of [1, 4, 11, 1_000]) {
      const events = await ask(await serve(paced(whole, { chunkBytes }), { key }));
      expect(JSON.stringify(events)).not.toContain(key);
      expect(textOf(events, 'thinking')).toBe('My •••.');
      expect(textOf(events, 'text')).toBe('Your •••!');
      expect(JSON.parse(textOf(events, 'call'))).toEqual({ '•••': ['x •••'] });
      expect(partsOf(events)).toMatchObject([
        { type: 'thinking', text: 'My •••.', raw: { thinking: 'My •••.' } },
        { type: 'text', text: 'Your •••!' },
        { type: 'call', input: { '•••': ['x •••'] } },
      ]);
    }
  });

  it('a key that the server spells in escapes is redacted in the input of a call', async () => {
    const key = 'sk-ant-0123456789';
    const escaped = [...key].map((each) => `\\u00${each.charCodeAt(0).toString(16)}`).join('');
    const delta = { type: 'input_json_delta', partial_json: `{"path":"${escaped}"}` };
    const content_block = { type: 'tool_use', id: 'toolu_1', name: 'read_file', input: {} };
    const events = await ask(
      says(
        [
          { type: 'message_start', message: { usage: {} } },
          { type: 'content_block_start', index: 0, content_block },
          { type: 'content_block_delta', index: 0, delta },
          { type: 'content_block_stop', index: 0 },
          { type: 'message_stop' },
        ],
        { key },
      ),
    );
    expect(partsOf(events)).toMatchObject([{ type: 'call', input: { path: '•••' } }]);
  });
});

describe('Invalid keys', () => {
  it.each(['sk-ant-…x9', 'sk-one\nsk-two', 'ключ'])(
    'a key that cannot be sent in a header is reported as invalid: %s',
    async (key) => {
      const provider = providerFor('https://api.anthropic.com', { key });
      const events = await ask({ provider });
      expect(events).toMatchObject([{ failure: { kind: 'key' } }]);
      expect(JSON.stringify(events)).not.toContain(key);
    },
  );
});

describe('Gateways', () => {
  it('the provider reads the retry time of a gateway in milliseconds', async () => {
    const server = createServer((req, res) => {
      req.resume();
      res.writeHead(429, { 'retry-after-ms': '250', 'retry-after': '1' });
      res.end('{}');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const events = await ask({ provider: providerFor(`http://127.0.0.1:${port}`) });
    expect(events).toMatchObject([{ failure: { kind: 'rate-limit' }, retryAfter: 250 }]);
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
});
