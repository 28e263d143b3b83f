/** Pending edits inside a note, in live preview, source mode and reading view. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { proposalBlock } from '#tests/e2e/blocks';
import { openWorkbench, type OpenedWorkbench } from '#tests/e2e/driver';

const NOTE = 'Welcome.md';

const REPLACED = proposalBlock(
  'replaced',
  { before: 'Old words here.\n', after: 'New words here.\n' },
  0,
);
const LINES = 'Old words here.\n';
const ADDED = proposalBlock('added', { after: '- added item\n' });
const TEXT = `# Plan\n\nAbove.\n\n${REPLACED}Below it.\n\n- first item\n${ADDED}- last item\n`;

const FOX = 'The quick brown fox jumps over the lazy dog.\n';
const TWO_PARTS = `# Plan\n\nAbove.\n\n${proposalBlock('fox-edit', {
  before: FOX,
  after: 'The quick red fox jumps over the dog.\n',
})}\nBelow it.\n`;

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
  // It moves the text.
  await page.locator('.parley-note-bar').waitFor();
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
  await editor.getByText('Old').click();
  await press('End', 'ArrowDown');
  expect(await line()).toBe(10);
  await press('ArrowUp');
  expect(await line()).toBe(4);
  await press('End', 'ArrowRight');
  expect(await line()).toBe(10);
  await press('ArrowLeft');
  expect(await line()).toBe(4);
  expect(await widget.count()).toBe(2);
  await type(' More.');
  await press('ArrowRight');
  await type('after ');
  const typed = TEXT.replace('Old words here.\n', 'Old words here. More.\n');
  expect(await text()).toBe(typed.replace('Below it.', 'after Below it.'));
  expect(await widget.count()).toBe(2);
  expect(await pane.faults()).toEqual([]);
});

test('a note with edits opens at its first line, and a click below a bar puts the cursor there', async () => {
  await using pane = await openNote(TEXT);
  const { page, editor, widget, line, faults } = pane;
  await widget.last().waitFor();
  const scroller = page.locator('.mod-root .cm-scroller');
  await expect.poll(() => scroller.evaluate(({ scrollTop }) => scrollTop)).toBe(0);
  for (const [words, at] of [
    ['Below it.', 10],
    ['first item', 12],
    ['last item', 17],
  ] as const) {
    const box = await editor.getByText(words).boundingBox();
    if (!box) throw new Error(`${words} is not drawn.`);
    for (const along of [0.1, 0.5, 0.9]) {
      await page.mouse.click(box.x + 20, box.y + along * box.height);
      await expect.poll(line, { message: `${words} at ${along}` }).toBe(at);
    }
  }
  expect(await faults()).toEqual([]);
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
    expect.soft(await line(), `the line after ${up}`).toBe(4);
    await press('$', down);
    expect.soft(await line(), `the line after ${down}`).toBe(10);
  }
  expect(await widget.count()).toBe(2);
  expect(await text()).toBe(TEXT);
  expect(await pane.faults()).toEqual([]);
});

test('in Vim mode, commands that delete lines take an ai-edit block whole or not at all', async () => {
  await using pane = await openNote(TEXT, 'light', true);
  const { editor, press, text, faults } = pane;
  const block = REPLACED.slice(LINES.length);
  const rows: readonly (readonly [string, string, string])[] = [
    ['Below it.', 'dd', TEXT.replace('Below it.\n', '')],
    ['Below it.', 'dap', TEXT.replace('Below it.\n\n', '')],
    ['Old', 'dd', TEXT.replace(LINES, '')],
    ['Old', 'ddp', TEXT.replace(LINES, '').replace('Below it.\n', `Below it.\n${LINES}`)],
    // The paragraph in the file goes on to the tag.
    ['Old', 'dap', TEXT.replace(REPLACED, '')],
    ['Old', 'dj', TEXT.replace(`${LINES}${block}Below it.\n`, '')],
    ['Below it.', 'X', TEXT],
    ['Old', 'J', TEXT.replace(LINES, LINES.replace('\n', ' \n'))],
  ];
  for (const [words, keys, expected] of rows) {
    await editor.getByText(words).click();
    await press('0', ...keys);
    await expect.poll(text, { message: keys }).toBe(expected);
    for (let undone = 0; undone < 3 && (await text()) !== TEXT; undone += 1) await press('u');
    expect(await text()).toBe(TEXT);
  }
  expect(await faults()).toEqual([]);
});

test('a delete key next to an ai-edit block takes exactly the block, and undo restores it', async () => {
  await using pane = await openNote(TEXT);
  const { editor, widget, press, text } = pane;
  const gone = TEXT.replace(REPLACED, LINES);
  await editor.getByText('Below it.').click();
  await press('Home', 'Backspace');
  if ((await text()) === TEXT) await press('Backspace');
  expect(await text()).toBe(gone);
  expect(await widget.count()).toBe(1);
  await press('Control+z');
  expect(await text()).toBe(TEXT);
  await editor.getByText('Old').click();
  await press('End', 'Delete');
  expect(await text()).toBe(TEXT);
  await press('Delete');
  expect(await text()).toBe(gone);
  await press('Control+z');
  expect(await text()).toBe(TEXT);
  await press('Control+a', 'Delete');
  expect(await text()).toBe('');
  await press('Control+z');
  expect(await text()).toBe(TEXT);
  expect(await pane.faults()).toEqual([]);
});

test('a copy of an edit in its note is drawn, reached by key and decided by itself', async () => {
  const one = (words: string) =>
    proposalBlock('fox-edit', { before: `${words}.\n`, after: `${words}!\n` });
  const text = `# Plan\n\n${one('First')}\nBetween.\n\n${one('Second')}\nEnd.\n`;
  await using pane = await openNote(text);
  const { page, widget, press } = pane;
  await widget.nth(1).waitFor();
  await widget.nth(0).getByRole('group').focus();
  await press('j');
  const focused = () => page.evaluate(() => document.activeElement?.getAttribute('data-edit'));
  await expect.poll(focused).toBe('fox-edit~2');
  await press('k');
  await expect.poll(focused).toBe('fox-edit');
  await press('Control+e');
  const read = page.locator('.markdown-preview-view [data-edit]');
  const shown = () => read.evaluateAll((all) => all.map((each) => each.getAttribute('data-edit')));
  await expect.poll(shown).toEqual(['fox-edit', 'fox-edit~2']);
  await press('Control+e');
  await widget.nth(1).getByRole('group').focus();
  await press('a');
  await expect.poll(pane.text).toContain('Second!\n\nEnd.');
  expect(await pane.text()).toContain(one('First'));
  expect(await pane.faults()).toEqual([]);
});

test.for([
  ['key', 'live preview'],
  ['click', 'live preview'],
  ['key', 'reading view'],
  ['click', 'reading view'],
] as const)(
  'a copy of an edit is decided by %s in %s, and the first one waits',
  async ([way, mode]) => {
    const one = (words: string) =>
      proposalBlock('fox-edit', { before: `${words}.\n`, after: `${words}!\n` });
    await using pane = await openNote(
      `# Plan\n\n${one('First')}\nBetween.\n\n${one('Second')}\nEnd.\n`,
    );
    const { page, widget, press } = pane;
    await widget.nth(1).waitFor();
    if (mode === 'reading view') await press('Control+e');
    const bar = page
      .locator('.mod-root [data-edit="fox-edit~2"][tabindex="0"]')
      .filter({ visible: true });
    if (way === 'click') await bar.getByRole('button', { name: 'Accept' }).click();
    else {
      await bar.focus();
      await press('a');
    }
    const saved = () => readFileSync(path.join(pane.vault, NOTE), 'utf8');
    await expect.poll(saved).toBe(`# Plan\n\n${one('First')}\nBetween.\n\nSecond!\n\nEnd.\n`);
    expect(await pane.faults()).toEqual([]);
  },
);

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
  expect(await text()).toBe(`${whole}\nmine`);
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

test('words that would change are marked in the live lines, follow what the user types, and are decided alone', async () => {
  await using pane = await openNote(TWO_PARTS);
  const { page, editor, widget, press, type, text, screenshot: shot, faults } = pane;
  await widget.waitFor();
  const removed = editor.locator('.parley-part-removed');
  const added = editor.locator('ins.parley-part-added');
  expect(await removed.allInnerTexts()).toEqual(['brown', ' lazy']);
  expect(await added.allInnerTexts()).toEqual(['red']);
  // The change is folded, because the lines show it.
  expect(await widget.locator('.change').count()).toBe(0);
  await widget.getByRole('button', { name: 'Show change' }).click();
  await widget.locator('.change').waitFor();
  await widget.getByRole('button', { name: 'Show change' }).click();

  await editor.getByText('Above.').click();
  await press('End');
  await type(' More above.');
  expect(await removed.allInnerTexts()).toEqual(['brown', ' lazy']);

  await added.focus();
  await press('Enter');
  const card = page.getByRole('group', { name: 'Decide these words' });
  await expect.poll(() => card.getByRole('button').first().evaluate(isFocused)).toBe(true);
  await shot('edits/part-card', editor);
  await press('Escape');
  await card.waitFor({ state: 'detached' });
  await added.click();
  await card.waitFor();
  await press('Escape');
  await card.waitFor({ state: 'detached' });
  await added.click();
  await card.waitFor();
  await page.getByRole('button', { name: 'Source mode' }).click();
  await card.waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Live preview' }).click();
  await added.waitFor();
  await card.waitFor({ state: 'detached' });
  await removed.last().click();
  await card.getByRole('button', { name: 'Reject' }).click();
  await expect.poll(() => removed.allInnerTexts()).toEqual(['brown']);
  expect(await text()).toContain(`${FOX}\`\`\`ai-edit`);
  await removed.first().click();
  await card.getByRole('button', { name: 'Accept' }).click();
  const after = FOX.replace('brown', 'red');
  await expect.poll(text).toBe(`# Plan\n\nAbove. More above.\n\n${after}\nBelow it.\n`);
  expect(await widget.count()).toBe(0);
  expect(await faults()).toEqual([]);
});

test('the buttons for a part of a drawn change are in reach and leave the words visible', async () => {
  await using pane = await openNote(TWO_PARTS);
  const { page, press, text, faults } = pane;
  await press('Control+e');
  const drawn = page.locator('.markdown-preview-view .change');
  const words = drawn.locator('ins.parley-added');
  const button = drawn.getByRole('button', { name: 'Accept only: brown → red' });
  const middleOf = async (element: Locator) => {
    const box = await element.boundingBox();
    if (!box) throw new Error('It is not drawn.');
    return { ...box, along: box.x + box.width / 2, down: box.y + box.height / 2 };
  };
  await button.waitFor({ state: 'attached' });
  const from = await middleOf(words);
  await page.mouse.move(from.along, from.down);
  await expect.poll(() => button.evaluate((own) => getComputedStyle(own).opacity)).toBe('1');
  const to = await middleOf(button);
  expect(to.y + to.height).toBeLessThan(from.down);
  await page.mouse.move(to.along, to.down, { steps: 12 });
  await page.mouse.down();
  await page.mouse.up();
  await press('Control+e');
  await expect.poll(text).toContain(FOX.replace('brown', 'red'));
  expect(await faults()).toEqual([]);
});

test('a change of the properties is drawn below them and can be accepted', async () => {
  const before = '---\ntags: [a]\nstate: mine\n---\n';
  const after = before.replace('[a]', '[a, b]');
  await using pane = await openNote(`${proposalBlock('matter', { before, after })}\n# Note\n`);
  const { editor, widget, text, screenshot: shot, faults } = pane;
  await widget.locator('.change').waitFor();
  expect(await editor.locator('.parley-part-removed, .parley-part-added').count()).toBe(0);
  await shot('edits/front-matter');
  await widget.getByRole('button', { name: 'Accept' }).click();
  await expect.poll(text).toBe(`${after}\n# Note\n`);
  expect(await faults()).toEqual([]);
});

const LONG = `# Plan\n\nOne two three four five.\n${proposalBlock('edit-one', { after: 'First added.\n' })}\n${'Filler.\n\n'.repeat(80)}Old end.\n${proposalBlock('edit-two', { after: 'Second added.\n' })}\nLast line.\n`;

/** The edit that has the focus, "text" for the text of the note. */
function focusedIn(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { activeElement } = document;
    if (activeElement?.matches('.cm-content, .markdown-reading-view')) return 'text';
    return activeElement?.closest<HTMLElement>('[data-edit][tabindex]')?.dataset['edit'] ?? '';
  });
}

