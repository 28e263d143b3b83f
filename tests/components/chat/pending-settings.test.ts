/** The banner about settings that were changed outside this device. */
import { screen as page, within } from '@testing-library/svelte';
import { describe, expect, test } from 'vitest';
import { describePending } from '#messages/pending-settings-messages';
import { DEFAULT_SETTINGS, type Settings } from '#model/settings';
import { pendingSettings, settingsInForce, type PendingSetting } from '#model/settings-in-force';
import { openChat } from '../chat';

const HOSTILE: Partial<Settings> = {
  endpoint: 'https://evil.example',
  apiKeyName: 'another-token',
  panelMode: 'apply',
};

function pendingOf(incoming: Partial<Settings>, own: Partial<Settings> = {}) {
  const device = { ...DEFAULT_SETTINGS, ...own };
  const saved = { ...device, ...incoming };
  const now = settingsInForce(device, saved);
  return pendingSettings(now, saved).map((each) => describePending(each, now.mcpServers));
}

describe('settings that wait for the user of this device', () => {
  test('the banner shows each value, and allows exactly what it shows', async () => {
    const { user, asked } = await openChat([], { incoming: HOSTILE });
    const banner = page.getByRole('alert');
    expect([...banner.querySelectorAll('pre')].map((each) => each.textContent)).toEqual([
      'New: another-token\nNo longer: parley-api-key',
      'New: https://evil.example\nNo longer: https://api.anthropic.com',
      'New: apply\nNo longer: review',
    ]);
    await user.click(within(banner).getByRole('button', { name: 'Allow' }));
    const [[shown, choice]] = asked('decide') as [[readonly PendingSetting[], string]];
    expect([shown.map(({ name }) => name), choice]).toEqual([
      ['apiKeyName', 'endpoint', 'panelMode'],
      'allow',
    ]);
    expect(page.queryByRole('alert')).toBeNull();
  });

  test('the banner keeps the settings of this device by keyboard alone', async () => {
    const { user, asked } = await openChat([], { incoming: HOSTILE });
    const keep = page.getByRole('button', { name: 'Keep mine' });
    for (let at = 0; at < 40 && document.activeElement !== keep; at += 1) await user.tab();
    expect(document.activeElement).toBe(keep);
    await user.keyboard('{Enter}');
    expect(asked('decide')).toMatchObject([[{}, 'keep']]);
    expect(page.queryByRole('alert')).toBeNull();
  });

  test('long values can be allowed only after they were opened', async () => {
    const args = ['-y', 'x'.repeat(5_000), '--require=evil.js'];
    const server = {
      ...{ id: 's1', name: 'Desk', enabled: true, kind: 'stdio' as const },
      ...{ command: 'npx', args, env: {} },
    };
    const { user } = await openChat([], { incoming: { mcpServers: [server] } });
    const banner = page.getByRole('alert');
    const allow = within(banner).getByRole<HTMLButtonElement>('button', { name: 'Allow' });
    expect(allow.disabled).toBe(true);
    await user.click(within(banner).getByRole('button', { name: /^Show all/ }));
    expect(banner.textContent).toContain('--require=evil.js');
    expect(allow.disabled).toBe(false);
  });

  test('nothing is shown if no setting was loosened', async () => {
    await openChat([], { incoming: { instructions: 'Be brief.' } });
    expect(page.queryByRole('alert')).toBeNull();
  });
});

