/** What a chat that was open at the last quit shows while Parley starts, and afterwards. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { proposalBlock } from '#tests/e2e/blocks';
import { openWorkbench } from '#tests/e2e/driver';

const chat = { type: 'leaf', state: { type: 'parley-chat', state: {} } };
const LAYOUT = {
  right: { type: 'split', children: [{ type: 'tabs', currentTab: 0, children: [chat] }] },
};
const FILES = { '.obsidian/workspace.json': JSON.stringify(LAYOUT) };

/** The app of the page, as far as the starts below change it. */
interface Changed {
  workspace: { onLayoutReady(callback: () => void): void };
  loadLocalStorage(key: string): unknown;
  secretStorage: { getSecret(name: string): unknown };
}

/** Each changes the app as soon as it is opened; sent to the page as source text. */
const STARTS: Readonly<Record<string, readonly [change: (app: Changed) => void, shown: string]>> = {
  'is starting': [(app) => (app.workspace.onLayoutReady = () => undefined), '.parley-starting'],
  'is empty': [() => undefined, 'section[aria-label="Chat"] [aria-label="Message"]'],
  'could not start': [
    (app) => {
      const { loadLocalStorage } = app;
      app.loadLocalStorage = (key) => {
        // Read while the app is built, after the plugin was loaded.
        if (key !== 'parley-device') return loadLocalStorage.call(app, key);
        throw new Error('EACCES: permission denied, open ‘/Users/someone/Local Storage/LOCK’');
      };
    },
    '.parley-not-started',
  ],
  'has a locked keychain': [
    (app) => {
      app.secretStorage.getSecret = () => {
        throw new Error('The keychain is locked.');
      };
    },
    'section[aria-label="Chat"] :text("keychain")',
  ],
};

test.each(Object.entries(STARTS))('a chat that was open %s', async (name, [change, shown]) => {
  await using workbench = await openWorkbench({ files: FILES, sample: false });
  const { page, serving } = workbench;
  await page.addInitScript(`{
    const looking = setInterval(() => {
      if (!window.app?.workspace) return;
      clearInterval(looking);
      (${String(change)})(window.app);
    });
  }`);
  await page.goto('about:blank');
  await page.goto(serving.url);
  const view = page.locator('.parley-chat-view');
  await view.locator(shown).first().waitFor();
  await page.waitForFunction(() =>
    document.getAnimations().every((each) => each.playState !== 'running'),
  );
  expect(await view.count()).toBe(1);
  for (const theme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme: theme });
    for (const width of [280, 420]) {
      await narrow(page, width);
      await workbench.screenshot(`starts/${name}-${theme}-${width}`, view);
    }
  }
});

test('pending edits are shown as text until Parley has started, also after a failed start', async () => {
  const edit = proposalBlock('first', { before: 'A line.\n', after: 'A longer line.\n' });
  await using workbench = await openWorkbench({
    ...{ files: FILES, sample: false, proposed: { 'Welcome.md': `Above.\n\n${edit}\nBelow.\n` } },
  });
  const { page, serving } = workbench;
  await page.addInitScript(`{
    const looking = setInterval(() => {
      if (!window.app?.workspace) return;
      clearInterval(looking);
      const { loadLocalStorage } = app;
      app.loadLocalStorage = (key) => {
        if (key !== 'parley-device' || window.isWhole) return loadLocalStorage.call(app, key);
        throw new Error('The storage is broken.');
      };
    });
  }`);
  await page.goto('about:blank');
  await page.goto(serving.url);
  await page.locator('.parley-not-started').waitFor();
  const note = page.locator('.mod-root');
  for (const view of ['.markdown-source-view', '.markdown-preview-view']) {
    await note.locator(view).getByText('"after":"A longer line.').waitFor();
    await workbench.screenshot(`starts/edits-without-parley${view}`);
    if (view === '.markdown-preview-view') break;
    await note.locator('.cm-content').focus();
    await page.keyboard.press('Control+e');
  }
  await page.evaluate('window.isWhole = true');
  await page.getByRole('button', { name: 'Try again' }).click();
  await note.getByRole('group', { name: /^Edit 1 of 1/ }).waitFor();
  expect(await note.getByText('"after":"A longer line.').count()).toBe(0);
  expect(await workbench.faults()).toEqual([]);
});

/** Makes the sidebar this wide. */
async function narrow(page: Page, width: number): Promise<void> {
  await page.locator('.mod-right-split').evaluate((split, pixels) => {
    (split as HTMLElement).style.width = `${pixels}px`;
  }, width);
}
