/** A chat in the main area is about the note that was active last. */
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { openChat } from '#tests/e2e/chat';
import { gate, stall } from '#workbench/model/faults';
import { call, paced, reply, type ReplyBlock } from '#workbench/model/replies';

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

test('a chat that is dragged out of a window that then closes follows new text and its width', async () => {
  const long = Array.from({ length: 60 }, (_, at) => `Paragraph ${at + 1}.`).join('\n\n');
  await using chat = await openChat({ model: [reply(long), reply(long)] });
  const { page } = chat;
  await page.setViewportSize({ width: 1900, height: 900 });
  const opening = page.context().waitForEvent('page');
  await chat.command('Open another chat in a window');
  const popout = await opening;
  const box = popout.getByRole('textbox', { name: 'Message' });
  // A new chat takes the focus when it is ready.
  await expect.poll(() => box.evaluate((el) => el === el.ownerDocument.activeElement)).toBe(true);
  await box.fill('Say much');
  await box.press('Enter');
  await popout.getByText('Paragraph 60.').waitFor();
  await popout.getByRole('button', { name: 'Past chats' }).click();
  await popout.getByRole('log').waitFor({ state: 'detached' });
  await page.evaluate(() => {
    const { app } = window as unknown as WithWorkspace;
    const [, leaf] = app.workspace.getLeavesOfType('parley-chat');
    if (leaf) app.workspace.moveLeafToMain(leaf);
  });
  await expect.poll(() => popout.isClosed()).toBe(true);
  const moved = page.locator('.mod-root');
  const log = moved.getByRole('log');
  await moved.getByRole('button', { name: 'Past chats' }).click();
  await log.getByText('Paragraph 60.').waitFor();
  const message = moved.getByRole('textbox', { name: 'Message' });
  await message.fill('Say it again');
  await message.press('Enter');
  await expect.poll(() => log.getByText('Paragraph 60.').count()).toBe(2);
  await expect.poll(() => belowTop(log, 'Say it again')).toBeLessThan(60);
  await chat.expectNoFaults();
});

test('an answer goes on in a window into which the chat is dragged, while the main window is hidden', async () => {
  const moved = gate();
  const long = Array.from({ length: 60 }, (_, at) => `Paragraph ${at + 1}.`).join('\n\n');
  const slowly = (text: string, ...rest: ReplyBlock[]) =>
    paced(reply(text, ...rest), { chunkBytes: 32 });
  const first = slowly(
    'Let me look for it in all of your notes.',
    call('read_file', { path: 'Welcome.md' }),
  );
  const model = [stall(first, 1, moved.promise), stall(slowly(long), 30)];
  await using chat = await openChat({ model });
  const { page } = chat;
  await chat.send('Say much');
  await chat.log.getByText('Let me look').waitFor();
  await chat.message.fill('A draft');
  const opening = page.context().waitForEvent('page');
  await page.evaluate(() => {
    const { app } = window as unknown as WithWorkspace;
    // A hidden window has no frames.
    window.requestAnimationFrame = () => 0;
    const [leaf] = app.workspace.getLeavesOfType('parley-chat');
    if (leaf) app.workspace.moveLeafToPopout(leaf);
  });
  const popout = await opening;
  moved.open();
  const log = popout.getByRole('log');
  await log.getByText('Paragraph 40.').waitFor();
  expect(await popout.getByRole('textbox', { name: 'Message' }).inputValue()).toBe('A draft');
  await expect.poll(() => belowTop(log, 'Say much')).toBeLessThan(60);
  await popout.getByRole('button', { name: 'Stop', exact: true }).click();
  await log.getByText('Stopped').waitFor();
  await chat.expectNoFaults();
});

/** Pixels between the top of the messages and this one; a long answer keeps its request there. */
async function belowTop(log: Locator, text: string): Promise<number> {
  const [message, frame] = await Promise.all([
    log.getByText(text, { exact: true }).boundingBox(),
    log.boundingBox(),
  ]);
  return Math.abs((message?.y ?? Infinity) - (frame?.y ?? 0));
}

interface WithWorkspace {
  app: {
    workspace: {
      getLeavesOfType(type: string): object[];
      moveLeafToMain(leaf: object): void;
      moveLeafToPopout(leaf: object): void;
    };
  };
}
