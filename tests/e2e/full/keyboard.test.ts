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
  await goTo(page, 'Shift+Tab', question.getByRole('textbox'));
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
      // Repeated, because generating a title for the ended chat also takes a reply.
      reply('In a pot, then.'),
      reply('In a pot, then.'),
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
  const undo = page.getByRole('button', { name: 'Undo changes and ask again' });
  await expect.poll(() => isFocused(undo)).toBe(true);
  await press(page, 'Enter');
  await log.getByText('In a pot, then.').waitFor();
  await chat.idle();
  expect(chat.read('Lists/Todo.md')).not.toContain('quince');
  await expectFocus(page, 'asking again');

  await chat.command('Export chat to note');
  await expect
    .poll(() =>
      readdirSync(chat.vault).map((name) => (name.endsWith('.md') ? chat.read(name) : '')),
    )
    .toContainEqual(expect.stringContaining('In a pot, then.'));
  await chat.command('Open chat');
  await expect.poll(() => isFocused(message)).toBe(true);
  expect(await chat.faults()).toEqual([]);
});
