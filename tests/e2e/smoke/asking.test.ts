/**
 * Interactions in the chat: questions and approvals, and what Read only mode denies without asking.
 */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { call, reply } from '#workbench/model/replies';
import { toolResults } from '#workbench/model/wire';
import { openChat } from '#tests/e2e/chat';

const LISTS = ['Shopping', 'Packing for the coast', 'Books to read'];
const asksWhich = reply(
  'There are several lists.',
  call('ask_user', { question: 'Which list do you mean?', choices: LISTS }),
);
const addsEggs = reply(
  call('edit_file', {
    path: 'Lists/Shopping.md',
    edits: [{ position: 'end', content: '- Eggs' }],
  }),
);

test('a question can be answered by click or in words, and the answer stays in the chat', async () => {
  const model = [
    ...[asksWhich, addsEggs, reply('Added **eggs** to [[Shopping]].')],
    ...[asksWhich, reply('Then I leave it.')],
  ];
  await using chat = await openChat({ model });
  const { log, question, page } = chat;
  await chat.send('add eggs to my list');
  await question.waitFor();
  await chat.checkLooks('question');
  await question.getByRole('button', { name: 'Shopping' }).click();
  await chat.idle();
  expect(chat.read('Lists/Shopping.md')).toMatch(/^- Eggs$/m);
  expect(toolResults(chat.modelRequests().at(-2)?.messages ?? []).at(-1)?.text).toContain(
    'Shopping',
  );

  await chat.send('and butter');
  await question.waitFor();
  await chat.send('neither, forget it');
  await chat.idle();
  expect(toolResults(chat.modelRequests().at(-1)?.messages ?? []).at(-1)?.text).toContain(
    'forget it',
  );

  await expect.poll(() => question.count()).toBe(0);
  const answers = log.getByRole('group', { name: 'You' });
  const all = ['add eggs to my list', 'Shopping', 'and butter', 'neither, forget it'];
  expect(await answers.allInnerTexts()).toEqual(all);
  await chat.checkLooks('question-answered');
  await chat.reload();
  await log.getByText('Then I leave it.').waitFor();
  expect(await answers.allInnerTexts()).toEqual(all);
  expect(await page.locator('.notice').count()).toBe(0);
  await chat.expectNoFaults();
});

test('a note is deleted only if the approval is answered with Delete, not with Keep', async () => {
  const note = 'Notes/Old timetable.md';
  await using chat = await openChat({
    model: [
      ...[reply('It is out of date.', call('delete', { path: note })), reply('It stays.')],
      ...[reply(call('delete', { path: note })), reply('It is in the trash.')],
    ],
  });
  const { approval: card, log, vault } = chat;
  await chat.page.getByRole('treeitem', { name: 'Notes' }).click();
  const inList = chat.page.getByRole('treeitem', { name: 'Old timetable' });
  await inList.waitFor();
  const before = chat.read(note);

  await chat.send('delete the old timetable');
  await card.waitFor();
  expect(await card.innerText()).toContain('Delete “Old timetable” in Notes?');
  await chat.checkLooks('approval');
  await card.getByRole('button', { name: 'Keep' }).click();
  await log.getByText('It stays.').waitFor();
  expect(await log.getByText('You kept').filter({ visible: true }).count()).toBe(1);
  expect(chat.read(note)).toBe(before);

  await chat.send('delete it after all');
  await card.getByRole('button', { name: 'Delete' }).click();
  await log.getByText('It is in the trash.').waitFor();
  expect(existsSync(path.join(vault, note))).toBe(false);
  expect(readdirSync(path.join(vault, '.trash'))).toEqual(['Old timetable.md']);
  expect(chat.read('.trash/Old timetable.md')).toBe(before);
  await inList.waitFor({ state: 'detached' });
  await chat.idle();
  await chat.checkLooks('card-decided');
  await chat.expectNoFaults();
});

test('keys decide an approval and answer a question while the composer is empty', async () => {
  const note = 'Notes/Old timetable.md';
  await using chat = await openChat({
    model: [
      ...[reply(call('delete', { path: note })), asksWhich, reply('Kept.')],
      ...[reply(call('delete', { path: note })), reply('Gone.')],
    ],
  });
  const { approval, log, message, page, question, vault } = chat;
  await chat.send('delete the old timetable');
  await approval.waitFor();
  await page.keyboard.press('Escape');
  await question.waitFor();
  expect(existsSync(path.join(vault, note))).toBe(true);
  await page.keyboard.press('2');
  await log.getByText('Kept.').waitFor();
  await chat.idle();
  expect(await message.inputValue()).toBe('');
  expect(toolResults(chat.modelRequests().at(-1)?.messages ?? []).at(-1)?.text).toContain(LISTS[1]);

  await chat.send('delete it now');
  await approval.waitFor();
  await page.keyboard.press('Control+Enter');
  await log.getByText('Gone.').waitFor();
  expect(existsSync(path.join(vault, note))).toBe(false);
  await chat.expectNoFaults();
});

test('Read only mode never edits, says so and offers to switch to Review', async () => {
  await using chat = await openChat({
    model: [
      ...[addsEggs, reply('I would add “- Eggs” at the end of [[Shopping]].')],
      ...[addsEggs, reply('I suggested adding eggs to [[Shopping]].')],
    ],
  });
  const { log, page } = chat;
  const before = chat.read('Lists/Shopping.md');
  await page.getByRole('button', { name: 'Mode: Apply' }).click();
  await page.getByRole('menuitem', { name: 'Read only' }).click();
  await page.getByRole('button', { name: 'Mode: Read only' }).waitFor();
  await chat.send('add eggs to my shopping list');
  await log.getByText('I would add').waitFor();
  await chat.idle();
  expect(await log.getByText('so nothing was changed').isVisible()).toBe(true);
  expect(chat.read('Lists/Shopping.md')).toBe(before);
  expect(toolResults(chat.modelRequests().at(-1)?.messages ?? []).at(-1)).toMatchObject({
    isError: true,
    text: expect.stringContaining('Read only') as string,
  });
  await chat.checkLooks('read-only');

  await log.getByRole('button', { name: 'Switch to Review and retry' }).click();
  await page.getByRole('button', { name: 'Mode: Review' }).waitFor();
  await log.getByText('I suggested adding').waitFor();
  await chat.idle();
  expect(chat.read('Lists/Shopping.md')).toContain('```ai-edit');
  expect(await log.getByRole('button', { name: 'Switch to Review and retry' }).count()).toBe(0);
  await chat.expectNoFaults();
});
