import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { bootHeadless } from '#workbench/boot-headless';
import type { WorkbenchApp } from '#workbench/obsidian/app';
import { openHost, writeFiles, type TestHost } from '#tests/builders/workbench-host';
import { temporaryFolder } from '#tests/builders/temporary-folder';

/** A plugin's `main.js` whose `onload` runs this code. */
function plugin(onload: string): string {
  return `
    const obsidian = require('obsidian');
    class View extends obsidian.ItemView {
      getViewType() { return 'toy-view'; }
      getDisplayText() { return 'Toy view'; }
      async onOpen() { this.contentEl.createDiv({ text: 'hello' }); }
      async onClose() { this.contentEl.empty(); }
    }
    class Tab extends obsidian.PluginSettingTab { display() {} }
    module.exports = { default: class Toy extends obsidian.Plugin {
      async onload() { ${onload} }
      onunload() { this.unloaded = true; }
    } };
  `;
}

/** A property that the toy plugin set on itself, or undefined. */
function own(host: TestHost, name: string): unknown {
  // The mock throws when a missing property is read.
  return name in host.plugin
    ? (host.plugin as unknown as Record<string, unknown>)[name]
    : undefined;
}

function registrations(host: TestHost): WorkbenchApp['registrations'] {
  return (host.app as unknown as WorkbenchApp).registrations;
}

const REGISTER = `
  this.registerView('toy-view', (leaf) => new View(leaf));
  this.addCommand({ id: 'do', name: 'Do it', callback: () => { this.done = true; } });
  this.addRibbonIcon('sparkles', 'Toy', () => {});
  this.addStatusBarItem().setText('ready');
  this.addSettingTab(new Tab(this.app, this));
  this.registerMarkdownCodeBlockProcessor('toy', () => {});
  this.registerEditorExtension(require('@codemirror/state').StateField.define({
    create: () => 0, update: (value) => value,
  }));
  this.registerDomEvent(document, 'click', () => { this.clicked = true; });
  this.registerInterval(window.setInterval(() => {}, 1000));
  new obsidian.Notice('Toy is here', 10);
`;

describe('loading a plugin', () => {
  test('the host records everything that the plugin registers', async () => {
    await using host = await openHost({}, plugin(REGISTER));
    const added = registrations(host);
    expect([...added.commands.keys()]).toEqual(['toy:do']);
    expect(added.commands.get('toy:do')?.name).toBe('Toy: Do it');
    expect([...added.views.keys()]).toEqual(['toy-view']);
    expect([...added.ribbonIcons].map(({ title }) => title)).toEqual(['Toy']);
    expect([...added.statusBarItems].map((el) => el.textContent)).toEqual(['ready']);
    expect([...added.codeBlockProcessors.keys()]).toEqual(['toy']);
    expect(added.settingTabs.size + added.editorExtensions.size).toBe(2);
    expect(host.notices.map(({ text, duration }) => [text, duration])).toEqual([
      ['Toy is here', 10],
    ]);
    expect(host.errors).toEqual([]);
  });

  test('the host runs commands and opens views', async () => {
    await using host = await openHost({}, plugin(REGISTER));
    const { commands } = host.app as unknown as WorkbenchApp;
    expect(commands.executeCommandById('toy:do')).toBe(true);
    expect(own(host, 'done')).toBe(true);
    const { workspace } = host.app;
    const leaf = workspace.getRightLeaf(false);
    await leaf?.setViewState({ type: 'toy-view', active: true });
    expect(workspace.getLeavesOfType('toy-view')).toHaveLength(1);
    expect(leaf?.view.containerEl.textContent).toContain('hello');
    expect(leaf?.view.app).toBe(host.app);
    expect(workspace.getActiveFile()).toBeNull();
  });

  test('the host waits for onload, and unloading removes every registration', async () => {
    const host = await openHost(
      {},
      plugin(`await sleep(5); this.waited = true; ${REGISTER}
        this.register(() => { this.released = true; });`),
    );
    expect(own(host, 'waited')).toBe(true);
    await host.close();
    const added = registrations(host);
    for (const left of Object.values(added)) expect((left as { size: number }).size).toBe(0);
    expect([own(host, 'released'), own(host, 'unloaded')]).toEqual([true, true]);
    document.dispatchEvent(new MouseEvent('click'));
    expect(own(host, 'clicked')).toBeUndefined();
  });

  test('opening the host fails with the error that onload throws', async () => {
    await expect(openHost({}, plugin(`throw new Error('not today');`))).rejects.toThrow(
      'not today',
    );
  });

  test('the host installs only changed plugin files and keeps data.json', async () => {
    const vault = temporaryFolder('vault');
    const pluginDir = temporaryFolder('plugin');
    const manifest = JSON.stringify({ id: 'toy', name: 'Toy', version: '1.0.0' });
    writeFiles(pluginDir, {
      'main.js': plugin(''),
      'manifest.json': manifest,
      'styles.css': 'a{}',
    });
    writeFiles(vault, { '.obsidian/plugins/toy/data.json': '{"kept":true}' });
    const installed = path.join(vault, '.obsidian/plugins/toy/main.js');
    await (await bootHeadless({ vault, pluginDir })).close();
    const { mtimeMs } = statSync(installed);
    const host = await bootHeadless({ vault, pluginDir });
    expect(document.head.textContent).toContain('a{}');
    expect(statSync(installed).mtimeMs).toBe(mtimeMs);
    expect(await host.plugin.loadData()).toEqual({ kept: true });
    await host.close();
    expect(document.head.textContent).not.toContain('a{}');
  });

  test('a plugin can require Node modules, and requiring electron fails with a clear error', async () => {
    await using host = await openHost(
      {},
      plugin(`
        this.builtins = [require('fs') === require('node:fs'), typeof require('node:http').request];
        try { require('electron'); } catch (error) { this.refusal = error.message; }
      `),
    );
    expect(own(host, 'builtins')).toEqual([true, 'function']);
    expect(own(host, 'refusal')).toContain("'electron'");
  });
});

