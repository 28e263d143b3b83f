/** How the settings file copes with changes by other devices, which arrive by sync. */
import { expect, test } from 'vitest';
import { testClock } from '#tests/builders/fake-clock';
import { SettingsFile, type SettingsFileDeps } from '#obsidian/settings/settings-file';

/** Loads a data file with this text; null for a missing file. */
function bench(text: string | null, lock = false) {
  const clock = testClock();
  const here = {
    text,
    changes: 0,
    lock,
    stored: {} as Record<string, unknown>,
  };
  const files = {
    exists: async () => here.lock,
    read: async () => Promise.reject(new Error('EBUSY')),
    remove: async () => undefined,
    rename: async () => undefined,
  };
  const plugin = {
    app: {
      vault: { adapter: files },
      loadLocalStorage: (key: string) => here.stored[key] ?? null,
      saveLocalStorage: (key: string, value: unknown) => (here.stored[key] = value),
    },
    manifest: { dir: 'parley' },
    loadData: async () =>
      here.lock || here.text === null ? null : (JSON.parse(here.text) as unknown),
    saveData: async (data: unknown) => void (here.text = JSON.stringify(data)),
  };
  const file = new SettingsFile({
    plugin: plugin as unknown as SettingsFileDeps['plugin'],
    clock,
    changed: () => (here.changes += 1),
  });
  return { here, file, clock };
}

test('settings from another device apply and survive the next change of another setting', async () => {
  const { here, file } = bench(null);
  await file.ready();
  await file.change((now) => ({ ...now, stepsPerTurn: 9 }));
  here.text = here.text!.replace('"stepsPerTurn":9', '"stepsPerTurn":7');
  await Promise.all([file.reload(), file.change((now) => ({ ...now, conversationsKept: 7 }))]);
  expect(file.current()).toMatchObject({ stepsPerTurn: 7, conversationsKept: 7 });
  expect(JSON.parse(here.text)).toMatchObject({
    settings: { stepsPerTurn: 7, conversationsKept: 7 },
  });
  expect(here.changes).toBe(3);
});

test('reloading a missing or incomplete settings file changes nothing', async () => {
  const { here, file } = bench(null);
  await file.ready();
  await file.change((now) => ({ ...now, stepsPerTurn: 9 }));
  for (const text of [null, '{"settings": {"stepsPer']) {
    here.text = text;
    await file.reload();
    expect(file.current().stepsPerTurn).toBe(9);
  }
});

test('the newest Haiku of the endpoint is the model until the user chooses one', async () => {
  const { here, file } = bench(null);
  await file.ready();
  expect(file.current().model).toBe('claude-haiku-4-5-20251001');
  file.setDefaultModel('claude-haiku-5-5');
  expect(file.current().model).toBe('claude-haiku-5-5');
  expect(here.changes).toBe(1);
  await file.change((now) => ({ ...now, stepsPerTurn: 9 }));
  expect(JSON.parse(here.text!)).toMatchObject({ settings: { stepsPerTurn: 9 } });
  expect(here.text).not.toContain('model');
  await file.change((now) => ({ ...now, model: 'claude-haiku-4-5-20251001' }));
  expect(file.current().model).toBe('claude-haiku-4-5-20251001');
  await file.reload();
  expect(file.current().model).toBe('claude-haiku-4-5-20251001');
});

test('the newest Haiku of one endpoint is not used for another, and is remembered on this device', async () => {
  const { here, file } = bench(null);
  await file.ready();
  file.setDefaultModel('claude-haiku-5-5');
  await file.change((now) => ({ ...now, endpoint: 'https://proxy.example' }));
  expect(file.current().model).toBe('claude-haiku-4-5-20251001');
  await file.change((now) => ({ ...now, endpoint: 'https://api.anthropic.com' }));
  expect(file.current().model).toBe('claude-haiku-5-5');
  expect(here.stored['parley-default-model']).toEqual({
    endpoint: 'https://api.anthropic.com',
    model: 'claude-haiku-5-5',
  });
});

test('a settings file that is locked is neither replaced nor taken as empty', async () => {
  const saved = '{"version":1,"settings":{"excludedFolders":["Diary"]}}';
  const { here, file, clock } = bench(saved, true);
  const refused = expect(file.ready()).rejects.toThrow(/cannot be read right now.*EBUSY/s);
  await clock.advance(20_000);
  await refused;
  await expect(file.change((now) => ({ ...now, stepsPerTurn: 9 }))).rejects.toThrow(/right now/);
  expect(here.text).toBe(saved);
  expect(file.problems).toEqual([]);
  here.lock = false;
  await file.ready();
  expect(file.current().excludedFolders).toEqual(['Diary']);
});
