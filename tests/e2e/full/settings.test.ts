/** The settings in the page: pages, links from the panel, folder pickers, and generated texts. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { CONNECTION_REFUSED, openChat } from '#tests/e2e/chat';
import { withAgent } from '#tests/e2e/driver';

interface PageWithSettings {
  app: {
    setting: { open(): void; openTabById(id: string): { reveal(target: string): Promise<void> } };
  };
}

interface PageWithStorage {
  app: { saveLocalStorage(key: string, value: unknown): void };
}

const dialog = (page: Page) => page.getByRole('dialog', { name: 'Settings' });
const row = (page: Page, name: string) =>
  dialog(page).locator('.setting-item', {
    has: page.locator('.setting-item-name', { hasText: new RegExp(`^${name}$`) }),
  });

async function openSettings(page: Page) {
  await page.getByRole('button', { name: 'More', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
}

async function closeSettings(page: Page) {
  await page.keyboard.press('Escape');
  await dialog(page).waitFor({ state: 'detached' });
}

/** Whether the row is inside the visible part of the dialog. */
async function isInView(page: Page, name: string) {
  const area = await dialog(page).locator('.vertical-tab-content-container').boundingBox();
  const box = await row(page, name).boundingBox();
  return !!area && !!box && box.y >= area.y - 1 && box.y + box.height <= area.y + area.height + 1;
}

test('the panel’s menu leads to the default mode, to SmartHole and to hidden folders', async () => {
  await using chat = await openChat({});
  const { page } = chat;
  await openSettings(page);
  await row(page, 'Default mode').getByRole('combobox').waitFor();
  expect(await isInView(page, 'Default mode')).toBe(true);
  expect(await isInView(page, 'Voice')).toBe(true);
  await row(page, 'Voice').click();
  await row(page, 'Connect to SmartHole').waitFor();
  await page.getByRole('button', { name: 'Back' }).click();
  await row(page, 'Editing and permissions').click();
  await row(page, 'Hidden folders').getByRole('button', { name: 'Add folder' }).waitFor();
  expect(await chat.faults()).toEqual([]);
});

test('a page of the settings opens at its top', async () => {
  await using chat = await openChat({});
  const { page } = chat;
  await page.setViewportSize({ width: 900, height: 500 });
  await openSettings(page);
  await row(page, 'Editing and permissions').click();
  await row(page, 'Tools and commands').scrollIntoViewIfNeeded();
  const area = dialog(page).locator('.vertical-tab-content-container');
  await area.evaluate((element) => element.scrollTo({ top: 200 }));
  await row(page, 'Tools and commands').click();
  await row(page, 'Allowed commands').waitFor();
  expect(await area.evaluate((element) => element.scrollTop)).toBe(0);
});

test('links from the panel open the row they are about, in view and with the focus', async () => {
  await using chat = await openChat({ settings: {} });
  const { page } = chat;
  await page.setViewportSize({ width: 900, height: 500 });
  await page.getByRole('button', { name: /^SmartHole:/ }).click();
  await page.getByRole('menuitem', { name: 'SmartHole settings' }).click();
  await row(page, 'Connect to SmartHole').waitFor();
  await closeSettings(page);
  await page.locator('.parley-status').click();
  await row(page, 'Connect to SmartHole').waitFor();
  await closeSettings(page);
  for (const [key, name] of [
    ['model', 'Model'],
    ['moneyPerDay', 'Cost limit per day'],
    ['instructions', 'Your instructions'],
    ['promptFolder', 'Prompts folder'],
    ['toolPresentation', 'Tool format'],
    ['commands', 'Allowed commands'],
    ['excludedFolders', 'Hidden folders'],
  ] as const) {
    await page.evaluate((target) => {
      const { setting } = (window as unknown as PageWithSettings).app;
      setting.open();
      void setting.openTabById('parley').reveal(target);
    }, key);
    const shown = row(page, name);
    await shown.locator('input, select, textarea, button').first().waitFor();
    await expect
      .poll(() => shown.evaluate((element) => element.contains(document.activeElement)))
      .toBe(true);
    expect(await isInView(page, name)).toBe(true);
    await closeSettings(page);
  }
  expect(await chat.faults()).toEqual([]);
});

