/** Notes used as tools and as prompts, and notes offered for copying. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { call, reply } from '#workbench/model/replies';
import { toolResults } from '#workbench/model/wire';
import { openChat, type OpenedChat } from '#tests/e2e/chat';

const PACKING = `---
tool: packing_list
description: What to pack for a journey. Use it whenever one is planned.
parameters:
  nights: How many nights it takes.
  season:
    description: The time of the year.
    default: summer
---
- [ ] {{nights}} shirts
- [ ] a hat for {{season}}
`;

const FILES = {
  'Parley/Tools/Packing list.md': PACKING,
  'Parley/Tools/Words.md': '---\ntool: house words\ndescription: How we write.\n---\nPlainly.\n',
  'Parley/Tools/Done.md': '---\ntool: done\ndescription: Says that all is done.\n---\nAll done.\n',
};

const SETTINGS = { panelMode: 'apply', customToolFolder: 'Parley/Tools' };

/** Names of the tools in the last request. */
const tools = (chat: OpenedChat) =>
  (chat.modelRequests().at(-1)?.tools ?? []).map(({ name }) => name);

const lastResult = (chat: OpenedChat) =>
  toolResults(chat.modelRequests().at(-1)?.messages ?? []).at(-1)?.text;

async function openSettings(page: Page) {
  await page.keyboard.press('Control+p');
  await page.getByPlaceholder('Select a command…').fill('settings');
  await page.keyboard.press('Enter');
  await page.getByText('Editing and permissions', { exact: true }).click();
}

test('a tool note works in a turn, and the settings explain why other notes are not tools', async () => {
  await using chat = await openChat({
    files: FILES,
    settings: SETTINGS,
    model: [
      reply(
        'I look at your packing list.',
        call('packing_list', { nights: '3', season: 'autumn' }),
      ),
      reply('Take 3 shirts and a hat for autumn.'),
    ],
  });
  const { log, page } = chat;
  await chat.send('What do I pack for three nights at the coast?');
  await log.getByText('Take 3 shirts').waitFor();
  await chat.idle();
  expect(tools(chat)).toContain('packing_list');
  expect(lastResult(chat)).toContain('- [ ] 3 shirts\n- [ ] a hat for autumn');
  await log
    .getByText(/packing list/i)
    .last()
    .click();
  await chat.checkLooks('custom-tool');

  await openSettings(page);
  await page.getByText('packing_list', { exact: true }).waitFor();
  await page.getByText('Done is not a tool').waitFor();
  await page.getByText(/There is another tool called “done”\./).waitFor();
  await page.getByText(/“tool” has to be a name/).scrollIntoViewIfNeeded();
  await chat.screenshot('settings-custom-tools');
  await page.emulateMedia({ colorScheme: 'dark' });
  await chat.screenshot('settings-custom-tools-dark');
  await chat.expectNoFaults();
});

test('the agent creates a tool note after approval, and the next chat offers the tool', async () => {
  const content =
    '---\ntool: house_words\ndescription: How we write in this house.\n---\nWrite plainly.\n';
  const path = 'Parley/Tools/House words.md';
  await using chat = await openChat({
    files: FILES,
    settings: { ...SETTINGS, tools: { write_file: 'allow' } },
    model: [
      reply('I write it down as a tool.', call('write_file', { path, content })),
      reply('From the next chat on I have your house words.'),
      reply(call('house_words')),
      reply('Plainly, then.'),
    ],
  });
  const { log, approval: card, page } = chat;
  await chat.send('Make a tool of how we write: plainly.');
  await card.waitFor();
  expect(await card.textContent()).toContain(`${path} tells agents or plugins what to do.`);
  expect(() => chat.read(path)).toThrow();
  await chat.checkLooks('custom-tool-card');
  await card.getByRole('button', { name: 'Allow once' }).click();
  await log.getByText('From the next chat on').waitFor();
  await chat.idle();
  expect(chat.read(path)).toBe(content);
  expect(tools(chat)).not.toContain('house_words');
  await page.getByRole('button', { name: 'New chat' }).click();
  await log.getByText('From the next chat on').waitFor({ state: 'detached' });
  await chat.send('How do we write?');
  await log.getByText('Plainly, then.').waitFor();
  expect(tools(chat)).toContain('house_words');
  expect(lastResult(chat)).toContain('Write plainly.');
  await chat.expectNoFaults();
});

