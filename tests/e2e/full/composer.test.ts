/**
 * Attachments of a message: mentions, dropped files, selections and presets, and what the model
 * receives.
 */
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { App } from 'obsidian';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { reply } from '#workbench/model/replies';
import type { ModelRequest } from '#workbench/model/wire';
import { openChat, type OpenedChat } from '#tests/e2e/chat';

const chips = (page: Page) => page.getByRole('list', { name: 'Attached context' });
const options = (page: Page) => page.getByRole('option');

/** The last message of the last request as text, including its context. */
function lastAsked(chat: OpenedChat): string {
  const request = chat.modelRequests().at(-1) as ModelRequest;
  return JSON.stringify(request.messages.at(-1)).replaceAll('\\n', '\n').replaceAll('\\"', '"');
}

/** A PNG image of one pixel. */
const PICTURE =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';

test('mentioning a note by keyboard sends its text with the message', async () => {
  await using chat = await openChat({ model: [reply('It has bread.'), reply('Nothing else.')] });
  const { message, page, log } = chat;
  await message.click();
  await message.pressSequentially('What is on @sho');
  await options(page).first().waitFor();
  const first = await message.getAttribute('aria-activedescendant');
  expect(await page.locator(`[id="${first}"]`).textContent()).toMatch(/Shopping/);
  await chat.checkLooks('mentioning');
  await message.press('Enter');
  expect(await message.inputValue()).toBe('What is on [[Shopping]] ');
  // The text says what is attached, so it has no chip.
  expect(await chips(page).getByText('Shopping').count()).toBe(0);
  await message.pressSequentially('?');
  await chat.checkLooks('chips');
  await message.press('Enter');
  await log.getByText('It has bread.').waitFor();

  const asked = lastAsked(chat);
  expect(asked).toContain('<attached>\nLists/Shopping.md (lines 1-');
  expect(asked).toContain('Active note: Welcome.md');
  for (const line of chat.read('Lists/Shopping.md').trim().split('\n'))
    expect(asked).toContain(line);
  await log.getByRole('list', { name: 'Attached' }).getByText('Shopping').waitFor();
  await log.getByText('What was sent').click();
  await log.locator('summary', { hasText: 'Lists/Shopping.md' }).click();
  await log.locator('pre', { hasText: '<attached>' }).waitFor();
  await chat.checkLooks('sent');

  // An attachment is sent only once, and the record of it stays in the chat.
  await chat.send('And else?');
  await log.getByText('Nothing else.').waitFor();
  expect(lastAsked(chat)).not.toContain('<attached>');
  await chat.idle();
  await chat.reload();
  await log.getByText('What was sent').waitFor();
  await chat.expectNoFaults();
});

