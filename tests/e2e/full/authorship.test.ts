/**
 * What the agent wrote is marked in its note, with its reason, and its changes are listed, all by
 * keyboard.
 */
import type { EditorView } from '@codemirror/view';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { IS_SAMPLE } from '#tests/builders/sampled';
import { call, reply } from '#workbench/model/replies';
import { openChat, type OpenedChat } from '#tests/e2e/chat';
import type { PageWithParley } from '#tests/e2e/driver';

const NOTE = 'Plans/Lisbon.md';
const BEFORE = `# Lisbon

We go by train in may.

## Pack

- [ ] shoes
- [ ] map
`;

interface InPage {
  app: PageWithParley['app'] & {
    workspace: { activeLeaf: { view: { editor: { cm: EditorView } } } };
  };
  /** The texts whose authorship was looked up. */
  lookedUp: string[];
}

const MARKED = [
  ...['night', 'May', '- [ ] warm socks', '- [ ] umbrella'],
  ...['## Sleep', 'Near the river.'],
];

const edit = (old_text: string, new_text: string) => ({ old_text, new_text });
/** Widths of the page and of the panel in it, in pixels. */
const WIDTHS = [
  [640, 280],
  [1360, 420],
] as const;

async function openNote({ page }: OpenedChat): Promise<void> {
  await page.keyboard.press('Control+o');
  await page.keyboard.type('Lisbon');
  await page.locator('.suggestion-item.is-selected', { hasText: 'Lisbon' }).waitFor();
  await page.keyboard.press('Enter');
  const note = page.locator('.mod-root .cm-content', { hasText: 'Lisbon' });
  await note.waitFor();
  // As Obsidian does.
  await note.focus();
}

/** Asks in the panel without the mouse. */
async function ask(chat: OpenedChat, text: string): Promise<void> {
  await chat.command('Open chat');
  await expect.poll(() => chat.message.evaluate((field) => field.matches(':focus'))).toBe(true);
  await chat.page.keyboard.type(text);
  await chat.page.keyboard.press('Enter');
  await chat.log.getByText(text, { exact: true }).waitFor();
  await chat.idle();
}

const marked = (page: Page) =>
  page.locator('.mod-root .cm-content .parley-wrote').allTextContents();

/** Pictures of the page for review. */
async function shoot({ page, screenshot }: OpenedChat, name: string): Promise<void> {
  if (IS_SAMPLE) return;
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme });
    for (const [width, panel] of WIDTHS) {
      await page.setViewportSize({ width, height: 860 });
      await page.locator('.mod-right-split').evaluate((element, to) => {
        element.style.width = `${to}px`;
      }, panel);
      await screenshot(`authorship/${name}-${colorScheme}-${width}`);
    }
  }
}

