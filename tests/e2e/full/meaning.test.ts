/** Semantic search, from its settings to the notes that the agent finds. */
import { expect, test } from 'vitest';
import { embeddingServer } from '#tests/builders/embedding-server';
import { call, reply } from '#workbench/model/replies';
import { openChat } from '#tests/e2e/chat';
import { withAgent } from '#tests/e2e/driver';

test.each(['light', 'dark'] as const)(
  'notes are embedded and found by semantic search in the %s theme',
  async (theme) => {
    await using server = await embeddingServer();
    await using chat = await openChat({
      theme,
      files: { 'Notes/Pets.md': '# Pets\n\nThe kitten sleeps.\n', 'Private.md': '#private cat\n' },
      model: [
        reply(
          'I look for it.',
          call('search_vault', { query: 'purring', by: 'meaning', limit: 3 }),
          call('search_vault', { query: 'tomato compost', limit: 3 }),
        ),
        reply(call('done', { summary: 'It is in [[Pets]].', outcome: 'done' })),
      ],
    });
    const { page, log } = chat;
    await page.keyboard.press('Control+p');
    await page.getByPlaceholder('Select a command…').fill('settings');
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: /^Search and web/ }).click();
    const field = (name: string) =>
      page.locator('.setting-item', { hasText: name }).locator('input');
    const kept = () => withAgent(page, (agent) => agent.settings.current());
    await field('Embedding endpoint').fill(server.url);
    await field('Embedding model').fill('small');
    await expect
      .poll(kept)
      .toMatchObject({ embeddingEndpoint: server.url, embeddingModel: 'small' });
    const row = page.locator('.setting-item', { hasText: 'Update semantic index' });
    const updated = async (end: RegExp) => {
      await row.getByRole('button', { name: 'Update' }).click();
      await expect.poll(() => row.getByRole('status').textContent()).toMatch(end);
    };
    // Excluding a folder stops the update, because its notes may not be embedded; other settings do
    // not.
    server.onRequest = async () =>
      void (await withAgent(page, (agent) => agent.settings.set({ excludedFolders: ['Away'] })));
    await updated(/^Stopped/);
    server.onRequest = async () =>
      void (await withAgent(page, (agent) => agent.settings.set({ stepsPerTurn: 12 })));
    await updated(/^All \d+ notes are in/);
    expect(await kept()).toMatchObject({ stepsPerTurn: 12 });
    await row.scrollIntoViewIfNeeded();
    await chat.screenshot(`settings-search-${theme}`);
    await page.keyboard.press('Escape');
    await chat.send('Where did I write about cats?');
    await log.getByText('It is in').waitFor();
    await log.locator('summary', { hasText: 'Worked' }).click();
    await log.getByText('Searched', { exact: false }).first().click();
    await chat.screenshot(`search-vault-${theme}`);
    expect(server.asked.flat().join()).not.toContain('#private');
    expect(await chat.faults()).toEqual([]);
  },
);
