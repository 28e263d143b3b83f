/** Exporting all chats to notes from the command palette. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openChat } from '#tests/e2e/chat';

test('the command “Export all chats” names the folder, writes a note for each chat, and says where', async () => {
  await using chat = await openChat();
  const { page, vault } = chat;
  const dialog = page.locator('.modal');
  await chat.send('hello there');
  await chat.log.getByRole('button', { name: 'Copy answer' }).waitFor();
  await chat.idle();
  await chat.command('Export all chats');
  const offer = await dialog.getByText(/^1 chat will be saved as a note/).textContent();
  const folder = /“(.+)”/.exec(offer ?? '')?.[1] ?? '';
  expect(folder).toContain('Conversations ');
  await chat.pictureDialog('export-all/offer');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(existsSync(path.join(vault, folder))).toBe(false);

  await chat.command('Export all chats');
  await dialog.getByRole('button', { name: 'Export' }).click();
  await dialog.getByText(`1 chat saved in “${folder}”.`).waitFor();
  await chat.pictureDialog('export-all/done');
  await dialog.locator('.modal-button-container').getByText('Close').click();
  expect(readdirSync(path.join(vault, folder))).toHaveLength(1);
  await chat.expectNoFaults();
});
