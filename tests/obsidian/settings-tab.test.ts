import type {
  Setting,
  SettingDefinition,
  SettingDefinitionGroup,
  SettingDefinitionItem,
} from 'obsidian';
import { expect, test } from 'vitest';
import { DEFAULT_SETTINGS, type Settings } from '#model/settings';
import { modelOptions } from '#obsidian/settings/model-settings';
import { settingPlace } from '#obsidian/settings/setting-link';
import { ParleySettingsTab } from '#obsidian/settings/settings-tab';
import { scriptedAgent } from '#workbench/gallery/scripted-agent';
import { eventually } from '#tests/builders/eventually';

function tabFor(settings: Partial<Settings> = {}) {
  const agent = scriptedAgent([], { settings });
  const said: string[] = [];
  const seen: string[] = [];
  const ui = {
    notice: (text: string) => void said.push(text),
    setSeen: (name: string) => void seen.push(name),
  };
  const tab = new ParleySettingsTab(
    {} as never,
    { manifest: { version: '1.0.0' } } as never,
    agent,
    ui,
    () => undefined,
  );
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

/** Names of the rows, headings and links of each page. */
function namesByPage(items: readonly SettingDefinitionItem[]): (string | undefined)[][] {
  const inGroups = items.flatMap((item) =>
    'type' in item && item.type !== 'page' ? (item.items ?? []) : [item],
  );
  const headings = items.flatMap((item) =>
    'type' in item && item.type !== 'page' ? (item.heading ?? []) : [],
  );
  const pages = inGroups.flatMap((item) => ('type' in item ? namesByPage(item.items ?? []) : []));
  return [[...headings, ...inGroups.map(({ name }) => name)], ...pages];
}

/** Settings with a custom row, or with a row for each of their members. */
const DRAWN = [
  'apiKeyName',
  'contextPresets',
  'mcpServers',
  'disabledAgents',
  'embeddingKeyName',
  'excludedFolders',
  'logLevels',
  'searchKeyName',
  'tools',
];

test('every setting has a row with a description', async () => {
  const { rows, controls, drawn } = tabFor();
  await drawn();
  const keys = controls().map(({ key }) => key);
  expect([...keys, ...DRAWN].sort()).toEqual(Object.keys(DEFAULT_SETTINGS).sort());
  expect(rows().filter(({ desc }) => !desc)).toEqual([]);
});

test('the first page has the basics, and links to eight pages with a description', () => {
  const { tab } = tabFor();
  const [basics, pages, ...others] = tab.getSettingDefinitions() as SettingDefinitionGroup[];
  expect(others).toEqual([]);
  expect(basics?.items?.map(({ name }) => name)).toEqual([
    ...['API key', 'Model', 'Default mode', 'Vault organization', 'Instructions'],
  ]);
  expect(pages?.items?.map(({ name }) => name)).toEqual([
    ...['Model and endpoint', 'Chat', 'Editing and permissions', 'Voice', 'Search and web', 'MCP'],
    ...['Limits and cost', 'Advanced'],
  ]);
  expect(pages?.items?.filter(({ desc }) => !desc)).toEqual([]);
});

test('every setting has a place that a link can open, with a row name of its own', async () => {
  const { tab, drawn } = tabFor({
    searchProvider: 'brave',
    contextPresets: [{ name: 'Garden', attachments: [] }],
  });
  await drawn();
  const items = tab.getSettingDefinitions();
  const keys = Object.keys(DEFAULT_SETTINGS) as (keyof Settings)[];
  expect(keys.filter((key) => !settingPlace(items, key)?.row)).toEqual([]);
  expect(settingPlace(items, 'smartHolePort')).toEqual({ pages: ['Voice'], row: 'SmartHole port' });
  expect(settingPlace(items, 'model')).toEqual({ pages: [], row: 'Model' });
  expect(settingPlace(items, 'commands')).toEqual({
    pages: ['Editing and permissions', 'Tools and commands'],
    row: 'Allowed commands',
  });
  expect(settingPlace(items, 'limits')).toEqual({ pages: ['Limits and cost'], row: null });
  for (const names of namesByPage(items)) expect(names).toEqual([...new Set(names)]);
});

test('the key of a search provider has no place until a provider is chosen', () => {
  const { tab } = tabFor();
  expect(settingPlace(tab.getSettingDefinitions(), 'searchKeyName')).toBeNull();
});

test('the chosen model is listed once by its name, though the list has its id without a date', () => {
  const listed = { window: 1, maxOutput: 1, deprecated: false, retires: null, thinkingLevels: [] };
  const models = [
    { ...listed, id: 'claude-haiku-4-5', name: 'Claude Haiku 4.5' },
    {
      ...{ ...listed, id: 'claude-sonnet-4-5', name: 'Claude Sonnet 4.5' },
      ...{ deprecated: true, retires: '2026-11-30' },
    },
  ];
  expect(modelOptions(models, 'claude-haiku-4-5-20251001')).toEqual({
    'claude-haiku-4-5-20251001': 'Claude Haiku 4.5',
    'claude-sonnet-4-5': 'Claude Sonnet 4.5 (retires 2026-11-30)',
  });
  expect(modelOptions([], 'claude-haiku-4-5-20251001')).toEqual({
    'claude-haiku-4-5-20251001': 'Claude Haiku 4.5',
  });
  expect(modelOptions(models, 'my-model')).toMatchObject({ 'my-model': 'my-model' });
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

/** Renders the row "Allow voice decisions" with this connection to SmartHole. */
function decisionsRow(isConnected: boolean) {
  const { agent, rows } = tabFor();
  let allowed = false;
  Object.assign(agent.voice, {
    decisions: () => (allowed ? { allowed, port: 9473, name: 'simone' } : { allowed }),
    allowDecisions: (wanted: boolean) => {
      if (wanted && !isConnected) return { ok: false, reason: 'SmartHole is not connected.' };
      allowed = wanted;
      return { ok: true };
    },
  });
  const shown = { toggle: false, text: '', error: null as string | null };
  let change: (value: boolean) => void = () => undefined;
  const toggle = {
    setValue: (value: boolean) => (shown.toggle = value),
    onChange: (listener: typeof change) => (change = listener),
  };
  const setting = {
    descEl: { createDiv: () => ({ setText: (text: string) => (shown.text = text) }) },
    addToggle: (fill: (each: typeof toggle) => void) => fill(toggle),
    setErrorMessage: (text: string | null) => (shown.error = text),
  };
  const row = rows().find(({ name }) => name === 'Allow voice decisions');
  if (row && 'render' in row) row.render?.(setting as never, ANY as never);
  return { shown, change: (value: boolean) => change(value) };
}

test('voice decisions are allowed for the connection that is open', () => {
  const { shown, change } = decisionsRow(true);
  expect(shown).toEqual({ toggle: false, text: 'Off: decide in Obsidian.', error: null });
  change(true);
  expect(shown).toEqual({
    toggle: true,
    text: 'Allowed for the connection on port 9473 as “simone”.',
    error: null,
  });
  change(false);
  expect(shown.text).toBe('Off: decide in Obsidian.');
});

test('voice decisions stay off while SmartHole is not connected, and the row says why', () => {
  const { shown, change } = decisionsRow(false);
  change(true);
  expect(shown).toEqual({
    toggle: false,
    text: 'Off: decide in Obsidian.',
    error: 'SmartHole is not connected.',
  });
});

test('each hidden folder has a row that removes it', async () => {
  const { agent, rows } = tabFor({ excludedFolders: ['Private', 'Work/Clients'] });
  expect(rows().map(({ name }) => name)).toEqual(
    expect.arrayContaining(['Hidden folders', 'Private', 'Work/Clients']),
  );
  const removed = rows().find(({ name }) => name === 'Private');
  let click: () => void = () => undefined;
  const button = { setButtonText: () => button, onClick: (act: () => void) => (click = act) };
  const setting = { addButton: (fill: (each: typeof button) => void) => fill(button) };
  if (removed && 'render' in removed) removed.render?.(setting as never, ANY as never);
  click();
  await eventually(() => {
    expect(agent.settings.current().excludedFolders).toEqual(['Work/Clients']);
  });
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
    'my-model 3 $',
  ])
    expect(validate(wrong), wrong).toBe(expected);
  await tab.setControlValue('prices', 'llama3.3 0 0\n\nmy-model $3, $15,\n');
  expect(agent.settings.current().prices).toEqual({
    'llama3.3': { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    'my-model': { input: 3, output: 15, cacheRead: 0.3, cacheWrite: 3.75 },
  });
  expect(tab.getControlValue('prices')).toBe('llama3.3 0 0 0 0\nmy-model 3 15 0.3 3.75');
});

test('every configurable tool has a row once a row has been rendered', async () => {
  const { rows, drawn } = tabFor();
  const names = () => rows().map(({ name }) => name);
  expect(names()).not.toContain('Delete');
  await drawn();
  expect(names()).toContain('Delete');
});

test('a vault description that fails is reported in its row and changes nothing', async () => {
  const { agent, rows } = tabFor();
  const before = agent.settings.current();
  agent.settings.describeVault = async () => ({ ok: false, reason: 'Network error.' });
  const said: string[] = [];
  let click: () => void = () => undefined;
  const button = {
    setButtonText: () => button,
    setDisabled: () => button,
    onClick: (act: () => void) => (click = act),
  };
  const setting = {
    addButton: (fill: (each: typeof button) => void) => fill(button),
    setErrorMessage: (text: string) => void said.push(text),
  };
  const draw = () => {
    const row = rows().find(({ name }) => name === 'Describe my vault');
    if (row && 'render' in row) row.render?.(setting as never, ANY as never);
  };
  draw();
  click();
  await eventually(() => {
    draw();
    expect(said).toContain('Network error.');
  });
  expect(agent.settings.current()).toEqual(before);
});
