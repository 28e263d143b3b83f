/** What settings from another device may change before the user of this device has accepted them. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { serverIdentity, type McpServer } from '#model/mcp-server';
import { DEFAULT_SETTINGS, type Settings } from '#model/settings';
import {
  defaultPermission,
  EDITABLE_SCOPES,
  MODES,
  permissionSet,
  type Permission,
} from '#model/setting-choices';
import { pendingSettings, settingsInForce } from '#model/settings-in-force';
import { ALL_TOOLS } from '#tools/all-tools';
import { permissionKey } from '#tools/registry';
import { cases } from '#tests/cases';

const some = <Value>(...values: readonly Value[]) => fc.constantFrom(...values);
const server: fc.Arbitrary<McpServer> = fc.record({
  id: some('s1', 's2', 's3'),
  name: some('One', 'Two'),
  enabled: fc.boolean(),
  kind: fc.constant('stdio' as const),
  command: some('npx', 'evil'),
  args: fc.constant([]),
  env: fc.constant({}),
});
const cents = some(0, 1, 5);
const price = fc.record({ input: cents, output: cents, cacheRead: cents, cacheWrite: cents });
const permission = some<Permission>('allow', 'ask', 'off');
const TOOLS = ['delete', 'read_file', 'web_search', 'execute_command', 's1 order'] as const;

const settings: fc.Arbitrary<Settings> = fc
  .record({
    endpoint: some('https://api.anthropic.com', 'https://evil.example', 'http://localhost:11434'),
    apiKeyName: some('parley-api-key', 'another-plugins-token'),
    compatibility: fc.boolean(),
    model: some('claude-haiku-4-5-20251001', 'llama'),
    embeddingEndpoint: some('', 'https://a.example', 'https://evil.example'),
    embeddingKeyName: some('', 'parley-embedding-key', 'another-plugins-token'),
    embeddingModel: some('', 'nomic'),
    searchProvider: some<Settings['searchProvider']>('', 'anthropic', 'brave', 'tavily'),
    searchKeyName: some('parley-search-key', 'another-plugins-token'),
    mcpServers: fc.uniqueArray(server, { selector: ({ id }) => id, maxLength: 3 }),
    mcpServerEnabled: fc.boolean(),
    mcpServerWrites: fc.boolean(),
    mcpServerMode: some(...MODES),
    smartHole: fc.boolean(),
    smartHolePort: some(9473, 9999),
    tools: fc.dictionary(some(...TOOLS), permission),
    disabledAgents: fc.uniqueArray(some('web', 'note_editor', 'vault_manager')),
    commands: fc.uniqueArray(some('app:reload', 'daily-notes', 'editor:save-file')),
    excludedFolders: fc.uniqueArray(some('Private', 'Journal/Private', 'Journal')),
    excludedTag: some('', 'private', 'secret', 'private/very'),
    editableScope: some(...EDITABLE_SCOPES),
    contextDepth: some(0, 1, 3),
    panelMode: some(...MODES),
    smartHoleMode: some(...MODES),
    ...{ allowAdd: fc.boolean(), allowReplace: fc.boolean() },
    ...{ allowCreate: fc.boolean(), allowNavigate: fc.boolean() },
    templateFolder: some('', 'Templates', 'Clippings'),
    customToolFolder: some('', 'Tools', 'Clippings'),
    promptFolder: some('', 'Prompts', 'Clippings'),
    assistantName: some('Miss Simone', 'Yes'),
    wireName: some('', 'delete'),
    ...{ stepsPerTurn: some(5, 25, 50), tokensPerTurn: some(10_000, 100_000) },
    ...{ tokenWarning: some(1_000, 30_000), moneyPerTurn: some(0, 1, 5), moneyPerDay: some(0, 9) },
    prices: fc.dictionary(some('claude-haiku-4-5', 'llama'), price),
    conversationsKept: some(1, 100, 1_000),
    changeLogMegabytes: some(1, 200),
    instructions: some('', 'Be brief.'),
  })
  .map((values) => ({ ...DEFAULT_SETTINGS, ...values }));

/** Where texts and secrets go, as pairs of a place and the name of a secret. */
function flows(of: Settings): string[] {
  return [
    `model ${of.endpoint} ${of.apiKeyName}`,
    ...(of.embeddingEndpoint === ''
      ? []
      : [
          `embed ${of.embeddingEndpoint}`,
          ...(of.embeddingKeyName === '' ? [] : [`${of.embeddingEndpoint} ${of.embeddingKeyName}`]),
        ]),
    ...(of.searchProvider === '' ? [] : [`search ${of.searchProvider} ${of.searchKeyName}`]),
    ...(of.smartHole ? [`smarthole ${of.smartHolePort}`] : []),
    `templates from ${of.templateFolder}`,
    ...(of.customToolFolder === '' ? [] : [`tools from ${of.customToolFolder}`]),
    ...(of.promptFolder === '' ? [] : [`prompts from ${of.promptFolder}`]),
    `name ${of.assistantName} ${of.wireName}`,
  ];
}

