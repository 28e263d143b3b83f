/**
 * The panel by keyboard alone: every control is reachable, and the focus never falls back to the
 * body.
 */
import { readdirSync } from 'node:fs';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { call, reply } from '#workbench/model/replies';
import { openChat } from '#tests/e2e/chat';

const NOTE = 'Notes/Old timetable.md';

/** Presses the keys one by one and expects that an element has the focus after each. */
async function press(page: Page, ...keys: string[]): Promise<void> {
  for (const key of keys) {
    await page.keyboard.press(key);
    await expectFocus(page, key);
  }
}

async function expectFocus(page: Page, after: string): Promise<void> {
  const focused = await page.evaluate(
    // A removed element loses the focus only at the next frame.
    () =>
      new Promise<string>((resolve) =>
        requestAnimationFrame(() => resolve(document.activeElement?.tagName ?? 'nothing')),
      ),
  );
  expect(focused, `the focus after ${after}`).not.toBe('BODY');
}

async function isFocused(what: Locator): Promise<boolean> {
  return (await what.count()) > 0 && what.evaluate((element) => element === document.activeElement);
}

/** Presses the key until the element has the focus, at most 40 times. */
async function goTo(page: Page, key: string, what: Locator): Promise<void> {
  await what.waitFor({ state: 'attached' });
  for (let count = 0; count < 40; count += 1) {
    await press(page, key);
    if (await isFocused(what)) return;
  }
  throw new Error(`${key} does not lead to ${what.toString()}.`);
}

test('the keyboard reaches the panel, an approval, a tool call, the past chats and the mode menu', async () => {
  await using chat = await openChat({
    model: [
      reply('I look at it.', call('read_file', { path: NOTE }), call('read_file', { path: 'A' })),
      reply(
        'It is old.',
        call('ask_user', { question: 'For good?', choices: ['Yes', 'No'] }),
        call('delete', { path: NOTE }),
      ),
      reply('Then it stays.'),
    ],
  });
  const { approval: card, log, message, page, question } = chat;
  await page.locator('.mod-root .cm-content').click();
  await press(page, 'Control+p');
  await page.keyboard.type('open chat');
  await page.locator('.suggestion-item.is-selected', { hasText: 'Open chat' }).waitFor();
  await press(page, 'Enter');
  await expect.poll(() => isFocused(message)).toBe(true);

  await page.keyboard.type('delete the old timetable');
  await press(page, 'Enter');
  await card.waitFor();
  expect(await isFocused(message)).toBe(true);

  // The approval comes first when moving backwards from the message field.
  await goTo(page, 'Shift+Tab', card.getByRole('button', { name: 'Keep' }));
  await chat.checkLooks('keyboard-card');
  await press(page, 'Enter');
  await card.waitFor({ state: 'detached' });
  await expectFocus(page, 'the decision');
  await goTo(page, 'Shift+Tab', question.getByRole('button', { name: 'No' }));
  await press(page, 'Space');
  await log.getByText('Then it stays.').waitFor();
  await expect.poll(() => isFocused(message)).toBe(true);
  expect(chat.read(NOTE)).not.toBe('');

  await goTo(page, 'Shift+Tab', log.locator('summary', { hasText: 'Worked' }));
  await press(page, 'Enter');
  const line = log.locator('summary', { hasText: 'Read 1 note' });
  const trace = line.locator('..');
  await goTo(page, 'Tab', line);
  await press(page, 'Enter');
  const inside = trace.locator('details').first();
  await goTo(page, 'Tab', inside.locator('summary'));
  await press(page, 'Enter');
  await goTo(page, 'Tab', inside.getByText('path: Notes/Old'));
  await chat.checkLooks('keyboard-trace');

  await goTo(page, 'Shift+Tab', page.getByRole('button', { name: 'Past chats' }));
  await press(page, 'Enter');
  const past = page.getByRole('region', { name: 'Past chats' });
  await expect.poll(() => isFocused(past.getByRole('searchbox'))).toBe(true);
  await press(page, 'Escape');
  await expect.poll(() => isFocused(message)).toBe(true);
  await goTo(page, 'Shift+Tab', page.getByRole('button', { name: 'New chat' }));
  await press(page, 'Enter');
  await expect.poll(() => isFocused(message)).toBe(true);
  await goTo(page, 'Shift+Tab', page.getByRole('button', { name: 'Past chats' }));
  await press(page, 'Enter');
  await goTo(page, 'Tab', past.getByRole('button', { name: /^delete the old timetable/ }));
  await press(page, 'Enter');
  await log.getByText('Then it stays.').waitFor();
  await expect.poll(() => isFocused(message)).toBe(true);

  const mode = page.getByRole('button', { name: /^Mode:/ });
  await goTo(page, 'Tab', mode);
  await press(page, 'Enter', 'ArrowDown', 'Escape');
  await expect.poll(() => isFocused(mode)).toBe(true);
  await press(page, 'Enter', 'ArrowUp', 'Enter');
  await expect.poll(() => isFocused(mode)).toBe(true);
  await chat.expectNoFaults();
});