test('headings, tags and folders can be mentioned, and hidden notes are not suggested', async () => {
  await using chat = await openChat({
    model: [reply('Seen.')],
    files: {
      'Trip.md': '# Trip\n\n## Trains\n\n- 9:40 #travel\n\n## Hotel\n\n- booked\n',
      'Hidden trip.md': 'zxsecretxz #private #travel\n',
    },
  });
  const { message, page, log } = chat;
  await message.pressSequentially('See @trip#tra');
  await options(page).getByText('Trains').waitFor();
  await message.press('Tab');
  await message.pressSequentially('and @#trav');
  await options(page).filter({ hasText: '1 note' }).waitFor();
  await message.press('Enter');
  await message.pressSequentially('in @Lists');
  await options(page).filter({ hasText: 'Lists/' }).first().click();
  await message.pressSequentially('or @hidden');
  await page.waitForTimeout(300);
  expect(await options(page).filter({ hasText: 'Hidden' }).count()).toBe(0);
  await message.press('Escape');
  await chat.checkLooks('kinds');
  await message.press('Enter');
  await log.getByText('Seen.').waitFor();
  const asked = lastAsked(chat);
  expect(asked).toContain('3: ## Trains\n4: \n5: - 9:40 #travel');
  expect(asked).not.toContain('- booked');
  expect(asked).toContain('#travel is in 1 file.\nTrip.md');
  expect(asked).toMatch(/Lists\/ holds \d files\.\nLists\//);
  expect(asked).not.toContain('zxsecretxz');
  await chat.expectNoFaults();
});

test('a selection in reading view is sent with its line numbers', async () => {
  await using chat = await openChat({ model: [reply('One.'), reply('Two.')] });
  const { message, page, log } = chat;
  await page.getByRole('button', { name: 'Reading view' }).click();
  const paragraph = page.locator('.markdown-reading-view p').first();
  await paragraph.click({ clickCount: 3 });
  await chips(page)
    .getByText(/^Selection/)
    .waitFor();
  await message.click();
  await chat.send('Explain');
  await log.getByText('One.', { exact: true }).waitFor();
  const asked = lastAsked(chat);
  expect(asked).toContain('This is a small vault to try things in.');
  expect(asked).toContain('<attached>\nSelected in Welcome.md, lines 6-7');

  await page.locator('.markdown-reading-view h1').first().click();
  await chips(page)
    .getByText(/^Selection/)
    .waitFor({ state: 'detached' });
  await chat.expectNoFaults();
});

test('a selection is sent once, and a removed attachment stays removed until it is added again', async () => {
  await using chat = await openChat({ model: [reply('One.'), reply('Two.'), reply('Three.')] });
  const { message, page, log } = chat;
  await page.locator('.cm-content').first().click();
  await page.keyboard.press('ControlOrMeta+a');
  const selection = chips(page).getByText(/^Selection/);
  await selection.waitFor();
  await message.click();
  await selection.waitFor();
  await chat.checkLooks('selection');
  await chat.send('Explain');
  await log.getByText('One.', { exact: true }).waitFor();
  expect(lastAsked(chat)).toContain('<attached>\nSelected in Welcome.md, lines 1-');
  await chat.send('And again');
  await log.getByText('Two.', { exact: true }).waitFor();
  expect(lastAsked(chat)).not.toContain('Selected in');

  await page.getByRole('button', { name: 'Remove Welcome' }).click();
  expect(await message.evaluate((element) => element === document.activeElement)).toBe(true);
  await chat.send('Without');
  await log.getByText('Three.', { exact: true }).waitFor();
  expect(lastAsked(chat)).not.toContain('Active note');
  await chat.idle();
  await page.waitForTimeout(1_000);
  await chat.reload();
  await log.getByText('Three.', { exact: true }).waitFor();
  expect(await chips(page).getByText('Welcome').count()).toBe(0);
  await page.getByRole('button', { name: 'Add context' }).click();
  await page.getByRole('menuitem', { name: 'Include name only' }).click();
  await chips(page).getByText('Welcome').waitFor();
  await chat.expectNoFaults();
});

test('a draft with its attachments survives a reload in a file of this device', async () => {
  await using chat = await openChat({ model: [reply('Go on.')] });
  const { log, message, page, vault } = chat;
  await message.pressSequentially('Half a thought about @todo');
  await options(page).first().waitFor();
  await message.press('Enter');
  const folder = path.join(vault, '.obsidian/plugins/parley');
  await expect
    .poll(() => {
      const name = readdirSync(folder).find((each) => each.startsWith('drafts-'));
      return name ? readFileSync(path.join(folder, name), 'utf8') : '';
    })
    .toContain('Lists/Todo.md');
  await chat.reload();
  await expect.poll(() => message.inputValue()).toBe('Half a thought about [[Todo]] ');
  expect(chat.modelRequests()).toEqual([]);
  await message.press('Enter');
  await log.getByText('Go on.').waitFor();
  expect(lastAsked(chat)).toContain('<attached>\nLists/Todo.md (lines 1-');
  await chat.expectNoFaults();
});

test('notes, folders, text files and pictures can be dropped or pasted into the composer', async () => {
  await using chat = await openChat({ model: [reply('Read.'), reply('Still there.')] });
  const { message, page, log } = chat;
  const row = page.locator('.nav-files-container [data-path="Welcome.md"]');
  await row.dragTo(message);
  await page.locator('.nav-files-container [data-path="Lists"]').dragTo(message);
  await chips(page).getByText('Lists/').waitFor();
  await message.evaluate((area, png) => {
    const data = new DataTransfer();
    data.items.add(new File(['Dear all'], 'letter.txt', { type: 'text/plain' }));
    area.dispatchEvent(new DragEvent('drop', { dataTransfer: data, bubbles: true }));
    const pasted = new DataTransfer();
    const picture = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
    pasted.items.add(new File([picture], 'image.png', { type: 'image/png' }));
    area.dispatchEvent(new ClipboardEvent('paste', { clipboardData: pasted, bubbles: true }));
  }, PICTURE);
  await chips(page).getByText('letter.txt').waitFor();
  await page.getByText('Saved to your vault as Pasted image').waitFor();
  await chips(page)
    .getByText(/^Pasted image \d+/)
    .waitFor();
  await chat.send('Look at these');
  await log.getByText('Read.', { exact: true }).waitFor();
  const asked = lastAsked(chat);
  expect(asked).toContain('Welcome.md (lines 1-');
  expect(asked).toContain('letter.txt, a text from outside the vault:\nDear all');
  expect(chat.modelRequests().at(-1)?.messages.at(-1)?.content).toContainEqual({
    type: 'image',
    source: { type: 'base64', media_type: 'image/png', data: PICTURE },
  });
  // A picture that changed after it was sent is not sent again.
  const [name = ''] = readdirSync(chat.vault).filter((each) => each.endsWith('.png'));
  const painted = page.waitForFunction(
    (file) => (window as unknown as { app: App }).app.vault.getFileByPath(file)?.stat.size === 7,
    name,
  );
  writeFileSync(path.join(chat.vault, name), 'another');
  await painted;
  await chat.reload();
  await chat.send('And again');
  await log.getByText('Still there.', { exact: true }).waitFor();
  const again = JSON.stringify(chat.modelRequests().at(-1)?.messages);
  expect(again).toContain(`(${name} can't be shown here: it has changed or gone`);
  expect(again).not.toContain(PICTURE);
  await chat.expectNoFaults();
});

test('removing a pasted picture moves its file to the trash, unless a note links to it', async () => {
  await using chat = await openChat();
  const { message, page, vault } = chat;
  const pictures = () => readdirSync(vault).filter((name) => name.endsWith('.png'));
  const paste = async () => {
    await message.evaluate((area, png) => {
      const pasted = new DataTransfer();
      const picture = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
      pasted.items.add(new File([picture], 'image.png', { type: 'image/png' }));
      area.dispatchEvent(new ClipboardEvent('paste', { clipboardData: pasted, bubbles: true }));
    }, PICTURE);
    await chips(page).locator('img').waitFor();
  };
  const remove = () => page.getByRole('button', { name: /^Remove Pasted image/ }).click();
  await paste();
  expect(pictures()).toHaveLength(1);
  await chat.checkLooks('picture');
  await remove();
  await expect.poll(pictures).toEqual([]);
  expect(readdirSync(path.join(vault, '.trash'))).toHaveLength(1);
  expect(await message.evaluate((element) => element === document.activeElement)).toBe(true);

  await paste();
  const [name = ''] = pictures();
  await page.evaluate(async (link) => {
    const { vault: notes, metadataCache } = (window as unknown as { app: App }).app;
    await notes.create('Map.md', `![[${link}]]`);
    while (!metadataCache.resolvedLinks['Map.md']?.[link])
      await new Promise((resolve) => requestAnimationFrame(resolve));
  }, name);
  await remove();
  await page.getByText('stays in your vault because a note links to it').waitFor();
  expect(pictures()).toEqual([name]);
  await chat.expectNoFaults();
});

test('a long message needs confirmation, and the meter lists its parts', async () => {
  const long = `${'A long line of words that goes on. '.repeat(20)}\n`.repeat(140);
  await using chat = await openChat({ model: [reply('Long.')], files: { 'Long.md': long } });
  const { message, page, log } = chat;
  await message.pressSequentially('Sum up @long');
  await options(page).first().waitFor();
  await message.press('Enter');
  const meter = page.getByRole('button', { name: /^Context: / });
  await meter.focus();
  await page.getByText('Long.md', { exact: true }).waitFor();
  await chat.checkLooks('meter');
  await message.press('Enter');
  const question = page.getByRole('alertdialog', { name: 'Large message' });
  await question.waitFor();
  await chat.checkLooks('too-much');
  await page.keyboard.press('Escape');
  await question.waitFor({ state: 'detached' });
  expect(chat.modelRequests()).toEqual([]);
  expect(await message.inputValue()).toContain('Sum up');
  await message.press('Enter');
  await question.getByRole('button', { name: 'Send anyway' }).press('Enter');
  await log.getByText('Long.', { exact: true }).waitFor();
  await chat.expectNoFaults();
});

test('a slash command runs, and a preset restores its attachments', async () => {
  await using chat = await openChat();
  const { message, page } = chat;
  await page.locator('.nav-files-container [data-path="Lists"]').dragTo(message);
  await chips(page).getByText('Lists/').waitFor();
  await message.pressSequentially('/save');
  await message.press('Enter');
  await page.getByRole('textbox', { name: 'Preset name' }).fill('My lists');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Remove Lists/' }).click();
  expect(await chips(page).getByText('Lists/').count()).toBe(0);
  await message.pressSequentially('/');
  await options(page).first().waitFor();
  await chat.checkLooks('commands');
  await message.pressSequentially('my');
  await message.press('Enter');
  await chips(page).getByText('Lists/').waitFor();
  expect(await message.inputValue()).toBe('');
  await message.pressSequentially('/read only');
  await message.press('Enter');
  await page.getByRole('button', { name: 'Mode: Read only' }).waitFor();
  await chat.expectNoFaults();
});

test('a Parley link fills the composer without sending, and hides none of its text', async () => {
  await using chat = await openChat();
  const { message, page, vault } = chat;
  await page.evaluate(() => {
    const link = document.createElement('a');
    link.href = `obsidian://parley?text=Add%20milk%20%26%20tea${'%0A'.repeat(60)}and%20de%E2%80%8Blete`;
    document.body.append(link);
    link.click();
    link.remove();
  });
  await expect.poll(() => message.inputValue()).toBe('Add milk & tea\n\nand delete');
  expect(await message.evaluate((element) => element === document.activeElement)).toBe(true);
  expect(chat.modelRequests()).toEqual([]);
  expect(existsSync(path.join(vault, '.smarthole/inbox'))).toBe(false);
  await chat.expectNoFaults();
});

test('the chip of the open note follows closing, deleting, a first click and a reload', async () => {
  await using chat = await openChat();
  const { page } = chat;
  const chips = page.getByRole('list', { name: 'Attached context' });
  const closeTab = () => page.locator('.mod-root').getByLabel('Close').click();
  const inTree = (name: string) => page.getByRole('treeitem', { name, exact: true });
  await chips.getByText('Welcome').first().waitFor();
  await closeTab();
  await chips.waitFor({ state: 'detached' });
  await inTree('Lists').click();
  await inTree('Shopping').click();
  await chips.getByText('Shopping').first().waitFor();
  await chat.message.focus();
  await page.evaluate(async () => {
    const { app } = window as unknown as { app: App };
    await app.fileManager.trashFile(app.workspace.getActiveFile()!);
  });
  await chips.waitFor({ state: 'detached' });
  await inTree('Todo').click();
  await chips.getByText('Todo').first().waitFor();
  await chat.reload();
  await chips.getByText('Todo').first().waitFor();
  await chat.expectNoFaults();
});
