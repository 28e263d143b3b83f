/** Three chats at work at once, watched and controlled from a fourth by keyboard alone. */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { gate, stall } from '#workbench/model/faults';
import { call, paced, reply } from '#workbench/model/replies';
import { scriptedFor } from '#workbench/model/scripted';
import { openChat, type OpenedChat } from '#tests/e2e/chat';

const NOTE = 'Notes/Tomatoes.md';
const ASK = call('ask_user', { question: 'Which list?', choices: ['Shopping', 'Packing'] });
const slowly = (text: string) => paced(reply(text), { chunkBytes: 4 });

/** Presses the key until the element has the focus, at most 20 times. */
async function goTo(page: Page, key: string, what: Locator): Promise<void> {
  await what.waitFor();
  for (let count = 0; count < 20; count += 1) {
    await page.keyboard.press(key);
    const isThere = await what.evaluate((element) => element === document.activeElement);
    const isLost = await page.evaluate(() => document.activeElement === document.body);
    expect(isLost, `the focus after ${key}`).toBe(false);
    if (isThere) return;
  }
  throw new Error(`${key} does not lead to ${what.toString()}.`);
}

async function ask(chat: OpenedChat, text: string): Promise<void> {
  await chat.page.keyboard.type(text);
  await chat.page.keyboard.press('Enter');
  await chat.log.getByText(text).waitFor();
  await chat.command('New chat');
  await chat.log.waitFor({ state: 'detached' });
}

test('three chats work at once; one is stopped, one answered and one opened, by keyboard alone', async () => {
  const held = gate();
  await using chat = await openChat();
  const { log, message, page, serving } = chat;
  const read = reply('I read it.', call('read_file', { path: NOTE }));
  const model = scriptedFor(
    {
      lease: [read, stall(slowly('The lease never comes to an end.'), 2, held.promise)],
      eggs: [reply('', ASK), reply('The eggs are on it.')],
      tomatoes: [read, stall(slowly('Tomatoes want warmth.'), 2, held.promise)],
    },
    { asides: reply() },
  );
  serving.demo?.server.setRespond(model);
  await message.focus();
  await ask(chat, 'sum up the lease');
  await ask(chat, 'put the eggs on the list');
  await ask(chat, 'what do the tomatoes want?');
  const inbox = page.getByRole('region', { name: 'Inbox' });
  await inbox.getByText('2 working, 1 needs you').waitFor();
  await page.locator('.status-bar').getByText('Parley needs you').waitFor();
  await chat.checkLooks('several-chats');

  await chat.command('Show other chats');
  await inbox.getByText('Which list?').waitFor();
  await expect.poll(() => inbox.getByText('Writing', { exact: true }).count()).toBe(2);
  await chat.checkLooks('several-chats-opened');

  await goTo(page, 'Tab', page.getByRole('button', { name: 'Stop “sum up the lease”' }));
  await page.keyboard.press('Enter');
  await inbox.getByText('1 working, 1 needs you').waitFor();
  await goTo(page, 'Tab', inbox.getByRole('button', { name: 'Answer', exact: true }));
  await page.keyboard.press('Enter');
  await goTo(page, 'Tab', inbox.getByRole('button', { name: 'Packing' }));
  await chat.checkLooks('several-chats-answered');
  await page.keyboard.press('Enter');
  await inbox.getByText('1 working, 1 finished').waitFor();
  await inbox.getByText('Done: The eggs are on it.').waitFor();

  await page.keyboard.press('Escape');
  await inbox.getByText('Done: The eggs are on it.').waitFor({ state: 'hidden' });
  expect(await page.getByText('1 working, 1 finished').first().isVisible()).toBe(true);
  held.open();
  await inbox.getByText('2 finished').waitFor();
  await chat.command('Show other chats');
  await goTo(page, 'Tab', inbox.getByRole('button', { name: /^what do the tomatoes/ }));
  await page.keyboard.press('Enter');
  await log.getByText('Tomatoes want warmth.').waitFor();
  await inbox.getByText('1 finished', { exact: true }).waitFor();
  await expect
    .poll(() => message.evaluate((element) => element === document.activeElement))
    .toBe(true);

  await chat.command('Search all chats');
  const past = page.getByRole('region', { name: 'Past chats' });
  expect(await past.getByText('Finished, not seen yet').count()).toBe(1);
  await chat.checkLooks('several-chats-past');
  await page.keyboard.press('Escape');
  expect(model.remaining()).toBe(0);
  await chat.expectNoFaults();
});
