/** The bar above the text of a note with pending edits. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { proposalBlock } from '#tests/e2e/blocks';
import { runCommand } from '#tests/e2e/chat';
import { openWorkbench, withAgent, type OpenedWorkbench } from '#tests/e2e/driver';

const NOTE = 'Plan.md';
const LINES = Array.from({ length: 80 }, (_, at) => `Line ${at} of the plan.\n`);
const TEXT = LINES.join('\n');
const WORDS = [10, 30, 50, 70].map((at) => [`Line ${at} of`, `Row ${at} of`] as const);

interface Leaf {
  readonly view: { readonly file: { readonly path: string } };
  openFile(file: object): Promise<void>;
}

interface InPage {
  app: {
    plugins: { plugins: { parley: { unload(): void } } };
    vault: { getFileByPath(path: string): object };
    workspace: {
      activeLeaf: Leaf;
      getLeaf(where: 'split'): Leaf;
      openPopoutLeaf(): Leaf;
    };
  };
}

interface Desk extends OpenedWorkbench {
  readonly bar: Locator;
  open(note: string, where: 'here' | 'split' | 'window'): Promise<void>;
  /** Proposes the four edits. */
  propose(): Promise<void>;
  read(): string;
}

async function openDesk(theme: 'light' | 'dark' = 'light'): Promise<Desk> {
  const files = { 'Welcome.md': 'Nothing to review.\n', [NOTE]: TEXT };
  const opened = await openWorkbench({
    ...{ sample: false, files, theme },
    settings: { panelMode: 'review' },
  });
  const { page, vault } = opened;
  return {
    ...opened,
    bar: barOf(page),
    open: (note, where) =>
      page.evaluate(
        async ([name, place]) => {
          const { vault: notes, workspace } = (window as unknown as InPage).app;
          const leaf =
            place === 'here'
              ? workspace.activeLeaf
              : place === 'split'
                ? workspace.getLeaf('split')
                : workspace.openPopoutLeaf();
          await leaf.openFile(notes.getFileByPath(name));
        },
        [note, where] as const,
      ),
    propose: () =>
      withAgent(
        page,
        async (agent, words) => {
          const edits = words.map(([old_text, new_text]) => ({ old_text, new_text }));
          await agent.tools.call('edit_file', { path: 'Plan.md', edits });
        },
        WORDS,
      ),
    read: () => readFileSync(path.join(vault, NOTE), 'utf8'),
  };
}

const barOf = (page: Page) => page.locator('.parley-note-bar');

test.for(['light', 'dark'] as const)(
  'a note with pending edits has a bar in all three modes, which goes through them and decides all with Undo, in the %s theme',
  async (theme) => {
    await using desk = await openDesk(theme);
    const { page, bar, open, read, screenshot: shot } = desk;
    await open(NOTE, 'here');
    expect(await bar.count()).toBe(0);
    await desk.propose();
    await bar.getByText('4 edits').waitFor();
    await shot(`edits/note-bar-${theme}`);
    await bar.getByRole('button', { name: 'Next edit' }).click();
    await bar.getByText('1 of 4').waitFor();
    await bar.getByRole('button', { name: 'Next edit' }).click();
    await bar.getByText('2 of 4').waitFor();
    await shot(`edits/note-bar-second-${theme}`);
    await page.keyboard.press('j');
    await bar.getByText('3 of 4').waitFor();
    await bar.getByRole('button', { name: 'Previous edit' }).click();
    await bar.getByText('2 of 4').waitFor();

    await page.getByRole('button', { name: 'Source mode' }).click();
    await bar.getByRole('button', { name: 'Next edit' }).click();
    await bar.getByText('3 of 4').waitFor();
    await shot(`edits/note-bar-source-${theme}`);
    await page.keyboard.press('Control+e');
    await page.locator('.markdown-preview-view [data-edit]').first().waitFor();
    await bar.getByRole('button', { name: 'Next edit' }).click();
    await bar.getByText('4 of 4').waitFor();
    await shot(`edits/note-bar-reading-${theme}`);

    await bar.getByRole('button', { name: 'Accept all 4 edits' }).focus();
    await page.keyboard.press('Enter');
    await bar.getByText('4 edits accepted').waitFor();
    await expect.poll(read).toBe(WORDS.reduce((text, [old, now]) => text.replace(old, now), TEXT));
    await shot(`edits/note-bar-accepted-${theme}`);
    await bar.getByRole('button', { name: 'Undo' }).click();
    await bar.getByText('4 of 4').waitFor();
    await expect.poll(read).toContain('ai-edit');
    await bar.getByRole('button', { name: 'Reject all 4 edits' }).click();
    await expect.poll(read).toBe(TEXT);
    await bar.getByRole('button', { name: 'Dismiss' }).click();
    await expect.poll(() => bar.count()).toBe(0);
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.className))
      .toContain('markdown-reading-view');
    expect(await desk.faults()).toEqual([]);
  },
);

