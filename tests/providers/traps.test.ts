import { describe, expect, it } from 'vitest';
import type { FailureKind } from '#model/failure';
import type { StopReason } from '#model/message';
import { ask, collect, partsOf, providerFor, request, servers } from '#tests/providers/provider';
import { errorEvent, gate, rateLimited, slowStart, statusError } from '#workbench/model/faults';
import { call, ending, paced, reply } from '#workbench/model/replies';
import { NAMED_FAULTS } from '#workbench/model/traps';

const serve = servers();
const WITH_CALL = reply('I look into it.', call('read_file', { path: 'Lists/Shopping.md' }));

const FAILURES: Record<string, FailureKind> = {
  'status-400': 'invalid-request',
  'status-401': 'key',
  'status-402': 'billing',
  'status-403': 'permission',
  'status-404': 'unknown-model',
  'status-408': 'server',
  'status-409': 'server',
  'status-413': 'too-long',
  'status-422': 'invalid-request',
  'status-429': 'rate-limit',
  'status-500': 'server',
  'status-503': 'server',
  'status-504': 'server',
  'status-529': 'overloaded',
  'rate-limited': 'rate-limit',
  'rate-limited-long': 'rate-limit',
  cors: 'permission',
  'prompt-too-long': 'too-long',
  gateway: 'server',
  'no-answer': 'endpoint',
  cut: 'cut',
  'early-end': 'cut',
  'error-event': 'overloaded',
  stall: 'cut',
  'not-a-stream': 'cut',
};

const STOPS: Record<string, StopReason> = {
  'wrong-type': 'calls',
  'malformed-input': 'calls',
  'deep-input': 'calls',
  'input-cut': 'length',
  refusal: 'refused',
  'window-exceeded': 'window',
  pause: 'calls',
  pings: 'calls',
};

const trap = (name: string) => {
  const found = NAMED_FAULTS.find((each) => each.name === name);
  if (!found) throw new Error(`There is no trap ${name}.`);
  return found;
};

describe('Faults of the API', () => {
  it('every fault has an expected failure or stop reason', () => {
    expect(NAMED_FAULTS.map(({ name }) => name).sort()).toEqual(
      [...Object.keys(FAILURES), ...Object.keys(STOPS)].sort(),
    );
  });

  it.each(Object.entries(FAILURES))(
    'the fault %s is reported as the failure %s',
    async (name, kind) => {
      const served = await serve(trap(name).lay(WITH_CALL));
      let deltas = 0;
      const events = await collect(
        served.provider.stream(request(), new AbortController().signal),
        ({ type }) => {
          if (type === 'delta') deltas += 1;
          if (name === 'stall' && deltas === 2) void served.clock.advance(60_000);
        },
      );
      expect(events.filter(({ type }) => type === 'end' || type === 'failure')).toMatchObject([
        { type: 'failure', failure: { kind } },
      ]);
      expect(events.at(-1)?.type).toBe('failure');
      // Unfinished calls are not yielded.
      expect(partsOf(events).filter(({ type }) => type === 'call')).toEqual([]);
      expect(served.clock.pending).toBe(0);
      expect(served.server.violations).toEqual([]);
    },
  );

  it.each(Object.entries(STOPS))(
    'the fault %s is reported with the stop reason %s',
    async (name, stop) => {
      const served = await serve(trap(name).lay(WITH_CALL));
      const events = await ask(served);
      expect(events.at(-1)).toMatchObject({ type: 'end', stop });
      expect(served.clock.pending).toBe(0);
      expect(served.server.violations).toEqual([]);
    },
  );
});

describe('Stop reasons', () => {
  it.each([
    ['end_turn', 'end'],
    ['stop_sequence', 'end'],
    ['max_tokens', 'length'],
    ['tool_use', 'calls'],
    ['pause_turn', 'paused'],
    ['refusal', 'refused'],
    ['model_context_window_exceeded', 'window'],
  ] as const)('the stop reason %s of the API is reported as %s', async (reason, stop) => {
    const served = await serve(ending(WITH_CALL, reason));
    expect((await ask(served)).at(-1)).toMatchObject({ type: 'end', stop });
  });
});