const LIMITS = [
  ...[['stepsPerTurn', 5, 25, 50] as const, ['tokensPerTurn', 10_000, 100_000] as const],
  ...[['tokenWarning', 1_000, 30_000] as const, ['moneyPerTurn', 0, 1, 5] as const],
  ...[['moneyPerDay', 0, 9] as const],
] as const;

/** What the agent may do, as single rights. */
function rights(of: Settings): string[] {
  const levels = ['ask', 'allow'] as const;
  const granted = (tool: string) => {
    const now = permissionSet(of, tool, defaultPermission(tool));
    return levels
      .slice(0, now === 'off' ? 0 : now === 'ask' ? 1 : 2)
      .map((each) => `${tool} ${each}`);
  };
  const upTo = (name: string, at: number) =>
    Array.from({ length: at + 1 }, (_, level) => `${name} ${level}`);
  const scopes: Record<Settings['editableScope'], readonly string[]> = {
    current: ['open'],
    linked: ['open', 'linked'],
    context: ['attached'],
    vault: ['open', 'linked', 'attached', 'all'],
  };
  return [
    ...TOOLS.flatMap(granted),
    ...['web', 'note_editor', 'vault_manager'].filter((each) => !of.disabledAgents.includes(each)),
    ...of.commands,
    ...scopes[of.editableScope],
    ...upTo('depth', of.contextDepth),
    ...upTo('panel', MODES.indexOf(of.panelMode)),
    ...upTo('voice', MODES.indexOf(of.smartHoleMode)),
    ...LIMITS.flatMap(([name, ...values]) =>
      values
        .filter((value) => (value || Infinity) <= (of[name] || Infinity))
        .map((value) => `${name} ${value}`),
    ),
    // What is removed.
    ...[1, 100, 1_000].filter((kept) => of.conversationsKept < kept).map((kept) => `chats ${kept}`),
    ...(of.changeLogMegabytes < 200 ? ['drops changes'] : []),
    ...(['allowAdd', 'allowReplace', 'allowCreate', 'allowNavigate'] as const).filter(
      (each) => of[each],
    ),
    ...['Private/a', 'Journal/a', 'Journal/Private/a'].filter(
      (path) => !of.excludedFolders.some((folder) => path.startsWith(`${folder}/`)),
    ),
    ...['private', 'private/very', 'secret'].filter(
      (tag) =>
        !(
          of.excludedTag === tag ||
          (of.excludedTag !== '' && tag.startsWith(`${of.excludedTag}/`))
        ),
    ),
  ];
}

