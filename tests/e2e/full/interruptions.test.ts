/**
 * Interrupted turns: stopped by the user, delayed by a rate limit, or followed by queued messages.
 */
import { expect, test } from 'vitest';
import { gate, rateLimited, stall } from '#workbench/model/faults';
import { call, paced, reply } from '#workbench/model/replies';
import { openChat } from '#tests/e2e/chat';

const STORY = 'Your notes on tomatoes say three things. First, they want warmth from below';
const LONG = Array.from({ length: 60 }, (_, at) => `Line ${at + 1} of the answer.`).join('\n\n');
const slowly = (text: string) => paced(reply(text), { chunkBytes: 8 });

test('stopping cuts the answer off at that point, and the next message works', async () => {
  const note = 'Notes/Sum.md';
  await using chat = await openChat({
    model: [
      reply('I look.', call('read_file', { path: 'Notes/Tomatoes.md' })),
      stall(slowly(`${STORY}, and a second thing that nobody reads.`), 8),
      stall(
        paced(reply('I write it.', call('write_file', { path: note, content: STORY })), {
          chunkBytes: 8,
        }),
        4,
      ),
      reply('Here I am again.'),
    ],
  });
  const { log, page, message } = chat;
  const stop = page.getByRole('button', { name: 'Stop', exact: true });
  await chat.send('what do my notes say about tomatoes?');
  await log.getByText('three things').waitFor();
  await stop.click();
  await log.getByText('Stopped.').waitFor();
  await chat.idle();
  expect(await log.getByText('The response was cut off here').count()).toBe(1);
  expect(await message.evaluate((element) => element === document.activeElement)).toBe(true);

  await chat.send('write that into a note');
  await log.getByText('Writing', { exact: true }).waitFor();
  await stop.click();
  await expect.poll(() => log.getByText('Stopped.').count()).toBe(2);
  await chat.idle();
  await chat.checkLooks('stopped');

  await chat.send('are you there?');
  await log.getByText('Here I am again.').waitFor();
  const { requests } = chat.serving.demo!.server;
  await expect
    .poll(() => requests.map(({ outcome }) => outcome))
    .toEqual(['sent', 'broken', 'broken', 'sent']);
  const history = JSON.stringify(chat.modelRequests().at(-1)?.messages);
  expect(history).toContain('I look.');
  expect(history).not.toContain('three things');
  expect(history).not.toContain('write_file');
  expect(() => chat.read(note)).toThrow('ENOENT');
  await chat.expectNoFaults();
});

test('the chat shows that it waits for a rate limit, then retries without a notice', async () => {
  await using chat = await openChat({ model: [rateLimited(2), reply('Nothing is due today.')] });
  const { log, page } = chat;
  await chat.send('what is due today?');
  await log.getByText(/Retrying in \d s/).waitFor();
  await chat.checkLooks('retrying');
  await log.getByText('Nothing is due today.').waitFor();
  await chat.idle();
  expect(await log.getByText('Retrying').count()).toBe(0);
  expect(await page.locator('.notice').count()).toBe(0);
  expect(chat.modelRequests()).toHaveLength(2);
  await chat.checkLooks('retried');
  // The browser logs the failed request as an error.
  await chat.expectNoFaults('429');
});

test('messages sent during a turn are queued visibly, can be edited, and run after it', async () => {
  const enough = gate();
  await using chat = await openChat({
    model: [
      stall(paced(reply(LONG), { chunkBytes: 64 }), 20, enough.promise),
      reply('The second answer.'),
      reply('The third answer.'),
    ],
  });
  const { log, message, page } = chat;
  const queue = page.getByRole('list', { name: 'Queued' });
  const sendAfter = async (text: string) => {
    await message.fill(text);
    await message.press('Alt+Enter');
  };
  await chat.send('first');
  await log.getByText('Line 30 of').waitFor();
  await sendAfter('secnd, with a word that went wrong and more words than there is room for');
  await sendAfter('third');
  await expect.poll(() => queue.getByRole('listitem').count()).toBe(2);
  await chat.checkLooks('queued');
  await queue.getByRole('button', { name: 'Edit queued message' }).first().click();
  await expect.poll(() => queue.getByRole('listitem').count()).toBe(1);
  expect(await message.inputValue()).toContain('secnd');
  await sendAfter('second');
  await expect
    .poll(() => queue.getByRole('listitem').allInnerTexts())
    .toEqual([expect.stringMatching(/^third\b/), expect.stringMatching(/^second\b/)]);
  expect(chat.modelRequests()).toHaveLength(1);

  // A user who has scrolled up is not moved, but sees that there is new text below.
  await log.evaluate((element) => {
    element.scrollTop = 0;
  });
  await page.getByRole('button', { name: 'Jump to latest' }).waitFor();
  enough.open();
  await page.getByRole('button', { name: 'New messages' }).waitFor();
  expect(await log.evaluate(({ scrollTop }) => scrollTop)).toBe(0);
  await page.getByRole('button', { name: 'New messages' }).click();
  await log.getByText('The third answer.').waitFor();
  await chat.idle();
  expect(await queue.count()).toBe(0);
  const said = log.getByRole('group', { name: 'You' });
  expect(await said.allInnerTexts()).toEqual(['first', 'third', 'second']);
  await chat.expectNoFaults();
});
