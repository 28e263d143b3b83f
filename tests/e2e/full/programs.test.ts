/** The settings of Parley's MCP server. */
import { expect, test } from 'vitest';
import { openWorkbench, withAgent } from '#tests/e2e/driver';

test("the settings switch Parley's MCP server on and show its status", async () => {
  await using workbench = await openWorkbench();
  const { page, faults, screenshot: shot } = workbench;
  await page.keyboard.press('Control+p');
  await page.getByPlaceholder('Select a command…').fill('settings');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^MCP/ }).click();
  const row = (name: string) => page.locator('.setting-item', { hasText: name });
  await expect.poll(() => row('Connect an MCP client').textContent()).toContain('Off.');
  await row('Parley as an MCP server').locator('.checkbox-container').click();
  // A page cannot open a port, and the settings show that as they show any other failure.
  await expect
    .poll(() => row('Connect an MCP client').textContent())
    .toContain('Port 9474 could not be opened.');
  await row('Connect an MCP client').getByRole('button').last().scrollIntoViewIfNeeded();
  await shot('settings-programs');
  const settings = () => withAgent(page, (agent) => agent.settings.current());
  await expect
    .poll(settings)
    .toMatchObject({ mcpServerEnabled: true, mcpServerWrites: false, mcpServerMode: 'review' });
  expect(await faults()).toEqual([]);
});
