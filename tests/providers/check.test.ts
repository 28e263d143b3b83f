import { describe, expect, it } from 'vitest';
import { providerFor, servers } from './provider';
import { reply } from '#workbench/model/replies';

const serve = servers();

describe('the check of an endpoint', () => {
  it('the check names the models of the endpoint', async () => {
    const { provider } = await serve(reply('Hello.'));
    const found = await provider.ask();
    expect('models' in found && found.models.length).toBeGreaterThan(0);
  });

  it('the check fails without a key and sends nothing', async () => {
    const { provider, server } = await serve(reply('Hello.'), { key: null });
    expect(await provider.ask()).toMatchObject({ failure: { kind: 'key' } });
    expect(server.requests).toEqual([]);
  });

  it('the check fails for a key that no header can carry', async () => {
    const found = await providerFor('http://127.0.0.1:9', { key: 'sk-one\nsk-two' }).ask();
    expect(found).toMatchObject({ failure: { kind: 'key' } });
    expect(JSON.stringify(found)).not.toContain('sk-');
  });

  it('the check says that an endpoint is not reachable', async () => {
    const provider = providerFor('http://127.0.0.1:9');
    expect(await provider.ask()).toMatchObject({ failure: { kind: 'endpoint' } });
  });

  it('the check explains the status of the endpoint without the key', async () => {
    const error = { type: 'authentication_error', message: 'sk-test-1 is unknown.' };
    const fetch: typeof globalThis.fetch = async () =>
      Response.json({ type: 'error', error }, { status: 401 });
    expect(await providerFor('http://localhost:1', { fetch }).ask()).toMatchObject({
      failure: { kind: 'key', detail: '(key) is unknown.' },
    });
  });

  it('the check fails when the endpoint answers with a sign-in page', async () => {
    const fetch: typeof globalThis.fetch = async () =>
      new Response('<!doctype html><title>Sign in</title>', {
        headers: { 'content-type': 'text/html' },
      });
    expect(await providerFor('http://localhost:1', { fetch }).ask()).toMatchObject({
      failure: { kind: 'cut', detail: 'The response was not a list of models.' },
    });
  });

  it('the models are the built-in ones when the endpoint is not reachable', async () => {
    const provider = providerFor('http://127.0.0.1:9');
    expect((await provider.models()).map(({ id }) => id)).toContain('claude-haiku-4-5-20251001');
  });
});