test.for(['live preview', 'reading view'] as const)(
  'in %s, J and K go to edits that are out of sight, and after a decision the focus is on the next edit or in the text',
  async (mode) => {
    await using pane = await openNote(LONG);
    const { page, editor, press, faults } = pane;
    const focused = () => focusedIn(page);
    const saved = () => readFileSync(path.join(pane.vault, NOTE), 'utf8');
    await editor.getByText('One two').click();
    if (mode === 'reading view') await press('Control+e');
    const bar = page
      .locator('.mod-root [data-edit="edit-one"][tabindex="0"]')
      .filter({ visible: true });
    await bar.focus();
    await press('j');
    await expect.poll(focused).toBe('edit-two');
    await press('k');
    await expect.poll(focused).toBe('edit-one');
    await press('a');
    await expect.poll(focused).toBe('edit-two');
    await expect.poll(saved).not.toContain('edit-one');
    await expect.poll(focused).toBe('edit-two');
    // The bar is drawn again once the note is saved, and a key in between goes nowhere.
    await expect
      .poll(async () => {
        await press('Escape');
        return focused();
      })
      .toBe('text');
    const last = page
      .locator('.mod-root [data-edit="edit-two"][tabindex="0"]')
      .filter({ visible: true });
    await expect
      .poll(async () => {
        if ((await last.count()) > 0) await last.focus();
        await press('r');
        return saved();
      })
      .not.toContain('edit-two');
    await expect.poll(focused).toBe('text');
    expect(await faults()).toEqual([]);
  },
);

