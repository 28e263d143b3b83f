import { Plugin, PluginSettingTab, type App, type SettingDefinitionItem } from 'obsidian';
import { errorOf, type ContractQuestion } from '../question';

/** Node's `require`, as the desktop app gives it to plugins. */
declare const require: (name: string) => unknown;

export const pluginQuestions: readonly ContractQuestion[] = [
  {
    name: 'an obsidian:// link calls the handler of its action with its parameters',
    about: ['Plugin.registerObsidianProtocolHandler'],
    onScreen: true,
    async ask({ plugin }) {
      const told: unknown[] = [];
      plugin.registerObsidianProtocolHandler('contract', ({ action, text }) => {
        told.push(action, text);
      });
      const link = document.body.createEl('a', {
        href: 'obsidian://contract?text=milk%20%26%20tea',
      });
      link.click();
      await new Promise((resolve) => window.setTimeout(resolve, 50));
      link.remove();
      return told;
    },
    answer: ['contract', 'milk & tea'],
  },
  {
    name: 'a plugin receives the app and its manifest with its folder in the vault',
    about: ['Plugin.app', 'Plugin.manifest', 'PluginManifest.id', 'PluginManifest.dir'],
    ownVault: 'It is about a plugin that the app has loaded from its folder.',
    async ask({ app, plugin }) {
      const { id, dir } = plugin.manifest;
      return [plugin.app === app, id, dir, await app.vault.adapter.exists(`${dir}/main.js`)];
    },
    answer: [true, 'contract', '.obsidian/plugins/contract', true],
  },
  {
    name: 'a plugin can start a program, which is looked for in the PATH that it gets, not in that of the app',
    about: [],
    needsNode: true,
    async ask() {
      const { name, folder, elsewhere } = program();
      return [await startIn(folder, name), await startIn(elsewhere, name)];
    },
    answer: ['started', 'ENOENT'],
  },
  {
    name: 'a manifest has the plugin’s name and version',
    about: ['PluginManifest.name', 'PluginManifest.version'],
    async ask({ plugin: { manifest } }) {
      return [manifest.name !== '', /^\d+\.\d+\.\d+/.test(manifest.version)];
    },
    answer: [true, true],
  },
  {
    name: 'a quit handler can add promises, until the plugin is unloaded',
    about: ["Workspace.on('quit')", 'Tasks.addPromise', 'Component.registerEvent'],
    ownVault: 'It tells every plugin that the app quits.',
    async ask({ app, plugin }) {
      const taken: string[] = [];
      const tasks = { addPromise: () => taken.push('waits') };
      plugin.registerEvent(app.workspace.on('quit', (all) => all.addPromise(Promise.resolve())));
      app.workspace.trigger('quit', tasks);
      plugin.unload();
      app.workspace.trigger('quit', tasks);
      plugin.load();
      return taken;
    },
    answer: ['waits'],
  },
  {
    name: 'loadData returns null if nothing was saved (observed)',
    about: ['Plugin.loadData'],
    ask: async ({ plugin }) => (await plugin.loadData()) as unknown,
    answer: null,
  },
  {
    name: 'saveData writes data.json in the plugin’s folder, and loadData returns it',
    about: ['Plugin.saveData', 'Plugin.loadData'],
    async ask({ plugin, folder }) {
      await plugin.saveData({ a: 1, b: ['é'] });
      const text = await folder.read(`${plugin.manifest.dir}/data.json`);
      return [JSON.parse(text ?? ''), await plugin.loadData()] as unknown[];
    },
    answer: [
      { a: 1, b: ['é'] },
      { a: 1, b: ['é'] },
    ],
  },
  {
    name: 'loadData reads changes made outside the app',
    about: ['Plugin.loadData'],
    async ask({ plugin, folder }) {
      await plugin.saveData({ a: 1 });
      await folder.write(`${plugin.manifest.dir}/data.json`, '{"a":2}');
      return (await plugin.loadData()) as unknown;
    },
    answer: { a: 2 },
  },
  {
    name: 'onExternalSettingsChange is called for changes from outside, but not for the plugin’s own',
    about: ['Plugin.onExternalSettingsChange', 'Plugin.saveData', 'Plugin.loadData'],
    ownVault: 'It changes settings of the plugin that asks.',
    async ask({ first, folder }) {
      const told: unknown[] = [];
      const data = `${first.manifest.dir}/data.json`;
      const wait = (time: number) => new Promise((resolve) => window.setTimeout(resolve, time));
      first.onExternalSettingsChange = async () => told.push(await first.loadData());
      await first.saveData({ a: 1 });
      await wait(500);
      await folder.write(data, '{"a":2}');
      for (let tries = 0; tries < 50 && told.length === 0; tries += 1) await wait(100);
      await folder.remove(data);
      delete first.onExternalSettingsChange;
      return told;
    },
    answer: [{ a: 2 }],
  },
  {
    name: 'loadData returns null for invalid JSON and keeps the file (observed)',
    about: ['Plugin.loadData'],
    async ask({ plugin, folder }) {
      const path = `${plugin.manifest.dir}/data.json`;
      await folder.write(path, '{"a":');
      // The app logs the read failure to the console.
      const { error } = console;
      console.error = () => undefined;
      const loaded: unknown = await plugin.loadData().catch(() => 'failed');
      console.error = error;
      return [loaded, await folder.read(path)];
    },
    answer: [null, '{"a":'],
  },
  {
    name: 'loadData returns null for a file that cannot be read, as for one that is missing (observed)',
    about: ['Plugin.loadData', 'DataAdapter.exists'],
    async ask({ app, plugin }) {
      const { adapter } = app.vault;
      const path = `${plugin.manifest.dir}/data.json`;
      if (await adapter.exists(path)) await adapter.remove(path);
      // A folder at its path fails to be read on every system.
      await adapter.mkdir(path);
      const { error } = console;
      console.error = () => undefined;
      const loaded: unknown = await plugin.loadData().catch(() => 'failed');
      const read = await adapter.read(path).catch(() => 'failed');
      console.error = error;
      await adapter.rmdir(path, true);
      return [loaded, read];
    },
    answer: [null, 'failed'],
  },
  {
    name: 'a registered callback is called once when the plugin is unloaded',
    about: ['Component.register', 'Plugin'],
    async ask({ plugin }) {
      const passing = passingPlugin(plugin);
      let calls = 0;
      passing.register(() => (calls += 1));
      const before = calls;
      passing.unload();
      passing.unload();
      return [passing instanceof Plugin, before, calls];
    },
    answer: [true, 0, 1],
  },
  {
    name: 'a command gets the plugin’s id and name as prefixes and is removed with the plugin',
    about: ['Plugin.addCommand', 'Command.id', 'Command.name', 'Command.callback'],
    async ask({ app, plugin }) {
      const { commands } = app as unknown as WithCommands;
      const passing = passingPlugin(plugin);
      let runs = 0;
      const command = passing.addCommand({
        id: 'do',
        name: 'Do it',
        callback: () => (runs += 1),
      });
      const ran = commands.executeCommandById('contract:do');
      passing.unload();
      return [command.id, command.name, ran, runs, commands.executeCommandById('contract:do')];
    },
    answer: ['contract:do', 'Contract: Do it', true, 1, false],
  },
  {
    name: 'commands are listed by id, and a command whose check fails does not run',
    about: ['App.commands'],
    async ask({ app, plugin }) {
      const { commands } = app as unknown as WithCommands;
      const passing = passingPlugin(plugin);
      passing.addCommand({ id: 'never', name: 'Never', checkCallback: () => false });
      const { id, name } = commands.commands['contract:never'] ?? {};
      const ran = commands.executeCommandById('contract:never');
      passing.unload();
      return [id, name, ran, commands.executeCommandById('contract:nothing')];
    },
    answer: ['contract:never', 'Contract: Never', false, false],
  },
  {
    name: 'a ribbon icon has its title as a label and calls back on click',
    about: ['Plugin.addRibbonIcon'],
    async ask({ plugin }) {
      let clicks = 0;
      const icon = plugin.addRibbonIcon('star', 'Do it', () => (clicks += 1));
      icon.click();
      return [icon.getAttribute('aria-label'), clicks];
    },
    answer: ['Do it', 1],
  },
  {
    name: 'a ribbon icon is visible until the plugin is unloaded',
    about: ['Plugin.addRibbonIcon'],
    onScreen: true,
    async ask({ plugin }) {
      const passing = passingPlugin(plugin);
      const icon = passing.addRibbonIcon('star', 'Do it', () => undefined);
      const seen = [icon.isShown(), icon.querySelectorAll('svg.lucide-star').length];
      passing.unload();
      return [...seen, icon.isConnected];
    },
    answer: [true, 1, false],
  },
  {
    name: 'a status bar item is visible until the plugin is unloaded',
    about: ['Plugin.addStatusBarItem', 'Element.setText', 'Element.addClass'],
    onScreen: true,
    async ask({ plugin }) {
      const passing = passingPlugin(plugin);
      const item = passing.addStatusBarItem();
      item.addClass('contract-item');
      item.setText('words');
      const seen = [item.isShown(), document.querySelector('.contract-item')?.textContent];
      passing.unload();
      return [...seen, item.isConnected];
    },
    answer: [true, 'words', false],
  },
  {
    name: 'a status bar item receives clicks until the plugin is unloaded',
    about: ['Plugin.addStatusBarItem', 'Component.registerDomEvent'],
    async ask({ plugin }) {
      const passing = passingPlugin(plugin);
      const item = passing.addStatusBarItem();
      let clicks = 0;
      passing.registerDomEvent(item, 'click', () => (clicks += 1));
      item.click();
      passing.unload();
      item.click();
      return clicks;
    },
    answer: 1,
  },
  {
    name: 'a hover link source can be registered',
    about: [
      ...['Plugin.registerHoverLinkSource', 'HoverLinkSource.display'],
      'HoverLinkSource.defaultMod',
    ],
    async ask({ plugin }) {
      const register = async () =>
        plugin.registerHoverLinkSource('contract', { display: 'Contract', defaultMod: true });
      return errorOf(register());
    },
    answer: 'none',
  },
  {
    name: 'addSettingTab reads the tab’s setting definitions once and keeps them as declared',
    about: [
      ...['Plugin.addSettingTab', 'PluginSettingTab', 'PluginSettingTab.getSettingDefinitions'],
      ...['SettingDefinitionGroup.type', 'SettingDefinitionGroup.heading'],
      ...['SettingDefinitionGroup.items', 'SettingDefinitionBase.name'],
      ...['SettingDefinitionBase.desc', 'SettingDefinitionBase.aliases'],
    ],
    async ask({ app, plugin }) {
      const tab = new OneRow(app, plugin);
      plugin.addSettingTab(tab);
      return [tab.asked, tab.settingItems];
    },
    answer: [
      1,
      [
        {
          type: 'group',
          heading: 'Group',
          items: [{ name: 'Row', desc: 'Row of it.', aliases: ['line'] }],
        },
      ],
    ],
  },
  {
    name: 'update reads the tab’s setting definitions again',
    about: ['SettingTab.update', 'PluginSettingTab.getSettingDefinitions'],
    async ask({ app, plugin }) {
      const tab = new OneRow(app, plugin);
      tab.update();
      tab.update();
      return tab.asked;
    },
    answer: 2,
  },
  {
    name: 'local storage returns saved values, and null for missing and removed ones',
    about: ['App.loadLocalStorage', 'App.saveLocalStorage'],
    async ask({ app }) {
      const key = 'contract-key';
      const load = () => app.loadLocalStorage(key) as unknown;
      const seen = [load()];
      app.saveLocalStorage(key, { a: ['é'] });
      seen.push(load());
      app.saveLocalStorage(key, true);
      seen.push(load());
      app.saveLocalStorage(key, null);
      return [...seen, load()];
    },
    answer: [null, { a: ['é'] }, true, null],
  },
  {
    name: 'secretStorage returns the last secret set for a name, and null if there is none',
    about: ['App.secretStorage', 'SecretStorage.getSecret', 'SecretStorage.setSecret'],
    ownVault: 'It leaves a secret behind.',
    async ask({ app: { secretStorage } }) {
      const before = secretStorage.getSecret('contract-key-1');
      secretStorage.setSecret('contract-key-1', 'first');
      secretStorage.setSecret('contract-key-1', 'second');
      return [before, secretStorage.getSecret('contract-key-1')];
    },
    answer: [null, 'second'],
  },
  {
    name: 'getSecret answers at once, with null for an unknown name',
    about: ['SecretStorage.getSecret'],
    ask: async ({ app }) => [app.secretStorage.getSecret('contract-unknown')],
    answer: [null],
  },
  {
    name: 'secretStorage rejects names with anything but lower case letters, digits and dashes',
    about: ['SecretStorage.setSecret'],
    ownVault: 'It leaves a secret behind.',
    async ask({ app: { secretStorage } }) {
      const names = ['good-name-2', 'Upper', 'with space', 'under_score', ''];
      const refused = await Promise.all(
        names.map(async (name) => {
          const set = async () => secretStorage.setSecret(name, 'x');
          return (await errorOf(set())) !== 'none';
        }),
      );
      return names.filter((_, index) => refused[index]);
    },
    answer: ['Upper', 'with space', 'under_score', ''],
  },
];

