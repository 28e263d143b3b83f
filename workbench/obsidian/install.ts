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
 * Puts the host's parts where the mocks make theirs, once per process: classes that only the app makes
 * are extended, classes that plugins extend are changed in place. Either way `instanceof` holds.
 */
export function installStandIn(): void {
  if (isInstalled) return;
  isInstalled = true;
  setup();
  // The mocks' own app, which `setup` leaves behind, would answer for ours.
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
  // A page has no process, and is told by its server where it runs.
  if (typeof process !== 'undefined') setPlatform(process.platform);
}

export function setPlatform(name: string): void {
  Object.assign(Platform, {
    isWin: name === 'win32',
    isMacOS: name === 'darwin',
    isLinux: name === 'linux',
  });
}
