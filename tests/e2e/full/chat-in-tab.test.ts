/** A chat in the main area is about the note that was active last. */
import { expect, test } from 'vitest';
import { openChat } from '#tests/e2e/chat';

test('the note that was active last is attached from a chat in a tab', async () => {
  await using chat = await openChat();
  const { page } = chat;
  await page.locator('.mod-root .cm-content').click();
  await chat.command('Open another chat in a tab');
  const message = page.locator('.mod-root').getByRole('textbox', { name: 'Message' });
  await expect
    .poll(() => message.evaluate((el) => el === el.ownerDocument.activeElement))
    .toBe(true);
  await chat.command('Attach this note to the chat');
  await page
    .locator('.mod-root')
    .getByRole('button', { name: /^Remove Welcome/ })
    .waitFor();
  await chat.expectNoFaults();
});
