/** Quick edits in a note, by keyboard alone: proposed, refined, accepted, applied, undone, refused. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { gate, slowStart, statusError } from '#workbench/model/faults';
import { call, reply } from '#workbench/model/replies';
import { scripted, type ScriptStep } from '#workbench/model/scripted';
import { lastSaid, textOf, type ModelRequest } from '#workbench/model/wire';
import { proposalBlock } from '#tests/e2e/blocks';
import { openWorkbench, withAgent, type OpenedWorkbench } from '#tests/e2e/driver';

const NOTE = 'Welcome.md';
const FIRST = 'The quick brown fox jumps over the lazy dog.';
const TEXT = `# Plan\n\n${FIRST}\nIt does so twice a day.\n\n- first item\n- second item\n\nThe end.\n`;

const edit = (content: string, position: string) =>
  call('edit_file', { path: NOTE, edits: [{ position, content }] });
const done = (summary: string) => call('done', { summary, outcome: 'done' });

interface Desk extends OpenedWorkbench {
  readonly editor: Locator;
  readonly field: Locator;
  readonly actions: Locator;
  readonly status: Locator;
  requests(): readonly ModelRequest[];
  /** The text of the note on disk. */
  text(): string;
  press(...keys: string[]): Promise<void>;
  /** Moves the cursor to the start of this line, counted from 1. */
  goTo(line: number): Promise<void>;
  quickEdit(): Promise<void>;
  /** Takes screenshots of the page in both themes, wide and narrow. */
  checkLooks(name: string): Promise<void>;
  expectNoFaults(...expected: string[]): Promise<void>;
}

async function openDesk(
  steps: readonly ScriptStep[],
  options: {
    mode?: string;
    text?: string;
    settings?: Record<string, unknown>;
    files?: Record<string, string>;
  } = {},
): Promise<Desk> {
  const { mode = 'review', text = TEXT, settings = {}, files = {} } = options;
  const opened = await openWorkbench({
    sample: false,
    files,
    proposed: { [NOTE]: text },
    settings: { panelMode: mode, ...settings },
  });
  const { page, vault, serving } = opened;
  const { server } = serving.demo!;
  const script = scripted(steps, { asides: reply() });
  server.setRespond(script);
  const editor = page.locator('.mod-root .cm-content');
  const field = page.getByRole('combobox', { name: 'Quick edit' });
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  return {
    ...opened,
    ...{ editor, field, press },
    actions: page.getByRole('listbox', { name: 'Suggestions' }).getByRole('option'),
    status: page.getByRole('group', { name: 'Quick edit' }).getByRole('status'),
    requests: () => server.requests.map(({ body }) => body),
    text: () => readFileSync(path.join(vault, NOTE), 'utf8'),
    async goTo(line) {
      await editor.focus();
      await press('Control+Home');
      for (let at = 1; at < line; at += 1) await press('ArrowDown');
    },
    async quickEdit() {
      await press('Control+p');
      await page.keyboard.type('Quick edit');
      await page.locator('.suggestion-item.is-selected', { hasText: 'Quick edit' }).waitFor();
      await press('Enter');
      await expect.poll(() => isFocused(field)).toBe(true);
    },
    async checkLooks(name) {
      for (const theme of ['dark', 'light'] as const) {
        await page.emulateMedia({ colorScheme: theme });
        for (const width of [620, 1360]) {
          await page.setViewportSize({ width, height: 860 });
          await opened.screenshot(`quick-edit/${name}-${theme}-${width}`);
        }
      }
    },
    async expectNoFaults(...expected) {
      expect(server.violations).toEqual([]);
      expect(await opened.faults()).toEqual(
        expected.map((words) => expect.stringContaining(words) as string),
      );
    },
  };
}

async function isFocused(field: Locator): Promise<boolean> {
  return (
    (await field.count()) === 1 && field.evaluate((element) => element === document.activeElement)
  );
}

