/**
 * Spoken requests, the connection to SmartHole, and turns that are paused, fail or end their
 * conversation.
 */
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { gate, statusError, stall } from '#workbench/model/faults';
import { call, paced, reply } from '#workbench/model/replies';
import { toolResults } from '#workbench/model/wire';
import { CONNECTION_REFUSED, openChat, type OpenedChat } from '#tests/e2e/chat';

const asksWhich = reply(
  call('ask_user', { question: 'Which list do you mean?', choices: ['Shopping', 'Packing'] }),
);
const addsEggs = reply(
  call('edit_file', { path: 'Lists/Shopping.md', edits: [{ position: 'end', content: '- Eggs' }] }),
);

/** The fake SmartHole, once Parley has registered with it. */
async function smartHoleOf({ serving, page }: OpenedChat) {
  const smartHole = serving.smartHole;
  if (!smartHole) throw new Error('There is no simulated SmartHole.');
  await expect.poll(() => smartHole.clients.length).toBe(1);
  await page.getByRole('button', { name: /^SmartHole is connected\./ }).waitFor();
  return smartHole;
}

test('a spoken request can ask a question, take the answer after a reload, and end with a notification', async () => {
  await using chat = await openChat({
    model: [asksWhich, addsEggs, reply('Added eggs to your shopping list.')],
  });
  const { log, question } = chat;
  const smartHole = await smartHoleOf(chat);
  smartHole.say('Simone, add eggs to my list');
  await question.waitFor();
  expect(await log.getByText('Voice').count()).toBe(1);
  await expect.poll(() => smartHole.shown.some(({ body }) => /Which list/.test(body))).toBe(true);
  await chat.checkLooks('voice-question');

  await chat.reload();
  await question.waitFor();
  await smartHoleOf(chat);
  await chat.send('the shopping one');
  await log.getByText('Added eggs').waitFor();
  await chat.idle();
  expect(chat.read('Lists/Shopping.md')).toMatch(/^- Eggs$/m);
  expect(toolResults(chat.modelRequests().at(-2)?.messages ?? []).at(-1)?.text).toContain(
    'the shopping one',
  );
  await expect.poll(() => smartHole.shown.some(({ body }) => /Added eggs/.test(body))).toBe(true);
  await chat.checkLooks('voice-answered');
  expect(smartHole.violations).toEqual([]);
  await chat.expectNoFaults();
});

test('the header and the status bar show a lost and a restored connection to SmartHole', async () => {
  await using chat = await openChat();
  const { page } = chat;
  const smartHole = await smartHoleOf(chat);
  const bar = page.locator('.status-bar .parley-status');
  await expect.poll(() => bar.innerText()).toBe('Say “Simone, …”');
  await chat.checkLooks('smarthole-connected');

  await smartHole.close();
  const away = page.getByRole('button', { name: /^SmartHole is not running\./ });
  await away.waitFor();
  await expect.poll(() => bar.innerText()).toBe('SmartHole is not running');
  await away.click();
  await page.getByRole('menuitem', { name: 'SmartHole is not running' }).waitFor();
  await chat.checkLooks('smarthole-not-running');
  await smartHole.open();
  await page.getByRole('menuitem', { name: 'Try again now' }).click();
  await smartHoleOf(chat);

  smartHole.cut();
  await smartHoleOf(chat);
  expect(chat.serving.demo?.server.violations).toEqual([]);
  // On a slow machine it may try while SmartHole is down.
  expect((await chat.faults()).filter((fault) => !CONNECTION_REFUSED.test(fault))).toEqual([]);
});

test('a failed spoken request is visible from every conversation, and retrying it completes it', async () => {
  await using chat = await openChat({
    model: [
      reply('Hello.'),
      statusError(402),
      addsEggs,
      reply('Added eggs to your shopping list.'),
    ],
  });
  const { log, page } = chat;
  const smartHole = await smartHoleOf(chat);
  await chat.send('hello');
  await log.getByText('Hello.').waitFor();
  await chat.idle();
  await page.getByRole('button', { name: 'New chat' }).first().click();
  smartHole.say('Simone, add eggs to my shopping list');
  const inbox = page.getByRole('region', { name: 'Inbox' });
  await log.getByText('no credit left').waitFor();
  expect(await inbox.count()).toBe(0);

  await page.getByRole('button', { name: 'New chat' }).first().click();
  await inbox.getByText('1 failed').click();
  await inbox.getByText(/no credit left.*Add credit, then retry/).waitFor();
  expect(await inbox.getByText('Voice').count()).toBe(1);
  await chat.checkLooks('inbox-failed');
  await inbox.getByRole('button', { name: 'Retry' }).click();
  await expect.poll(() => chat.read('Lists/Shopping.md')).toMatch(/^- Eggs$/m);
  await inbox.getByText('1 finished').waitFor();
  await inbox.getByText('Done: Added eggs to your shopping list.').waitFor();
  await expect.poll(() => smartHole.shown.some(({ body }) => /Added eggs/.test(body))).toBe(true);
  await chat.expectNoFaults('402');
});

