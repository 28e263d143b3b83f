/** The permission settings, which take effect immediately. */
import { expect, test } from 'vitest';
import { openWorkbench, withAgent } from '#tests/e2e/driver';

test('the settings exclude folders, switch tools off and disable agents', async () => {
  await using workbench = await openWorkbench({ files: { 'Private/Diary.md': 'Dear diary.\n' } });
  const { page, faults, screenshot: shot } = workbench;
  await page.keyboard.press('Control+p');
  await page.getByPlaceholder('Select a command…').fill('settings');
  await page.keyboard.press('Enter');
  await page.getByText('Editing and permissions', { exact: true }).click();
  await page.getByRole('button', { name: 'Add folder' }).click();
  await page.getByPlaceholder('Choose a folder to hide…').fill('Private');
  await page.keyboard.press('Enter');
  await page.locator('.setting-item-name', { hasText: 'Private' }).waitFor();
  await shot('settings-permissions');
  await page.getByRole('button', { name: 'Tools and commands' }).click();
  await page.getByRole('button', { name: 'Note reader' }).click();
  await page.getByText('Read file').waitFor();
  await shot('settings-agent');
  await page.locator('.checkbox-container').click();
  await expect.poll(() => page.getByText('Read file').isVisible()).toBe(false);
  await shot('settings-agent-disabled');
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByRole('button', { name: 'Vault manager' }).click();
  const off = page.getByRole('radiogroup', { name: 'Delete' }).getByLabel('Off');
  await off.check();
  await shot('settings-permissions-tools');
  await page.getByRole('button', { name: 'Back' }).click();
  await page.getByText('Allowed commands').scrollIntoViewIfNeeded();
  await shot('settings-agents');
  const settings = () => withAgent(page, (agent) => agent.settings.current());
  await expect.poll(settings).toMatchObject({
    excludedFolders: ['Private'],
    tools: { delete: 'off' },
    disabledAgents: ['note_reader'],
  });
  expect(await faults()).toEqual([]);
});