test('the keyboard can accept an edit, find a message again, ask again and export the chat', async () => {
  const about = 'Where do I plant the quince?';
  await using chat = await openChat({
    settings: {},
    model: [
      reply(call('read_file', { path: 'Lists/Todo.md' })),
      reply(
        call('edit_file', {
          path: 'Lists/Todo.md',
          edits: [{ position: 'end', content: '- [ ] plant the quince' }],
        }),
      ),
      reply('At the south wall. One edit waits for you.'),
      reply('In a pot, then.'),
    ],
  });
  const { log, message, page } = chat;
  await chat.command('Open chat');
  await page.keyboard.type(about);
  await press(page, 'Enter');
  await log.getByText('One edit waits for you.').waitFor();
  await chat.idle();
  await goTo(page, 'Shift+Tab', log.getByRole('button', { name: 'Accept', exact: true }));
  await press(page, 'Enter');
  await expect.poll(() => chat.read('Lists/Todo.md')).toMatch(/- \[ \] plant the quince\n?$/);
  await expectFocus(page, 'accepting');

  await chat.command('New chat');
  await log.waitFor({ state: 'detached' });
  await chat.command('Search all chats');
  const past = page.getByRole('region', { name: 'Past chats' });
  await expect.poll(() => isFocused(past.getByRole('searchbox'))).toBe(true);
  await page.keyboard.type('quince');
  await past.getByText('2 matches in 1 chat').waitFor();
  await press(page, 'ArrowDown', 'ArrowDown', 'Enter');
  const turn = log.locator('article');
  await expect.poll(() => isFocused(turn)).toBe(true);
  await chat.checkLooks('keyboard-landed');

  await goTo(page, 'Tab', turn.getByRole('button', { name: 'Edit and ask again' }));
  await press(page, 'Enter');
  await expect.poll(() => isFocused(turn.getByRole('textbox'))).toBe(true);
  await page.keyboard.press('Control+a');
  await page.keyboard.type('And on the balcony?');
  await press(page, 'Enter');
  const undo = page.getByRole('button', { name: 'Undo changes and regenerate' });
  await expect.poll(() => isFocused(undo)).toBe(true);
  await press(page, 'Enter');
  await log.getByText('In a pot, then.').waitFor();
  await chat.idle();
  expect(chat.read('Lists/Todo.md')).not.toContain('quince');
  await expectFocus(page, 'asking again');

  await chat.command('Export chat to note');
  const folder = page.locator('.prompt input');
  await expect.poll(() => isFocused(folder)).toBe(true);
  await press(page, 'Enter');
  await expect
    .poll(() =>
      readdirSync(chat.vault).map((name) => (name.endsWith('.md') ? chat.read(name) : '')),
    )
    .toContainEqual(expect.stringContaining('In a pot, then.'));
  await chat.command('Open chat');
  await expect.poll(() => isFocused(message)).toBe(true);
  expect(await chat.faults()).toEqual([]);
});

