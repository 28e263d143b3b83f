/** Several chat panels on shared state: in the sidebar, in a tab and in a popout window. */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { gate, stall } from '#workbench/model/faults';
import { paced, reply } from '#workbench/model/replies';
import { openChat } from '#tests/e2e/chat';

const LINES = Array.from({ length: 24 }, (_, at) => `Line ${at + 1} of **the answer**.`);
const ANSWER = LINES.join('\n\n');

async function command(page: Page, name: string): Promise<void> {
  await page.keyboard.press('Control+p');
  await page.getByPlaceholder('Select a command…').fill(name);
  await page.locator('.suggestion-item', { hasText: name }).first().click();
}

/** Shows the chat with this title in a panel that was just opened. */
async function openPast(panel: Page | Locator, title: string): Promise<void> {
  await panel.getByText('How can I help with your notes?').waitFor();
  await panel.getByRole('button', { name: 'Past chats' }).click();
  const row = panel.getByRole('region', { name: 'Past chats' }).getByRole('button', {
    name: new RegExp(`^${title}`),
  });
  await row.click();
  await panel.getByRole('log').waitFor();
}

test('a chat opened in a tab or a window is another one', async () => {
  await using chat = await openChat();
  const { page } = chat;
  await command(page, 'Open another chat in a tab');
  const [side, tab] = [page.locator('.mod-right-split'), page.locator('.mod-root')];
  const field = tab.getByRole('textbox', { name: 'Message' });
  // The command ends by moving the focus here.
  await expect
    .poll(() => field.evaluateAll(([found]) => found === document.activeElement))
    .toBe(true);
  await field.fill('hello there');
  await field.press('Enter');
  await tab.getByRole('log').waitFor();
  // Both were empty, and still are two.
  expect(await side.getByRole('log').count()).toBe(0);
  await tab.getByRole('button', { name: 'Copy answer' }).waitFor();
  const other = side.getByRole('textbox', { name: 'Message' });
  await other.fill('good morning');
  await other.press('Enter');
  await side.getByRole('log').getByText('good morning').waitFor();
  expect(await tab.getByRole('log').getByText('good morning').count()).toBe(0);
  const [popout] = await Promise.all([
    page.waitForEvent('popup'),
    command(page, 'Open another chat in a window'),
  ]);
  await popout.getByText('How can I help with your notes?').waitFor();
  await chat.expectNoFaults();
});

test('a search in each of two panels selects what it found', async () => {
  await using chat = await openChat({ model: [reply('Milk and honey.')] });
  const { page } = chat;
  await chat.send('What is there?');
  await chat.log.getByText('Milk and honey.').waitFor();
  await chat.idle();
  await command(page, 'Open another chat in a tab');
  const [side, tab] = [page.locator('.mod-right-split'), page.locator('.mod-root')];
  const selected = () => page.evaluate(() => String(getSelection()));
  const find = async (panel: typeof side, word: string) => {
    await panel.getByRole('button', { name: 'Past chats' }).click();
    await panel.getByRole('searchbox').fill(word);
    await panel
      .getByRole('button', { name: new RegExp(word) })
      .last()
      .click();
    await panel.getByRole('log').waitFor();
  };
  await find(side, 'honey');
  await expect.poll(selected).toBe('honey');
  await find(tab, 'Milk');
  await expect.poll(selected).toBe('Milk');
  await chat.screenshot('panels-found');
  await chat.expectNoFaults();
});

test('a turn streams into three panels at once, and a reopened panel shows all of it', async () => {
  const [early, late] = [gate(), gate()];
  const slow = () => paced(reply(ANSWER), { chunkBytes: 32 });
  await using chat = await openChat({
    model: [reply('Ready.'), ...[stall(slow(), 8, early.promise), stall(slow(), 14, late.promise)]],
  });
  const { page } = chat;
  await chat.send('Are you ready?');
  await chat.log.getByText('Ready.').waitFor();
  await chat.idle();
  await command(page, 'Open another chat in a tab');
  const [popout] = await Promise.all([
    page.waitForEvent('popup'),
    command(page, 'Open another chat in a window'),
  ]);
  await openPast(page.locator('.mod-root'), 'Are you ready');
  await openPast(popout, 'Are you ready');
  const side = page.locator('.mod-right-split').getByRole('log');
  const tab = page.locator('.mod-root').getByRole('log');
  const own = popout.getByRole('log');
  const idle = () =>
    expect.poll(() => page.getByRole('button', { name: 'Stop', exact: true }).count()).toBe(0);
  const html = (log: typeof side) =>
    log
      .locator('.markdown-rendered')
      .last()
      .evaluate((element) => element.innerHTML);

  await popout.getByRole('textbox', { name: 'Message' }).fill('Tell me all of it');
  await popout.keyboard.press('Enter');
  for (const log of [side, tab, own]) await log.getByText('Line 3 of the answer.').waitFor();
  for (const log of [side, tab, own]) expect(await log.getByText('Line 20').count()).toBe(0);
  await chat.screenshot('panels-popout', popout.locator('body'));
  await chat.screenshot('panels');

  await page.locator('.mod-root [role="tab"][aria-label="Chat"]').getByLabel('Close').click();
  await tab.waitFor({ state: 'detached' });
  // Otherwise the new tab would open in the other window.
  await page.locator('.mod-root').getByRole('tab', { name: 'Welcome' }).click();
  await command(page, 'Open another chat in a tab');
  await openPast(page.locator('.mod-root'), 'Are you ready');
  await tab.getByText('Line 3 of the answer.').waitFor();
  early.open();
  for (const log of [side, tab, own]) await log.getByText('Line 24 of the answer.').waitFor();
  await idle();
  expect(await html(tab)).toBe(await html(side));
  expect(await html(own)).toBe(await html(side));

  // Closing the popout does not affect the turn in the other panels.
  await page.locator('.mod-right-split').getByRole('textbox', { name: 'Message' }).fill('Again');
  await page.keyboard.press('Enter');
  await expect.poll(() => own.getByText('Line 3 of the answer.').count()).toBe(2);
  await popout.close();
  late.open();
  for (const log of [side, tab]) {
    await expect.poll(() => log.getByText('Line 24 of the answer.').count()).toBe(2);
  }
  await idle();
  await chat.expectNoFaults();
});