describe('settings from another device', () => {
  test('settings from another device open no new way for texts or secrets, and no new right', () => {
    fc.assert(
      fc.property(settings, settings, (own, incoming) => {
        const applied = settingsInForce(own, incoming);
        expect(flows(own)).toEqual(expect.arrayContaining(flows(applied)));
        expect(rights(own)).toEqual(expect.arrayContaining(rights(applied)));
        const asking = (of: Settings) =>
          [of.templateFolder, of.customToolFolder, of.promptFolder].filter((each) => each !== '');
        expect(asking(applied)).toEqual(expect.arrayContaining(asking(own)));
      }),
      cases,
    );
  });

  test('stricter settings of another device apply at once, even beside looser ones', () => {
    fc.assert(
      fc.property(settings, settings, (own, incoming) => {
        const applied = settingsInForce(own, incoming);
        const denied = rights(own).filter((right) => !rights(incoming).includes(right));
        // A scope or tag that is neither wider nor narrower waits as a whole.
        const whole = new Set([
          'open',
          'linked',
          'attached',
          'all',
          'private',
          'private/very',
          'secret',
        ]);
        for (const right of denied.filter((each) => !whole.has(each))) {
          expect(rights(applied)).not.toContain(right);
        }
        expect(applied.instructions).toBe(incoming.instructions);
      }),
      cases,
    );
  });

  test('no MCP server of another device is on unless exactly its command or address is on here', () => {
    fc.assert(
      fc.property(settings, settings, (own, incoming) => {
        const applied = settingsInForce(own, incoming);
        const on = ({ mcpServers }: Settings) =>
          mcpServers.filter(({ enabled }) => enabled).map(serverIdentity);
        expect(on(own)).toEqual(expect.arrayContaining(on(applied)));
        expect(applied.mcpServers.map(serverIdentity)).toEqual(
          incoming.mcpServers.map(serverIdentity),
        );
        // Their names are in approvals.
        const named = ({ mcpServers }: Settings) =>
          mcpServers
            .filter(({ enabled }) => enabled)
            .map((each) => serverIdentity(each) + each.name);
        const isNew = named(incoming).some((each) => !named(own).includes(each));
        const names = pendingSettings(applied, incoming).map(({ name }) => name);
        expect(names.includes('mcpServers')).toBe(isNew);
      }),
      cases,
    );
  });

  test('Parley’s MCP server never offers more than it does on this device', () => {
    fc.assert(
      fc.property(settings, settings, (own, incoming) => {
        const offered = ({ mcpServerEnabled, mcpServerWrites, mcpServerMode }: Settings) =>
          Number(mcpServerEnabled) *
          (1 + Number(mcpServerWrites) * (1 + MODES.indexOf(mcpServerMode)));
        const applied = settingsInForce(own, incoming);
        expect(offered(applied)).toBeLessThanOrEqual(Math.min(offered(own), offered(incoming)));
      }),
      cases,
    );
  });

  test('a model applies only with the endpoint that it was saved with', () => {
    fc.assert(
      fc.property(settings, settings, (own, incoming) => {
        const applied = settingsInForce(own, incoming);
        const { model } = applied.endpoint === incoming.endpoint ? incoming : own;
        expect(applied.model).toBe(model);
      }),
      cases,
    );
  });

  test('no model of another device counts as cheaper, and none loses or gains a price', () => {
    fc.assert(
      fc.property(settings, settings, (own, incoming) => {
        const applied = settingsInForce(own, incoming);
        expect(Object.keys(applied.prices).sort()).toEqual(Object.keys(own.prices).sort());
        for (const [model, { input, output, cacheRead, cacheWrite }] of Object.entries(
          own.prices,
        )) {
          expect(applied.prices[model]!.input).toBeGreaterThanOrEqual(input);
          expect(applied.prices[model]!.output).toBeGreaterThanOrEqual(output);
          expect(applied.prices[model]!.cacheRead).toBeGreaterThanOrEqual(cacheRead);
          expect(applied.prices[model]!.cacheWrite).toBeGreaterThanOrEqual(cacheWrite);
        }
      }),
      cases,
    );
  });

  test('what is in force stays in force when the same file is read again, or an older one', () => {
    fc.assert(
      fc.property(settings, settings, settings, (own, incoming, older) => {
        const first = settingsInForce(own, incoming);
        expect(settingsInForce(first, incoming)).toEqual(first);
        const later = settingsInForce(first, older);
        expect(flows(first)).toEqual(expect.arrayContaining(flows(later)));
        expect(rights(first)).toEqual(expect.arrayContaining(rights(later)));
      }),
      cases,
    );
  });

  test('after the user has allowed all that waits, the file applies as a whole', () => {
    fc.assert(
      fc.property(settings, settings, (own, incoming) => {
        const applied = settingsInForce(own, incoming);
        const allowed = pendingSettings(applied, incoming).map(({ name, saved }) => [name, saved]);
        const after = settingsInForce(
          { ...applied, ...(Object.fromEntries(allowed) as Partial<Settings>) },
          incoming,
        );
        expect(after).toEqual(incoming);
        expect(pendingSettings(after, incoming)).toEqual([]);
      }),
      cases,
    );
  });
});

test('the default permission of every built-in tool is that of its definition', () => {
  for (const tool of ALL_TOOLS) {
    expect([tool.name, defaultPermission(permissionKey(tool))]).toEqual([
      tool.name,
      tool.permission,
    ]);
  }
});
