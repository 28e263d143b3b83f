// First, because the rest looks for a document while it is evaluated.
import './dom/headless-dom';
import { createRequire, isBuiltin } from 'node:module';
import type { Plugin } from 'obsidian-test-mocks/obsidian';
import { openVault, type OpenVault, type VaultOptions } from './open-vault';
import { installPlugin } from './plugin-install';
import { loadPlugin, type ModuleSource } from './plugin-loader';
import { hostModules } from './plugin-modules';

export interface HeadlessOptions extends VaultOptions {
  /** The built plugin: `main.js`, `manifest.json` and perhaps `styles.css`. */
  pluginDir: string;
  /** Called when the plugin is loaded and the vault not yet, so that nothing it does then is missed. */
  onLoaded?(plugin: Plugin): void;
}

export interface HeadlessHost extends OpenVault {
  plugin: Plugin;
  /** Unloads the plugin, stops watching and waits for the disk. */
  close(): Promise<void>;
}

/** Opens a folder as Obsidian would, with one plugin, in a process without a screen. */
export async function bootHeadless(options: HeadlessOptions): Promise<HeadlessHost> {
  const id = installPlugin(options.pluginDir, options.vault, options.configDir);
  let loaded: Plugin | undefined;
  const vault = await openVault(options, async (app) => {
    loaded = await loadPlugin(app, id, modules);
    options.onLoaded?.(loaded);
  });
  const plugin = loaded as Plugin;
  const close = async (): Promise<void> => {
    plugin.unload();
    await vault.close();
  };
  return { ...vault, plugin, close };
}

const requireBuiltin = createRequire(import.meta.url);

/** Without a browser there is Node, as in the desktop app. */
const modules: ModuleSource = (name) =>
  hostModules(name) ?? (isBuiltin(name) ? (requireBuiltin(name) as unknown) : undefined);
