import { expect, test } from 'vitest';
import { providerFor, servers } from './provider';

const serve = servers();

test('A check names the models that the endpoint has', async () => {
  const { provider } = await serve({ text: 'Hello.' } as never);
  const found = await provider.ask();
  expect('models' in found && found.models.length).toBeGreaterThan(0);
});

test('A check without a key says so, and asks nobody', async () => {
  const provider = providerFor('http://127.0.0.1:9', { key: null });
  expect(await provider.ask()).toMatchObject({ failure: { kind: 'key' } });
});

test('A check of an endpoint where nobody answers says that', async () => {
  const provider = providerFor('http://127.0.0.1:9');
  expect(await provider.ask()).toMatchObject({ failure: { kind: 'endpoint' } });
});

test('The list of models is the built-in one wherever the endpoint can’t be asked', async () => {
  const provider = providerFor('http://127.0.0.1:9');
  expect((await provider.models()).map(({ id }) => id)).toContain('claude-haiku-4-5-20251001');
});
