// Must be the first import, because the others look for a document while they are evaluated.
import './dom/headless-dom';
import { createRequire, isBuiltin } from 'node:module';
import { type Plugin, Tasks } from 'obsidian-test-mocks/obsidian';
import { openVault, type OpenVault, type VaultOptions } from './open-vault';
import { installPlugin } from './plugin-install';
import { hostModules, loadPlugin, type ModuleSource } from './plugin-loader';

export interface HeadlessOptions extends VaultOptions {
  /** Folder of the built plugin: `main.js`, `manifest.json` and optionally `styles.css`. */
  pluginDir: string;
  /**
   * Called after the plugin is loaded and before the vault is, so that the caller can subscribe
   * before anything happens.
   */
  onLoaded?(plugin: Plugin): void;
}

export interface HeadlessHost extends OpenVault {
  plugin: Plugin;
  /** Waits for what the plugin does at quit, unloads it, and waits for pending writes. */
  close(): Promise<void>;
}

/** Opens a folder as a vault with one plugin, as Obsidian would, in a process without a screen. */
export async function bootHeadless(options: HeadlessOptions): Promise<HeadlessHost> {
  const id = installPlugin(options.pluginDir, options.vault, options.configDir);
  let loaded: Plugin | undefined;
  const vault = await openVault(options, async (app) => {
    loaded = await loadPlugin(app, id, modules);
    options.onLoaded?.(loaded);
  });
  const plugin = loaded as Plugin;
  const close = async (): Promise<void> => {
    const tasks = Tasks.create__();
    vault.app.workspace.trigger('quit', tasks);
    await tasks.promise();
    plugin.unload();
    await vault.close();
  };
  return { ...vault, plugin, close };
}

const requireBuiltin = createRequire(import.meta.url);

/** Adds Node's built-in modules, which the desktop app offers too. */
const modules: ModuleSource = (name) =>
  hostModules(name) ?? (isBuiltin(name) ? (requireBuiltin(name) as unknown) : undefined);
