/** MCP servers: the user lists, enables and tests them, and the agent uses them with approval. */
import { expect, test } from 'vitest';
import type { McpServer } from '#model/mcp-server';
import { everythingAtAddress } from '#tests/mcp/programs';
import { call, reply } from '#workbench/model/replies';
import { toolResults } from '#workbench/model/wire';
import { openChat, type OpenedChat } from '#tests/e2e/chat';

const DESK: McpServer = {
  ...{ id: 'server-desk', name: 'Desk', enabled: true, kind: 'stdio' },
  ...{ command: '', args: ['-y', 'desk-server'], env: { TOKEN: '{{desk-token}}' } },
};

/** Never contacted, because it is off. */
const AWAY: McpServer = {
  ...{ id: 'server-away', name: 'Away', enabled: false, kind: 'http' },
  ...{ url: 'https://tools.example/mcp', secret: 'away-token' },
};

const lastResult = (chat: OpenedChat) =>
  toolResults(chat.modelRequests().at(-1)?.messages ?? []).at(-1)?.text;

async function shots(chat: OpenedChat, name: string): Promise<void> {
  const { page } = chat;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await chat.screenshot(`settings-${name}-${colorScheme}`);
  }
}

test('an MCP server can be switched on, tested and used, and one without a command says so', async () => {
  await using far = await everythingAtAddress();
  await using chat = await openChat({
    settings: { panelMode: 'apply', mcpServers: [{ ...far.server, enabled: false }, DESK, AWAY] },
    model: [
      reply('I ask the server.', call('everything_echo', { message: 'is anybody there?' })),
      reply('It answered.'),
      reply(call('everything_get-sum', { a: 2, b: 40 })),
      reply('I leave it.'),
    ],
  });
  const { page, log, approval: card } = chat;
  await chat.command('settings');
  await page.getByRole('button', { name: /^MCP/ }).click();
  await page.getByText('Incomplete').waitFor();
  await page.getByText('Incomplete').scrollIntoViewIfNeeded();
  await shots(chat, 'tool-servers');
  await page.getByText('everything', { exact: true }).click();
  await page.getByRole('button', { name: 'Test' }).click();
  await page.getByText('Not started: it is off.').waitFor();
  await shots(chat, 'tool-server-off');
  const enable = page.locator('.setting-item', { hasText: 'Enable' });
  await enable.locator('.checkbox-container').click();
  await page.getByRole('button', { name: 'Test' }).click();
  await page.getByText(/It works and offers \d+ tools: echo, /).waitFor();
  await shots(chat, 'tool-server-works');
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByText('Desk', { exact: true }).click();
  await page.getByText('It has no command yet.').waitFor();
  await shots(chat, 'tool-server-program');
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByText('Away', { exact: true }).click();
  // The settings show where a token would be sent before the user allows it.
  await page.getByText('Authorization: Bearer {{away-token}}').waitFor();
  await shots(chat, 'tool-server-token');
  await page.keyboard.press('Escape');

  await chat.send('Is anybody there?');
  await card.waitFor();
  expect(await card.locator('figure').textContent()).toMatch(/^message\s*is anybody there\?/);
  await chat.checkLooks('tool-server-card');
  await card.getByRole('button', { name: 'Allow once' }).click();
  await log.getByText('It answered.').waitFor();
  await chat.idle();
  expect(lastResult(chat)).toContain('<server-answer>\nEcho: is anybody there?\n</server-answer>');
  await chat.checkLooks('tool-server-used');

  await chat.send('What is 2 and 40?');
  await card.waitFor();
  await card.getByRole('button', { name: 'Deny' }).click();
  await log.getByText('I leave it.').waitFor();
  expect(lastResult(chat)).toContain('The user denied everything_get-sum.');
  expect(chat.serving.demo?.server.violations).toEqual([]);
  // The client first tries the newer transport; an older server answers 400, which the browser
  // logs.
  expect((await chat.faults()).filter((fault) => !fault.includes('400'))).toEqual([]);
});