/** Obsidian's command registry, which is not in the published types. */
interface WithCommands {
  readonly commands: {
    readonly commands: Readonly<Record<string, { id: string; name: string }>>;
    executeCommandById(id: string): boolean;
  };
}

class Passing extends Plugin {}

/** Another plugin with the same id; the question must unload it. */
function passingPlugin({ app, manifest }: Plugin): Plugin {
  const passing = new Passing(app, manifest);
  passing.load();
  return passing;
}

class OneRow extends PluginSettingTab {
  asked = 0;

  constructor(app: App, plugin: Plugin) {
    super(app, plugin);
  }

  override getSettingDefinitions(): SettingDefinitionItem[] {
    // The base constructor may call this before the field is initialized.
    this.asked = (this.asked ?? 0) + 1;
    return [
      {
        type: 'group',
        heading: 'Group',
        items: [{ name: 'Row', desc: 'Row of it.', aliases: ['line'] }],
      },
    ];
  }
}

/** A program of the operating system. */
const program = () =>
  process.platform === 'win32'
    ? { name: 'whoami.exe', folder: 'C:\\Windows\\System32', elsewhere: 'C:\\nowhere' }
    : { name: 'env', folder: '/usr/bin', elsewhere: '/nowhere' };

/** Starts the program with this `PATH`. */
function startIn(folder: string, name: string): Promise<string> {
  // Loaded here, because a browser page that has the other questions has no such module.
  const { spawn } = require('node:child_process') as typeof import('node:child_process');
  return new Promise((resolve) => {
    const child = spawn(name, [], { env: { PATH: folder }, stdio: 'ignore' });
    child.on('spawn', () => resolve('started'));
    child.on('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
  });
}
