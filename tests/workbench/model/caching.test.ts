import { describe, expect, it } from 'vitest';
import { promptCache } from '#workbench/model/caching';
import type { ModelRequest, WireMessage } from '#workbench/model/wire';

const words = (tokens: number, seed = 'a') => seed.repeat(tokens * 4);
const user = (...texts: string[]): WireMessage => ({
  role: 'user',
  content: texts.map((text) => ({ type: 'text', text })),
});
const request = (change: { readonly [field: string]: unknown } = {}): ModelRequest => ({
  model: 'claude-sonnet-5-5',
  max_tokens: 100,
  cache_control: { type: 'ephemeral' },
  system: words(1_200),
  messages: [user('Hello')],
  ...change,
});

function cached(minute = { at: 0 }) {
  const cache = promptCache(() => minute.at * 60_000);
  return (body: ModelRequest) => {
    const { usage, commit } = cache.read(body);
    commit();
    return usage;
  };
}

describe('the fake prompt cache', () => {
  it('the cache writes a first request and reads it in the next, with an automatic cache mark', () => {
    const use = cached();
    const first = use(request());
    expect(first.cache_read_input_tokens).toBe(0);
    expect(first.cache_creation_input_tokens).toBeGreaterThan(1_200);
    expect(first.input_tokens).toBe(0);
    const next = use(request({ messages: [user('Hello'), user('More')] }));
    expect(next.cache_read_input_tokens).toBe(first.cache_creation_input_tokens);
    expect(next.cache_creation_input_tokens).toBeGreaterThan(0);
  });

  it('the cache ignores requests without a cache mark', () => {
    const use = cached();
    use(request({ cache_control: undefined }));
    const usage = use(request({ cache_control: undefined }));
    expect(usage).toMatchObject({ cache_read_input_tokens: 0, cache_creation_input_tokens: 0 });
    expect(usage.input_tokens).toBeGreaterThan(1_200);
  });

  it('the cache reads only up to an explicit cache mark', () => {
    const system = [{ type: 'text', text: words(1_200), cache_control: { type: 'ephemeral' } }];
    const use = cached();
    const first = use(request({ cache_control: undefined, system, messages: [user('One')] }));
    const next = use(request({ cache_control: undefined, system, messages: [user('Other')] }));
    expect(first.input_tokens).toBeGreaterThan(0);
    expect(next.cache_read_input_tokens).toBe(first.cache_creation_input_tokens);
    expect(next.cache_creation_input_tokens).toBe(0);
  });

  it("the cache ignores prompts below the model's minimum size", () => {
    const use = cached();
    const small = { system: words(900) };
    use(request(small));
    expect(use(request(small)).cache_read_input_tokens).toBe(0);
    const older = { model: 'claude-haiku-4-5' };
    use(request(older));
    expect(use(request(older)).cache_read_input_tokens).toBe(0);
    const enough = { model: 'claude-opus-5', system: words(600) };
    use(request(enough));
    expect(use(request(enough)).cache_read_input_tokens).toBeGreaterThan(600);
  });

  it('the cache misses after a change in the prefix or for another model', () => {
    const use = cached();
    use(request());
    expect(use(request({ system: `${words(1_199)}bbbb` })).cache_read_input_tokens).toBe(0);
    expect(use(request({ tools: [{ name: 'a' }] })).cache_read_input_tokens).toBe(0);
    expect(use(request({ model: 'claude-opus-5-5' })).cache_read_input_tokens).toBe(0);
    expect(use(request()).cache_read_input_tokens).toBeGreaterThan(0);
  });

  it('the cache looks back at most twenty blocks', () => {
    const many = (count: number) => [user(...Array.from({ length: count }, (_, at) => `${at}`))];
    const use = cached();
    use(request({ messages: many(1) }));
    expect(use(request({ messages: many(20) })).cache_read_input_tokens).toBeGreaterThan(0);
    const far = cached();
    far(request({ messages: many(1) }));
    expect(far(request({ messages: many(21) })).cache_read_input_tokens).toBe(0);
  });

  it('cache entries expire five minutes after their last read, or after an hour with a longer lifetime', () => {
    const minute = { at: 0 };
    const use = cached(minute);
    use(request());
    minute.at = 4;
    expect(use(request()).cache_read_input_tokens).toBeGreaterThan(0);
    minute.at = 8;
    expect(use(request()).cache_read_input_tokens).toBeGreaterThan(0);
    minute.at = 14;
    expect(use(request()).cache_read_input_tokens).toBe(0);
    const long = { cache_control: { type: 'ephemeral', ttl: '1h' }, system: words(2_000, 'b') };
    expect(use(request(long)).cache_creation_1h_input_tokens).toBeGreaterThan(2_000);
    minute.at = 70;
    expect(use(request(long)).cache_read_input_tokens).toBeGreaterThan(2_000);
  });

  it('the cache stores nothing for a request that was not answered', () => {
    const cache = promptCache(() => 0);
    cache.read(request());
    expect(cache.read(request()).usage.cache_read_input_tokens).toBe(0);
  });
});
