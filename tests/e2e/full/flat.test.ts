/** Checks that the panel leaks no DOM nodes or listeners. */
import { expect, test } from 'vitest';
import { openChat, type OpenedChat } from '#tests/e2e/chat';

/** DOM nodes and listeners counted by Chromium after garbage collection. */
async function held({ page }: OpenedChat): Promise<{ nodes: number; listeners: number }> {
  const session = await page.context().newCDPSession(page);
  await session.send('Performance.enable');
  await session.send('HeapProfiler.collectGarbage');
  await session.send('HeapProfiler.collectGarbage');
  const { metrics } = await session.send('Performance.getMetrics');
  await session.detach();
  const of = (name: string) => metrics.find((each) => each.name === name)?.value ?? 0;
  return { nodes: of('Nodes'), listeners: of('JSEventListeners') };
}

test('opening and closing the panel, chats and the chat list leaks no DOM nodes or listeners', async () => {
  await using chat = await openChat();
  const { page } = chat;
  const round = async () => {
    await chat.send('add milk to my shopping list');
    await chat.log.locator('.foot').waitFor();
    await page.getByRole('button', { name: 'Past chats' }).click();
    await page.getByRole('region', { name: 'Past chats' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('tab', { name: 'Chat' }).getByLabel('Close').click();
    await chat.open();
    await page.getByRole('button', { name: 'New chat' }).click();
    await chat.log.waitFor({ state: 'detached' });
  };
  for (let at = 0; at < 2; at += 1) await round();
  const before = await held(chat);
  for (let at = 0; at < 5; at += 1) await round();
  const after = await held(chat);
  // The tolerance covers a tooltip or two; a leaked panel or turn would exceed it by far.
  expect(after.listeners - before.listeners).toBeLessThan(40);
  expect(after.nodes - before.nodes).toBeLessThan(400);
  await chat.expectNoFaults();
});
