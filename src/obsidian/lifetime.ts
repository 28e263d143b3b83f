/** What the app may register with Obsidian. */
import type { Plugin } from 'obsidian';

/** The plugin as the app sees it. */
export interface PluginHost extends Pick<Plugin, 'app' | 'manifest'> {
  /** Calls `end` when the plugin is unloaded. */
  register(end: () => void): void;
  /** Obsidian does not unload plugins when it quits, but waits for this. */
  onQuit(finish: () => Promise<void>): void;
}

export function pluginHost(plugin: Plugin): PluginHost {
  const { app, manifest } = plugin;
  return {
    ...{ app, manifest },
    register: (end) => plugin.register(end),
    onQuit: (finish) =>
      plugin.registerEvent(app.workspace.on('quit', (tasks) => tasks.addPromise(finish()))),
  };
}
