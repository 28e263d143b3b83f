/** The banner about settings that another device has loosened. */
import { screen as page, within } from '@testing-library/svelte';
import { describe, expect, test } from 'vitest';
import { heldWords } from '#components/chat/held-words.ts';
import { DEFAULT_SETTINGS, type Settings } from '#model/settings';
import { judgeSettings, type HeldChange } from '#model/trusted-settings';
import { openChat } from '../chat';

const HOSTILE: Partial<Settings> = {
  endpoint: 'https://evil.example',
  apiKeyName: 'another-token',
  panelMode: 'apply',
};

function wordsFor(incoming: Partial<Settings>, own: Partial<Settings> = {}): readonly string[] {
  const device = { ...DEFAULT_SETTINGS, ...own };
  return judgeSettings(device, { ...device, ...incoming }).held.flatMap(heldWords);
}

describe('settings from another device', () => {
  test('the banner says what each change would mean, and accepts exactly what it shows', async () => {
    const { user, asked } = await openChat([], { incoming: HOSTILE });
    const banner = page.getByRole('alert');
    expect(
      within(banner)
        .getAllByRole('listitem')
        .map((each) => each.textContent),
    ).toEqual([
      'Requests, with text from your notes and the API key “another-token”, go to https://evil.example instead of https://api.anthropic.com.',
      'New chats start in the mode Apply.',
    ]);
    await user.click(within(banner).getByRole('button', { name: 'Accept' }));
    const [shown] = asked('acceptHeld') as [readonly HeldChange[]];
    expect(shown.map(({ guard }) => guard)).toEqual(['endpoint', 'panelMode']);
    expect(page.queryByRole('alert')).toBeNull();
  });

  test('the banner keeps the settings of this device by keyboard alone', async () => {
    const { user, asked } = await openChat([], { incoming: HOSTILE });
    const keep = page.getByRole('button', { name: 'Keep this device’s settings' });
    for (let at = 0; at < 40 && document.activeElement !== keep; at += 1) await user.tab();
    expect(document.activeElement).toBe(keep);
    await user.keyboard('{Enter}');
    expect(asked('declineHeld')).toHaveLength(1);
    expect(asked('acceptHeld')).toHaveLength(0);
    expect(page.queryByRole('alert')).toBeNull();
  });

  test('nothing is shown if no other device has loosened a setting', async () => {
    await openChat([], { incoming: { instructions: 'Be brief.' } });
    expect(page.queryByRole('alert')).toBeNull();
  });
});

describe('the words for a held change', () => {
  test('the program of an MCP server is shown as it would run, with its arguments and variables', () => {
    const server = {
      ...{ id: 's1', name: 'Desk', enabled: true, kind: 'stdio' as const },
      ...{ command: 'npx', args: ['-y', 'a b'], env: { NODE_OPTIONS: '--require=x' } },
    };
    expect(wordsFor({ mcpServers: [server] })).toEqual([
      'The MCP server “Desk” runs this program on your computer: NODE_OPTIONS=--require=x npx -y "a b"',
    ]);
  });

  test('an address is shown as it would be requested, and no character reorders or hides a part of it', () => {
    expect(
      wordsFor({ embeddingEndpoint: 'https://аpple.example', embeddingKeyName: 'k\u202Ey' }),
    ).toEqual([
      'The text of your notes and the key “k\\u202ey” go to https://xn--pple-43d.example for semantic search.',
    ]);
  });

  test('every kind of held change has words of its own', () => {
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
      ...{ endpoint: 'https://a.example', embeddingEndpoint: 'https://b.example' },
      ...{ searchProvider: 'brave', mcpServerEnabled: true, mcpServerWrites: true },
      ...{
        smartHole: true,
        tools: { delete: 'ask' },
        disabledAgents: [],
        commands: ['app:reload'],
      },
      ...{ excludedFolders: [], excludedTag: '', editableScope: 'vault', contextDepth: 2 },
      ...{ panelMode: 'apply', smartHoleMode: 'review', allowAdd: true, allowReplace: true },
      ...{ allowCreate: true, allowNavigate: true, mcpServers: [server(true)] },
      ...{ templateFolder: 'T', customToolFolder: 'Clippings', promptFolder: 'P' },
      ...{ assistantName: 'Yes', wireName: 'delete', stepsPerTurn: 50, tokensPerTurn: 900_000 },
      ...{ tokenWarning: 90_000, moneyPerTurn: 0, moneyPerDay: 100, readLines: 20_000 },
      ...{ readCharacters: 900_000, readLineCharacters: 9_000, conversationsKept: 1 },
      changeLogMegabytes: 5,
      prices: { mine: { input: 0.1, output: 0.25, cacheRead: 0, cacheWrite: 0 } },
    };
    expect(wordsFor(loose, strict)).toMatchInlineSnapshot(`
      [
        "Requests, with text from your notes and the API key “parley-api-key”, go to https://a.example instead of https://api.anthropic.com.",
        "The text of your notes goes to https://b.example for semantic search.",
        "Web searches and the key “parley-search-key” go to Brave.",
        "The MCP server “Desk” is on.",
        "MCP clients on this computer can read and change your notes.",
        "Parley takes requests from SmartHole at port 9473.",
        "The tool “delete” is on, and asks first.",
        "The tool “move” runs without asking.",
        "The tool group “web” is on.",
        "The agent may run the Obsidian command “app:reload”.",
        "The folder “Private” is no longer hidden.",
        "Notes tagged #private are no longer hidden.",
        "The agent may edit all notes.",
        "Notes up to 2 links away from attached notes are sent along.",
        "New chats start in the mode Apply.",
        "Voice requests run in the mode Review.",
        "The agent may add to notes.",
        "The agent may move, delete and replace.",
        "The agent may create notes and folders.",
        "The agent may open notes and run allowed commands.",
        "Templates come from the folder “T”.",
        "Notes in the folder “Clippings” are tools of the agent.",
        "Prompts come from the folder “P”.",
        "The assistant’s name is “Yes”, and its wake word “delete”.",
        "Steps per request: up to 50.",
        "Tokens per request: up to 900,000.",
        "A warning comes only before messages of more than 90,000 tokens.",
        "Cost limit per request: no limit.",
        "Cost limit per day: up to $100.",
        "Lines per read: up to 20,000.",
        "Characters per read: up to 900,000.",
        "Characters per line: up to 9,000.",
        "The custom price of the model llama no longer applies.",
        "Calls to the model mine count $0.1 for a million tokens of input and $0.25 of output.",
        "One ended chat is kept, and older ones are deleted.",
        "The change log is kept to 5 MB, and older changes can’t be undone.",
      ]
    `);
  });
});