describe('plugin data', () => {
  test("saveData writes data.json in the plugin's folder", async () => {
    await using host = await openHost({}, plugin(`this.before = await this.loadData();`));
    expect(own(host, 'before')).toBeNull();
    await host.plugin.saveData({ a: 1 });
    const file = path.join(host.folder, '.obsidian/plugins/toy/data.json');
    expect(JSON.parse(readFileSync(file, 'utf8'))).toEqual({ a: 1 });
    expect(host.plugin.manifest.dir).toBe('.obsidian/plugins/toy');
  });

  test('the configuration folder can have another name', async () => {
    await using host = await openHost({}, plugin(''), { configDir: '.config' });
    expect(host.app.vault.configDir).toBe('.config');
    expect(existsSync(path.join(host.folder, '.config/plugins/toy/main.js'))).toBe(true);
    expect(existsSync(path.join(host.folder, '.obsidian'))).toBe(false);
  });

  test('secretStorage returns and lists secrets and rejects invalid ids', async () => {
    await using host = await openHost({}, plugin(''), { secrets: { 'api-key': 'sesame' } });
    const { secretStorage } = host.app;
    secretStorage.setSecret('other', 'x');
    expect(secretStorage.getSecret('api-key')).toBe('sesame');
    expect(secretStorage.getSecret('none')).toBeNull();
    expect(secretStorage.listSecrets()).toEqual(['api-key', 'other']);
    expect(() => secretStorage.setSecret('Not Valid', 'x')).toThrow('Invalid secret ID');
  });

  test('local storage is one file that is written at once and survives a restart', async () => {
    const vault = temporaryFolder('vault');
    const first = await openHost({}, plugin(''), { vault });
    first.app.saveLocalStorage('device', { id: 7 });
    first.app.saveLocalStorage('gone', 1);
    first.app.saveLocalStorage('gone', null);
    const file = path.join(vault, '.obsidian/workbench-local-storage.json');
    expect(Object.keys(JSON.parse(readFileSync(file, 'utf8')) as object)).toEqual(['device']);
    await first.close();
    await using second = await openHost({}, plugin(''), { vault });
    expect(second.app.loadLocalStorage('device')).toEqual({ id: 7 });
    expect(second.app.loadLocalStorage('gone')).toBeNull();
  });
});

test('the host reads settings of core plugins from the vault', async () => {
  await using host = await openHost({
    '.obsidian/core-plugins.json': '{"templates":true,"daily-notes":false}',
    '.obsidian/templates.json': '{"folder":"Templates"}',
  });
  const { internalPlugins, plugins } = host.app as unknown as WorkbenchApp;
  expect(internalPlugins.getEnabledPluginById('templates')?.options).toEqual({
    folder: 'Templates',
  });
  expect(internalPlugins.getEnabledPluginById('daily-notes')).toBeNull();
  expect(plugins.getPlugin('toy')).toBe(host.plugin);
});

describe('network and errors', () => {
  test('requestUrl throws for HTTP errors unless `throw` is false, and parses JSON on demand', async () => {
    const server = createServer((request, response) => {
      response.statusCode = request.url === '/missing' ? 404 : 200;
      response.setHeader('content-type', 'application/json');
      response.end(
        JSON.stringify({ method: request.method, type: request.headers['content-type'] }),
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    await using host = await openHost({}, plugin('this.requestUrl = obsidian.requestUrl;'));
    const requestUrl = own(host, 'requestUrl') as typeof import('obsidian').requestUrl;
    const sent = await requestUrl({ url, method: 'POST', contentType: 'text/x', body: 'b' });
    expect(sent.json).toEqual({ method: 'POST', type: 'text/x' });
    expect(await requestUrl(url).json).toEqual({ method: 'GET' });
    await expect(requestUrl(`${url}/missing`)).rejects.toMatchObject({ status: 404 });
    expect((await requestUrl({ url: `${url}/missing`, throw: false })).status).toBe(404);
    server.close();
  });

  test('the host throws when a plugin reads a property that is not mocked', async () => {
    await expect(openHost({}, plugin('this.missing = this.app.vault.notThere;'))).rejects.toThrow(
      'Property "notThere" is not mocked in FolderVault.',
    );
  });

  test('a handler that throws stops neither the other handlers nor the host', async () => {
    await using host = await openHost({}, plugin(''));
    const seen: string[] = [];
    host.app.vault.on('create', () => {
      throw new Error('mine');
    });
    host.app.vault.on('create', (file) => seen.push(file.path));
    const { error } = console;
    console.error = () => undefined;
    await host.app.vault.create('A.md', '');
    console.error = error;
    expect(seen).toEqual(['A.md']);
    expect(host.errors.pop()).toEqual(new Error('mine'));
  });

  test('the host loads a changed plugin at the next start', async () => {
    const pluginDir = temporaryFolder('plugin');
    const vault = temporaryFolder('vault');
    const manifest = JSON.stringify({ id: 'toy', name: 'Toy', version: '1.0.0' });
    writeFiles(pluginDir, { 'main.js': plugin('this.at = 1;'), 'manifest.json': manifest });
    await (await bootHeadless({ vault, pluginDir })).close();
    writeFileSync(path.join(pluginDir, 'main.js'), plugin('this.at = 2;'));
    const host = await bootHeadless({ vault, pluginDir });
    expect((host.plugin as unknown as { at: number }).at).toBe(2);
    await host.close();
  });
});
