/** Commands of the palette that act on the chat. */
import { expect, test } from 'vitest';
import { openChat } from '#tests/e2e/chat';

test('commands change mode and model, show the inbox, attach notes and reuse the last answer', async () => {
  await using chat = await openChat();
  const { log, page } = chat;
  const mode = (name: string) => page.getByRole('button', { name: `Mode: ${name}` });
  const told = (words: string) => page.locator('.notice', { hasText: words }).waitFor();

  await chat.command('Copy last answer');
  await told('There is no answer to copy yet.');
  await chat.command('Pause or resume');
  await told('Nothing is running in this chat.');
  await chat.command('Show other chats');
  await told('Nothing is at work or waiting in other chats.');
  await chat.command('Rename chat');
  await told('This chat is empty.');

  await chat.command('Switch to Read only');
  await mode('Read only').waitFor();
  await chat.command('Change mode');
  await page.getByRole('menuitem', { name: /^Review/ }).click();
  await mode('Review').waitFor();
  await chat.command('Change model');
  await page
    .getByRole('menuitem', { name: /Sonnet/ })
    .first()
    .click();
  await page.getByRole('button', { name: /^Model: Sonnet/ }).waitFor();

  await chat.command('Attach this note to the chat');
  await page.getByTitle('Welcome.md', { exact: true }).waitFor();
  await chat.send('hello there');
  await log.getByRole('button', { name: 'Copy answer' }).waitFor();
  await chat.idle();
  const before = chat.read('Welcome.md');
  await chat.command('Append last answer to current note');
  await expect.poll(() => chat.read('Welcome.md').length).toBeGreaterThan(before.length);
  await chat.command('Search all chats');
  await chat.command('Create note from last answer');
  await page.getByRole('region', { name: 'Past chats' }).waitFor({ state: 'detached' });
  await chat.expectNoFaults();
});

test('with two chats open, a command acts on the one in focus', async () => {
  await using chat = await openChat();
  const { page } = chat;
  const side = page.locator('.mod-right-split');
  const tab = page.locator('.mod-root');
  await chat.send('hello there');
  await chat.log.getByRole('button', { name: 'Copy answer' }).waitFor();
  await chat.idle();
  await chat.command('Open another chat in a tab');
  await tab.getByText('How can I help with your notes?').waitFor();
  expect(await side.getByRole('log').count()).toBe(1);
  for (const name of ['Rename chat', 'Pin or unpin chat', 'Delete chat']) {
    await chat.command(name);
    const told = page.locator('.notice', { hasText: 'This chat is empty.' });
    await told.click();
    await told.waitFor({ state: 'detached' });
  }
  await chat.command('Show usage');
  await tab.getByRole('region', { name: 'Usage' }).waitFor();
  expect(await side.getByRole('region', { name: 'Usage' }).count()).toBe(0);
  await chat.expectNoFaults();
});
