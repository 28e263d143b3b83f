/** Registrations that end with the plugin, or as soon as what they belong to fails. */
import { Component, type Plugin } from 'obsidian';

/** The plugin as the app sees it. */
export type PluginHost = Pick<Plugin, 'app' | 'manifest' | 'register' | 'registerEvent'>;

/**
 * Runs `make` with a host of its own. If it throws, all that it registered is undone, so that it can
 * be tried again.
 *
 * @throws what `make` throws
 */
export function inLifetime<Made>(plugin: Plugin, make: (host: PluginHost) => Made): Made {
  const lifetime = plugin.addChild(new Component());
  try {
    return make({
      ...{ app: plugin.app, manifest: plugin.manifest },
      register: (end) => lifetime.register(end),
      registerEvent: (ref) => lifetime.registerEvent(ref),
    });
  } catch (error) {
    plugin.removeChild(lifetime);
    throw error;
  }
}
