/** Pending edits decided in the chat, and changes undone and redone. */
import { expect, test } from 'vitest';
import { call, reply } from '#workbench/model/replies';
import { openChat } from '#tests/e2e/chat';

const NOTE = 'Lists/Shopping.md';

test('proposed edits can be decided in the chat, note by note', async () => {
  await using chat = await openChat({
    model: [
      reply(call('read_file', { path: NOTE })),
      reply(
        call('edit_file', { path: NOTE, edits: [{ position: 'end', content: '- [ ] Oat milk' }] }),
        call('edit_file', {
          path: 'Welcome.md',
          edits: [{ position: 'start', content: 'A word before all others.\n' }],
        }),
      ),
      reply('Both wait for you.'),
    ],
  });
  const { page, log } = chat;
  await page.getByRole('button', { name: /^Mode:/ }).click();
  await page
    .locator('.menu')
    .getByText(/^Review/)
    .click();
  await chat.send('Add oat milk, and a word to the welcome note');
  await chat.idle();
  const shopping = log.getByRole('region', { name: 'Edits in Shopping' });
  await shopping.getByText('Oat milk').waitFor();
  expect(chat.read(NOTE)).toContain('```ai-edit');
  await chat.checkLooks('review-proposed');

  await shopping.getByRole('button', { name: 'Accept' }).click();
  await shopping.getByText(/^Accepted/).waitFor();
  expect(chat.read(NOTE)).toMatch(/^- \[ \] Oat milk$/m);
  expect(chat.read(NOTE)).not.toContain('ai-edit');

  await page.getByRole('button', { name: '1 edit to review' }).click();
  const list = page.getByRole('region', { name: 'Edits to review' });
  await list.getByRole('group', { name: /^Edit \d/ }).focus();
  await chat.checkLooks('review-list');
  await page.keyboard.press('r');
  await list.getByText('Nothing to review').waitFor();
  // The note is open: its editor saves it a moment later.
  await expect.poll(() => chat.read('Welcome.md')).not.toContain('A word before all others.');
  await page.keyboard.press('Escape');
  await chat.checkLooks('review-decided');

  await shopping.getByRole('button', { name: 'Undo this decision' }).click();
  await shopping.getByRole('button', { name: 'Accept' }).waitFor();
  expect(chat.read(NOTE)).toContain('```ai-edit');
  await chat.expectNoFaults();
});

test('all changes of an answer are undone and redone together', async () => {
  await using chat = await openChat({
    model: [
      reply(
        call('edit_file', { path: NOTE, edits: [{ position: 'end', content: '- [ ] Oat milk' }] }),
        call('move', { source: 'Notes/Old timetable.md', destination: 'Archive/' }),
      ),
      reply('Done.'),
    ],
  });
  const { log, page } = chat;
  const before = chat.read(NOTE);
  await chat.send('Add oat milk, and put the old timetable away');
  await chat.idle();
  await log.getByText(/^2 notes changed/).waitFor();
  await log.getByRole('button', { name: 'Changes in Shopping' }).click();
  await log.getByText('Oat milk').last().waitFor();
  await chat.checkLooks('changed');
  await log.getByRole('button', { name: 'Undo all changes from this answer' }).click();
  await log.getByRole('button', { name: 'Redo all changes from this answer' }).waitFor();
  expect(chat.read(NOTE)).toBe(before);
  expect(chat.read('Notes/Old timetable.md')).not.toBe('');
  await chat.checkLooks('changed-undone');
  await chat.reload();
  await log.getByRole('button', { name: 'Redo all changes from this answer' }).click();
  await log.getByRole('button', { name: 'Undo all changes from this answer' }).waitFor();
  expect(chat.read(NOTE)).toContain('Oat milk');
  expect(chat.read('Archive/Old timetable.md')).not.toBe('');
  expect(await page.locator('.notice').count()).toBe(0);
  await chat.expectNoFaults();
});
