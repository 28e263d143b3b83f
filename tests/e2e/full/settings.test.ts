/** The settings in the page: pages, links from the panel, folder pickers, and generated texts. */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { CONNECTION_REFUSED, openChat } from '#tests/e2e/chat';
import { withAgent } from '#tests/e2e/driver';

interface PageWithSettings {
  app: {
    setting: {
      readonly activeTab: { update(): void } | null;
      open(): void;
      openTabById(id: string): { reveal(target: string): Promise<void> };
    };
  };
}

interface PageWithStorage {
  app: { saveLocalStorage(key: string, value: unknown): void };
}

interface PageWithSecrets {
  app: { secretStorage: { setSecret(name: string, secret: string): void } };
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

/** Draws the settings again, as when something that they show has been loaded. */
function updateSettings(page: Page) {
  return page.evaluate(() =>
    (window as unknown as PageWithSettings).app.setting.activeTab?.update(),
  );
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
  // The page is drawn again when the models are loaded.
  await expect.poll(() => isInView(page, 'Default mode')).toBe(true);
  await expect.poll(() => isInView(page, 'Voice')).toBe(true);
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
  await page.getByRole('button', { name: /^(?:Connecting to )?SmartHole/ }).click();
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
  const kind = () =>
    withAgent(page, async (agent) => {
      const { connection } = await agent.state();
      return connection.kind === 'connecting' && connection.tries > 0 ? 'failed' : connection.kind;
    });
  // A connection in progress would be remembered after it was forgotten.
  await expect.poll(kind).toBe('failed');
  // As on a device on which SmartHole never ran.
  await page.evaluate(() =>
    (window as unknown as PageWithStorage).app.saveLocalStorage('parley-seen-smarthole', null),
  );
  // It may already have tried again since SmartHole was closed.
  await chat.reload(CONNECTION_REFUSED);
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

test('a token that the keychain refuses is reported', async () => {
  await using chat = await openChat({});
  const { page } = chat;
  await page.evaluate(() => {
    const { secretStorage } = (window as unknown as PageWithSecrets).app;
    secretStorage.setSecret = () => {
      throw new Error('The keyring is locked.');
    };
  });
  await openSettings(page);
  await row(page, 'MCP').click();
  await row(page, 'Connect an MCP client').getByRole('button', { name: 'New token' }).click();
  await page.locator('.notice', { hasText: 'keyring is locked' }).waitFor();
  expect(await chat.faults()).toEqual([]);
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

test('a settings field keeps the focus and the cursor while the user types in it', async () => {
  await using chat = await openChat({});
  const { page } = chat;
  const enabled = row(page, 'Compatibility mode').locator('.checkbox-container.is-enabled');
  await openSettings(page);
  await row(page, 'Model and endpoint').click();
  const endpoint = row(page, 'Endpoint').getByRole('textbox');
  await endpoint.fill('');
  await endpoint.pressSequentially('http://localhost:11434');
  expect(await endpoint.inputValue()).toBe('http://localhost:11434');
  expect(await endpoint.evaluate((field) => field === document.activeElement)).toBe(true);
  expect(await page.locator('.notice').count()).toBe(0);
  await page.keyboard.press('Tab');
  await enabled.waitFor();
  expect(await page.locator('.notice').count()).toBe(1);
  await page.getByRole('button', { name: 'Back' }).click();
  await row(page, 'Model').getByRole('textbox').waitFor();

  await row(page, 'Editing and permissions').click();
  const folder = row(page, 'Custom tools folder').locator('input');
  await folder.pressSequentially('Parley/Tools');
  expect(await folder.inputValue()).toBe('Parley/Tools');
  await row(page, 'Tools and commands').click();
  const commands = row(page, 'Allowed commands').getByRole('textbox');
  await commands.pressSequentially('switcher:open\neditor:save-file');
  expect(await commands.inputValue()).toBe('switcher:open\neditor:save-file');
  await page.keyboard.press('Tab');
  await row(page, 'Open quick switcher').waitFor();
  expect(await chat.faults()).toEqual([]);
});

test('a click that leaves a settings field reaches what was clicked', async () => {
  await using chat = await openChat({});
  const { page } = chat;
  await openSettings(page);
  await row(page, 'Model and endpoint').click();
  const endpoint = row(page, 'Endpoint').getByRole('textbox');
  await endpoint.fill('http://localhost:11434');
  await updateSettings(page);
  expect(await endpoint.evaluate((field) => field === document.activeElement)).toBe(true);
  await row(page, 'Thinking').getByRole('combobox').selectOption('high');
  const setting = () => withAgent(page, (agent) => agent.settings.current());
  await endpoint.press('Tab');
  await expect.poll(async () => (await setting()).compatibility).toBe(true);
  await expect.poll(async () => (await setting()).thinking).toBe('high');
  await endpoint.fill('http://localhost:11435');
  await row(page, 'Compatibility mode').locator('.checkbox-container').click();
  await expect.poll(async () => (await setting()).compatibility).toBe(false);
  expect(await setting()).toMatchObject({ endpoint: 'http://localhost:11435', thinking: 'high' });
  expect(await chat.faults()).toEqual([]);
});

test('MCP servers of one name have a page each, which stays open while its name changes', async () => {
  const server = { name: 'Notes', enabled: false, kind: 'stdio', args: [], env: {} };
  const mcpServers = [
    { ...server, id: 'first', command: 'first-program' },
    { ...server, id: 'second', command: 'second-program' },
  ];
  await using chat = await openChat({ settings: { mcpServers } });
  const { page } = chat;
  await openSettings(page);
  await row(page, 'MCP').click();
  await row(page, 'Notes \\(2\\)').click();
  const command = row(page, 'Command').getByRole('textbox');
  await expect.poll(() => command.inputValue()).toBe('second-program');
  await row(page, 'Name').getByRole('textbox').fill('Tasks');
  await row(page, 'Enable').locator('.checkbox-container').click();
  await row(page, 'Enable').locator('.checkbox-container.is-enabled').waitFor();
  expect(await command.inputValue()).toBe('second-program');
  await page.getByRole('button', { name: 'Back' }).click();
  await row(page, 'Tasks').waitFor();
  await row(page, 'Notes').waitFor();
  await page.getByRole('button', { name: 'Add MCP server' }).click();
  await row(page, 'New server').waitFor();
  expect(await chat.faults()).toEqual([]);
});

test('settings in a window of their own open the row of a link, copy there, and wait for typing', async () => {
  await using chat = await openChat({
    settings: { instructions: 'Be brief.' },
    settingsInWindow: true,
  });
  const { page, vault } = chat;
  const opening = page.context().waitForEvent('page');
  await page.locator('.parley-status').click();
  const own = await opening;
  await row(own, 'Connect to SmartHole').waitFor();
  expect(await dialog(page).count()).toBe(0);
  await own.getByRole('button', { name: 'Back' }).click();
  await own.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await row(own, 'MCP').click();
  await row(own, 'Connect an MCP client').getByRole('button', { name: 'Copy address' }).click();
  await page.locator('.notice', { hasText: 'Copied the address' }).waitFor();
  await own.getByRole('button', { name: 'Back' }).click();
  await row(own, 'Instructions').click();
  const field = row(own, 'Your instructions').getByRole('textbox');
  const file = path.join(vault, '.obsidian/plugins/parley/data.json');
  await field.fill('Be kind and');
  await expect.poll(() => readFileSync(file, 'utf8')).toContain('Be kind and');
  // The main window is used meanwhile, and settings arrive from another device.
  await chat.message.click();
  const data = JSON.parse(readFileSync(file, 'utf8')) as { settings: object };
  data.settings = { ...data.settings, stepsPerTurn: 7, instructions: 'Be long.' };
  writeFileSync(file, JSON.stringify(data));
  await expect
    .poll(() => withAgent(page, (agent) => agent.settings.current().stepsPerTurn))
    .toBe(7);
  expect(await field.inputValue()).toBe('Be kind and');
  // The window is gone before the key is up.
  await Promise.all([own.waitForEvent('close'), own.keyboard.down('Escape').catch(() => null)]);
  expect(await chat.faults()).toEqual([]);
});
