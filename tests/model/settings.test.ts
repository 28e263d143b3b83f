import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  applySettings,
  loadSettings,
  toSavedSettings,
  SETTINGS_VERSION,
  settingProblem,
} from '#model/settings-validation';
import { DEFAULT_SETTINGS, type Settings } from '#model/settings';
import { cases } from '#tests/cases';

const names = Object.keys(DEFAULT_SETTINGS) as (keyof Settings)[];

const good: { [Name in keyof Settings]: Settings[Name] } = {
  apiKeyName: 'another-key',
  model: 'claude-sonnet-5-5',
  thinking: 'off',
  endpoint: 'http://localhost:11434',
  compatibility: true,
  vaultOrganization: 'Everything in one folder.',
  instructions: 'Be brief.',
  idleMinutes: 5,
  questionTimeoutMinutes: 5,
  panelMode: 'apply',
  smartHoleMode: 'apply',
  proposalTag: 'vorschlag/ki',
  tools: { delete: 'off', read_file: 'ask' },
  disabledAgents: ['vault_manager'],
  mcpServers: [
    {
      ...{ id: 'server-1', name: 'Desk', enabled: true, kind: 'stdio' },
      ...{ command: 'npx', args: ['-y', 'desk'], env: { TOKEN: '{{desk-token}}' } },
    },
    {
      ...{ id: 'server-2', name: 'Far', enabled: false, kind: 'http' },
      ...{ url: 'https://example.com/mcp', secret: 'far-token' },
    },
  ],
  toolPresentation: 'agents',
  excludedFolders: ['Journal/Private', '/Work/'],
  excludedTag: 'secret/very',
  editableScope: 'linked',
  contextDepth: 3,
  contextPresets: [{ name: 'Trip', attachments: [{ kind: 'note', path: 'Trip.md', depth: 1 }] }],
  templateFolder: 'Vorlagen',
  customToolFolder: 'Parley/Tools',
  promptFolder: '/Prompts/',
  commands: ['daily-notes'],
  allowAdd: false,
  allowReplace: false,
  allowCreate: false,
  allowNavigate: false,
  turnsAtOnce: 2,
  stepsPerTurn: 50,
  tokensPerTurn: 1_000,
  readLines: 10,
  readCharacters: 1_000,
  readLineCharacters: 100,
  tokenWarning: 1_000,
  embeddingEndpoint: 'http://localhost:11434/v1',
  embeddingModel: 'nomic-embed-text',
  embeddingKeyName: 'my-other-key',
  searchProvider: 'tavily',
  searchKeyName: 'my-search-key',
  stallSeconds: 5,
  moneyPerTurn: 0.5,
  moneyPerDay: 3,
  showCost: true,
  prices: { 'local-model': { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 } },
  conversationsKept: 10,
  notifications: false,
  changeLogMegabytes: 50,
  smartHole: false,
  assistantName: 'Jeeves',
  wireName: 'jeeves',
  routingDescription: 'Notes.',
  mcpServerEnabled: true,
  mcpServerWrites: true,
  mcpServerMode: 'apply',
  mcpServerPort: 9500,
  smartHolePort: 19473,
  logLevels: {
    ...{ requests: 'off', model: 'problems', tools: 'everything' },
    ...{ mcp: 'off', voice: 'problems', settings: 'off' },
  },
};

const bad: Record<string, readonly unknown[]> = {
  apiKeyName: [1, 'x'.repeat(201), null],
  model: ['', '  ', 7, 'x'.repeat(201)],
  thinking: ['on', true],
  panelMode: ['Apply', '', null],
  smartHoleMode: ['Apply', '', null],
  excludedFolders: [
    'Private',
    [''],
    ['/'],
    ['../x'],
    [1],
    ['x'.repeat(501)],
    Array(201).fill('x'),
    null,
  ],
  excludedTag: ['#private', 'two words', '2026', 'a//b', '/a', null, 5],
  editableScope: ['folder', '', null],
  contextDepth: [-1, 4, 1.5, '1'],
  contextPresets: [
    [{ name: '', attachments: [] }],
    [{ name: 'x'.repeat(101), attachments: [] }],
    [{ name: 'One', attachments: [{ kind: 'note' }] }],
    [{ attachments: [] }],
    'Trip',
    null,
  ],
  templateFolder: ['/', '../x', null],
  customToolFolder: ['//', './x', 7],
  promptFolder: ['..', ['Prompts']],
  commands: ['daily-notes', [''], [1], ['x'.repeat(301)], Array(201).fill('x')],
  tokenWarning: [0, 999, 10_000_001, '30000', null],
  allowAdd: ['true', 1, null],
  allowReplace: ['true', 1, null],
  allowCreate: ['true', 1, null],
  allowNavigate: ['true', 1, null],
  endpoint: [
    'api.anthropic.com',
    'ftp://example.com',
    'http://example.com',
    'http://192.168.1.5:11434',
    'http://127.0.0.1.evil.example',
    'http://localhost.evil.example',
    'http://localhost@evil.example',
    'http://0.0.0.0:11434',
    'http://[::2]:11434',
    'https://api.anthropic.com/v1',
    'https://api.anthropic.com/v1/',
    'javascript:alert(1)',
    42,
  ],
  compatibility: ['true', 1, null],
  vaultOrganization: ['x'.repeat(20_001), []],
  instructions: ['x'.repeat(20_001), {}],
  idleMinutes: [0, 1.5, '30', Number.NaN],
  questionTimeoutMinutes: [0, -1],
  disabledAgents: ['web', [''.padEnd(65)], [1], null],
  toolPresentation: ['MCP', '', null],
  tools: [{ delete: 'never' }, ['off'], 'off', { delete: null }],
  turnsAtOnce: [0, 4, 1.5],
  stepsPerTurn: [4, 51, 10.5, Infinity],
  tokensPerTurn: [999, '100000'],
  readLines: [9],
  readCharacters: [999],
  readLineCharacters: [99],
  stallSeconds: [4, 3_601],
  moneyPerTurn: [-1, '1', Number.NaN],
  moneyPerDay: [Infinity],
  prices: [{ model: 3 }, { model: { input: 1, output: -1, cacheRead: 0, cacheWrite: 0 } }, []],
  conversationsKept: [0],
  changeLogMegabytes: [9, 10.5],
  smartHole: ['on'],
  assistantName: ['x'.repeat(101)],
  wireName: ['Miss Simone', '9lives', 'x'.repeat(56)],
  routingDescription: ['', '  ', 'x'.repeat(1_025)],
  smartHolePort: [0, 65_536],
};

