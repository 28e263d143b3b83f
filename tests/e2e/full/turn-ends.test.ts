/**
 * Actions below an answer: inserting it into notes, remembering an instruction, and showing its
 * cost.
 */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { call, reply } from '#workbench/model/replies';
import { openChat, type OpenedChat } from '#tests/e2e/chat';

const ANSWER = '## Trips in spring\n\nThree are planned, and only **Lisbon** has a date.';

async function openNote({ page }: OpenedChat, folder: string, name: string): Promise<void> {
  await page.getByRole('treeitem', { name: folder }).click();
  await page.getByRole('treeitem', { name }).click();
  await page.locator('.mod-root .cm-content').first().waitFor();
}

/** Text of the active editor. */
function editorText({ page }: OpenedChat): Promise<string> {
  return page.evaluate(() => {
    const { app } = window as unknown as {
      app: { workspace: { activeEditor: { editor: { getValue(): string } } } };
    };
    return app.workspace.activeEditor.editor.getValue();
  });
}

test('an answer can be inserted at the cursor, appended or put into a new note, and undo works as for typed text', async () => {
  const model = [
    reply(call('read_file', { paths: ['Welcome.md', 'Lists/Packing for the coast.md'] })),
    reply(ANSWER),
  ];
  await using chat = await openChat({ model });
  const { log, page, vault } = chat;
  await chat.send('which trips are planned?');
  await chat.idle();
  await log.getByRole('button', { name: 'Welcome' }).waitFor();
  await chat.checkLooks('turn-end');

  await openNote(chat, 'Lists', 'Shopping');
  await expect.poll(() => editorText(chat)).toContain('# Shopping');
  const before = await editorText(chat);
  const editor = page.locator('.mod-root .cm-content').first();
  await editor.click();
  await page.keyboard.press('Control+Home');
  await page.keyboard.type('Here: ');
  const save = async (choice: string) => {
    await log.getByRole('button', { name: 'Save to…' }).click();
    await page.locator('.menu-item', { hasText: choice }).click();
  };
  await save('Insert at cursor');
  await expect.poll(() => editorText(chat)).toBe(`Here: ${ANSWER}${before}`);
  // The note has the focus, with the cursor after the answer.
  await page.keyboard.type('!');
  await expect.poll(() => editorText(chat)).toBe(`Here: ${ANSWER}!${before}`);

  await save('Append to current note');
  await expect
    .poll(() => editorText(chat))
    .toBe(`Here: ${ANSWER}!${before.trimEnd()}\n\n${ANSWER}`);
  await page.keyboard.press('Control+z');
  await expect.poll(() => editorText(chat)).toBe(`Here: ${ANSWER}!${before}`);

  const files = readdirSync(vault);
  for (const name of ['Trips in spring', 'Trips in spring 1']) {
    await save('New note');
    const made = () => readdirSync(vault).filter((file) => !files.includes(file));
    await expect.poll(made).toContain(`${name}.md`);
    await page.locator('.mod-root').getByText(name, { exact: true }).first().waitFor();
    await expect.poll(() => editorText(chat)).toBe(ANSWER);
    await expect.poll(() => readFileSync(path.join(vault, `${name}.md`), 'utf8')).toBe(ANSWER);
  }
  // These are the user's own changes, so the chat lists no changed notes.
  expect(await log.getByRole('group', { name: 'Changed notes' }).count()).toBe(0);
  await chat.expectNoFaults();
});

test('the chat offers to remember a lasting instruction, saves it as edited, and does not offer it again', async () => {
  await using chat = await openChat({ model: [reply('I will.'), reply('Yes.')] });
  const { log, page } = chat;
  await chat.send('From now on, answer in one line.');
  await chat.idle();
  const offer = log.getByRole('form', { name: 'Remember' });
  await offer.waitFor();
  await chat.checkLooks('remember');
  await offer.getByRole('textbox').fill('Answer in one short line.');
  await offer.getByRole('button', { name: 'Remember' }).click();
  await log.getByText('Added to your instructions').waitFor();
  await chat.checkLooks('remembered');
  const saved = chat.read('.obsidian/plugins/parley/data.json');
  expect(saved).toContain('Answer in one short line.');
  await chat.reload();
  await log.getByText('I will.').waitFor();
  expect(await offer.count()).toBe(0);

  await page.getByRole('button', { name: 'New chat' }).click();
  await log.waitFor({ state: 'detached' });
  await chat.send('do you know?');
  await log.getByText('Yes.').waitFor();
  expect(JSON.stringify(chat.modelRequests().at(-1)?.system)).toContain(
    'Answer in one short line.',
  );
  await chat.expectNoFaults();
});

test('usage is shown below the answer, by step and by day', async () => {
  await using chat = await openChat({ model: [reply('Hello.')] });
  const { log, page } = chat;
  await chat.send('hello');
  await chat.idle();
  await log.getByRole('button', { name: 'Model and cost' }).click();
  await log.getByRole('table').waitFor();
  await chat.checkLooks('turn-cost');
  await log.getByRole('button', { name: 'Usage by day' }).click();
  await page.getByRole('img', { name: /most on/ }).waitFor();
  expect(await page.getByRole('row', { name: /Haiku 4\.5/ }).count()).toBeGreaterThan(0);
  await chat.checkLooks('usage');
  await page.getByRole('button', { name: 'Back to the chat' }).click();
  await chat.message.waitFor();
  await chat.expectNoFaults();
});