test.for(['key', 'click'] as const)(
  'after the last decision by a %s, the cursor is in the lines of that edit, however far from where it was',
  async (way) => {
    await using pane = await openNote(LONG);
    const { page, editor, line, press, type, text, faults } = pane;
    await editor.getByText('One two').click();
    const from = await line();
    for (const [id, next] of [
      ['edit-one', 'edit-two'],
      ['edit-two', 'text'],
    ] as const) {
      const bar = page.locator(`.mod-root [data-edit="${id}"][tabindex="0"]`);
      await bar.focus();
      if (way === 'key') await press('a');
      else await bar.getByRole('button', { name: 'Accept' }).click();
      await expect.poll(text).not.toContain(id);
      await expect.poll(() => focusedIn(page)).toBe(next);
    }
    const place = await line();
    expect(place).toBeGreaterThan(from + 10);
    await type('!');
    const lines = (await text()).split('\n');
    expect(lines[place]).toBe('Old end.!');
    expect(await faults()).toEqual([]);
  },
);

test('the commands to the next and previous edit put the focus on its bar, where its keys work, and Escape goes to the text', async () => {
  await using pane = await openNote(LONG);
  const { page, editor, widget, press, type, text, faults } = pane;
  await widget.waitFor();
  await editor.getByText('One two').click();
  const run = (command: string) =>
    page.evaluate(
      (id) =>
        (
          window as unknown as { app: { commands: { executeCommandById(id: string): void } } }
        ).app.commands.executeCommandById(id),
      `parley:${command}`,
    );
  await expect
    .poll(async () => {
      await run('next-edit');
      return focusedIn(page);
    })
    .toMatch(/^edit-/);
  await run('previous-edit');
  await run('next-edit');
  await expect.poll(() => focusedIn(page)).toMatch(/^edit-/);
  await press('Escape');
  await expect.poll(() => focusedIn(page)).toBe('text');
  await type('a');
  expect(await text()).toContain('ai-edit');
  expect((await text()).split('ai-edit').length).toBe(3);
  expect(await faults()).toEqual([]);
});

function isFocused(element: Element): boolean {
  return element === element.ownerDocument.activeElement;
}