describe('Failures', () => {
  it.each([
    ['seconds', '4', 4_000],
    ['a fraction of a second', '0.5', 500],
    ['an hour', '3600', 3_600_000],
    ['a time beyond any date', '99999999999999', 30 * 24 * 3_600_000],
    ['a time in the past', '-5', 0],
    ['neither a number nor a date', 'soon', undefined],
    ['nothing', '', undefined],
  ])('the provider reads a retry-after header with %s', async (_words, value, expected) => {
    const served = await serve(rateLimited(value));
    const [event] = await ask(served);
    expect(event?.type === 'failure' && event.retryAfter).toBe(expected);
  });

  it('the provider reads a retry-after header with a date', async () => {
    const served = await serve(statusError(503));
    const date = new Date(served.clock.now() + 90_000).toUTCString();
    served.server.setRespond(() => rateLimited(date));
    expect(await ask(served)).toMatchObject([{ retryAfter: 90_000 }]);
    served.server.setRespond(() => rateLimited(new Date(0).toUTCString()));
    expect(await ask(served)).toMatchObject([{ retryAfter: 0 }]);
  });

  it("a failure keeps the server's message as its detail", async () => {
    const served = await serve(statusError(400, { message: 'messages.3: is odd' }));
    expect(await ask(served)).toMatchObject([{ failure: { detail: 'messages.3: is odd' } }]);
  });

  it.each([
    ['an error that is a string', '{"error":"no such model"}', '404 {"error":"no such model"}'],
    ['HTML', '<html>Not here</html>', '404 <html>Not here</html>'],
    ['no body', '', '404 status code (no body)'],
  ])(
    "a failure keeps the response of a server that is not Anthropic's: %s",
    async (_words, body, detail) => {
      const fetch: typeof globalThis.fetch = async () => new Response(body, { status: 404 });
      const provider = providerFor('http://localhost:1', { fetch });
      expect(await ask({ provider })).toMatchObject([
        { failure: { kind: 'unknown-model', detail } },
      ]);
    },
  );

  it('a failure never contains the key, even if the server repeats it', async () => {
    const message = 'Invalid key sk-test-1: sk-test-1 is unknown.';
    const served = await serve(statusError(401, { message }));
    const [event] = await ask(served);
    expect(JSON.stringify(event)).not.toContain('sk-test-1');
    expect(event).toMatchObject({ failure: { kind: 'key' } });
  });

  it.each([
    [400, 'Your credit balance is too low to access the API.', 'billing'],
    [429, 'Your credit balance is too low.', 'billing'],
    [400, 'You have reached your specified API usage limits.', 'billing'],
    [400, 'input length and max_tokens exceed context window', 'too-long'],
    [502, 'odd', 'server'],
    [418, 'odd', 'server'],
  ] as const)('status %i with “%s” is reported as %s', async (status, message, kind) => {
    const served = await serve(statusError(status, { message }));
    expect(await ask(served)).toMatchObject([{ failure: { kind } }]);
  });

  it.each([
    ['rate_limit_error', 'rate-limit'],
    ['authentication_error', 'key'],
    ['invalid_request_error', 'invalid-request'],
    ['api_error', 'server'],
    ['moon_error', 'cut'],
  ] as const)('the error event %s is reported as %s', async (type, kind) => {
    const served = await serve(errorEvent(WITH_CALL, 1, type));
    expect((await ask(served)).at(-1)).toMatchObject({ failure: { kind } });
  });
});

describe('JSON instead of a stream', () => {
  const answered = (body: unknown) => {
    const headers = { 'content-type': 'application/json; charset=utf-8' };
    const fetch: typeof globalThis.fetch = async () => Response.json(body, { headers });
    return ask({ provider: providerFor('http://localhost:1', { fetch }) });
  };

  it.each([
    ['authentication_error', 'key'],
    ['overloaded_error', 'overloaded'],
    ['moon_error', 'cut'],
  ] as const)(
    'a JSON error with status 200 is reported by its type: %s as %s',
    async (type, kind) => {
      const body = { type: 'error', error: { type, message: 'Not today.' } };
      expect(await answered(body)).toMatchObject([{ failure: { kind, detail: 'Not today.' } }]);
    },
  );

  it('a failure does not contain JSON that is not an error', async () => {
    const told = await answered({ type: 'message', content: [{ type: 'text', text: 'secret' }] });
    expect(told).toMatchObject([
      { failure: { kind: 'cut', detail: 'The response was not a stream.' } },
    ]);
  });
});

describe('The stall timeout', () => {
  it('the stall timeout allows for a server that is slow to start', async () => {
    const start = gate();
    const served = await serve(slowStart(WITH_CALL, start.promise));
    const events = ask(served);
    await served.clock.advance(59_000);
    start.open();
    expect((await events).at(-1)).toMatchObject({ type: 'end' });
  });

  it('the stall timeout aborts a request that gets no headers', async () => {
    const asked = gate();
    const never = new Promise(() => {});
    const served = await serve(() => {
      asked.open();
      return slowStart(WITH_CALL, never);
    });
    const events = ask(served);
    await asked.promise;
    await served.clock.advance(60_000);
    expect(await events).toMatchObject([
      { type: 'failure', failure: { kind: 'cut', detail: 'No data for 60 s.' } },
    ]);
  });

  it('the stall timeout does not abort a stream that sends data, even if it is only pings', async () => {
    const slow = paced(WITH_CALL, { delayMs: 1, pingEvery: 1, chunkBytes: 2 });
    let move: (milliseconds: number) => Promise<void> = async () => {};
    const served = await serve(slow, { server: { wait: () => move(50_000) } });
    // The server waits 50 s before each chunk, after the client has received the previous one.
    move = async (milliseconds) => {
      for (let turns = 0; turns < 20; turns += 1) await served.clock.pause();
      await served.clock.advance(milliseconds);
    };
    const began = served.clock.now();
    expect((await ask(served)).at(-1)).toMatchObject({ type: 'end', stop: 'calls' });
    expect(served.clock.now() - began).toBeGreaterThan(300_000);
  });
});
