/** Pending edits inside a note, in live preview, source mode and reading view. */
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { proposalBlock } from '#tests/e2e/blocks';
import { openWorkbench, type OpenedWorkbench } from '#tests/e2e/driver';

const NOTE = 'Welcome.md';

const REPLACED = proposalBlock(
  'replaced',
  { before: 'Old words here.\n', after: 'New words here.\n' },
  0,
);
const ADDED = proposalBlock('added', { after: '- added item\n' });
const TEXT = `# Plan\n\nAbove.\n\n${REPLACED}Below it.\n\n- first item\n${ADDED}- last item\n`;

interface InPage {
  app: {
    workspace: {
      activeLeaf: { view: { editor: { getValue(): string; getCursor(): { line: number } } } };
    };
  };
}

interface Pane extends OpenedWorkbench {
  readonly editor: Locator;
  readonly widget: Locator;
  text(): Promise<string>;
  /** Line of the cursor, from 0. */
  line(): Promise<number>;
  press(...keys: string[]): Promise<void>;
  type(text: string): Promise<void>;
}

async function openNote(
  text: string,
  theme: 'light' | 'dark' = 'light',
  vimMode = false,
): Promise<Pane> {
  const files = { [NOTE]: text, '.obsidian/app.json': JSON.stringify({ vimMode }) };
  const opened = await openWorkbench({ sample: false, files, theme });
  const { page } = opened;
  const editor = page.locator('.mod-root .cm-content');
  const ask = <Value>(what: 'text' | 'line'): Promise<Value> =>
    page.evaluate((which) => {
      const { editor: own } = (window as unknown as InPage).app.workspace.activeLeaf.view;
      return (which === 'text' ? own.getValue() : own.getCursor().line) as Value;
    }, what);
  return {
    ...opened,
    editor,
    widget: page.locator('.mod-root .block-language-ai-edit'),
    text: () => ask<string>('text'),
    line: () => ask<number>('line'),
    async press(...keys) {
      for (const key of keys) await page.keyboard.press(key);
    },
    type: (typed) => page.keyboard.type(typed),
  };
}

test.for(['light', 'dark'] as const)(
  'live preview and reading view show ai-edit blocks as widgets in the %s theme',
  async (theme) => {
    await using pane = await openNote(TEXT, theme);
    const { page, editor, widget, screenshot: shot } = pane;
    await widget.first().waitFor();
    expect(await widget.count()).toBe(2);
    await editor.getByText('Below it.').waitFor();
    expect(await editor.innerText()).not.toContain('ai_edit');
    await shot(`edits/live-preview-${theme}`);

    await page.keyboard.press('Control+e');
    const reading = page.locator('.markdown-preview-view');
    await expect.poll(() => reading.locator('.block-language-ai-edit').count()).toBe(2);
    expect(await reading.innerText()).not.toContain('ai_edit');
    await shot(`edits/reading-${theme}`);
    await page.keyboard.press('Control+e');

    await page.getByRole('button', { name: 'Source mode' }).click();
    await expect.poll(() => widget.count()).toBe(0);
    expect(await editor.innerText()).toContain('#ai_edit');
    await shot(`edits/source-${theme}`);
    expect(await pane.text()).toBe(TEXT);
    expect(await pane.faults()).toEqual([]);
  },
);

test('arrow keys step over an ai-edit block, and typing next to it keeps it intact', async () => {
  await using pane = await openNote(TEXT);
  const { editor, widget, press, type, line, text } = pane;
  await editor.getByText('Above.').click();
  await press('ArrowDown');
  expect(await line()).toBe(3);
  await press('ArrowDown');
  expect(await line()).toBe(9);
  await press('ArrowUp');
  expect(await line()).toBe(3);
  await press('ArrowRight');
  expect(await line()).toBe(9);
  await press('ArrowLeft');
  expect(await line()).toBe(3);
  expect(await widget.count()).toBe(2);
  await type('before');
  await press('Enter', 'ArrowRight');
  await type('after ');
  expect(await text()).toBe(TEXT.replace(`\n${REPLACED}`, `before\n\n${REPLACED}after `));
  expect(await widget.count()).toBe(2);
  expect(await pane.faults()).toEqual([]);
});

