/**
 * Messages sent while a turn runs, by keyboard alone: one joins the turn, one waits for its end, and
 * one stops it.
 */
import { expect, test } from 'vitest';
import { gate, stall } from '#workbench/model/faults';
import { call, paced, reply } from '#workbench/model/replies';
import { blocksOf } from '#workbench/model/wire';
import { openChat, type OpenedChat } from '#tests/e2e/chat';

const READ = call('read_file', { path: 'Notes/Tomatoes.md' });
const LIST = call('list_files', { pattern: 'Lists/*' });
const inPieces = (text: string, called: ReturnType<typeof call>) =>
  paced(reply(text, called), { chunkBytes: 8 });

/** Types into the field that has the focus, and presses the key. */
async function type({ page }: OpenedChat, text: string, key: string): Promise<void> {
  await page.keyboard.type(text);
  await page.keyboard.press(key);
}

/** Presses a key until the element with this name has the focus. */
async function moveTo({ page }: OpenedChat, name: string, key: string): Promise<void> {
  const target = page.getByRole('button', { name, exact: true }).first();
  for (let press = 0; press < 12; press += 1) {
    await page.keyboard.press(key);
    if (await target.evaluate((element) => element === document.activeElement)) return;
  }
  throw new Error(`The button ${name} cannot be reached with ${key}.`);
}

const rows = ({ page }: OpenedChat) =>
  page.getByRole('list', { name: 'Queued' }).getByRole('listitem').allInnerTexts();
const said = ({ log }: OpenedChat) => log.getByRole('group', { name: 'You' }).allInnerTexts();

test('a message joins the running request after its step, and the chat shows where', async () => {
  const first = gate();
  await using chat = await openChat({
    model: [
      stall(inPieces('I read the note about it.', READ), 3, first.promise),
      reply('In French, then.', LIST),
      reply('Voilà, les tomates.'),
    ],
  });
  const { log, message, page } = chat;
  await message.focus();
  await type(chat, 'what do my notes say about tomatoes?', 'Enter');
  await log.getByText('I read').waitFor();
  await page.keyboard.type('answer in French');
  await page.getByText('Joins next').waitFor();
  await chat.checkLooks('steering-written');
  await page.keyboard.press('Enter');
  await expect.poll(() => rows(chat)).toEqual([expect.stringMatching(/French\s+Joins next/)]);
  await chat.checkLooks('steering-pending');
  first.open();
  await log.getByText('Voilà, les tomates.').waitFor();
  await chat.idle();
  expect(await said(chat)).toEqual(['what do my notes say about tomatoes?', 'answer in French']);
  await log.getByText('Included from here on').waitFor();
  expect(await page.getByRole('list', { name: 'Queued' }).count()).toBe(0);
  await chat.checkLooks('steering-joined');
  // The message is a block behind the results of the step.
  const blocks = blocksOf(chat.modelRequests()[1]?.messages.at(-1)?.content);
  expect(blocks.map((block) => block.type)).toEqual(['tool_result', 'text', 'text']);
  expect(chat.modelRequests()).toHaveLength(3);
  await chat.reload();
  await log.getByText('Included from here on').waitFor();
  expect(await said(chat)).toEqual(['what do my notes say about tomatoes?', 'answer in French']);
  await chat.expectNoFaults();
});

test('a message that is queued runs after the request, and Send now lets it join', async () => {
  const first = gate();
  await using chat = await openChat({
    model: [
      stall(inPieces('I read the note about it.', READ), 3, first.promise),
      reply('Shorter: tomatoes want warmth.'),
      reply('And peppers want more.'),
    ],
  });
  const { log, message, page } = chat;
  await message.focus();
  await type(chat, 'what do my notes say about tomatoes?', 'Enter');
  await log.getByText('I read').waitFor();
  await type(chat, 'shorter, please', 'Alt+Enter');
  const after: unknown = expect.stringContaining('After this');
  await expect.poll(() => rows(chat)).toEqual([after]);
  await page.keyboard.type('and peppers?');
  await moveTo(chat, 'Queue', 'Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => rows(chat)).toEqual([after, after]);
  await moveTo(chat, 'Remove queued message', 'Shift+Tab');
  await moveTo(chat, 'Send now', 'Shift+Tab');
  await page.keyboard.press('Enter');
  await expect.poll(() => rows(chat)).toEqual([expect.stringContaining('Joins next'), after]);
  first.open();
  await log.getByText('And peppers want more.').waitFor();
  await chat.idle();
  expect(await said(chat)).toEqual([
    'what do my notes say about tomatoes?',
    'shorter, please',
    'and peppers?',
  ]);
  expect(await log.getByText('Included from here on').count()).toBe(1);
  await chat.expectNoFaults();
});

test('Stop and send stops the request and sends the message next', async () => {
  await using chat = await openChat({
    model: [
      stall(inPieces('I read the note about it, slowly.', READ), 3),
      reply('Peppers want more warmth.'),
    ],
  });
  const { log, message } = chat;
  await message.focus();
  await type(chat, 'what do my notes say about tomatoes?', 'Enter');
  await log.getByText('I read').waitFor();
  await type(chat, 'peppers, I mean', 'Control+Enter');
  await log.getByText('Peppers want more warmth.').waitFor();
  await chat.idle();
  await log.getByText('Stopped.').waitFor();
  expect(await said(chat)).toEqual(['what do my notes say about tomatoes?', 'peppers, I mean']);
  expect(await message.inputValue()).toBe('');
  await chat.checkLooks('stopped-and-sent');
  await chat.expectNoFaults();
});

test('a message to a paused request joins it when the user resumes', async () => {
  const first = gate();
  await using chat = await openChat({
    model: [stall(inPieces('I read the note about it.', READ), 3, first.promise), reply('Voilà.')],
  });
  const { log, message, page } = chat;
  await chat.send('what do my notes say about tomatoes?');
  await log.getByText('I read').waitFor();
  await page.getByRole('button', { name: 'Pause' }).press('Enter');
  first.open();
  await log.getByText('Paused').waitFor();
  await message.focus();
  await page.keyboard.type('in French');
  await page.getByText('Joins when you resume').waitFor();
  await page.keyboard.press('Enter');
  await page.getByText('Queued (paused)').waitFor();
  await page.getByRole('button', { name: 'Resume' }).press('Enter');
  await log.getByText('Voilà.').waitFor();
  await chat.idle();
  await log.getByText('Included from here on').waitFor();
  expect(chat.modelRequests()).toHaveLength(2);
  await chat.expectNoFaults();
});