test('in Review, a selection is rewritten as a pending edit, refined there, and accepted', async () => {
  const shorter = 'The fox jumps over the dog.';
  const formal = 'The fox leaps over the dog.';
  await using desk = await openDesk([
    reply(edit(shorter, 'replace:3'), done('Proposed a shorter sentence.')),
    reply(edit(formal, 'replace:3'), done('Proposed a more formal one.')),
  ]);
  const { page, field, press, status, text } = desk;
  await desk.goTo(3);
  await press('Shift+End');
  await desk.quickEdit();
  await desk.checkLooks('open');
  await page.keyboard.type('short');
  await expect.poll(() => desk.actions.allInnerTexts()).toContain('Shorten');
  await press('Enter');
  await status.getByText('Proposed a shorter sentence.').waitFor();
  const widget = page.locator('.mod-root .block-language-ai-edit');
  await widget.waitFor();
  expect(text()).toContain(`"after":"${shorter}\\n`);
  expect(await isFocused(field)).toBe(true);
  await desk.checkLooks('proposed');

  await page.keyboard.type('more formal');
  await press('Enter');
  await status.getByText('Proposed a more formal one.').waitFor();
  await desk.editor.getByText('leaps').first().waitFor();
  expect(await widget.count()).toBe(1);
  await desk.checkLooks('refined');
  await press('Control+Enter');
  await expect.poll(text).toBe(TEXT.replace(FIRST, formal));
  await field.waitFor({ state: 'detached' });
  expect(await isFocused(desk.editor)).toBe(true);

  const [first, second] = desk
    .requests()
    .map(({ messages }) => textOf(messages[lastSaid(messages)]?.content));
  expect(first).toContain(`change only line 3 of ${NOTE}`);
  expect(first).toContain(`3: ${FIRST}`);
  expect(first).toContain('Make this shorter.');
  expect(second).toContain(`3: ${shorter}`);
  const chats = await withAgent(page, async (agent) => (await agent.state()).conversations);
  expect(chats.map(({ title, messages }) => [title, messages])).toEqual([['Edits in Welcome', 4]]);
  await desk.expectNoFaults();
});

test('in Apply, the paragraph of the cursor changes at once, and one key undoes it', async () => {
  await using desk = await openDesk(
    [reply(edit('A fox jumps.', 'replace:3-4'), done('Shortened the paragraph.'))],
    { mode: 'apply' },
  );
  const { page, field, press, status, text } = desk;
  await desk.goTo(3);
  await desk.quickEdit();
  await press('ArrowDown', 'ArrowDown');
  await expect.poll(() => field.getAttribute('aria-activedescendant')).toMatch(/-1$/);
  await press('Enter');
  await status.getByText('Shortened the paragraph.').waitFor();
  const after = TEXT.replace(`${FIRST}\nIt does so twice a day.`, 'A fox jumps.');
  await expect.poll(text).toBe(after);
  await desk.checkLooks('applied');
  await press('Control+z');
  await expect.poll(text).toBe(TEXT);
  await status.getByText('Undone').waitFor();
  // The instruction is back, to be sent again in other words.
  expect(await field.inputValue()).toBe('Make this shorter. Keep what matters.');
  await press('Escape');
  await field.waitFor({ state: 'detached' });
  expect(await isFocused(desk.editor)).toBe(true);
  await page.keyboard.type('x');
  await expect.poll(text).not.toBe(TEXT);
  await desk.expectNoFaults();
});

test('on an empty line, text is written there, in source mode and with another pending edit above', async () => {
  const block = proposalBlock('above', { before: '# Plan\n', after: '# Plan\n\nIntro.\n' });
  await using desk = await openDesk(
    [reply(edit('A new paragraph.', 'replace:11'), done('Proposed a paragraph.'))],
    { text: TEXT.replace('# Plan\n', block).replace('- second item\n', '- second item\n\n') },
  );
  const { page, press, status, text } = desk;
  await page.getByRole('button', { name: 'Source mode' }).click();
  await desk.editor.focus();
  // The last empty line above the end.
  await press('Control+End', 'ArrowUp', 'ArrowUp');
  await desk.quickEdit();
  expect(await desk.actions.allInnerTexts()).toEqual([
    'Continue writing',
    'Write a list…',
    'Write a table…',
  ]);
  await page.keyboard.type('one more paragraph');
  await press('Enter');
  await status.getByText('Proposed').waitFor();
  const asked = textOf(desk.requests()[0]?.messages.at(-1)?.content);
  expect(asked).toContain(`write at the empty line 11 of ${NOTE}`);
  expect(text()).toContain('"before":"# Plan\\n","after":"# Plan\\n\\nIntro.\\n"');
  expect(text()).toContain('A new paragraph.\\n');
  await desk.expectNoFaults();
});

