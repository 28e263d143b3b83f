import type { Command, Editor, MarkdownView } from 'obsidian';
import { App, type Plugin, type TAbstractFile } from 'obsidian-test-mocks/obsidian';
import { type Disk, isPluginData } from '../disk/disk';
import { DiskAdapter } from './adapter';
import { installFakeHost } from './install';
import type { FolderMetadataCache } from './metadata/metadata-cache';
import { dataFile, notifyExternalChange } from './plugin';
import { Registrations } from './registrations';
import { savedTabs } from './saved-layout';
import type { FolderVault } from './vault';
import type { HostWorkspace } from './workspace';

export interface AppOptions {
  disk: Disk;
  /** Secrets by name, as the user would have entered them. */
  secrets?: Record<string, string>;
  /** Configuration folder, by default `.obsidian`. */
  configDir?: string;
}

/** The `App` object of the fake Obsidian, on top of a disk. */
export class WorkbenchApp extends App {
  readonly registrations = new Registrations();
  readonly commands = new Commands(this.registrations);
  readonly internalPlugins: CorePlugins;
  readonly plugins = new CommunityPlugins();
  readonly dragManager = new DragManager();
  readonly #storage: LocalStorage;
  readonly #adapter: DiskAdapter;
  readonly #disk: Disk;

  private constructor(adapter: DiskAdapter, options: AppOptions) {
    super(adapter, 'workbench');
    this.#adapter = adapter;
    this.#disk = options.disk;
    this.vault.configDir = options.configDir ?? '.obsidian';
    this.internalPlugins = new CorePlugins(options.disk, this.vault.configDir);
    this.#storage = new LocalStorage(options.disk, this.vault.configDir);
    this.#reachParts();
    for (const [id, secret] of Object.entries(options.secrets ?? {})) {
      this.secretStorage.setSecret(id, secret);
    }
  }

  static open(options: AppOptions): WorkbenchApp {
    installFakeHost();
    return new WorkbenchApp(new DiskAdapter(options.disk), options);
  }

  /**
   * Loads the vault after the plugins, which therefore see a `create` event for every note, then
   * opens the leaves of the last run, as in Obsidian. Notes are indexed from then on.
   */
  async loadVault(): Promise<void> {
    const { vault, metadataCache, workspace } = this;
    await (vault as FolderVault).load();
    const layout = this.#disk.readTextNow(`${vault.configDir}/workspace.json`);
    await (workspace as HostWorkspace).restore(savedTabs(layout));
    workspace.setLayoutReady__();
    workspace.trigger('layout-ready');
    (metadataCache as FolderMetadataCache).start();
  }

  notice(path: string): void {
    if (isPluginData(path)) void this.#announceSettings(path);
    else this.#adapter.notice(path);
  }

  async #announceSettings(path: string): Promise<void> {
    for (const plugin of Object.values(this.plugins.plugins)) {
      if (dataFile(plugin) === path) await notifyExternalChange(plugin);
    }
  }

  /** Resolves when all pending changes are on disk. */
  async close(): Promise<void> {
    (this.metadataCache as FolderMetadataCache).stop();
    await this.#adapter.idle();
    await (this.vault as FolderVault).settings.flush();
  }

  override loadLocalStorage(key: string): unknown {
    return this.#storage.load(key);
  }

  override saveLocalStorage(key: string, data: unknown): void {
    this.#storage.save(key, data);
  }

  /** The mocks created these objects with another app. */
  #reachParts(): void {
    for (const part of [this.fileManager, this.workspace]) {
      (part as unknown as { app: App }).app = this;
    }
    this.metadataCache.app__ = this;
  }
}

/** `app.commands`, which is undocumented but used by plugins. */
export class Commands {
  /** The view for editor commands; null without a screen. */
  activeView: () => MarkdownView | null = () => null;
  readonly #registrations: Registrations;

  constructor(registrations: Registrations) {
    this.#registrations = registrations;
  }

  get commands(): Record<string, Command> {
    return Object.fromEntries(this.#registrations.commands);
  }

  listCommands(): Command[] {
    return [...this.#registrations.commands.values()].filter((command) => this.#run(command, true));
  }

  findCommand(id: string): Command | undefined {
    return this.#registrations.commands.get(id);
  }

  /** Returns false if the command does not exist or is not available. */
  executeCommandById(id: string): boolean {
    const command = this.findCommand(id);
    if (!command || !this.#run(command, true)) return false;
    this.#run(command, false);
    return true;
  }

  /** @param checking only check whether the command is available */
  #run(command: Command, checking: boolean): boolean {
    const { editorCheckCallback, editorCallback, checkCallback, callback } = command;
    if (editorCheckCallback || editorCallback) {
      const view = this.activeView();
      if (!view) return false;
      const editor: Editor = view.editor;
      if (editorCheckCallback) return editorCheckCallback(checking, editor, view) === true;
      if (!checking) void editorCallback?.(editor, view);
      return true;
    }
    if (checkCallback) return checkCallback(checking) === true;
    if (!checking) void callback?.();
    return true;
  }
}

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

const FILE = 'workbench-local-storage.json';

/**
 * The app's local storage as a file in the configuration folder, so that a vault keeps its values
 * whether it is opened in the browser or headless. The file is replaced as a whole, so that a crash
 * does not corrupt it.
 */
export class LocalStorage {
  readonly #disk: Disk;
  readonly #folder: string;
  #values: Record<string, string> | null = null;

  constructor(disk: Disk, folder: string) {
    this.#disk = disk;
    this.#folder = folder;
  }

  load(key: string): unknown {
    const value = this.#all()[key];
    return value === undefined ? null : (JSON.parse(value) as unknown);
  }

  save(key: string, data: unknown): void {
    if (data === null || data === undefined) delete this.#all()[key];
    else this.#all()[key] = JSON.stringify(data);
    this.#disk.replaceNow(`${this.#folder}/${FILE}`, JSON.stringify(this.#all(), null, 2));
  }

  #all(): Record<string, string> {
    if (!this.#values) {
      const text = this.#disk.readTextNow(`${this.#folder}/${FILE}`);
      this.#values = text ? (JSON.parse(text) as Record<string, string>) : {};
    }
    return this.#values;
  }
}
