import { expect, test } from 'vitest';
import { openChat } from '#tests/e2e/chat';

test('a message typed into the panel changes the note on disk and in the editor', async () => {
  await using chat = await openChat();
  const { log, page } = chat;
  await page.getByRole('treeitem', { name: 'Lists' }).click();
  await page.getByRole('treeitem', { name: 'Shopping' }).click();
  await chat.send('add milk to my shopping list');
  await log.getByText('I added milk to').waitFor();
  expect(chat.read('Lists/Shopping.md')).toMatch(/^- Milk$/m);
  await page.locator('.mod-root .cm-line', { hasText: /^- Milk$/ }).waitFor();
  await chat.idle();
  await chat.checkLooks('answer');
  await chat.reload();
  await log.getByText('I added milk to').waitFor();
  await chat.expectNoFaults();
});
