/** Stored conversations: reloading, starting and reopening them, each with its model. */
import { expect, test } from 'vitest';
import { gate, stall } from '#workbench/model/faults';
import { call, paced, reply, thinking } from '#workbench/model/replies';
import { openChat } from '#tests/e2e/chat';

test('a conversation looks the same after a reload, including calls, answers, approvals and stops', async () => {
  await using chat = await openChat({
    model: [
      reply(
        thinking('They want an overview. Start with what is there.'),
        'I look around.',
        call('plan', {
          steps: [
            { text: 'List the notes', state: 'doing' },
            { text: 'Read the lists', state: 'open' },
          ],
        }),
        call('list_files', { path: 'Lists' }),
        call('search_files', { pattern: 'tomato' }),
        call('read_file', { path: 'Lists/Nowhere.md' }),
      ),
      reply(call('read_file', { paths: ['Lists/Todo.md', 'Lists/Shopping.md'] })),
      reply(call('ask_user', { question: 'In full?', choices: ['Yes', 'No'] })),
      reply(call('done', { summary: 'Three lists, of which **one** is long.', outcome: 'partly' })),
      reply(call('delete', { path: 'Notes/Old timetable.md' })),
      reply('It stays.'),
      stall(paced(reply('One, two, three, four and so on'), { chunkBytes: 6 }), 3),
      reply('One more thing.', call('ask_user', { question: 'Which colour?' })),
    ],
  });
  const { approval: card, log, page, question } = chat;
  await chat.send('give me a tour of my lists');
  await question.getByRole('button', { name: 'Yes' }).click();
  await log.getByText('of which').waitFor();
  await chat.idle();
  await chat.checkLooks('trace');
  for (const line of ['Worked', 'Thought', 'Listed files', 'Could not read']) {
    await log.locator('summary', { hasText: line }).first().click();
  }
  await log.locator('summary', { hasText: 'Plan' }).click();
  await chat.checkLooks('trace-open');

  await chat.send('delete the old timetable');
  await card.getByRole('button', { name: 'Keep' }).click();
  await log.getByText('It stays.').waitFor();
  await chat.send('count');
  await log.getByText('One, two').waitFor();
  await page.getByRole('button', { name: 'Stop', exact: true }).click();
  await log.getByText('Stopped.').waitFor();
  await chat.send('paint the shed');
  await question.waitFor();

  const before = await log.textContent();
  for (const words of [
    'Could not read',
    'In full?',
    'Partly done.',
    'You kept',
    'The response was cut off here',
  ]) {
    expect(before).toContain(words);
  }
  await chat.reload();
  await question.waitFor();
  // Older turns are drawn in the frames after the newest one.
  await expect.poll(() => log.textContent()).toBe(before);
  await chat.checkLooks('reloaded');
  await chat.expectNoFaults();
});

test('a new chat can use another model, and its turn continues while an older chat is open', async () => {
  const enough = gate();
  await using chat = await openChat({
    model: [
      reply('The first answer.'),
      stall(paced(reply('Another answer.'), { chunkBytes: 8 }), 1, enough.promise),
    ],
  });
  const { log, message, page } = chat;
  await chat.checkLooks('empty');
  await chat.send('the first chat, with a title that is longer than the panel is wide');
  await log.getByText('The first answer.').waitFor();
  await chat.idle();

  await page.getByRole('button', { name: 'New chat' }).click();
  await page.getByText('How can I help with your notes?').waitFor();
  expect(await message.evaluate((element) => element === document.activeElement)).toBe(true);
  await page.getByRole('button', { name: 'Model: Haiku 4.5' }).click();
  await page.getByRole('menuitem', { name: /^Sonnet 5\.5/ }).click();
  await page.getByRole('button', { name: 'Model: Sonnet 5.5' }).waitFor();
  await chat.send('the second chat');
  await log.getByText('Another').waitFor();
  expect(chat.modelRequests().map(({ model }) => model)).toEqual([
    'claude-haiku-4-5-20251001',
    'claude-sonnet-5-5',
  ]);

  await page.getByRole('button', { name: 'Past chats' }).click();
  const past = page.getByRole('region', { name: 'Past chats' });
  await past.getByRole('button', { name: /^the second chat/ }).waitFor();
  await chat.checkLooks('history');
  await past.getByRole('searchbox').fill('the first chat');
  await past.getByRole('button', { name: /^the first chat/ }).click();
  await log.getByText('The first answer.').waitFor();
  expect(await page.getByRole('button', { name: 'Stop', exact: true }).count()).toBe(0);

  // The turn in the other chat continues and is complete when the user returns.
  enough.open();
  await page.getByRole('button', { name: 'Past chats' }).click();
  await past.getByRole('searchbox').fill('');
  await past.getByRole('button', { name: /^the second chat/ }).click();
  await log.getByText('Another answer.').waitFor();
  await chat.expectNoFaults();
});
