import { setup } from 'obsidian-test-mocks/setup';
import {
  FileManager,
  MetadataCache,
  Platform,
  SecretStorage,
  Vault,
  Workspace,
  WorkspaceLeaf,
} from 'obsidian-test-mocks/obsidian';
import type { DiskAdapter } from './adapter';
import { patchEvents } from './events';
import { FolderFileManager } from './file-manager';
import { HostLeaf } from './leaf';
import { FolderMetadataCache } from './metadata/metadata-cache';
import { patchNotice } from './notice';
import { patchPlugin } from './plugin';
import { HostSecrets } from './secrets';
import { FolderVault } from './vault';
import { HostWorkspace } from './workspace';

let isInstalled = false;

/**
 * Installs the fake host over the mocks, once per process. Classes that only the app creates are
 * extended, and classes that plugins extend are patched in place, so that `instanceof` works for
 * both.
 */
export function installFakeHost(): void {
  if (isInstalled) return;
  isInstalled = true;
  setup();
  // `setup` leaves the mocks' own app in a global, which would hide ours.
  delete (globalThis as { app?: unknown }).app;

  patchEvents();
  patchNotice();
  patchPlugin();
  Vault.create2__ = (adapter) => new FolderVault(adapter as unknown as DiskAdapter);
  FileManager.create__ = (app) =>
    new FolderFileManager(
      app,
      app.vault as FolderVault,
      () => app.metadataCache as FolderMetadataCache,
    );
  MetadataCache.create2__ = (app, vault) => new FolderMetadataCache(app, vault as FolderVault);
  SecretStorage.create2__ = (app) => new HostSecrets(app);
  Workspace.create2__ = (app, containerEl) => new HostWorkspace(app, containerEl);
  WorkspaceLeaf.create2__ = (app, id) => new HostLeaf(app, id);
  // A page has no process; its server says which platform it runs on.
  if (typeof process !== 'undefined') setPlatform(process.platform);
}

export function setPlatform(name: string): void {
  Object.assign(Platform, {
    isWin: name === 'win32',
    isMacOS: name === 'darwin',
    isLinux: name === 'linux',
  });
}
