/** Keys of Parley that are hotkeys of Obsidian, too, in every place where the chat can be. */
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { call, reply } from '#workbench/model/replies';
import { openChat, type OpenedChat } from '#tests/e2e/chat';

const NOTE = 'Notes/Old timetable.md';

/** Opens the chat in a tab or a window; returns the page that then shows it. */
async function moveChat(chat: OpenedChat, where: 'sidebar' | 'tab' | 'window'): Promise<Page> {
  if (where === 'sidebar') return chat.page;
  const opened = where === 'window' ? chat.page.waitForEvent('popup') : null;
  await chat.command(
    where === 'tab' ? 'Open another chat in a tab' : 'Open another chat in a window',
  );
  const page = (await opened) ?? chat.page;
  // The new chat takes the focus when it is ready.
  const message = page.getByRole('textbox', { name: 'Message' }).last();
  await expect
    .poll(() => message.evaluate((el) => el === el.ownerDocument.activeElement))
    .toBe(true);
  return page;
}

describe.each(['sidebar', 'tab', 'window'] as const)('in a %s', (where) => {
  test('Ctrl+Enter approves the open approval', async () => {
    await using chat = await openChat({
      model: [reply('', call('delete', { path: NOTE })), reply('It is gone.')],
    });
    const page = await moveChat(chat, where);
    const message = page.getByRole('textbox', { name: 'Message' }).last();
    await message.fill('delete the old timetable');
    await message.press('Enter');
    await page
      .getByRole('button', { name: /^Delete/ })
      .last()
      .waitFor();
    await message.press('Control+Enter');
    await page.getByText('It is gone.').last().waitFor();
    await chat.expectNoFaults();
  });

  test('Alt+Enter sends a message after the running request', async () => {
    await using chat = await openChat({
      model: [reply('', call('ask_user', { question: 'Which?' })), reply('One.'), reply('Two.')],
    });
    const page = await moveChat(chat, where);
    const message = page.getByRole('textbox', { name: 'Message' }).last();
    await message.fill('first');
    await message.press('Enter');
    await page.getByText('Which?').last().waitFor();
    await message.fill('the answer');
    await message.press('Alt+Enter');
    await page.getByText('the answer').last().waitFor();
    expect(await message.inputValue()).toBe('');
    await chat.expectNoFaults();
  });

  test('Escape with nothing to close keeps the focus in the chat', async () => {
    await using chat = await openChat();
    const page = await moveChat(chat, where);
    const message = page.getByRole('textbox', { name: 'Message' }).last();
    await message.focus();
    await message.press('Escape');
    expect(await message.evaluate((el) => el === el.ownerDocument.activeElement)).toBe(true);
    await chat.expectNoFaults();
  });

  test('Ctrl+P still opens the command palette', async () => {
    await using chat = await openChat();
    const page = await moveChat(chat, where);
    await page.getByRole('textbox', { name: 'Message' }).last().press('Control+p');
    await chat.page.getByPlaceholder('Select a command…').waitFor();
    await chat.expectNoFaults();
  });
});
