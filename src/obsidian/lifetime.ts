/** Registrations that end with the plugin, or as soon as what they belong to fails. */
import type { Plugin } from 'obsidian';

/** The plugin as the app sees it. */
export interface PluginHost extends Pick<Plugin, 'app' | 'manifest'> {
  /** Calls `end` when the plugin is unloaded. */
  register(end: () => void): void;
  /** Obsidian does not unload plugins when it quits, but waits for this. */
  onQuit(finish: () => Promise<void>): void;
}

/**
 * Runs `make` with a host of its own. If it throws, all that it registered ends, so that it can be
 * tried again.
 *
 * @throws what `make` throws
 */
export function inLifetime<Made>(plugin: Plugin, make: (host: PluginHost) => Made): Made {
  const { app, manifest } = plugin;
  const ends: (() => void)[] = [];
  const finishes: (() => Promise<void>)[] = [];
  const endAll = () => {
    finishes.length = 0;
    for (const end of ends.splice(0).reverse()) end();
  };
  plugin.register(endAll);
  plugin.registerEvent(
    app.workspace.on('quit', (tasks) => {
      for (const finish of finishes) tasks.addPromise(finish());
    }),
  );
  try {
    return make({
      ...{ app, manifest },
      register: (end) => void ends.push(end),
      onQuit: (finish) => void finishes.push(finish),
    });
  } catch (error) {
    endAll();
    throw error;
  }
}