describe('Settings', () => {
  it('settingProblem returns null for every valid value and every default', () => {
    for (const name of names) {
      expect([name, settingProblem(name, good[name])]).toEqual([name, null]);
      expect([name, settingProblem(name, DEFAULT_SETTINGS[name])]).toEqual([name, null]);
    }
  });

  it('settingProblem says which values the setting takes for an invalid value', () => {
    for (const name of names) {
      for (const value of bad[name] ?? []) {
        expect(settingProblem(name, value)).toMatch(new RegExp(`^"${name}" takes .+\\.$`));
      }
    }
  });

  it('settingProblem reports unknown settings, including inherited property names', () => {
    for (const name of ['temperature', 'toString', '__proto__', '']) {
      expect(settingProblem(name, 1)).toBe(`There is no setting called "${name}".`);
    }
  });

  it('applySettings applies the valid values and reports the others', () => {
    const { settings, problems } = applySettings(DEFAULT_SETTINGS, {
      model: 'claude-opus-5-5',
      stepsPerTurn: 500,
      nonsense: 1,
    });
    expect(settings).toEqual({ ...DEFAULT_SETTINGS, model: 'claude-opus-5-5' });
    expect(problems).toHaveLength(2);
  });
});

describe('Saved settings', () => {
  it('toSavedSettings saves only values that differ from the defaults', () => {
    expect(toSavedSettings(DEFAULT_SETTINGS)).toEqual({ version: SETTINGS_VERSION, settings: {} });
    const mine = { ...DEFAULT_SETTINGS, stepsPerTurn: 20, tools: { move: 'ask' as const } };
    expect(toSavedSettings(mine).settings).toEqual({ stepsPerTurn: 20, tools: { move: 'ask' } });
  });

  it('loadSettings restores saved settings from JSON', () => {
    fc.assert(
      fc.property(fc.subarray(names), (changed) => {
        const mine = Object.fromEntries(changed.map((name) => [name, good[name]]));
        const settings = { ...DEFAULT_SETTINGS, ...mine };
        const file: unknown = JSON.parse(JSON.stringify(toSavedSettings(settings)));
        expect(loadSettings(file)).toEqual({ settings, problems: [] });
      }),
      cases,
    );
  });

  it('loadSettings returns the defaults if nothing was saved', () => {
    for (const none of [null, undefined]) {
      expect(loadSettings(none)).toEqual({ settings: DEFAULT_SETTINGS, problems: [] });
    }
  });

  it('loadSettings reports an unknown form and returns the defaults', () => {
    for (const strange of [[], 'text', 7, {}, { version: 1 }]) {
      const { settings, problems } = loadSettings(strange);
      expect(settings).toEqual(DEFAULT_SETTINGS);
      expect(problems).toHaveLength(1);
    }
  });

  it('loadSettings takes what it knows from a file of another version and reports it', () => {
    for (const version of [2, 'next', null, undefined]) {
      const saved = { version, settings: { excludedFolders: ['Diary'], ofTomorrow: true } };
      const { settings, problems } = loadSettings(saved);
      expect(settings.excludedFolders).toEqual(['Diary']);
      expect(problems[0]).toContain(
        version === undefined ? 'no version' : `version ${JSON.stringify(version)}`,
      );
    }
  });

  it('loadSettings returns valid settings for any JSON', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.constantFrom(...names), (value, name) => {
        const { settings } = loadSettings({ version: 1, settings: { [name]: value } });
        expect(settingProblem(name, settings[name])).toBeNull();
        expect(Object.keys(settings)).toEqual(names);
        expect(Object.keys(loadSettings(value).settings)).toEqual(names);
      }),
      cases,
    );
  });
});