test('the words that the agent wrote are marked, explained and undone by keyboard, and typing makes them the user’s', async () => {
  await using chat = await openChat({
    files: { [NOTE]: BEFORE },
    settings: { panelMode: 'apply' },
    model: [
      reply('I look first.', call('read_file', { path: NOTE })),
      reply(
        'Two changes.',
        call('edit_file', {
          path: NOTE,
          edits: [
            edit('by train in may', 'by night train in May'),
            edit('- [ ] map\n', '- [ ] map\n- [ ] warm socks\n- [ ] umbrella\n'),
          ],
        }),
      ),
      reply('Done.'),
      reply(
        'One more.',
        call('edit_file', {
          path: NOTE,
          edits: [{ position: 'end', content: '\n## Sleep\n\nNear the river.' }],
        }),
      ),
      reply('Done, too.'),
    ],
  });
  const { page } = chat;
  await openNote(chat);
  await chat.command('Toggle left sidebar');
  await ask(chat, 'Tidy the plan for Lisbon');
  await chat.command('New chat');
  await ask(chat, 'Where do we sleep?');

  await openNote(chat);
  await chat.command('Show what Parley wrote');
  await expect.poll(() => marked(page)).toEqual(MARKED);
  await shoot(chat, 'marks');

  // The user's words inside of the agent's are the user's.
  await page.keyboard.press('Control+End');
  for (let words = 0; words < 2; words += 1) await page.keyboard.press('Control+ArrowLeft');
  await page.keyboard.type('wide ');
  const typed = [...MARKED.slice(0, -1), 'Near the', 'river.'];
  await expect.poll(() => marked(page)).toEqual(typed);

  await page.keyboard.press('Control+End');
  await page.keyboard.press('ArrowLeft');
  await chat.command('Show why Parley wrote this');
  const why = page.getByRole('dialog', { name: 'Why Parley wrote this' });
  await why.getByRole('blockquote').getByText('Where do we sleep?').waitFor();
  await why.getByRole('button', { name: 'Undo' }).and(page.locator(':focus')).waitFor();
  await shoot(chat, 'why');
  await page.keyboard.press('Escape');
  await why.waitFor({ state: 'detached' });
  await page.locator('.mod-root .cm-content:focus').waitFor();

  await chat.command('Show Parley’s changes to this note');
  const history = page.getByRole('region', { name: 'Parley’s changes to this note' });
  const older = history.getByRole('listitem').last();
  await older.getByRole('button', { name: 'Undo' }).press('Enter');
  await expect.poll(() => chat.read(NOTE)).toContain('We go by train in may.');
  expect(chat.read(NOTE)).toContain('Near the wide river.');
  expect(chat.read(NOTE)).not.toContain('umbrella');

  // The marks follow, and the command hides them again.
  await openNote(chat);
  await expect.poll(() => marked(page)).toEqual(typed.slice(4));
  await page.locator('.mod-root .parley-wrote', { hasText: 'river' }).hover();
  await why.getByRole('blockquote').getByText('Where do we sleep?').waitFor();
  await page.locator('.mod-root .cm-content').press('Control+Home');
  await chat.command('Show what Parley wrote');
  await expect.poll(() => marked(page)).toEqual([]);
  await chat.expectNoFaults();
});

test('only the editor with the text of the whole note is marked, not that of a table cell', async () => {
  await using chat = await openChat({
    files: { [NOTE]: BEFORE },
    settings: { panelMode: 'apply' },
    model: [
      reply('I look first.', call('read_file', { path: NOTE })),
      reply(
        'A change.',
        call('edit_file', {
          path: NOTE,
          edits: [edit('by train in may', 'by night train in May')],
        }),
      ),
      reply('Done.'),
    ],
  });
  const { page } = chat;
  await openNote(chat);
  await ask(chat, 'by night');
  await openNote(chat);
  await chat.command('Show what Parley wrote');
  await expect.poll(() => marked(page)).toEqual(['night', 'May']);
  // As in Obsidian, an editor of its own that has the extensions of the note's.
  await page.evaluate(async () => {
    const inPage = window as unknown as InPage;
    const { app } = inPage;
    const { cm } = app.workspace.activeLeaf.view.editor;
    const Cell = cm.constructor as typeof EditorView;
    const changes = { from: 0, to: cm.state.doc.length, insert: 'by night train in May' };
    const parent = document.body.appendChild(document.createElement('div'));
    parent.id = 'cell';
    new Cell({ parent, state: cm.state.update({ changes, filter: false }).state });
    const { authorship } = await app.plugins.plugins.parley.agent;
    const ranges = authorship.ranges.bind(authorship);
    inPage.lookedUp = [];
    authorship.ranges = (path, text) => {
      inPage.lookedUp.push(text);
      return ranges(path, text);
    };
  });
  await page.locator('.mod-root .cm-content').focus();
  await chat.command('Show what Parley wrote');
  await expect.poll(() => marked(page)).toEqual([]);
  await chat.command('Show what Parley wrote');
  await expect.poll(() => marked(page)).toEqual(['night', 'May']);
  const lookedUp = await page.evaluate(() => (window as unknown as InPage).lookedUp);
  expect(new Set(lookedUp)).toEqual(new Set([chat.read(NOTE)]));
  expect(await page.locator('#cell .parley-wrote').count()).toBe(0);
  await chat.expectNoFaults();
});