test('in Vim mode, motions by line, word and paragraph step over an ai-edit block', async () => {
  await using pane = await openNote(TEXT, 'light', true);
  const { editor, widget, press, line, text } = pane;
  const motions = [
    ['k', 'j'],
    ['b', 'w'],
    ['{', '}'],
  ] as const;
  for (const [up, down] of motions) {
    await editor.getByText('Below it.').click();
    await press('0', up);
    expect.soft(await line(), `the line after ${up}`).toBe(3);
    await press(down);
    expect.soft(await line(), `the line after ${down}`).toBe(9);
  }
  expect(await widget.count()).toBe(2);
  expect(await text()).toBe(TEXT);
  expect(await pane.faults()).toEqual([]);
});

test('a delete key next to an ai-edit block selects it first, then deletes it, and undo restores it', async () => {
  await using pane = await openNote(TEXT);
  const { editor, widget, press, text } = pane;
  await editor.getByText('Below it.').click();
  await press('Home', 'Backspace');
  expect(await text()).toBe(TEXT);
  await press('Backspace');
  expect(await text()).toBe(TEXT.replace(REPLACED, ''));
  expect(await widget.count()).toBe(1);
  await press('Control+z');
  expect(await text()).toBe(TEXT);
  await editor.getByText('Above.').click();
  // The first Delete removes the empty line, so that the cursor is next to the block.
  await press('End', 'Delete');
  const close = TEXT.replace(`\n${REPLACED}`, REPLACED);
  expect(await text()).toBe(close);
  await press('Delete');
  expect(await text()).toBe(close);
  await press('Delete');
  expect(await text()).toBe(close.replace(REPLACED, ''));
  await press('Control+z');
  expect(await text()).toBe(close);
  await press('Control+a', 'Delete');
  expect(await text()).toBe('');
  await press('Control+z');
  expect(await text()).toBe(close);
  expect(await pane.faults()).toEqual([]);
});

test('a note with only an ai-edit block opens with its widget, and the user can type below it', async () => {
  const whole = proposalBlock('whole', { after: '# New note\n\nWith words.\n' });
  await using pane = await openNote(whole);
  const { widget, press, type, text } = pane;
  await widget.waitFor();
  await pane.page.locator('.mod-root .cm-content').focus();
  await press('ArrowUp', 'ArrowLeft', 'Backspace');
  expect(await text()).toBe(whole);
  await press('ArrowDown', 'ArrowRight');
  await type('mine');
  expect(await text()).toBe(`${whole}mine`);
  await widget.waitFor();
  expect(await pane.faults()).toEqual([]);
});

test("the widget's buttons decide an edit in live preview and reading view, and undo reverts the decision", async () => {
  await using pane = await openNote(TEXT);
  const { page, editor, widget, press, text, faults } = pane;
  await widget.first().getByRole('button', { name: 'Accept' }).click();
  const accepted = TEXT.replace(REPLACED, 'New words here.\n');
  await expect.poll(text).toBe(accepted);
  expect(await widget.count()).toBe(1);
  await editor.getByText('Above.').click();
  await press('Control+z');
  expect(await text()).toBe(TEXT);
  await expect.poll(() => widget.count()).toBe(2);

  await press('Control+e');
  const reading = page.locator('.markdown-preview-view');
  await reading
    .locator('.block-language-ai-edit')
    .last()
    .getByRole('button', { name: 'Reject' })
    .click();
  await expect.poll(() => reading.locator('.block-language-ai-edit').count()).toBe(1);
  await press('Control+e');
  await expect.poll(text).toBe(TEXT.replace(ADDED, ''));
  expect(await faults()).toEqual([]);
});

test('a proposed front matter change is compared with the current front matter', async () => {
  const matter = proposalBlock('matter', {
    before: '---\ntags: [a]\n---\n',
    after: '---\ntags: [a, b]\n---\n',
  });
  await using pane = await openNote(`---\ntags: [a]\nstate: mine\n---\n${matter}# Note\n`);
  const { widget, screenshot: shot, faults } = pane;
  await widget.waitFor();
  await widget.getByText('Show unchanged text').click();
  // Accepting keeps this property, so it is shown as unchanged.
  await widget.getByText('mine').waitFor();
  await shot('edits/front-matter');
  expect(await faults()).toEqual([]);
});
