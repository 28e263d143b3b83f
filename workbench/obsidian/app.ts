import { App } from 'obsidian-test-mocks/obsidian';
import { isPluginData, type Disk } from '#workbench/disk/disk';
import { DiskAdapter } from './adapter';
import { Commands } from './commands';
import { installFakeHost } from './install';
import { CommunityPlugins, CorePlugins, DragManager } from './internals';
import { LocalStorage } from './local-storage';
import type { FolderMetadataCache } from './metadata/metadata-cache';
import { dataFile, notifyExternalChange } from './plugin';
import { Registrations } from './registrations';
import type { FolderVault } from './vault';

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

  private constructor(adapter: DiskAdapter, options: AppOptions) {
    super(adapter, 'workbench');
    this.#adapter = adapter;
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
   * Loads the vault after the plugins, which therefore see a `create` event for every note, as in
   * Obsidian.
   */
  async loadVault(): Promise<void> {
    const { vault, metadataCache, workspace } = this;
    await (vault as FolderVault).load();
    (metadataCache as FolderMetadataCache).start();
    workspace.setLayoutReady__();
    workspace.trigger('layout-ready');
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
    await this.#storage.flush();
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
