import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { openWorkbench, type Opened } from './driver';

async function openChat({ page }: Opened): Promise<void> {
  await page.getByRole('button', { name: 'Open chat' }).first().click();
  await page.getByRole('textbox', { name: 'Message' }).waitFor();
}

async function say(page: Page, text: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Message' }).fill(text);
  await page.keyboard.press('Enter');
}

test.each(['light', 'dark'] as const)(
  'a sentence typed into the panel changes the list in the folder, %s',
  async (theme) => {
    await using workbench = await openWorkbench({ theme });
    const { page, vault } = workbench;
    await openChat(workbench);
    await say(page, 'add milk to my shopping list');
    const log = page.getByRole('log');
    await log.getByText('I added milk to').waitFor();
    expect(readFileSync(path.join(vault, 'Lists/Shopping.md'), 'utf8')).toMatch(/^- Milk$/m);
    await workbench.shot(`panel-${theme}`);

    await page.reload();
    await openChat(workbench);
    await page.getByRole('log').getByText('I added milk to').waitFor();
    expect(workbench.serving.standIn?.server.violations).toEqual([]);
    expect(await workbench.faults()).toEqual([]);
  },
);

test('a deletion waits for its card, and Keep keeps the note', async () => {
  await using workbench = await openWorkbench();
  const { page, vault } = workbench;
  await openChat(workbench);
  await say(page, 'delete the Todo note');
  const card = page.getByRole('region', { name: 'Decision' });
  await card.waitFor();
  await workbench.shot('panel-card');
  await card.getByRole('button', { name: 'Keep' }).click();
  await card.waitFor({ state: 'detached' });
  await expect
    .poll(() => page.getByRole('button', { name: 'Stop' }).count(), { timeout: 10_000 })
    .toBe(0);
  expect(readFileSync(path.join(vault, 'Lists/Todo.md'), 'utf8')).not.toBe('');
  expect(await workbench.faults()).toEqual([]);
});
