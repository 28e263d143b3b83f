import * as codemirrorAutocomplete from '@codemirror/autocomplete';
import * as codemirrorCommands from '@codemirror/commands';
import * as codemirrorLanguage from '@codemirror/language';
import * as codemirrorState from '@codemirror/state';
import * as codemirrorView from '@codemirror/view';
import * as lezerCommon from '@lezer/common';
import * as lezerHighlight from '@lezer/highlight';
import type { App as ObsidianApp, PluginManifest } from 'obsidian';
import { Plugin } from 'obsidian-test-mocks/obsidian';
import type { WorkbenchApp } from './obsidian/app';
import * as obsidian from './obsidian/module';

/** What a plugin may `require`; undefined for a module the host does not have. */
export type ModuleSource = (name: string) => unknown;

type PluginClass = new (app: ObsidianApp, manifest: PluginManifest) => Plugin;

/**
 * Loads the plugin in the vault's configuration folder, the way the app does: its `main.js`
 * is evaluated as a CommonJS module, its default export made and loaded, its styles put into the page.
 */
export async function loadPlugin(
  app: WorkbenchApp,
  id: string,
  modules: ModuleSource,
): Promise<Plugin> {
  const { adapter, configDir } = app.vault;
  const dir = `${configDir}/plugins/${id}`;
  const manifest = JSON.parse(await adapter.read(`${dir}/manifest.json`)) as PluginManifest;
  const code = await adapter.read(`${dir}/main.js`);
  performance.mark('plugin-read');
  const PluginClass = evaluate(id, code, modules);
  performance.measure('plugin-evaluate', 'plugin-read');

  const plugin = new PluginClass(app.asOriginalType__(), { ...manifest, dir });
  app.plugins.plugins[id] = plugin;
  plugin.register(() => delete app.plugins.plugins[id]);
  await addStyles(plugin, app, `${dir}/styles.css`);
  performance.mark('plugin-made');
  await loadAndWait(plugin);
  performance.measure('plugin-onload', 'plugin-made');
  return plugin;
}

function evaluate(id: string, code: string, modules: ModuleSource): PluginClass {
  const module: { exports: { default?: unknown } } = { exports: {} };
  const require = (name: string): unknown => {
    const found = modules(name);
    if (found === undefined) {
      throw new Error(`Plugin ${id} asks for the module '${name}', which the workbench has not.`);
    }
    return found;
  };
  // Indirect, so that the code sees the global scope and nothing of ours.
  const wrapper = (0, eval)(
    `(function anonymous(require,module,exports){${code}\n})\n//# sourceURL=plugin:${encodeURIComponent(id)}\n`,
  ) as (require: unknown, module: unknown, exports: unknown) => void;
  wrapper(require, module, module.exports);

  const exported = module.exports.default ?? module.exports;
  if (typeof exported !== 'function' || !(exported.prototype instanceof Plugin)) {
    throw new Error(`Failed to load plugin ${id}: its default export does not extend Plugin.`);
  }
  return exported as PluginClass;
}

async function addStyles(plugin: Plugin, app: WorkbenchApp, file: string): Promise<void> {
  const { adapter } = app.vault;
  if (!(await adapter.exists(file))) return;
  const style = document.createElement('style');
  style.textContent = await adapter.read(file);
  document.head.append(style);
  plugin.register(() => style.remove());
}

/** The app waits for an `onload` that returns a promise; the mocks' `load` drops it. */
async function loadAndWait(plugin: Plugin): Promise<void> {
  const { onload } = plugin;
  let loading: unknown;
  plugin.onload = () => {
    loading = onload.call(plugin);
  };
  plugin.load();
  try {
    await loading;
  } catch (error) {
    plugin.unload();
    throw error;
  } finally {
    plugin.onload = onload;
  }
}

/**
 * The modules that the app hands to plugins. They must be the very copies that the host uses:
 * CodeMirror refuses extensions made by another copy, and `instanceof` would silently fail.
 */
const modules: Record<string, unknown> = {
  // Spread, because plugins may assign to what the app gives them and a namespace is frozen.
  obsidian: { ...obsidian },
  '@codemirror/autocomplete': codemirrorAutocomplete,
  '@codemirror/commands': codemirrorCommands,
  '@codemirror/language': codemirrorLanguage,
  '@codemirror/state': codemirrorState,
  '@codemirror/view': codemirrorView,
  '@lezer/common': lezerCommon,
  '@lezer/highlight': lezerHighlight,
};

export const hostModules: ModuleSource = (name) => modules[name];
