import { describe, expect, it } from 'vitest';
import { providerFor, servers } from './provider';
import { reply } from '#workbench/model/replies';

const serve = servers();

describe('The connection check', () => {
  it('the connection check returns the models of the endpoint', async () => {
    const { provider } = await serve(reply('Hello.'));
    const found = await provider.ask();
    expect('models' in found && found.models.length).toBeGreaterThan(0);
  });

  it('the connection check fails without a key and sends nothing', async () => {
    const { provider, server } = await serve(reply('Hello.'), { key: null });
    expect(await provider.ask()).toMatchObject({ failure: { kind: 'key' } });
    expect(server.requests).toEqual([]);
  });

  it('the connection check fails for a key that cannot be sent in a header', async () => {
    const found = await providerFor('http://127.0.0.1:9', { key: 'sk-one\nsk-two' }).ask();
    expect(found).toMatchObject({ failure: { kind: 'key' } });
    expect(JSON.stringify(found)).not.toContain('sk-');
  });

  it('the connection check reports an unreachable endpoint', async () => {
    const provider = providerFor('http://127.0.0.1:9');
    expect(await provider.ask()).toMatchObject({ failure: { kind: 'endpoint' } });
  });

  it("the connection check reports the endpoint's error without the key", async () => {
    const error = { type: 'authentication_error', message: 'sk-test-1 is unknown.' };
    const fetch: typeof globalThis.fetch = async () =>
      Response.json({ type: 'error', error }, { status: 401 });
    expect(await providerFor('http://localhost:1', { fetch }).ask()).toMatchObject({
      failure: { kind: 'key', detail: '••• is unknown.' },
    });
  });

  it('the connection check fails when the endpoint answers with a sign-in page', async () => {
    const fetch: typeof globalThis.fetch = async () =>
      new Response('<!doctype html><title>Sign in</title>', {
        headers: { 'content-type': 'text/html' },
      });
    expect(await providerFor('http://localhost:1', { fetch }).ask()).toMatchObject({
      failure: { kind: 'cut', detail: 'The response was not a list of models.' },
    });
  });

  it('the provider returns the built-in models when the endpoint is unreachable', async () => {
    const provider = providerFor('http://127.0.0.1:9');
    expect((await provider.models()).map(({ id }) => id)).toContain('claude-haiku-4-5-20251001');
  });
});
