import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { openWorkbench } from '#tests/e2e/driver';

const NOTE = 'Lists/Shopping.md';

test.for(['light', 'dark'] as const)(
  'the sample vault opens in the browser in the %s theme',
  async (theme) => {
    await using workbench = await openWorkbench({ theme });
    const { page, vault, screenshot: shot } = workbench;

    // The built plugin has loaded.
    const plugin = await page.evaluate(() => {
      const { app } = window as unknown as {
        app: { plugins: { plugins: Record<string, { agent?: object }> } };
      };
      return app.plugins.plugins['parley']?.agent !== undefined;
    });
    expect(plugin).toBe(true);

    await page.getByRole('treeitem', { name: 'Lists' }).click();
    await page.getByRole('treeitem', { name: 'Shopping' }).click();
    const editor = page.locator('.mod-root .cm-content');
    await editor.getByText('Strong white flour').waitFor();
    await shot(`note-${theme}`);

    await editor.click();
    await page.keyboard.press('Control+End');
    await page.keyboard.type('\n- [ ] typed in the browser');
    await page.keyboard.press('Control+s');
    await expect
      .poll(() => readFileSync(path.join(vault, NOTE), 'utf8'))
      .toContain('- [ ] typed in the browser');

    writeFileSync(path.join(vault, NOTE), '# Shopping\n\n- [ ] written outside\n');
    await editor.getByText('written outside').waitFor();

    await page.keyboard.press('Control+e');
    await page.locator('.markdown-preview-view .task-list-item-checkbox').first().waitFor();
    await shot(`reading-${theme}`);
    await page.keyboard.press('Control+e');

    await page.keyboard.press('Control+p');
    await page.getByPlaceholder('Select a command…').fill('settings');
    await page.locator('.suggestion-item', { hasText: 'Open settings' }).waitFor();
    await shot(`palette-${theme}`);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Settings' }).waitFor();
    await shot(`settings-${theme}`);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.getByRole('dialog').count()).toBe(0);

    await page.getByRole('button', { name: 'Demo model' }).click();
    await page.getByText('What it was sent').waitFor();
    await shot(`model-${theme}`);

    expect(await workbench.faults()).toEqual([]);
  },
);