test('the slash menu lists prompt notes and inserts their text', async () => {
  await using chat = await openChat({
    files: {
      'Prompts/Weekly review.md':
        '---\ntags: [prompt]\n---\nGo through this week’s notes.\n\n- What was done?\n- What is left?\n',
      'Prompts/Letters/Thank you.md': 'Write a thank-you letter to\n',
      'Prompts/Hidden week.md': 'zxsecretxz #private\n',
    },
    settings: { panelMode: 'apply', promptFolder: 'Prompts' },
    model: [reply('It was a good week.')],
  });
  const { message, page, log } = chat;
  const options = page.getByRole('option');
  await message.click();
  await message.pressSequentially('/');
  await options.getByText('Weekly review').waitFor();
  await chat.checkLooks('prompt-notes');
  await message.pressSequentially('week');
  await expect.poll(() => options.count()).toBe(1);
  await message.press('Enter');
  await expect
    .poll(() => message.inputValue())
    .toBe('Go through this week’s notes.\n\n- What was done?\n- What is left? ');
  await chat.checkLooks('prompt-chosen');
  await message.press('Enter');
  await log.getByText('It was a good week.').waitFor();
  expect(JSON.stringify(chat.modelRequests())).not.toContain('zxsecretxz');
  await chat.expectNoFaults();
});

test('notes are copied only on click, with their current text even after a reload', async () => {
  await using chat = await openChat({
    files: { 'Seeds.md': 'Peas.\n', 'Beans.md': 'Broad beans.\n' },
    model: [
      reply('Here they are.', call('copy_notes', { paths: ['Seeds.md', 'Beans.md'] })),
      reply('Click to copy both.'),
    ],
  });
  const { log, page } = chat;
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  const clipboard = () => page.evaluate(() => navigator.clipboard.readText());
  await page.evaluate(() => navigator.clipboard.writeText('mine'));
  await chat.send('Let me copy my seeds and beans');
  await log.getByText('Click to copy both.').waitFor();
  await chat.idle();
  expect(await clipboard()).toBe('mine');
  const button = log.getByRole('button', { name: /^Copy Seeds, Beans/ });
  await chat.checkLooks('copy-notes');
  await button.click();
  await expect.poll(clipboard).toBe('Peas.\n\nBroad beans.\n');
  await chat.reload();
  await page.evaluate(async () => {
    const { app } = window as unknown as {
      app: {
        vault: { getFileByPath(path: string): object; modify(file: object, text: string): unknown };
      };
    };
    await app.vault.modify(app.vault.getFileByPath('Seeds.md'), 'Marrowfat peas.\n');
  });
  await button.click();
  await expect.poll(clipboard).toBe('Marrowfat peas.\n\nBroad beans.\n');
  await chat.expectNoFaults();
});

test('an allowed command runs after approval, and the settings mark unknown command ids', async () => {
  await using chat = await openChat({
    settings: {
      panelMode: 'apply',
      commands: ['theme:toggle-light-dark', 'gone:one'],
      tools: { execute_command: 'ask' },
    },
    model: [
      reply(call('execute_command', { command: 'theme:toggle-light-dark' })),
      reply('It is dark now.'),
    ],
  });
  const { log, approval: card, page } = chat;
  await chat.send('Make it dark');
  await card.waitFor();
  await chat.checkLooks('command-card');
  await card.getByRole('button', { name: 'Allow once' }).click();
  await log.getByText('It is dark now.').waitFor();
  expect(lastResult(chat)).toMatch(/^Ran "/);
  await openSettings(page);
  await page.getByText('Tools and commands', { exact: true }).click();
  await page.getByText('There is no command with this ID in this vault.').scrollIntoViewIfNeeded();
  await chat.screenshot('settings-commands');
  await chat.expectNoFaults();
});
