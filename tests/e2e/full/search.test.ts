/** Searches in the page, where the engine runs in a worker of the browser. */
import { expect, test } from 'vitest';
import { call, reply } from '#workbench/model/replies';
import { openChat } from '#tests/e2e/chat';

test('a pattern that never ends leaves the chat usable, is ended, and the next search works', async () => {
  const HOSTILE = 'Notes/Hostile.md';
  await using chat = await openChat({
    model: [
      reply(
        call('write_file', { path: HOSTILE, content: `b medlar\n${'a'.repeat(60)}!\n` }),
        call('search_files', { pattern: 'medlar' }),
      ),
      reply(call('search_files', { pattern: '(a+)+b' })),
      reply(call('search_files', { pattern: 'medlar' }), call('search_vault', { query: 'medlar' })),
      reply('That is all.'),
    ],
  });
  const { log, page } = chat;
  await chat.send('Search for medlar');
  await log.getByText('That is all.').waitFor();
  await chat.idle();
  await expect.poll(() => page.workers()).toHaveLength(1);
  const requests = chat.modelRequests().map((request) => JSON.stringify(request));
  // The longest request is the last one of the turn; another one asks for a title.
  const [told = ''] = requests.sort((a, b) => b.length - a.length);
  expect(told.match(/1 match in 1 file/g)).toHaveLength(2);
  expect(told).toContain('takes too long, so the search was ended');
  expect(told).toContain('1 note of');
  await chat.expectNoFaults();
});
