import { expect, test } from 'vitest';
import { DEFAULT_SETTINGS, type Settings } from '#model/settings';
import { SemanticIndexUpdates, type SemanticIndexUpdatesDeps } from '#app/app-search';

/** Embedding updates that continue until they are stopped. */
function bench() {
  const here = {
    settings: DEFAULT_SETTINGS,
    standsBy: false,
    forgot: 0,
    stopped: 0,
    change: async (changes: Partial<Settings>) => {
      here.settings = { ...here.settings, ...changes };
      updates.settingsChanged();
      await Promise.resolve();
    },
    update: () => updates.update(() => undefined, new AbortController().signal),
  };
  const meaning = {
    update: (signal: AbortSignal) =>
      new Promise((resolve) => {
        const stop = () => {
          here.stopped += 1;
          resolve({ ok: true });
        };
        signal.addEventListener('abort', stop);
        if (signal.aborted) stop();
      }),
    forget: async () => void (here.forgot += 1),
  };
  const updates = new SemanticIndexUpdates({
    search: {
      semanticSearch: () => meaning,
    } as unknown as SemanticIndexUpdatesDeps['search'],
    settings: () => here.settings,
    isFollower: () => here.standsBy,
  });
  return { here, updates };
}

test('an embedding update is stopped only by settings that concern it', async () => {
  const { here, updates } = bench();
  const updated = here.update();
  await here.change({ stepsPerTurn: 20 });
  expect(here.stopped).toBe(0);
  await here.change({ embeddingModel: 'another' });
  await updated;
  expect(here).toMatchObject({ stopped: 1, forgot: 0 });
  const again = here.update();
  await here.change({ excludedFolders: ['Diary'] });
  await again;
  expect(here).toMatchObject({ stopped: 2, forgot: 1 });
  const last = here.update();
  await Promise.resolve();
  updates.close();
  await last;
  expect(here.stopped).toBe(3);
});

test('two embedding updates stop together, and a finished one is not stopped again', async () => {
  const { here } = bench();
  const both = [here.update(), here.update()];
  await here.change({ excludedTag: 'secret' });
  await Promise.all(both);
  await here.change({ excludedTag: 'hidden' });
  expect(here).toMatchObject({ stopped: 2, forgot: 2 });
});

test('a follower neither embeds nor removes vectors', async () => {
  const { here } = bench();
  here.standsBy = true;
  expect(await here.update()).toMatchObject({ ok: false });
  await here.change({ excludedTag: 'secret' });
  expect(here.forgot).toBe(0);
});