test.for(['live preview', 'reading view'] as const)(
  'in %s, the text that the user reads stays where it is when the bar of the note comes and goes',
  async (mode) => {
    await using desk = await openDesk();
    const { page, bar } = desk;
    await desk.open(NOTE, 'here');
    if (mode === 'reading view') await page.keyboard.press('Control+e');
    const view = page.locator(
      mode === 'reading view' ? '.markdown-preview-view' : '.mod-root .cm-content',
    );
    await view.getByText('Line 0 of').waitFor();
    const scroller = mode === 'reading view' ? '.markdown-reading-view' : '.mod-root .cm-scroller';
    await page.locator(scroller).evaluate((element) => (element.scrollTop = 120));
    const line = view.getByText('Line 8 of');
    const top = async () => Math.round((await line.boundingBox())?.y ?? 0);
    const before = await top();
    await desk.propose();
    await bar.getByText('4 edits').waitFor();
    await expect.poll(top).toBe(before);
    await bar.getByRole('button', { name: 'Reject all 4 edits' }).click();
    await bar.getByRole('button', { name: 'Dismiss' }).click();
    await expect.poll(() => bar.count()).toBe(0);
    await expect.poll(top).toBe(before);
    expect(await desk.faults()).toEqual([]);
  },
);

test.for(['when it is opened', 'after a start'] as const)(
  'a note with pending edits shows its first line below the bar %s',
  async (when) => {
    await using desk = await openDesk();
    const { page, bar } = desk;
    await desk.propose();
    await desk.open(NOTE, 'here');
    if (when === 'after a start') {
      await bar.getByText('4 edits').waitFor();
      await page.reload();
      await page.waitForSelector('body[data-ready="yes"]');
      await desk.open(NOTE, 'here');
    }
    await bar.getByText('4 edits').waitFor();
    const line = page.locator('.mod-root .cm-content').getByText('Line 0 of');
    const top = async () => (await line.boundingBox())?.y ?? 0;
    const bottom = async () => {
      const box = await bar.boundingBox();
      return box ? box.y + box.height : Infinity;
    };
    await expect.poll(async () => (await top()) >= (await bottom())).toBe(true);
    const scroller = page.locator('.mod-root .cm-scroller');
    expect(await scroller.evaluate(({ scrollTop }) => scrollTop)).toBe(0);
    expect(await desk.faults()).toEqual([]);
  },
);

test('in source mode, the bar says why a note’s edits are not accepted', async () => {
  const stale = proposalBlock('stale', { before: 'Old words here.\n', after: 'New words here.\n' });
  const files = { 'Welcome.md': 'Hello.\n', [NOTE]: `# Plan\n\n${stale}\nEnd.\n` };
  await using desk = await openWorkbench({ sample: false, files });
  const { page } = desk;
  await page.getByRole('treeitem', { name: 'Plan' }).click();
  const bar = barOf(page);
  await bar.getByText('1 from another device').waitFor();
  await page.getByRole('button', { name: 'Source mode' }).click();
  await page.locator('.mod-root .cm-content').getByText('Old words here.', { exact: true }).click();
  await page.keyboard.press('Home');
  await page.keyboard.type('My ');
  await page.keyboard.press('Control+Delete');
  await bar.getByRole('button', { name: 'Accept 1 from another device' }).click();
  await bar.getByText(/^1 edit not accepted: The same words have been changed/).waitFor();
  await desk.screenshot('edits/note-bar-refused');
  await runCommand(page, 'Accept all edits in this note');
  await page.locator('.notice', { hasText: 'All edits to review here are from another' }).waitFor();
  expect(await desk.faults()).toEqual([]);
});

test('each pane of a note has a bar, also in another window, until it shows another note or the plugin is unloaded', async () => {
  await using desk = await openDesk();
  const { page, bar, open } = desk;
  await desk.propose();
  await open(NOTE, 'here');
  await expect.poll(() => bar.count()).toBe(1);
  await open(NOTE, 'split');
  await expect.poll(() => bar.count()).toBe(2);
  const [popout] = await Promise.all([page.waitForEvent('popup'), open(NOTE, 'window')]);
  const other = barOf(popout);
  await other.getByText('4 edits').waitFor();
  await other.getByRole('button', { name: 'Next edit' }).click();
  await other.getByText('1 of 4').waitFor();
  expect(await popout.evaluate(() => document.activeElement?.matches('[data-edit]'))).toBe(true);
  expect(await bar.getByText('4 edits').count()).toBe(2);
  await desk.screenshot('edits/note-bar-panes');

  await page.bringToFront();
  await bar.nth(1).getByRole('button', { name: 'Next edit' }).click();
  await bar.nth(1).getByText('1 of 4').waitFor();
  await open('Welcome.md', 'here');
  await expect.poll(() => bar.count()).toBe(1);
  await page.evaluate(() => (window as unknown as InPage).app.plugins.plugins.parley.unload());
  await expect.poll(() => bar.count()).toBe(0);
  await expect.poll(() => other.count()).toBe(0);
  expect(await desk.faults()).toEqual([]);
});
