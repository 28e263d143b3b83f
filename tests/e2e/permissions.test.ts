/** The settings of what the agent may do, set by hand and in force at once. */
import { expect, test } from 'vitest';
import { openWorkbench } from './driver';

test('folders are excluded and tools switched off in the settings', async () => {
  await using workbench = await openWorkbench({ files: { 'Private/Diary.md': 'Dear diary.\n' } });
  const { page, faults, shot } = workbench;
  await page.keyboard.press('Control+p');
  await page.getByPlaceholder('Select a command…').fill('settings');
  await page.keyboard.press('Enter');
  await page.getByText('Permissions', { exact: true }).click();
  const folders = page
    .locator('.setting-item', { hasText: 'Excluded folders' })
    .locator('textarea');
  await folders.fill('Private\nWork/Clients');
  await folders.blur();
  await shot('settings-permissions');
  const off = page.getByRole('radiogroup', { name: 'delete' }).getByLabel('Off');
  await off.check();
  await shot('settings-permissions-tools');
  const settings = () =>
    page.evaluate(() => {
      const { app } = window as unknown as {
        app: { plugins: { plugins: Record<string, { agent: { settings(): unknown } }> } };
      };
      return app.plugins.plugins['parley']?.agent.settings();
    });
  await expect
    .poll(settings)
    .toMatchObject({ excludedFolders: ['Private', 'Work/Clients'], tools: { delete: 'off' } });
  expect(await faults()).toEqual([]);
});
