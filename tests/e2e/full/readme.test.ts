/**
 * Takes the screenshots of the README: a question about several notes, its edits, and the answer
 * found again.
 */
import { expect, test } from 'vitest';
import { jsonLine } from '#ports/line-file';
import { Script } from '#workbench/gallery/script';
import { call, reply } from '#workbench/model/replies';
import { openChat } from '#tests/e2e/chat';

const TODO = 'Lists/Todo.md';
const COMMITTEE = 'Meetings/2026-11-11 Allotment committee.md';
const DEPARTMENT = 'Meetings/2026-11-04 Biology department.md';
const DEVICE = 'device-e2e';
const DAY = 86_400_000;

const ANSWER = `Three of them are yours, and only the hall has a date:

| Who | Promise | Until |
| --- | --- | --- |
| **You** | Book the hall for the tea | **20 November** |
| **You** | Marks for the half-term | **27 November** |
| **You** | Risk assessment for the [[Pond for the school\\|pond]] | |
| Ines | Three offers for [[Insurance offers\\|insurance]] | |
| Tamsin | First text of the leaflet | Christmas |

Mateo's is done: the path is 112 cm wide. Yours wait in [[Todo]] for your yes.`;

const STEPS = [
  reply(
    call('plan', {
      steps: [
        { text: 'Find the meetings', state: 'done' },
        { text: 'Gather who promised what', state: 'done' },
        { text: 'Put yours on the list', state: 'doing' },
      ],
    }),
    call('search_files', { pattern: 'by \\d|due on|Nora', file_pattern: 'Meetings/*' }),
  ),
  reply(
    call('read_file', { path: COMMITTEE }),
    call('read_file', { path: DEPARTMENT }),
    call('read_file', { path: TODO }),
  ),
  reply(
    call('edit_file', {
      path: TODO,
      edits: [
        {
          old_text: '- [ ] Book the hall for the [[Open garden day]]',
          new_text: '- [ ] Book the hall for the [[Open garden day]], until **20 November**',
        },
        {
          position: 'before:## Waiting',
          content:
            '## For the school\n\n- [ ] Marks for the half-term, until **27 November**, noon\n- [ ] Risk assessment for the [[Pond for the school]]\n',
        },
      ],
    }),
  ),
];

/** The file of a conversation from some days ago. */
function filed(name: string, days: number, asked: string, answer: string): [string, string] {
  const script = new Script(name, Date.now() - days * DAY, DEVICE).ask(asked).step();
  script.say(answer).done(answer);
  script.write({ type: 'title-set', title: asked.replace(/\?$/, ''), by: 'model' });
  script.write({ type: 'summary-set', summary: answer });
  script.write({ type: 'conversation-end', reason: 'idle' });
  const path = `.obsidian/plugins/parley/conversations/${script.id}.jsonl`;
  return [path, script.events.map(jsonLine).join('')];
}

test('the agent collects promises from notes, proposes edits, and past chats about them are found', async () => {
  await using chat = await openChat({
    settings: {},
    files: {
      '.obsidian/workbench-local-storage.json': JSON.stringify({
        'parley-device': JSON.stringify(DEVICE),
      }),
      ...Object.fromEntries([
        filed(
          ...(['tea', 2, 'What do we need for the garden day?'] as const),
          'A hall for the tea, chairs, and someone who bakes. The hall holds sixty.',
        ),
        filed(
          ...(['key', 9, 'Who has the keys?'] as const),
          'Mr Okafor has that of the hall, the caretaker that of the greenhouse.',
        ),
        filed('rye', 12, 'How often is the starter fed?', 'Every evening, at the same hour.'),
      ]),
    },
  });
  // Chosen by the history instead of by order, because title requests for past chats may come in
  // between.
  chat.serving.demo?.server.setRespond(({ messages, tools = [] }) => {
    const step = messages.filter(({ role }) => role === 'assistant').length;
    return tools.length === 0 ? reply('A title') : (STEPS[step] ?? reply(ANSWER));
  });
  const { page, log } = chat;
  const workspace = page.locator('.workspace');
  const open = async (folder: string, note: string | RegExp) => {
    await page.getByRole('treeitem', { name: folder }).click();
    await page.getByRole('treeitem', { name: note }).click();
  };
  const inNote = page.locator('.mod-root .block-language-ai-edit');

  await open('Meetings', /Allotment committee/);
  await page.getByRole('button', { name: 'New chat' }).click();
  await chat.send('Which promises were made in the last meetings? Put mine on my list.');
  await log.getByText('Yours wait in').waitFor();
  await chat.idle();
  await log.getByRole('cell', { name: '27 November' }).scrollIntoViewIfNeeded();
  await page.locator('.mod-right-split').evaluate((side) => {
    side.style.width = '440px';
  });
  await chat.screenshot('readme/asked', workspace);

  await open('Lists', 'Todo');
  await expect.poll(() => inNote.count()).toBe(2);
  await page.getByRole('button', { name: 'Jump to latest' }).click();
  await chat.screenshot('readme/reviewed', workspace);
  await inNote.first().getByRole('button', { name: 'Accept' }).click();
  await expect
    .poll(() => chat.read(TODO))
    .toContain('- [ ] Book the hall for the [[Open garden day]], until **20 November**\n');

  await page.getByRole('button', { name: '1 edit to review' }).waitFor();
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.getByRole('button', { name: 'Past chats' }).click();
  await page.getByRole('searchbox').fill('hall');
  await page.getByText(/matches in 3 chats/).waitFor();
  await chat.screenshot('readme/found', workspace);
  await chat.expectNoFaults();
});
