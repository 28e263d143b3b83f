import type { Setting, SettingDefinition, SettingDefinitionItem } from 'obsidian';
import { expect, test } from 'vitest';
import { DEFAULT_SETTINGS, type Settings } from '#model/settings';
import { ParleySettingsTab } from '#obsidian/settings/settings-tab';
import { scriptedAgent } from '#workbench/gallery/scripted-agent';

function tabFor(settings: Partial<Settings> = {}) {
  const agent = scriptedAgent([], { settings });
  const said: string[] = [];
  const seen: string[] = [];
  const ui = {
    notice: (text: string) => void said.push(text),
    setSeen: (name: string) => void seen.push(name),
  };
  const tab = new ParleySettingsTab({} as never, {} as never, agent, ui, () => undefined);
  tab.update = () => undefined;
  const rows = () => rowsIn(tab.getSettingDefinitions());
  const controls = () => rows().flatMap(({ control }) => control ?? []);
  /** Renders the first row, and waits for the update with what it loaded. */
  const drawn = async () => {
    const updated = new Promise<void>((resolve) => (tab.update = resolve));
    const key = rows().find(({ name }) => name === 'API key');
    if (key && 'render' in key) key.render?.(ANY as Setting, ANY as never);
    await updated;
  };
  return { agent, tab, said, seen, rows, controls, drawn };
}

/** A value that returns itself for every property and call. */
const ANY: unknown = new Proxy(() => undefined, {
  get: (_, name) => (name === 'then' ? undefined : ANY),
  set: () => true,
  apply: () => ANY,
});

/** All rows, including those in groups and pages. */
function rowsIn(items: readonly SettingDefinitionItem[]): SettingDefinition[] {
  return items.flatMap((item) => ('type' in item ? rowsIn(item.items ?? []) : [item]));
}

/** Settings with a custom row, or with a row for each of their members. */
const DRAWN = [
  'apiKeyName',
  'contextPresets',
  'mcpServers',
  'disabledAgents',
  'embeddingKeyName',
  'routingDescription',
  'searchKeyName',
  'tools',
  'wireName',
];

test('every setting has a row with a description', async () => {
  const { rows, controls, drawn } = tabFor();
  await drawn();
  const keys = controls().map(({ key }) => key);
  expect([...keys, ...DRAWN].sort()).toEqual(Object.keys(DEFAULT_SETTINGS).sort());
  expect(rows().filter(({ desc }) => !desc)).toEqual([]);
});

test('validation rejects an invalid value with what was expected', async () => {
  const { controls } = tabFor();
  const steps = controls().find(({ key }) => key === 'stepsPerTurn');
  const validate = steps?.validate as (value: unknown) => string | undefined;
  expect(validate(3)).toBe('Expected a whole number from 5 to 50.');
  expect(validate(12)).toBeUndefined();
});

test('an endpoint other than Anthropic’s turns compatibility on with a notice', async () => {
  const { agent, tab, said, controls } = tabFor();
  await tab.setControlValue('endpoint', 'http://localhost:11434');
  expect(said).toEqual([expect.stringContaining('Compatibility mode is on')]);
  expect(agent.settings.current()).toMatchObject({
    endpoint: 'http://localhost:11434',
    compatibility: true,
  });
  expect(controls().find(({ key }) => key === 'model')?.type).toBe('text');
});

test('Anthropic’s own endpoint does not turn compatibility on', async () => {
  const { agent, tab } = tabFor({ endpoint: 'https://proxy.example', compatibility: false });
  await tab.setControlValue('endpoint', 'https://api.anthropic.com/');
  expect(agent.settings.current().compatibility).toBe(false);
});

test('turning SmartHole on makes its status visible', async () => {
  const { tab, seen } = tabFor({ smartHole: false });
  await tab.setControlValue('smartHole', true);
  expect(seen).toEqual(['smarthole']);
});

test('excluded folders are entered one per line and saved as a list', async () => {
  const { agent, tab, controls } = tabFor();
  const folders = controls().find(({ key }) => key === 'excludedFolders');
  const validate = folders?.validate as (value: unknown) => string | undefined;
  expect(validate('Private\n\n Work/Clients \n')).toBeUndefined();
  expect(validate('../outside')).toBe(
    'Expected folders of the vault, one a line, such as Journal/Private.',
  );
  await tab.setControlValue('excludedFolders', 'Private\n\n Work/Clients \n');
  expect(agent.settings.current().excludedFolders).toEqual(['Private', 'Work/Clients']);
  expect(tab.getControlValue('excludedFolders')).toBe('Private\nWork/Clients');
});

test('prices are entered one per line, with optional cache prices', async () => {
  const { agent, tab, controls } = tabFor();
  const row = controls().find(({ key }) => key === 'prices');
  const validate = row?.validate as (value: unknown) => string | undefined;
  const expected =
    'Expected the price of each model’s input, output, cacheRead and cacheWrite, in US dollars for a million tokens.';
  expect(validate('llama3.3 0 0\nmy-model $3, $15 0.3 3.75')).toBeUndefined();
  for (const wrong of [
    'my-model',
    'my-model 3',
    'my-model 3 fifteen',
    'my-model 1 2 3 4 5',
    'x -1 2',
  ])
    expect(validate(wrong), wrong).toBe(expected);
  await tab.setControlValue('prices', 'llama3.3 0 0\n\nmy-model $3, $15\n');
  expect(agent.settings.current().prices).toEqual({
    'llama3.3': { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    'my-model': { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  });
  expect(tab.getControlValue('prices')).toBe('llama3.3 0 0 0 0\nmy-model 3 15 0.3 3.75');
});

test('every configurable tool has a row once a row has been rendered', async () => {
  const { rows, drawn } = tabFor();
  const names = () => rows().map(({ name }) => name);
  expect(names()).not.toContain('delete');
  await drawn();
  expect(names()).toContain('delete');
});
