import type { Plugin, TAbstractFile } from 'obsidian-test-mocks/obsidian';
import type { Disk } from '#workbench/disk/disk';

/** A core plugin of Obsidian. Only its settings exist here. */
export interface CorePlugin {
  enabled: boolean;
  instance: { options: Record<string, unknown> };
}

/**
 * `app.internalPlugins`, which is undocumented. Plugins read settings from it, such as the folder
 * of templates; they are files in the configuration folder.
 */
export class CorePlugins {
  readonly #disk: Disk;
  readonly #folder: string;

  constructor(disk: Disk, folder: string) {
    this.#disk = disk;
    this.#folder = folder;
  }

  getPluginById(id: string): CorePlugin | null {
    const enabled = this.#read('core-plugins');
    const isOn = Array.isArray(enabled)
      ? enabled.includes(id)
      : (enabled as Record<string, unknown> | null)?.[id] === true;
    const options = this.#read(id);
    if (!isOn && options === null) return null;
    return { enabled: isOn, instance: { options: (options ?? {}) as Record<string, unknown> } };
  }

  getEnabledPluginById(id: string): CorePlugin['instance'] | null {
    const plugin = this.getPluginById(id);
    return plugin?.enabled ? plugin.instance : null;
  }

  #read(name: string): unknown {
    try {
      return JSON.parse(this.#disk.readTextNow(`${this.#folder}/${name}.json`) ?? 'null');
    } catch {
      return null;
    }
  }
}

/** `app.plugins`: the loaded community plugins. */
export class CommunityPlugins {
  readonly plugins: Record<string, Plugin> = {};

  get enabledPlugins(): Set<string> {
    return new Set(Object.keys(this.plugins));
  }

  getPlugin(id: string): Plugin | null {
    return this.plugins[id] ?? null;
  }
}

/** `app.dragManager`: what is being dragged within the app. */
export class DragManager {
  draggable: { readonly type: string; readonly file: TAbstractFile } | null = null;
}
