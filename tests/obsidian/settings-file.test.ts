/** The settings file, as another device's saving of it comes by sync. */
import { expect, test } from 'vitest';
import { SettingsFile } from '#obsidian/settings/settings-file';

/** A plugin whose data file is this text; null where there is none. */
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

test('What another device has set is in force, and stays so when something else is set here', async () => {
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

test('A file that is gone or half written changes nothing', async () => {
  const { here, loading } = bench(null);
  const file = await loading;
  await file.change((now) => ({ ...now, stepsPerTurn: 9 }));
  for (const text of [null, '{"settings": {"stepsPer']) {
    here.text = text;
    await file.reload();
    expect(file.current().stepsPerTurn).toBe(9);
  }
});