test('a paused turn resumes after a reload, and messages sent meanwhile are queued behind it', async () => {
  const held = gate();
  const reads = reply(
    'Your notes on tomatoes say three things.',
    call('read_file', { path: 'Notes/Tomatoes.md' }),
  );
  await using chat = await openChat({
    model: [
      stall(paced(reads, { chunkBytes: 8 }), 4, held.promise),
      reply('That is all.'),
      reply('And eggs, too.'),
    ],
  });
  const { log, page } = chat;
  await chat.send('what do my notes say about tomatoes?');
  await log.getByText('Your notes').waitFor();
  await page.getByRole('button', { name: 'Pause' }).click();
  await log.getByText('Pausing after the current step.').waitFor();
  held.open();
  await log.getByText('Paused').waitFor();
  await chat.message.fill('and eggs?');
  await chat.message.press('Alt+Enter');
  await page.getByText('Queued (paused)').waitFor();
  await chat.checkLooks('paused');
  await chat.reload();
  await log.getByText('Paused').waitFor();
  await page.getByRole('button', { name: 'Resume' }).click();
  await log.getByText('And eggs, too.').waitFor();
  await chat.idle();
  await chat.expectNoFaults();
});

test('after a conversation has ended, the next typed message continues it', async () => {
  await using chat = await openChat({
    model: [
      reply('Good night.', call('end_conversation', {})),
      reply('Sleep well.'),
      reply('Still here.'),
    ],
  });
  const { log } = chat;
  await chat.send('that is all for today');
  await log.getByText('Sleep well.').waitFor();
  await chat.idle();
  await chat.checkLooks('ended');
  await chat.send('one thing more');
  await log.getByText('Still here.').waitFor();
  await chat.idle();
  expect(await log.getByRole('article').count()).toBe(2);
  await chat.expectNoFaults();
});

test('the voice settings derive the wake word, reject an invalid one, and show a generated description before it is saved', async () => {
  const written = 'I keep the notes of an allotment. Use me for beds, seeds and harvests.';
  await using chat = await openChat({ model: [reply(written)] });
  const { page } = chat;
  const smartHole = await smartHoleOf(chat);
  await page.getByRole('button', { name: /^(?:Connecting to )?SmartHole/ }).click();
  await page.getByRole('menuitem', { name: 'SmartHole settings' }).click();
  const row = (name: string) =>
    page.locator('.setting-item', { has: page.getByText(name, { exact: true }) });
  const wire = row('Wake word').getByRole('textbox');
  expect(await wire.getAttribute('placeholder')).toBe('simone');
  await row('Assistant name').getByRole('textbox').fill('Mr Otto');
  // The rows are drawn again once no text is being typed.
  await row('Default mode for voice').getByRole('combobox').focus();
  await expect.poll(() => wire.getAttribute('placeholder')).toBe('otto');
  await expect.poll(() => smartHole.clients.map(({ name }) => name)).toEqual(['otto']);
  await wire.fill('two words');
  await row('Wake word')
    .getByText(/Expected one word/)
    .waitFor();
  const routing = row('Routing description');
  await page.getByRole('button', { name: 'Generate', exact: true }).click();
  const draft = page.getByRole('textbox', { name: 'Generated routing description' });
  await draft.waitFor();
  expect(await draft.inputValue()).toBe(written);
  expect(await routing.getByRole('textbox').inputValue()).not.toBe(written);
  expect(smartHole.clients.map(({ description }) => description)).not.toEqual([written]);
  await page.getByRole('button', { name: 'Use this description' }).click();
  await expect.poll(() => routing.getByRole('textbox').inputValue()).toBe(written);
  await expect
    .poll(() => smartHole.clients.map(({ description }) => description))
    .toEqual([written]);
  await row('SmartHole port').scrollIntoViewIfNeeded();
  await chat.screenshot('chat/settings-smarthole');
  await chat.expectNoFaults();
});

test('voice decides a deletion only after it was allowed in the settings, and undoes a change without the model', async () => {
  await using chat = await openChat({
    model: [
      reply(call('delete', { path: 'Lists/Todo.md' })),
      reply('The to-do list is in the trash.'),
    ],
  });
  const { page, log } = chat;
  const smartHole = await smartHoleOf(chat);
  const told = (words: RegExp) =>
    expect
      .poll(() => smartHole.shown.some(({ title, body }) => words.test(`${title}\n${body}`)))
      .toBe(true);
  const file = path.join(chat.vault, 'Lists/Todo.md');
  const list = () => (existsSync(file) ? readFileSync(file, 'utf8') : null);
  const before = list();
  smartHole.say('Simone, delete my to-do list');
  await told(/^Voice decisions are off, so decide in Obsidian/m);
  const shown = Date.now();
  smartHole.say('Simone, delete it');
  await log.getByText('Voice decisions are off on this device').waitFor();
  await chat.checkLooks('voice-not-allowed');
  expect(list()).toBe(before);

  await page.getByRole('button', { name: /^(?:Connecting to )?SmartHole/ }).click();
  await page.getByRole('menuitem', { name: 'SmartHole settings' }).click();
  const dialog = page.getByRole('dialog', { name: 'Settings' });
  const row = dialog.locator('.setting-item', { hasText: 'Allow voice decisions' });
  await row.getByText('Off: decide in Obsidian.').waitFor();
  await row.locator('.checkbox-container').click();
  await row.getByText('Allowed for the connection on port').waitFor();
  for (const theme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    await chat.screenshot(`settings/voice-${theme}`, dialog);
  }
  await page.keyboard.press('Escape');

  // Words that are spoken earlier cannot be meant for the notification.
  await expect.poll(() => Date.now() - shown).toBeGreaterThan(1_600);
  smartHole.say('Simone, delete it please');
  await expect.poll(list).toBeNull();
  await log.getByText('The to-do list is in the trash.').waitFor();
  await chat.idle();
  smartHole.say('Simone, undo that');
  await expect.poll(list).toBe(before);
  await told(/^Todo is back/);
  await chat.checkLooks('voice-undone');
  await chat.expectNoFaults();
});
