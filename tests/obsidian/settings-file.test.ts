/** How the settings file copes with changes by other devices, which arrive by sync. */
import { expect, test } from 'vitest';
import { SettingsFile } from '#obsidian/settings/settings-file';

/** Loads a data file with this text; null for a missing file. */
function bench(text: string | null) {
  const here = { text, problems: [] as string[], changes: 0 };
  const files = {
    exists: async () => false,
    remove: async () => undefined,
    rename: async () => undefined,
  };
  const plugin = {
    app: { vault: { adapter: files } },
    manifest: { dir: 'parley' },
    loadData: async () => (here.text === null ? null : (JSON.parse(here.text) as unknown)),
    saveData: async (data: unknown) => void (here.text = JSON.stringify(data)),
  };
  const loading = SettingsFile.load({
    plugin: plugin as unknown as Parameters<typeof SettingsFile.load>[0]['plugin'],
    changed: () => (here.changes += 1),
    report: (problem) => void here.problems.push(problem),
  });
  return { here, loading };
}

test('settings from another device apply and survive the next change of another setting', async () => {
  const { here, loading } = bench(null);
  const file = await loading;
  await file.change((now) => ({ ...now, stepsPerTurn: 9 }));
  here.text = here.text!.replace('"stepsPerTurn":9', '"stepsPerTurn":12');
  await Promise.all([file.reload(), file.change((now) => ({ ...now, conversationsKept: 7 }))]);
  expect(file.current()).toMatchObject({ stepsPerTurn: 12, conversationsKept: 7 });
  expect(JSON.parse(here.text)).toMatchObject({
    settings: { stepsPerTurn: 12, conversationsKept: 7 },
  });
  expect(here.changes).toBe(3);
});

test('reloading a missing or incomplete settings file changes nothing', async () => {
  const { here, loading } = bench(null);
  const file = await loading;
  await file.change((now) => ({ ...now, stepsPerTurn: 9 }));
  for (const text of [null, '{"settings": {"stepsPer']) {
    here.text = text;
    await file.reload();
    expect(file.current().stepsPerTurn).toBe(9);
  }
});
