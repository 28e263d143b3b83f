/** Live preview, source mode and reading view in the workbench, with a plugin's extensions. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { writeFiles } from '#tests/builders/workbench-host';
import { temporaryFolder } from '#tests/builders/temporary-folder';
import { openWorkbench } from '#tests/e2e/driver';

/**
 * A plugin that renders `toy` blocks, counts its render children, and marks lines in live preview.
 */
const TOY = `
  const { Plugin, MarkdownRenderChild, editorLivePreviewField, editorInfoField } = require('obsidian');
  const { StateField } = require('@codemirror/state');
  const { Decoration, EditorView } = require('@codemirror/view');
  class Child extends MarkdownRenderChild {
    onload() { window.alive = (window.alive ?? 0) + 1; }
    onunload() { window.alive -= 1; }
  }
  const marks = (state) => {
    if (!state.field(editorLivePreviewField)) return Decoration.none;
    const file = state.field(editorInfoField).file?.path;
    return Decoration.set([Decoration.line({ attributes: { 'data-marked': file } }).range(0)]);
  };
  module.exports = class extends Plugin {
    onload() {
      this.registerMarkdownCodeBlockProcessor('toy', (source, el, context) => {
        const button = el.createEl('button', { text: 'Toy: ' + source });
        button.addEventListener('click', () => {
          const { lineStart, lineEnd } = context.getSectionInfo(el) ?? {};
          button.setText(context.sourcePath + ' ' + lineStart + '-' + lineEnd);
        });
        context.addChild(new Child(el));
      });
      this.registerEditorExtension(StateField.define({
        create: marks,
        update: (_, { state }) => marks(state),
        provide: (field) => EditorView.decorations.from(field),
      }));
    }
  };
`;

const NOTE = '---\ntags: [a]\n---\n# Toys\n\n```toy\none\n```\nBelow.\n\n```other\ntwo\n```\n';

test("a plugin's code block is rendered in reading view, and in live preview unless the cursor is in it", async () => {
  const pluginDir = temporaryFolder('toy');
  const manifest = JSON.stringify({ id: 'toy', name: 'Toy', version: '1.0.0' });
  writeFiles(pluginDir, { 'main.js': TOY, 'manifest.json': manifest });
  await using workbench = await openWorkbench({
    ...{ pluginDir, sample: false, files: { 'Welcome.md': NOTE } },
  });
  const { page, screenshot: shot } = workbench;
  const editor = page.locator('.mod-root .cm-content');
  const drawn = page.getByRole('button', { name: /^Toy: / });
  const alive = () => page.evaluate(() => (window as unknown as { alive?: number }).alive);

  await drawn.waitFor();
  expect(await editor.getByText('```toy').count()).toBe(0);
  expect(await editor.getByText('```other').count()).toBe(1);
  expect(await editor.locator('[data-marked="Welcome.md"]').count()).toBe(1);
  await editor.getByText('Below.').click();
  await page.keyboard.type('Far ');
  expect(await alive()).toBe(1);
  await drawn.click();
  await page.getByRole('button', { name: 'Welcome.md 5-7' }).waitFor();
  await shot('live-preview');

  // Enter the block, change it, and leave it again.
  await editor.getByText('Below.').click();
  await page.keyboard.press('Home');
  await page.keyboard.press('ArrowLeft');
  await editor.getByText('```toy').waitFor();
  expect(await alive()).toBe(0);
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('End');
  await page.keyboard.type(' more');
  await editor.getByText('Toys').click();
  await page.getByRole('button', { name: 'Toy: one more' }).waitFor();
  expect(await alive()).toBe(1);

  await page.keyboard.press('Control+e');
  const reading = page.locator('.markdown-preview-view');
  await reading.getByRole('button', { name: 'Toy: one more' }).click();
  await reading.getByRole('button', { name: 'Welcome.md 5-7' }).waitFor();
  await page.keyboard.press('Control+e');
  expect(await alive()).toBe(1);

  await page.getByRole('button', { name: 'Source mode' }).click();
  await editor.getByText('```toy').waitFor();
  expect(await editor.locator('[data-marked]').count()).toBe(0);
  expect(await alive()).toBe(0);
  await page.getByRole('button', { name: 'Live preview' }).click();
  await drawn.waitFor();
  expect(await workbench.faults()).toEqual([]);
});

test('text typed in one pane appears at once in other panes of the note and is saved', async () => {
  await using workbench = await openWorkbench();
  const { page } = workbench;
  await page.keyboard.press('Control+p');
  await page.getByPlaceholder('Select a command…').fill('split right');
  await page.keyboard.press('Enter');
  const editors = page.locator('.mod-root .cm-content');
  await expect.poll(() => editors.count()).toBe(2);
  const text = (at: number) => editors.nth(at).innerText();
  // A new pane is empty until its note is read.
  await expect.poll(async () => (await text(1)) === (await text(0))).toBe(true);
  await editors.nth(1).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText('\nfrom the right');
  expect(await text(0)).toContain('from the right');
  await editors.nth(0).click();
  await page.keyboard.press('Control+End');
  await page.keyboard.insertText(' and the left');
  expect(await text(1)).toContain('from the right and the left');
  await page.keyboard.press('Control+s');
  await expect
    .poll(() => readFileSync(path.join(workbench.vault, 'Welcome.md'), 'utf8'))
    .toContain('from the right and the left');
  expect(await workbench.faults()).toEqual([]);
});
