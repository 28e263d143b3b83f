/**
 * What the workbench page offers to plugins: sidebar views, settings, secrets, menus and notices,
 * used by a toy plugin.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { expect, test } from 'vitest';
import { writeFiles } from '#tests/builders/workbench-host';
import { temporaryFolder } from '#tests/builders/temporary-folder';
import { openWorkbench } from '#tests/e2e/driver';

const TOY = `
  const { Plugin, ItemView, PluginSettingTab, Notice, Menu, Modal, MarkdownView, SecretComponent, requestUrl, setIcon } = require('obsidian');
  const { EditorView } = require('@codemirror/view');
  class Panel extends ItemView {
    getViewType() { return 'toy'; }
    getDisplayText() { return 'Toy panel'; }
    getIcon() { return 'message-circle'; }
    async onOpen() {
      this.contentEl.createEl('h4', { text: 'A panel at the side' });
      this.contentEl.createEl('button', { text: 'Main action', cls: 'mod-cta' });
    }
  }
  class Tab extends PluginSettingTab {
    constructor(app, plugin) { super(app, plugin); this.plugin = plugin; }
    getSettingDefinitions() {
      const { settings } = this.plugin;
      return [
        { type: 'group', heading: 'Everything', items: [
          { name: 'Toggle', desc: 'On or off.', control: { type: 'toggle', key: 'toggle' } },
          { name: 'Text', desc: 'Not empty.', control: { type: 'text', key: 'text', validate: (v) => v ? '' : 'Say something.' } },
          { name: 'Number', control: { type: 'number', key: 'number', min: 1, defaultValue: 3 } },
          { name: 'Slider', control: { type: 'slider', key: 'slider', min: 0, max: 10, step: 1, defaultValue: 4 } },
          { name: 'Dropdown', control: { type: 'dropdown', key: 'dropdown', options: { a: 'First', b: 'Second' }, disabled: () => !this.plugin.settings.toggle } },
          { name: 'Only when on', visible: () => !!this.plugin.settings.toggle, control: { type: 'text', key: 'hidden' } },
          { name: 'Folder', control: { type: 'folder', key: 'folder', placeholder: 'Journal' } },
          { name: 'Colour', control: { type: 'color', key: 'color', defaultValue: '#8a5cf5' } },
          { name: 'Long text', control: { type: 'textarea', key: 'long', rows: 3 } },
          { name: 'Key', render: (setting) => { new SecretComponent(this.app, setting.controlEl).setValue(settings.key ?? ''); } },
        ] },
        { type: 'list', heading: 'A list', items: [{ name: 'One' }, { name: 'Two' }], onDelete: () => {}, onReorder: () => {}, addItem: { name: 'Add one', action: () => {} } },
        { type: 'page', name: 'A page', desc: 'With more.', displayValue: () => 'inner', items: [
          { name: 'Inside', control: { type: 'text', key: 'inside' } },
          { name: 'Do it', action: () => new Notice('It was done.') },
        ] },
      ];
    }
  }
  module.exports = class Toy extends Plugin {
    async onload() {
      this.settings = (await this.loadData()) ?? {};
      this.registerView('toy', (leaf) => new Panel(leaf));
      this.addSettingTab(new Tab(this.app, this));
      this.addRibbonIcon('message-circle', 'Open toy', () => this.app.workspace.ensureSideLeaf('toy', 'right', { active: true, reveal: true }));
      this.addStatusBarItem().setText('toy status');
      this.registerEditorExtension(EditorView.editorAttributes.of({ class: 'toy-was-here' }));
      this.addCommand({ id: 'shout', name: 'Shout', editorCallback: (editor, view) => {
        editor.replaceSelection('HELLO');
        new Notice(view instanceof MarkdownView && this.app.workspace.getActiveViewOfType(MarkdownView) === view ? 'shouted' : 'lost');
      } });
      this.addCommand({ id: 'menu', name: 'Menu', callback: () => {
        const menu = new Menu();
        menu.addItem((item) => item.setTitle('Press me').setIcon('star').onClick(() => new Notice('pressed')));
        menu.showAtPosition({ x: 500, y: 300 });
      } });
    }
    async fetch(url) { return (await requestUrl({ url, headers: { 'x-toy': 'yes' } })).json; }
  };
`;

function toyDir(): string {
  const folder = temporaryFolder('toy');
  const manifest = { id: 'toy', name: 'Toy', version: '1.0.0', minAppVersion: '1.13.0' };
  writeFiles(folder, { 'main.js': TOY, 'manifest.json': JSON.stringify(manifest) });
  return folder;
}

test('a plugin can use sidebar views, settings, commands, menus and notices in the page', async () => {
  await using workbench = await openWorkbench({ pluginDir: toyDir() });
  const { page, vault, screenshot: shot } = workbench;
  const saved = () =>
    JSON.parse(readFileSync(path.join(vault, '.obsidian/plugins/toy/data.json'), 'utf8')) as object;

  await page.getByRole('button', { name: 'Open toy' }).click();
  await page.getByText('A panel at the side').waitFor();
  await page.getByText('toy status').waitFor();
  await page.locator('.cm-editor.toy-was-here').waitFor();
  await shot('side');

  await page.locator('.mod-root .cm-content').click();
  await page.keyboard.press('Control+p');
  await page.keyboard.type('shout');
  await page.keyboard.press('Enter');
  await page.locator('.notice', { hasText: 'shouted' }).waitFor();
  await page.locator('.cm-content', { hasText: 'HELLO' }).waitFor();

  await page.keyboard.press('Control+p');
  await page.keyboard.type('Toy: Menu');
  await page.keyboard.press('Enter');
  await page.locator('.menu-item', { hasText: 'Press me' }).waitFor();
  await shot('menu');
  await page.locator('.menu-item', { hasText: 'Press me' }).click();
  await page.locator('.notice', { hasText: 'pressed' }).waitFor();

  await page.keyboard.press('Control+,');
  const row = (name: string) =>
    page.locator('.setting-item', { has: page.getByText(name, { exact: true }) });
  await row('Toggle').waitFor();
  expect(await row('Only when on').isVisible()).toBe(false);
  expect(await row('Dropdown').locator('select').isDisabled()).toBe(true);
  await row('Toggle').locator('.checkbox-container').click();
  await row('Only when on').waitFor();
  await row('Dropdown').locator('select').selectOption('b');
  await row('Text').locator('input').fill('words');
  await row('Text').locator('input').fill('');
  await page.getByText('Say something.').waitFor();
  await row('Number').locator('input').fill('12');
  await row('Number').locator('input').press('Enter');
  await expect
    .poll(saved)
    .toMatchObject({ toggle: true, dropdown: 'b', text: 'words', number: 12 });
  await shot('settings-toy');
  await row('A page').click();
  await row('Inside').locator('input').fill('deep');
  await row('Do it').click();
  await page.locator('.notice', { hasText: 'It was done.' }).waitFor();
  await shot('settings-page');
  await page.getByRole('button', { name: 'Back' }).click();
  await expect.poll(saved).toMatchObject({ inside: 'deep' });
  await page.keyboard.press('Escape');
  expect(await workbench.faults()).toEqual([]);
});

test('requestUrl goes through the workbench server, and secrets survive a reload', async () => {
  const other = createServer((req, res) => res.end(JSON.stringify({ toy: req.headers['x-toy'] })));
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve));
  try {
    await using workbench = await openWorkbench({ pluginDir: toyDir() });
    const { page } = workbench;
    const answer = await page.evaluate(
      (port) => {
        const { app } = window as unknown as {
          app: { plugins: { plugins: { toy: { fetch(url: string): Promise<unknown> } } } };
        };
        return app.plugins.plugins.toy.fetch(`http://127.0.0.1:${port}/`);
      },
      (other.address() as AddressInfo).port,
    );
    expect(answer).toEqual({ toy: 'yes' });

    const secrets = `app.secretStorage.listSecrets().join()`;
    await page.evaluate(`app.secretStorage.setSecret('my-key', 'hush')`);
    await page.reload();
    await page.waitForSelector('body[data-ready="yes"]');
    expect(await page.evaluate(secrets)).toContain('my-key');
    expect(await workbench.faults()).toEqual([]);
  } finally {
    other.close();
  }
});
