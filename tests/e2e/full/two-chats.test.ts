/** Two chats propose in one note. Each decides its own edit, and undoes its own decision. */
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { call, reply } from '#workbench/model/replies';
import { openChat, type OpenedChat } from '#tests/e2e/chat';

const NOTE = 'Shopping.md';
const LIST = '# Shopping\n\n- [ ] bread\n- [ ] salt\n';

const proposes = (old_text: string, new_text: string) => [
  reply('', call('read_file', { path: NOTE })),
  reply('', call('edit_file', { path: NOTE, edits: [{ old_text, new_text }] })),
  reply('I proposed it.'),
];

/** The chat that begins with this request. */
async function goTo({ page, log }: OpenedChat, request: string): Promise<void> {
  await page.getByRole('button', { name: 'Past chats' }).click();
  const past = page.getByRole('region', { name: 'Past chats' });
  await past.getByRole('button', { name: new RegExp(`^${request}`) }).click();
  await log.getByText(request).waitFor();
}

const open = (path: string): Parameters<typeof openChat>[0] => ({
  files: { [path]: LIST },
  settings: {},
});

async function press(log: Locator, name: string): Promise<void> {
  await log.getByRole('button', { name, exact: true }).click();
}

test('lines that two chats append to one list are decided and undone apart', async () => {
  await using chat = await openChat({
    ...open(NOTE),
    model: [
      ...proposes('- [ ] salt', '- [ ] salt\n- [ ] milk'),
      ...proposes('- [ ] milk', '- [ ] milk\n- [ ] butter'),
    ],
  });
  const { log } = chat;
  const edit = log.getByRole('group', { name: /^Edit 1 of / });
  const note = (...items: string[]) => LIST + items.map((item) => `- [ ] ${item}\n`).join('');
  const text = () => chat.read(NOTE).replace(/^ *```ai-edit\n.*\n *```\n *#ai_edit(?:\n|$)/gm, '');
  await chat.send('add milk');
  await chat.idle();
  await chat.command('New chat');
  await log.waitFor({ state: 'detached' });
  await chat.send('add butter');
  await chat.idle();
  await edit.getByText('butter').waitFor();
  expect(await edit.textContent()).not.toContain('milk');
  await chat.checkLooks('two-chats-b');
  await press(log, 'Accept');
  await expect.poll(text).toBe(note('butter'));
  await log.getByRole('button', { name: 'Undo this decision' }).waitFor();
  await chat.checkLooks('two-chats-b-accepted');

  await goTo(chat, 'add milk');
  await edit.getByText('milk').waitFor();
  await chat.checkLooks('two-chats-a');
  await press(log, 'Accept');
  await expect.poll(text).toBe(note('milk', 'butter'));
  await chat.checkLooks('two-chats-a-accepted');

  await goTo(chat, 'add butter');
  await log.getByRole('button', { name: 'Undo this decision' }).click();
  await expect.poll(text).toBe(note('milk'));
  await log.getByRole('button', { name: 'Accept', exact: true }).waitFor();
  await press(log, 'Reject');
  await goTo(chat, 'add milk');
  await log.getByRole('button', { name: 'Undo this decision' }).click();
  await expect.poll(text).toBe(LIST);
  await log.getByRole('button', { name: 'Accept', exact: true }).waitFor();
  await chat.expectNoFaults();
});

test('words that two chats changed say so in both, and show the decision in both', async () => {
  await using chat = await openChat({
    ...open(NOTE),
    model: [
      ...proposes('- [ ] salt', '- [ ] sea salt'),
      ...proposes('- [ ] sea salt', '- [ ] smoked sea salt'),
    ],
  });
  const { log } = chat;
  await chat.send('use sea salt');
  await chat.idle();
  await chat.command('New chat');
  await log.waitFor({ state: 'detached' });
  await chat.send('make it smoked');
  await chat.idle();
  await log.getByText('Also changed in “use sea salt”: decided together').waitFor();
  await chat.checkLooks('two-chats-same-words');
  await goTo(chat, 'use sea salt');
  await log.getByText('Also changed in “make it smoked”: decided together').waitFor();
  await press(log, 'Accept');
  await expect.poll(() => chat.read(NOTE)).toBe(LIST.replace('salt', 'smoked sea salt'));
  await goTo(chat, 'make it smoked');
  await log.getByRole('button', { name: 'Undo this decision' }).waitFor();
  await chat.checkLooks('two-chats-same-words-accepted');
  await log.getByRole('button', { name: 'Undo this decision' }).click();
  await log.getByRole('button', { name: 'Accept', exact: true }).waitFor();
  await goTo(chat, 'use sea salt');
  await log.getByRole('button', { name: 'Accept', exact: true }).waitFor();
  await chat.expectNoFaults();
});
