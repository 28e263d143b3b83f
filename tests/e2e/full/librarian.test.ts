/**
 * Tasks across many notes, with plan, steps and changes: research with an index note, and a daily
 * review.
 */
import { expect, test } from 'vitest';
import { call, reply } from '#workbench/model/replies';
import { openChat } from '#tests/e2e/chat';

type State = 'open' | 'doing' | 'done';

/** A plan call: steps before `at` are done, and the step at `at` is in progress. */
function plan(at: number, ...steps: string[]) {
  const stateOf = (place: number): State => (place < at ? 'done' : place === at ? 'doing' : 'open');
  return call('plan', { steps: steps.map((text, place) => ({ text, state: stateOf(place) })) });
}

test('a research request creates an index note with links and tags', async () => {
  const steps = ['Find what there is on the garden', 'Read it', 'Write a map', 'Link and tag'];
  const MAP = 'Notes/Map of the garden year.md';
  await using chat = await openChat({
    model: [
      reply(
        'I look for what there is.',
        plan(0, ...steps),
        call('explore_structure', { path: 'Notes', summaries: true }),
        call('list_tags', {}),
        call('query_notes', { folder: 'Notes', sort: 'name' }),
        call('get_links', { path: 'Map of the allotment', depth: 2 }),
      ),
      reply(
        plan(1, ...steps),
        call('read_file', {
          paths: ['Notes/Tomatoes.md', 'Notes/Compost.md', 'Notes/Broad beans.md'],
        }),
        call('get_properties', { paths: ['Notes/Tomatoes.md', 'Notes/Broad beans.md'] }),
        call('find_dead_links', { path: 'Notes' }),
      ),
      reply(
        'Three notes, and one that is only linked to.',
        plan(2, ...steps),
        call('write_file', {
          path: MAP,
          content:
            '# Map of the garden year\n\n- Spring: [[Broad beans]]\n- Summer: [[Tomatoes]]\n- All year: [[Compost]]\n',
        }),
      ),
      reply(
        plan(3, ...steps),
        call('link_notes', { source: 'Notes/Compost.md', target: MAP }),
        call('add_tags', { path: MAP, tags: ['map'] }),
        call('update_properties', { path: MAP, set: { created: '2026-11-22', sources: 3 } }),
      ),
      reply(
        call('done', {
          summary: 'The map is written: [[Map of the garden year]], from three notes.',
          outcome: 'done',
        }),
        plan(4, ...steps),
      ),
    ],
  });
  const { log, page } = chat;
  await chat.send('Research my garden year and write a map of it');
  await log.getByText('The map is written').waitFor();
  await chat.idle();
  expect(chat.read(MAP)).toBe(
    '---\ntags:\n  - map\ncreated: 2026-11-22\nsources: 3\n---\n# Map of the garden year\n\n- Spring: [[Broad beans]]\n- Summer: [[Tomatoes]]\n- All year: [[Compost]]\n',
  );
  expect(chat.read('Notes/Compost.md')).toContain('[[Map of the garden year]]');
  // The link in the answer opens the new note.
  await log.getByRole('link', { name: 'Map of the garden year' }).first().click();
  await page.locator('.mod-root').getByText('Spring').waitFor();
  await log.locator('summary', { hasText: 'Worked' }).click();
  await log.getByText('Plan', { exact: true }).click();
  await log
    .locator('summary', { hasText: /explored folders/i })
    .first()
    .click();
  await chat.checkLooks('research');
  await chat.expectNoFaults();
});

test('a daily review copies open tasks into the next daily note, and one undo reverts its changes', async () => {
  const steps = ['What changed today', 'Open tasks', 'The note of tomorrow'];
  const TOMORROW = 'Journal/2026-11-15.md';
  await using chat = await openChat({
    model: [
      reply(
        plan(0, ...steps),
        call('query_notes', { properties: { date: { from: '2026-11-14' } } }),
        call('query_notes', { tasks: 'open', folder: 'Journal' }),
      ),
      reply(plan(1, ...steps), call('read_file', { path: 'Journal/2026-11-14.md' })),
      reply(
        plan(2, ...steps),
        call('write_file', {
          path: TOMORROW,
          content:
            '# Sunday, 15 November\n\n- [ ] Ask Mateo how he stores them\n- [ ] Write down who took the leek seed\n',
        }),
        call('update_properties', { path: TOMORROW, set: { date: '2026-11-15', mood: null } }),
        call('link_notes', {
          source: 'Journal/2026-11-14.md',
          target: TOMORROW,
          text: 'tomorrow',
          context: 'twice a year?',
        }),
      ),
      reply('Two open tasks go into tomorrow.', plan(3, ...steps)),
      reply('Two open tasks of yesterday stand in [[2026-11-15]] now.'),
    ],
  });
  const { log } = chat;
  await chat.send('Review my day and take what is open into tomorrow');
  await log.getByText('stand in 2026-11-15 now').waitFor();
  await chat.idle();
  const sent = JSON.stringify(chat.modelRequests().at(1)?.messages);
  expect(sent).toContain('Journal/2026-11-14.md');
  expect(sent).toContain('- [ ] Ask Mateo how he stores them');
  expect(chat.read(TOMORROW)).toMatch(/^---\ndate: 2026-11-15\nmood: null\n---\n# Sunday/);
  expect(chat.read('Journal/2026-11-14.md')).toContain('twice a year? [[2026-11-15|tomorrow]]');
  await chat.checkLooks('daily-review');

  // All changes belong to one answer, so they are undone together.
  await log.getByRole('button', { name: 'Undo all changes from this answer' }).click();
  await expect.poll(() => chat.read('Journal/2026-11-14.md')).not.toContain('tomorrow');
  await chat.expectNoFaults();
});
