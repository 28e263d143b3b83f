import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import type { Agent } from '#ports/app/agent';
import { openWorkbench, withAgent, type OpenedWorkbench } from '#tests/e2e/driver';

async function ask({ page }: OpenedWorkbench, text: string): Promise<string> {
  const send = async (agent: Agent, words: string) => {
    const end = new Promise<string>((resolve) => {
      agent.subscribe((event) => {
        if (event.type === 'turn-end')
          resolve('outcome' in event.end ? event.end.outcome : 'stopped');
      });
    });
    await agent.queue.send({ text: words, source: 'typed' });
    return end;
  };
  return withAgent(page, send, text);
}

test('a turn in the page changes the open note, and the model panel shows its requests', async () => {
  await using workbench = await openWorkbench();
  const { page, vault } = workbench;
  await page.getByRole('treeitem', { name: 'Lists' }).click();
  await page.getByRole('treeitem', { name: 'Shopping' }).click();
  expect(await ask(workbench, 'add candles to my shopping list')).toBe('done');

  await page
    .locator('.mod-root .cm-content')
    .getByText(/candles/i)
    .first()
    .waitFor();
  expect(readFileSync(path.join(vault, 'Lists/Shopping.md'), 'utf8')).toMatch(/- candles/i);
  await page.getByRole('button', { name: 'Demo model' }).click();
  await page.locator('.workbench-request').first().waitFor();
  await workbench.screenshot('turn');
  expect(workbench.serving.demo?.server.violations).toEqual([]);
  expect(await workbench.faults()).toEqual([]);
});

test('a fault chosen in the model panel reaches the plugin', async () => {
  await using workbench = await openWorkbench();
  const { page, serving } = workbench;
  await page.getByRole('button', { name: 'Demo model' }).click();
  await page.locator('.workbench-panel .dropdown').selectOption('status-401');
  await page.getByRole('button', { name: 'Fail once' }).click();
  await page.getByText('The next reply will be troubled.').waitFor();
  await withAgent(page, (agent) =>
    agent.queue.send({ text: 'add candles to my shopping list', source: 'typed' }),
  );
  await page.locator('.workbench-request').first().waitFor();
  expect(serving.demo?.server.requests.length).toBeGreaterThan(0);
  // The browser logs the failed request; there may be no other error.
  await expect.poll(() => workbench.faults()).toEqual([expect.stringContaining('401')]);
});
