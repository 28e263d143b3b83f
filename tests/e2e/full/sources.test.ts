/** The sources of an answer: from a number to the note, and what a check of the answer says. */
import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { call, reply } from '#workbench/model/replies';
import { openChat, violations } from '#tests/e2e/chat';

interface InPage {
  readonly app: {
    readonly vault: { getFileByPath(path: string): unknown };
    readonly workspace: {
      readonly activeEditor: { readonly editor?: { getCursor(): { line: number } } } | null;
    };
  };
}

const BEDS = 'Notes/Bean beds.md';
const TEXT = '# Bean beds\n\nBed 2 gets sun until four.\n\n## Water\n\nOne can in the morning.\n';
const FROST = 'Notes/Frost.md';
const ANSWER =
  'Bed 2 has the most sun [@Bean beds:3]. Water it in the morning [@Bean beds:7], after the frost [@Frost:1]. Peas like it [@Peas:9].';

function modelReplies() {
  return [reply(call('read_file', { paths: [BEDS, FROST] })), reply(ANSWER)];
}

/** From 1. */
function cursorLine(page: Page): Promise<number | undefined> {
  return page.evaluate(() => {
    const { app } = window as unknown as InPage;
    const line = app.workspace.activeEditor?.editor?.getCursor().line;
    return line === undefined ? undefined : line + 1;
  });
}

/** Whether the host knows of a file. */
function isThere(page: Page, file: string): Promise<boolean> {
  return page.evaluate((wanted) => {
    const { app } = window as unknown as InPage;
    return app.vault.getFileByPath(wanted) !== null;
  }, file);
}

test('a number of an answer shows its passage, opens the note there, and can be checked', async () => {
  await using chat = await openChat({
    model: modelReplies(),
    files: { [BEDS]: TEXT, [FROST]: 'The last frost is on 20 May.\n' },
  });
  const { page, log, vault } = chat;
  await chat.open();
  await chat.send('Which bed has the most sun?');
  await chat.idle();
  const answer = log.locator('.markdown-rendered').last();
  await expect
    .poll(() => answer.innerText())
    .toMatch(/^Bed 2 has the most sun\s*1\. .*\s*3\. Peas/);
  expect(await answer.innerText()).not.toContain('[@');

  const number = log.getByRole('link', { name: 'Source 2: Bean beds, Water' });
  await number.hover();
  const card = page.getByRole('tooltip');
  await card.getByText('One can in the morning.').waitFor();
  await chat.checkLooks('answer-source-card');
  await number.focus();
  await page.keyboard.press('Escape');
  await card.waitFor({ state: 'detached' });

  await number.click();
  const editor = page.locator('.mod-root .cm-content');
  await editor.getByText('One can in the morning.').waitFor();
  await expect.poll(() => cursorLine(page)).toBe(7);

  writeFileSync(
    path.join(vault, BEDS),
    TEXT.replace('sun until four', 'sun until noon').replace(
      '## Water',
      'Bed 3 is dry.\n\n## Water',
    ),
  );
  rmSync(path.join(vault, FROST));
  await editor.getByText('Bed 3 is dry.').waitFor();
  await expect.poll(() => isThere(page, FROST)).toBe(false);
  await log.getByRole('button', { name: 'Check this answer' }).click();
  await log.getByText('1 changed, 1 gone, 1 moved').waitFor();
  await log.getByText('1 mark named nothing and was removed').waitFor();
  const list = log.getByRole('list', { name: 'Sources' });
  await list.locator('del', { hasText: 'four' }).waitFor();
  await list.locator('ins', { hasText: 'noon' }).waitFor();
  await list.getByText('The note is gone').waitFor();
  await list.getByText('Moved to line 9').waitFor();
  await chat.checkLooks('answer-checked');

  await chat.reload();
  await log.getByText('3 sources').waitFor();
  await expect.poll(() => log.getByRole('link', { name: /^Source/ }).count()).toBe(3);
  await chat.expectNoFaults();
});

test('an answer that is saved in a note is checked by a command there', async () => {
  await using chat = await openChat({
    model: modelReplies(),
    files: { [BEDS]: TEXT, [FROST]: 'The last frost is on 20 May.\n' },
  });
  const { page, log, vault } = chat;
  const dialogOf = (note: string) => page.getByRole('dialog', { name: `Sources of “${note}` });
  const dialog = dialogOf('Bed 2 has the most sun. Water it in the morning, after the frost.');
  const command = 'Check the sources of this note';
  await chat.send('Which bed has the most sun?');
  await chat.idle();
  await log.getByRole('button', { name: 'Save to…' }).click();
  await page.locator('.menu-item', { hasText: 'New note' }).click();
  const editor = page.locator('.mod-root .cm-content');
  await editor.getByText('Bed 2 has the most sun').first().waitFor();

  await chat.command(command);
  await dialog.getByText('All 3 sources are unchanged').waitFor();
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });

  const changed = TEXT.replace('sun until four', 'sun until noon');
  writeFileSync(path.join(vault, BEDS), changed.replace('## Water', 'Bed 3 is dry.\n\n## Water'));
  rmSync(path.join(vault, FROST));
  await expect.poll(() => isThere(page, FROST)).toBe(false);
  await chat.command(command);
  await dialog.getByText('1 changed, 1 gone, 1 unchanged').waitFor();
  const list = dialog.getByRole('list', { name: 'Sources' });
  await list.locator('del', { hasText: 'four' }).waitFor();
  await list.locator('ins', { hasText: 'noon' }).waitFor();
  await list.getByText('The note is gone').waitFor();
  expect(await violations(dialog)).toEqual([]);
  await chat.pictureDialog('saved-sources/checked');

  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await dialog.waitFor({ state: 'detached' });
  await editor.getByText('One can in the morning.').first().waitFor();
  await expect.poll(() => cursorLine(page)).toBe(9);

  await chat.command(command);
  await dialogOf('Bean beds').getByText('This note has no sources to check.').waitFor();
  await chat.expectNoFaults();
});

test('the demo model says where its answers come from', async () => {
  await using chat = await openChat();
  await chat.open();
  await chat.send('What do my notes say about blight?');
  await chat.idle();
  const { log } = chat;
  await log.getByText(/^\d sources?$/).waitFor();
  await log
    .getByRole('link', { name: /^Source \d: Tomatoes, Blight$/ })
    .first()
    .waitFor();
  await log.getByRole('button', { name: 'Check this answer' }).click();
  await log.getByText(/^(?:All \d sources are|The source is) unchanged$/).waitFor();
  await chat.expectNoFaults();
});
