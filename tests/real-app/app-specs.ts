/**
 * What the built plugin must do in the app, from the first request to a reload. The same specs run
 * in Obsidian (`app.spec.ts`) and in the workbench (`tests/e2e/full/app-specs.test.ts`), with the
 * demo model.
 */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import { readVaultFile, type InPage, type Part, type RunningApp } from './running-app';

export interface AppSpec {
  readonly title: string;
  run(app: RunningApp): Promise<void>;
}

const LIST = 'Lists/Shopping.md';
const OLD = 'Old plan.md';

/** The files of the vault before the first spec. */
export const VAULT_FILES: Readonly<Record<string, string>> = {
  // Settings in a window of their own, the default, are out of reach of the main window.
  '.obsidian/app.json': JSON.stringify({ trashOption: 'local', settingsPopoutWindow: false }),
  [LIST]: '# Shopping\n\n- [ ] Bread\n- [ ] Butter\n',
  [OLD]: 'Plant the beans in May.\n',
};

const MESSAGE: Part = { css: 'textarea[aria-label="Message"]' };
const LOG = '[role="log"]';
/** How often the disk is read while waiting. */
const POLL_MS = 100;
const TIMEOUT_MS = 30_000;

export const APP_SPECS: readonly AppSpec[] = [
  {
    title: 'A request in the chat changes the note on disk and in the editor',
    async run(app) {
      await openNote(app, LIST);
      await chatIn(app, 'Apply');
      await app.send(MESSAGE, 'add oat milk to my shopping list');
      await onDisk(app, LIST, (text) => /^- \[ \] oat milk$/im.test(text ?? ''));
      await app.see({ css: '.cm-line', text: 'milk' });
      await app.see({ css: LOG, text: 'Shopping' });
    },
  },
  {
    title: 'A proposed edit is shown in the note and accepted there',
    async run(app) {
      await openNote(app, LIST);
      await chatIn(app, 'Review');
      await app.send(MESSAGE, 'add green tea to my shopping list');
      await onDisk(app, LIST, (text) => text?.includes('```ai-edit') ?? false);
      await app.click({ css: '.block-language-ai-edit button', text: 'Accept' });
      await onDisk(
        app,
        LIST,
        (text) => /^- \[ \] green tea$/im.test(text ?? '') && !text?.includes('ai-edit'),
      );
    },
  },
  {
    title: 'A note is deleted only after Delete is chosen, and goes to the trash of the vault',
    async run(app) {
      await chatIn(app, 'Apply');
      await app.send(MESSAGE, 'delete the old plan');
      await app.see({ css: 'section[aria-label="Approval"]', text: 'Old plan' });
      assert.equal(await readVaultFile(app, OLD), VAULT_FILES[OLD]);
      await app.click({ css: 'section[aria-label="Approval"] button', text: 'Delete' });
      await onDisk(app, OLD, (text) => text === null);
      assert.equal(await readVaultFile(app, `.trash/${OLD}`), VAULT_FILES[OLD]);
    },
  },
  {
    title: 'A chat opens in a window of its own and answers there',
    async run(app) {
      const open = () => command(app, 'open-chat-in-window');
      await app.inNewWindow(open, async (window) => {
        await window.send(MESSAGE, 'what can you do?');
        await window.see({ css: LOG, text: 'demo model' });
      });
    },
  },
  {
    title: 'The settings of the plugin open on its own page',
    async run(app) {
      await app.evaluate(() => {
        const { setting } = (window as unknown as InPage).app;
        setting.open();
        setting.openTabById('parley');
      }, null);
      await app.see({ css: '.setting-item-name', text: 'Default mode' });
      await app.press('Escape');
    },
  },
  {
    title: 'A reload shows the same chat, down to its last answer',
    async run(app) {
      await chatIn(app, 'Apply');
      await app.send(MESSAGE, 'add walnuts to my shopping list');
      await onDisk(app, LIST, (text) => /walnuts/i.test(text ?? ''));
      await app.see({ css: `${LOG} button.note`, text: 'Shopping' });
      await app.reload();
      await command(app, 'open-chat');
      await app.see({ css: LOG, text: 'add walnuts to my shopping list' });
      await app.see({ css: `${LOG} button.note`, text: 'Shopping' });
      const text = (await readVaultFile(app, LIST)) ?? '';
      assert.equal(text.match(/walnuts/gi)?.length, 1);
    },
  },
];

async function command(app: RunningApp, id: string): Promise<void> {
  const isRun = await app.evaluate(
    (name) => (window as unknown as InPage).app.commands.executeCommandById(name),
    `parley:${id}`,
  );
  assert.ok(isRun, `The command ${id} did not run.`);
}

/** Opens the chat, waits until no turn is running, and sets the mode. */
async function chatIn(app: RunningApp, mode: 'Apply' | 'Review'): Promise<void> {
  await command(app, 'open-chat');
  await app.see(MESSAGE);
  await app.see({ css: 'button[aria-label="Send"]' });
  await command(app, mode.toLowerCase());
  await app.see({ css: `button[aria-label^="Mode: ${mode}"]` });
}

async function openNote(app: RunningApp, path: string): Promise<void> {
  await app.evaluate(
    (link) => (window as unknown as InPage).app.workspace.openLinkText(link, ''),
    path,
  );
}

/** Waits until a file of the vault, or its absence (null), is as expected. */
async function onDisk(
  app: RunningApp,
  file: string,
  isExpected: (text: string | null) => boolean,
): Promise<void> {
  const end = Date.now() + TIMEOUT_MS;
  let text = await readVaultFile(app, file);
  while (!isExpected(text)) {
    assert.ok(Date.now() < end, `${file} stayed as ${JSON.stringify(text)}.`);
    await sleep(POLL_MS);
    text = await readVaultFile(app, file);
  }
}