describe('the text of a pending setting', () => {
  test('the program of an MCP server is shown as it would run, with its arguments and variables', () => {
    const server = {
      ...{ id: 's1', name: 'Desk', enabled: true, kind: 'stdio' as const },
      ...{ command: 'npx', args: ['-y', 'a b', 'c\nNo longer: d'], env: { NODE_OPTIONS: '-r x' } },
    };
    expect(pendingOf({ mcpServers: [server] })).toEqual([
      {
        name: 'MCP servers: programs that run on your computer, and addresses that receive data',
        text: 'New: Desk: "NODE_OPTIONS=-r x" npx -y "a b" "c⟨U+000A⟩No longer: d"',
      },
    ]);
  });

  test('an address is shown as it would be requested', () => {
    expect(pendingOf({ embeddingEndpoint: 'https://аpple.example' })[0]!.text).toBe(
      'New: https://xn--pple-43d.example\nNo longer: none',
    );
  });

  test('characters that are not seen are drawn', async () => {
    await openChat([], { incoming: { apiKeyName: 'k\u202Ey' } });
    expect(page.getByRole('alert').textContent).toContain('New: k⟨U+202E⟩y');
  });

  test('every setting that can wait has a text of its own', () => {
    const server = (enabled: boolean) => ({
      ...{ id: 's1', name: 'Desk', enabled, kind: 'stdio' as const },
      ...{ command: 'npx', args: [], env: {} },
    });
    const strict: Partial<Settings> = {
      ...{ tools: { delete: 'off', move: 'ask' }, disabledAgents: ['web'], smartHole: false },
      ...{ excludedFolders: ['Private'], editableScope: 'current', panelMode: 'read-only' },
      ...{ smartHoleMode: 'read-only', allowAdd: false, allowReplace: false },
      ...{ allowCreate: false, allowNavigate: false, moneyPerTurn: 1, moneyPerDay: 2 },
      prices: { llama: { input: 1, output: 2, cacheRead: 0, cacheWrite: 0 } },
      mcpServers: [server(false)],
    };
    const loose: Partial<Settings> = {
      ...{ endpoint: 'https://a.example', apiKeyName: 'k', compatibility: true, model: 'llama' },
      ...{ embeddingEndpoint: 'https://b.example', embeddingKeyName: 'e', embeddingModel: 'm' },
      ...{ searchProvider: 'brave', searchKeyName: 's' },
      ...{ mcpServerEnabled: true, mcpServerWrites: true, mcpServerMode: 'apply' },
      ...{ smartHole: true, smartHolePort: 9999, tools: { delete: 'ask', 's1 order': 'allow' } },
      ...{ disabledAgents: [], commands: ['app:reload'] },
      ...{ excludedFolders: [], excludedTag: '', editableScope: 'vault', contextDepth: 2 },
      ...{ panelMode: 'apply', smartHoleMode: 'review', allowAdd: true, allowReplace: true },
      ...{ allowCreate: true, allowNavigate: true, mcpServers: [server(true)] },
      ...{ templateFolder: 'T', customToolFolder: 'Clippings', promptFolder: 'P' },
      ...{ assistantName: 'Yes', wireName: 'delete', stepsPerTurn: 50, tokensPerTurn: 900_000 },
      ...{ tokenWarning: 90_000, moneyPerTurn: 0, moneyPerDay: 100, conversationsKept: 1 },
      changeLogMegabytes: 50,
      prices: { mine: { input: 0.1, output: 0.25, cacheRead: 0, cacheWrite: 0 } },
    };
    const texts = pendingOf(loose, strict);
    expect(texts).toHaveLength(Object.keys(loose).length);
    const shown = texts.map(({ name, text }) => [name, ...text.split('\n')].join(' | '));
    expect(shown).toMatchInlineSnapshot(`
      [
        "Secret that the endpoint receives as API key | New: k | No longer: parley-api-key",
        "Model | New: llama | No longer: claude-haiku-4-5-20251001",
        "Endpoint, which receives your requests, text from your notes and the API key | New: https://a.example | No longer: https://api.anthropic.com",
        "Compatibility mode | New: on | No longer: off",
        "Default mode | New: apply | No longer: read-only",
        "Default mode for voice | New: review | No longer: read-only",
        "Tools that run without asking, or after asking | New: delete: ask | New: Desk: order: allow | No longer: delete: off | No longer: move: ask",
        "Groups of tools that are off | No longer: web",
        "MCP servers: programs that run on your computer, and addresses that receive data | New: Desk: npx",
        "Hidden folders | No longer: Private",
        "Hidden tag | New: none | No longer: private",
        "Editable notes | New: vault | No longer: current",
        "Links to follow from attached notes; those notes are sent too | New: 2 | No longer: 0",
        "Templates folder | New: T | No longer: none",
        "Custom tools folder | New: Clippings | No longer: none",
        "Prompts folder | New: P | No longer: none",
        "Obsidian commands that the agent may run | New: app:reload",
        "The agent may add to notes | New: on | No longer: off",
        "The agent may move, delete and replace | New: on | No longer: off",
        "The agent may create notes and folders | New: on | No longer: off",
        "The agent may open notes and run allowed commands | New: on | No longer: off",
        "Steps per request | New: 50 | No longer: 25",
        "Tokens per request | New: 900000 | No longer: 100000",
        "Warn before large messages | New: 90000 | No longer: 30000",
        "Embedding endpoint, which receives the text of your notes | New: https://b.example | No longer: none",
        "Embedding model | New: m | No longer: none",
        "Secret that the embedding endpoint receives | New: e | No longer: none",
        "Web search provider, which receives what the agent searches for | New: brave | No longer: none",
        "Secret that the web search provider receives | New: s | No longer: parley-search-key",
        "Cost limit per request in US dollars (0: no limit) | New: 0 | No longer: 1",
        "Cost limit per day in US dollars (0: no limit) | New: 100 | No longer: 2",
        "Custom prices in US dollars | New: mine: {"input":0.1,"output":0.25,"cacheRead":0,"cacheWrite":0} | No longer: llama: {"input":1,"output":2,"cacheRead":0,"cacheWrite":0}",
        "Chats to keep; older ones are deleted | New: 1 | No longer: 1000",
        "Undo history size in megabytes; older changes can’t be undone | New: 50 | No longer: 200",
        "Take requests from SmartHole | New: on | No longer: off",
        "Assistant name | New: Yes | No longer: Miss Simone",
        "Wake word | New: delete | No longer: none",
        "SmartHole port | New: 9999 | No longer: 9473",
        "Other programs on this computer can use Parley’s tools and read your notes | New: on | No longer: off",
        "Other programs can also change your notes | New: on | No longer: off",
        "Default mode for MCP clients | New: apply | No longer: review",
      ]
    `);
    expect(texts.filter(({ name }) => name in DEFAULT_SETTINGS)).toEqual([]);
  });
});