test('what the user types while the agent works is kept, and the edit lands where it was meant', async () => {
  const first = gate();
  await using desk = await openDesk(
    [slowStart(reply(edit('A fox jumps.', 'replace:3-4'), done('Shortened it.')), first.promise)],
    { mode: 'apply' },
  );
  const { page, field, press, status, text } = desk;
  await desk.goTo(4);
  await desk.quickEdit();
  await page.keyboard.type('shorter words');
  await press('Enter');
  await expect.poll(() => desk.requests().length).toBe(1);
  await status.getByText('Working').waitFor();
  await desk.checkLooks('working');
  await desk.editor.focus();
  await press('Control+Home', 'End');
  await page.keyboard.type(' of the day\n\nA line above.');
  await press('Control+End');
  await page.keyboard.type('A line below.');
  first.open();
  await status.getByText('Shortened it.').waitFor();
  const expected = TEXT.replace('# Plan', '# Plan of the day\n\nA line above.')
    .replace(`${FIRST}\nIt does so twice a day.`, 'A fox jumps.')
    .concat('A line below.');
  await expect.poll(text).toBe(expected);
  expect(await isFocused(desk.editor)).toBe(true);
  // The place has moved with its text, so that the next request is about the same words.
  await field.focus();
  await page.keyboard.type('more');
  await press('Escape');
  await field.waitFor({ state: 'detached' });
  await desk.expectNoFaults();
});

test('the context menu of the editor opens the field, and Stop takes the request back', async () => {
  await using desk = await openDesk([slowStart(reply('Too late.'), gate().promise)]);
  const { page, editor, field, press, text } = desk;
  await editor.getByText('The end.').click({ button: 'right' });
  await page.getByRole('menuitem', { name: 'Quick edit' }).press('Enter');
  await expect.poll(() => isFocused(field)).toBe(true);
  await page.keyboard.type('a better end');
  await press('Enter');
  await expect.poll(() => desk.requests().length).toBe(1);
  await press('Escape');
  await expect.poll(() => field.inputValue()).toBe('a better end');
  expect(text()).toBe(TEXT);
  await desk.expectNoFaults();
});

test('several cursors and Read only are refused with the reason', async () => {
  await using desk = await openDesk([], { mode: 'read-only' });
  const { page, field } = desk;
  await desk.goTo(3);
  const run = () =>
    page.evaluate(() =>
      (
        window as unknown as { app: { commands: { executeCommandById(id: string): boolean } } }
      ).app.commands.executeCommandById('parley:quick-edit'),
    );
  await run();
  await page.getByText('set to Read only').waitFor();
  await withAgent(page, (agent) => agent.settings.set({ panelMode: 'review' }));
  await page.evaluate(() => {
    const { editor } = (
      window as unknown as {
        app: {
          workspace: { activeLeaf: { view: { editor: { setSelections(all: unknown): void } } } };
        };
      }
    ).app.workspace.activeLeaf.view;
    const at = (line: number) => ({ anchor: { line, ch: 0 }, head: { line, ch: 0 } });
    editor.setSelections([at(2), at(5)]);
  });
  await run();
  await page.getByText('works at one place').waitFor();
  expect(await field.count()).toBe(0);
  await desk.expectNoFaults();
});

test('a failure shows at the field, keeps the text, and Enter tries again', async () => {
  const shorter = 'A fox jumps.';
  await using desk = await openDesk([
    statusError(401),
    reply(edit(shorter, 'replace:3-4'), done('Proposed a shorter one.')),
  ]);
  const { page, field, press, status, text } = desk;
  await desk.goTo(4);
  await desk.quickEdit();
  await page.keyboard.type('a few words');
  await press('Enter');
  await status.getByText('API key').waitFor();
  expect(await field.inputValue()).toBe('a few words');
  expect(text()).toBe(TEXT);
  await desk.checkLooks('failed');
  await press('Enter');
  await status.getByText('Proposed a shorter one.').waitFor();
  expect(text()).toContain(`"after":"${shorter}\\n"`);
  await press('Control+Backspace');
  await expect.poll(text).toBe(TEXT);
  await field.waitFor({ state: 'detached' });
  await desk.expectNoFaults('401');
});

test('the context menu opens a quick edit at the place clicked, wherever the caret is', async () => {
  await using desk = await openDesk([]);
  const { page, editor, field } = desk;
  await desk.goTo(1);
  for (const [words, line] of [
    ['The end.', 'The end.'],
    ['It does so twice', FIRST],
  ] as const) {
    await editor.getByText(words).click({ button: 'right' });
    await page.locator('.menu').getByText('Quick edit').click();
    await expect.poll(() => isFocused(field)).toBe(true);
    const marked = await page.locator('.parley-quick-edit-line').allInnerTexts();
    expect(marked[0]).toBe(line);
    await desk.press('Escape');
  }
  await desk.expectNoFaults();
});