test('hidden folders are picked from the vault’s folders, and can be hidden before they exist', async () => {
  await using chat = await openChat({});
  const { page } = chat;
  await openSettings(page);
  await row(page, 'Editing and permissions').click();
  const add = row(page, 'Hidden folders').getByRole('button', { name: 'Add folder' });
  await add.click();
  const field = page.getByPlaceholder('Choose a folder to hide…');
  await field.fill('Meet');
  await page.locator('.suggestion-item', { hasText: /^Meetings$/ }).click();
  await row(page, 'Meetings').waitFor();
  await add.click();
  await field.fill('Diary/Private');
  await page.locator('.suggestion-item', { hasText: 'Hide “Diary/Private”' }).click();
  await row(page, 'Diary/Private').waitFor();
  const hidden = () => withAgent(page, (agent) => agent.settings.current().excludedFolders);
  expect(await hidden()).toEqual(['Meetings', 'Diary/Private']);
  await row(page, 'Meetings').getByRole('button', { name: 'Remove' }).click();
  await expect.poll(hidden).toEqual(['Diary/Private']);
  expect(await chat.faults()).toEqual([]);
});

test('a generated vault description is shown, can be edited, and is saved only when accepted', async () => {
  await using chat = await openChat({});
  const { page } = chat;
  const saved = () => withAgent(page, (agent) => agent.settings.current().vaultOrganization);
  const before = await saved();
  await openSettings(page);
  await row(page, 'Vault organization').click();
  const describe = page.getByRole('button', { name: 'Describe', exact: true });
  await describe.click();
  const draft = page.getByRole('textbox', { name: 'Description of your vault' });
  await draft.waitFor();
  expect(await saved()).toBe(before);
  await page.getByRole('button', { name: 'Cancel' }).click();
  await describe.waitFor();
  expect(await saved()).toBe(before);
  await describe.click();
  await draft.fill('Lists go in "Lists".');
  await page.getByRole('button', { name: 'Use this description' }).click();
  await expect.poll(saved).toBe('Lists go in "Lists".');
  await expect
    .poll(() => row(page, 'Organization').getByRole('textbox').inputValue())
    .toBe('Lists go in "Lists".');
  expect(await chat.faults()).toEqual([]);
});

test('SmartHole is invisible until the user turns voice on or it was connected', async () => {
  await using chat = await openChat({});
  const { page } = chat;
  await chat.serving.smartHole?.close();
  // As on a device on which SmartHole never ran.
  await page.evaluate(() =>
    (window as unknown as PageWithStorage).app.saveLocalStorage('parley-seen-smarthole', null),
  );
  // It may already have tried again since SmartHole was closed.
  await chat.reload(CONNECTION_REFUSED);
  const kind = () =>
    withAgent(page, async (agent) => {
      const { connection } = await agent.state();
      return connection.kind === 'connecting' && connection.tries > 0 ? 'failed' : connection.kind;
    });
  await expect.poll(kind).toBe('failed');
  const status = page.locator('.parley-status');
  const icon = page.getByRole('button', { name: /^SmartHole/ });
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await status.isVisible()).toBe(false);
    expect(await icon.count()).toBe(0);
    expect(await page.locator('.mod-right-split').getByText('SmartHole').count()).toBe(0);
    await chat.screenshot(`smarthole-hidden-${colorScheme}`);
  }
  await openSettings(page);
  await row(page, 'Voice').click();
  const toggle = row(page, 'Connect to SmartHole').locator('.checkbox-container');
  await toggle.click();
  await expect.poll(kind).toBe('off');
  await toggle.click();
  await closeSettings(page);
  await icon.waitFor();
  await expect.poll(() => status.isVisible()).toBe(true);
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await chat.screenshot(`smarthole-shown-${colorScheme}`);
  }
});

test('the default model is the newest Haiku in the list, shown by its name', async () => {
  await using chat = await openChat({ settings: {} });
  const { page } = chat;
  await openSettings(page);
  const model = row(page, 'Model').getByRole('combobox');
  const chosen = () =>
    model.evaluate((select) => (select as HTMLSelectElement).selectedOptions[0]?.text);
  await expect.poll(chosen).toBe('Claude Haiku 5.5');
  await model.selectOption({ label: 'Claude Haiku 4.5' });
  await expect
    .poll(() => withAgent(page, (agent) => agent.settings.current().model))
    .toBe('claude-haiku-4-5');
  await chat.reload();
  expect(await withAgent(page, (agent) => agent.settings.current().model)).toBe('claude-haiku-4-5');
});
