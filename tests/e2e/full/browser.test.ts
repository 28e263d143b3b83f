/**
 * The list of past chats: search, filters, titles, archive, deletion, export and answering again.
 */
import { existsSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { jsonLine } from '#ports/line-file';
import { Script } from '#workbench/gallery/script';
import { call, reply } from '#workbench/model/replies';
import { openChat, type OpenedChat } from '#tests/e2e/chat';

const FOLDER = '.obsidian/plugins/parley/conversations';
const DEVICE = 'device-e2e';
const DAY = 86_400_000;

/** Conversation files, as this device would have written them. */
function filed(...scripts: Script[]): Record<string, string> {
  return {
    '.obsidian/workbench-local-storage.json': JSON.stringify({
      'parley-device': JSON.stringify(DEVICE),
    }),
    ...Object.fromEntries(
      scripts.map(({ id, events }) => [`${FOLDER}/${id}.jsonl`, events.map(jsonLine).join('')]),
    ),
  };
}

const daysAgo = (days: number) => Date.now() - days * DAY;

/** A conversation of a thousand turns, one of which is about a quince. */
function long(): Script {
  const script = new Script('long', daysAgo(3), DEVICE);
  for (let at = 1; at <= 1_000; at += 1) {
    script.ask(at === 200 ? 'Where do I plant the quince?' : `Question number ${at}`).step();
    const answer =
      at === 200
        ? '**South wall**: the quince wants sun, and room for its roots.'
        : `Answer ${at}.`;
    script.say(answer).done(answer);
  }
  return ended(script, 'A long talk');
}

function ended(script: Script, title: string): Script {
  return script
    .write({ type: 'title-set', title, by: 'model' })
    .write({ type: 'summary-set', summary: `All about it: ${title.toLowerCase()}.` })
    .write({ type: 'conversation-end', reason: 'idle' });
}

/** A spoken conversation that changed a note. */
function shopping(): Script {
  const path = 'Lists/Shopping.md';
  const changes = [
    { change: 'change-1' as never, kind: 'write', path, added: 1, removed: 0 },
  ] as const;
  const script = new Script('shopping', daysAgo(1), DEVICE)
    .ask('Add soap to the list', 'voice')
    .step();
  const text = 'Changed Lists/Shopping.md.';
  script.call('edit_file', { path }, text, { details: { kind: 'changes', changes } });
  return ended(
    script.stepEnd().step().say('Soap is on it.').done('Soap is on it.'),
    'Soap for the list',
  );
}

function asking(): Script {
  const script = new Script('asking', daysAgo(2), DEVICE).ask('Paint the shed').step();
  return script.say('Green, as you like it.').done('Green, as you like it.');
}

async function past({ page }: OpenedChat): Promise<Locator> {
  await page.getByRole('button', { name: 'Past chats' }).click();
  return page.getByRole('region', { name: 'Past chats' });
}

const titles = (list: Locator) => list.locator('li .title').allTextContents();

async function more({ page }: OpenedChat, about: string, item: string): Promise<void> {
  await page.getByRole('button', { name: `More actions for ${about}` }).click();
  await page.getByRole('menuitem', { name: item, exact: true }).click();
}

test('searching past chats finds an old message, and the chat opens at it', async () => {
  await using chat = await openChat({ files: filed(long(), shopping()) });
  const { log, page } = chat;
  const list = await past(chat);
  await list.getByRole('button', { name: /^A long talk/ }).waitFor();
  const field = list.getByRole('searchbox');
  await field.fill('quince sun');
  await list.getByText('1 match in 1 chat').waitFor();
  await chat.checkLooks('browser-found');

  // Arrow keys select the chat and then the message; Enter opens it and moves the focus there.
  await field.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await expect.poll(() => isInSight(log, 'South wall')).toBe(true);
  expect(await page.evaluate(() => document.activeElement?.textContent)).toContain('South wall');
  await chat.checkLooks('browser-landed');
  // Turns far from the viewport show only plain text; they are rendered when scrolled near.
  const drawn = log.getByRole('button', { name: 'Edit and ask again' });
  expect(await drawn.count()).toBeLessThan(60);
  await log.hover();
  // A turn may be taller once rendered, so keep scrolling until it is in view.
  const goOn = async () => {
    await page.mouse.wheel(0, 250);
    return isInSight(log, 'Answer 218.');
  };
  await expect.poll(goOn).toBe(true);
  expect(await drawn.count()).toBeLessThan(60);
  await page.getByRole('button', { name: 'Jump to latest' }).click();
  await expect.poll(() => isInSight(log, 'Answer 1000.')).toBe(true);

  // The list opens without the last search. Escape clears a search first and then closes the list.
  await past(chat);
  await list.getByText('Yesterday').waitFor();
  expect(await field.inputValue()).toBe('');
  await field.fill('quince sun');
  await list.getByText('1 match in 1 chat').waitFor();
  await field.press('Escape');
  await list.getByText('Yesterday').waitFor();
  await field.press('Escape');
  await list.waitFor({ state: 'detached' });
  expect(await chat.message.evaluate((element) => element === document.activeElement)).toBe(true);
  await chat.expectNoFaults();
});

test('past chats can be filtered, renamed, pinned, archived, deleted and restored', async () => {
  await using chat = await openChat({ files: filed(long(), shopping(), asking()) });
  const { page } = chat;
  const list = await past(chat);
  await expect
    .poll(() => titles(list))
    .toEqual(['Soap for the list', 'Paint the shed', 'A long talk']);
  await chat.checkLooks('browser-list');

  await list.getByRole('button', { name: 'Filters' }).click();
  await list.getByRole('combobox', { name: 'Any source' }).selectOption('Voice');
  await expect.poll(() => titles(list)).toEqual(['Soap for the list']);
  await chat.checkLooks('browser-filters');
  await list.getByRole('searchbox').fill('quince');
  await list.getByText('No results').waitFor();
  await list.getByRole('button', { name: 'Show all' }).click();
  await list.getByRole('combobox', { name: 'Any tool' }).selectOption('edit');
  await expect.poll(() => titles(list)).toEqual(['Soap for the list']);
  await list.getByRole('button', { name: 'Show all' }).click();
  const note = list.getByRole('combobox', { name: 'Changed note' });
  await note.fill('shopping');
  await note.press('Enter');
  await expect.poll(() => titles(list)).toEqual(['Soap for the list']);
  await list.getByRole('button', { name: 'Show all' }).click();
  await list.getByRole('button', { name: 'Filters' }).click();

  await more(chat, 'A long talk', 'Rename');
  await list.getByRole('textbox', { name: 'Title' }).fill('The quince');
  await page.keyboard.press('Enter');
  await more(chat, 'The quince', 'Pin');
  await expect
    .poll(() => titles(list))
    .toEqual(['The quince', 'Soap for the list', 'Paint the shed']);
  await list.getByText('Pinned', { exact: true }).first().waitFor();
  await more(chat, 'Paint the shed', 'Archive');
  await expect.poll(() => titles(list)).toEqual(['The quince', 'Soap for the list']);
  await chat.checkLooks('browser-pinned');

  await list.getByRole('button', { name: /^Soap for the list/ }).focus();
  await page.keyboard.press('Delete');
  await expect.poll(() => titles(list)).toEqual(['The quince']);
  await chat.checkLooks('browser-deleted');
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await expect.poll(() => titles(list)).toEqual(['The quince', 'Soap for the list']);

  // This deletes all ended chats that are not pinned; they can be restored even after a restart.
  await more(chat, 'all chats', 'Delete closed chats');
  await expect.poll(() => titles(list)).toEqual(['The quince']);
  await chat.checkLooks('browser-delete-all');
  await chat.reload();
  await past(chat);
  await list.getByRole('button', { name: 'Filters' }).click();
  await list.getByRole('combobox', { name: 'Any status' }).selectOption('Deleted today');
  await chat.checkLooks('browser-restore');
  const soap = list.getByRole('listitem').filter({ hasText: 'Soap for the list' });
  await soap.getByRole('button', { name: 'Restore' }).click();
  await list.getByRole('button', { name: 'Show all' }).click();
  await expect.poll(() => titles(list)).toEqual(['The quince', 'Soap for the list']);
  await chat.expectNoFaults();
});

test('a chat can be exported to a note, and a note lists the chats that changed it', async () => {
  await using chat = await openChat({
    files: filed(shopping()),
    model: [
      reply(
        call('edit_file', {
          path: 'Lists/Todo.md',
          edits: [{ position: 'end', content: '- [ ] quince' }],
        }),
      ),
      reply('It is on it.'),
    ],
  });
  const { page, log } = chat;
  await page.getByRole('button', { name: 'New chat' }).click();
  await log.waitFor({ state: 'detached' });
  await chat.send('put the quince on my todo list');
  await log.getByText('It is on it.').waitFor();
  await chat.idle();
  await chat.reload();
  await log.getByText('It is on it.').waitFor();
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Export to note' }).click();
  await page.getByPlaceholder('Choose a folder for the export…').fill('Chats');
  await page.getByText('Create “Chats”').click();
  const exported = 'Chats/put the quince on my todo list.md';
  await expect.poll(() => existsSync(path.join(chat.vault, exported))).toBe(true);
  await expect.poll(() => chat.read(exported)).toMatch(/^---\nconversation: "conversation-/);
  const note = chat.read(exported);

  expect(note).toContain('  - "[[Lists/Todo]]"');
  expect(note).toContain('> [!example]- 1 step');
  await page.locator('.mod-root').getByText('conversation:').first().waitFor();
  await chat.screenshot('browser-exported');

  await page.getByText('Lists', { exact: true }).first().click();
  await page.getByText('Shopping', { exact: true }).first().click();
  await chat.command('chats that changed this note');
  const list = page.getByRole('region', { name: 'Past chats' });
  await expect.poll(() => titles(list)).toEqual(['Soap for the list']);
  await chat.checkLooks('browser-note');
  await list.getByRole('button', { name: /^Soap for the list/ }).click();
  await log.getByText('Soap is on it.').waitFor();
  await chat.command('Rename chat');
  await page.getByRole('textbox', { name: 'Title' }).fill('Soap');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Soap', exact: true }).waitFor();
  await chat.command('Delete chat');
  await page.getByText('Deleted “Soap”.').waitFor();
  await log.getByText('It is on it.').waitFor();
  await chat.expectNoFaults();
});

test('editing a message or asking again adds an answer and keeps the earlier ones', async () => {
  const edits = [{ position: 'end', content: '- [ ] quince' }];
  await using chat = await openChat({
    model: [
      reply('Hello.'),
      reply(call('edit_file', { path: 'Lists/Todo.md', edits })),
      reply('Put on it.'),
      reply('I leave it alone.'),
      reply('As you say.'),
    ],
  });
  const { log, page } = chat;
  const before = chat.read('Lists/Todo.md');
  await chat.send('hello there');
  await log.getByText('Hello.').waitFor();
  await chat.idle();
  await chat.send('put the quince on my todo list');
  await log.getByText('Put on it.').waitFor();
  await chat.idle();
  expect(chat.read('Lists/Todo.md')).toContain('quince');

  const second = log.locator('article').nth(1);
  await second.hover();
  await second.getByRole('button', { name: 'Edit and ask again' }).click();
  const field = second.getByRole('textbox', { name: 'Your message' });
  await field.fill('never mind');
  await chat.checkLooks('browser-edit');
  await field.press('Enter');
  const choice = page.getByRole('region', { name: 'Undo or keep changes' });
  await choice.getByText('1 note changed').waitFor();
  await chat.checkLooks('browser-undo-or-keep');
  await page.keyboard.press('Enter');
  await log.getByText('I leave it alone.').waitFor();
  await chat.idle();
  expect(chat.read('Lists/Todo.md')).toBe(before);
  expect(await log.getByText('Hello.').count()).toBe(1);
  expect(await log.getByText('Put on it.').count()).toBe(0);
  await log.getByText('2 of 2').waitFor();

  // Its changes are undone already, so the chat does not ask about them.
  await second.getByRole('button', { name: 'Regenerate' }).click();
  await log.getByText('As you say.').waitFor();
  await chat.idle();
  await log.getByText('3 of 3').waitFor();
  await chat.checkLooks('browser-branches');
  await log.getByRole('button', { name: 'Earlier answer' }).click();
  await log.getByText('I leave it alone.').waitFor();
  await log.getByRole('button', { name: 'Earlier answer' }).click();
  await log.getByText('Put on it.').waitFor();
  await log.getByText('1 of 3').waitFor();
  await log.getByRole('button', { name: /^Redo/ }).first().waitFor();
  await chat.reload();
  await log.getByText('As you say.').waitFor();
  await log.getByText('3 of 3').waitFor();
  // Asking again replaces the end of the history, which the validator reports; nothing else may be
  // wrong.
  const { violations } = chat.serving.demo?.server ?? { violations: ['no demo model'] };
  expect([...new Set(violations.map((each) => each.replace(/\d+/g, 'n')))]).toEqual([
    'request n: what follows message n is not what was sent before',
  ]);
  expect(await chat.faults()).toEqual([]);
});

function isInSight(log: Locator, words: string): Promise<boolean> {
  return log.evaluate((element, text) => {
    const found = [...element.querySelectorAll('strong, p')].find((each) =>
      each.textContent.includes(text),
    );
    if (!found) return false;
    const [box, frame] = [found.getBoundingClientRect(), element.getBoundingClientRect()];
    return box.top >= frame.top && box.bottom <= frame.bottom;
  }, words);
}