test('the keyboard alone asks, answers, denies, reviews, finds and changes the model, and all of it has a role and a name', async () => {
  const NOTES = ['Lists/Todo.md', 'Lists/Shopping.md', 'Lists/Books to read.md'];
  const added = (path: string) =>
    call('edit_file', { path, edits: [{ position: 'end', content: '- a quince' }] });
  await using chat = await openChat({
    settings: {},
    model: [
      reply(call('ask_user', { question: 'Which list first?', choices: ['Todo', 'Shopping'] })),
      reply('Todo comes first.'),
      reply(call('delete', { path: NOTE })),
      reply('It stays.'),
      reply(call('read_file', { paths: NOTES })),
      reply(...NOTES.map(added)),
      reply('Three edits.'),
      reply('Hello.'),
    ],
  });
  const { approval, log, message, page, question } = chat;
  const panel = page.getByRole('region', { name: 'Chat', exact: true });
  const announced = (words: RegExp) =>
    panel.getByRole('status').filter({ hasText: words }).waitFor({ state: 'attached' });
  const say = async (words: string) => {
    await expect.poll(() => isFocused(message)).toBe(true);
    await page.keyboard.type(words);
    await press(page, 'Enter');
  };

  // Ask, and answer the question.
  await chat.command('Open chat');
  await say('sort my lists');
  await question.waitFor();
  await announced(/^Parley asks: Which list first\?$/);
  expect(await log.getAttribute('aria-live')).toBe('off');
  expect(await panel.ariaSnapshot()).toMatch(
    /- log "Messages":[^]*- region "Question":[^]*- button "Todo[^]*- textbox "Message"/,
  );
  await say('Todo');
  await log.getByText('Todo comes first.').waitFor();
  await chat.idle();
  await announced(/^Done$/);

  // Deny an approval with a reason.
  await say('delete the old timetable');
  await approval.waitFor();
  await announced(/^Parley needs your approval: /);
  expect(await approval.ariaSnapshot()).toMatch(/- button "Delete[^]*- button "Keep/);
  await say('no, I still need it');
  await log.getByText('It stays.').waitFor();
  await chat.idle();
  expect(chat.read(NOTE)).not.toBe('');
  expect(JSON.stringify(chat.modelRequests().at(-1)?.messages)).toContain('I still need it');

  // Review three edits: accept, reject, accept.
  await say('put a quince on every list');
  await log.getByText('Three edits.').waitFor();
  await chat.idle();
  await announced(/^Done\. /);
  await chat.command('Show all edits to review');
  const review = page.getByRole('region', { name: 'Edits to review' });
  const edit = review.locator('[data-edit]');
  await expect.poll(() => edit.count()).toBe(3);
  await expect.poll(() => isFocused(edit.first())).toBe(true);
  for (const [key, left] of [
    ['a', 2],
    ['r', 1],
    ['a', 0],
  ] as const) {
    await press(page, key);
    await expect.poll(() => edit.count()).toBe(left);
    await expectFocus(page, key);
  }
  await expect
    .poll(() => NOTES.filter((note) => chat.read(note).includes('a quince')).length)
    .toBe(2);
  await press(page, 'Escape');

  // Find an old message.
  await expect.poll(() => isFocused(message)).toBe(true);
  await chat.command('New chat');
  await log.waitFor({ state: 'detached' });
  await say('hello there');
  await log.getByText('Hello.').waitFor();
  await chat.idle();
  await chat.command('Search all chats');
  const past = page.getByRole('region', { name: 'Past chats' });
  await expect.poll(() => isFocused(past.getByRole('searchbox'))).toBe(true);
  await page.keyboard.type('timetable');
  await past.getByRole('button', { name: /^You/ }).first().waitFor();
  expect(await past.ariaSnapshot()).toMatch(
    /- searchbox "Search all chats"[^]*- status: [^]*- listitem:[^]*- button/,
  );
  await goTo(page, 'ArrowDown', past.getByRole('button', { name: /^You/ }).first());
  await press(page, 'Enter');
  const found = log.getByRole('article').filter({ hasText: 'delete the old timetable' });
  await expect.poll(() => isFocused(found)).toBe(true);
  await press(page, 'F6');
  await expect.poll(() => isFocused(message)).toBe(true);
  await chat.command('Focus last message');
  await expect.poll(() => isFocused(log.getByRole('article').last())).toBe(true);

  // Change the model.
  await chat.command('Change model');
  await page.getByRole('menu').waitFor();
  const focused = () => page.evaluate(() => document.activeElement?.textContent ?? '');
  for (let count = 0; count < 20 && !/Sonnet/.test(await focused()); count += 1) {
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^Model: Sonnet/ }).waitFor();
  await expectFocus(page, 'the model');
  await chat.expectNoFaults();
});
