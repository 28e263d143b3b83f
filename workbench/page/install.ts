import { SecretStorage, Workspace, WorkspaceLeaf } from 'obsidian-test-mocks/obsidian';
import { DiskAdapter } from '#workbench/obsidian/adapter';
import { post } from '#workbench/disk/server-calls';
import { setIconSource } from '#workbench/obsidian/icons';
import { installFakeHost, setPlatform } from '#workbench/obsidian/install';
import { setTransport } from '#workbench/obsidian/request-url';
import { fixDom } from './dom-fixes';
import { patchMarkdownView } from './editor/markdown-view';
import { patchRenderer } from './editor/render';
import { drawIcon } from './icons';
import { patchKeymap } from './keymap';
import { patchComponents } from './settings/components';
import { patchRows } from './settings/rows';
import { addressOf } from './views/file-view';
import { PageSecrets, patchSecrets } from './settings/secret';
import { patchSettingTabs } from './settings/tab';
import { patchMenus } from './ui/menu';
import { patchModal } from './ui/modal';
import { patchNoticeLooks } from './ui/notice';
import { patchSuggestModals } from './ui/suggest';
import { patchViews } from './workspace/item-view';
import { ShellLeaf } from './workspace/shell-leaf';
import { ShellWorkspace } from './workspace/shell-workspace';

/** Gives the fake host a user interface. Must run before any of the app's objects are created. */
export function installShell(platform: string): void {
  installFakeHost();
  setPlatform(platform);
  fixDom();
  setIconSource(drawIcon);
  setTransport(async ({ url, method, headers, body }) => {
    const response = await post('request', [{ url, method, headers }], body ?? '');
    const about = JSON.parse(decodeURIComponent(response.headers.get('x-about') ?? '{}')) as {
      status: number;
      headers: Record<string, string>;
    };
    return { ...about, arrayBuffer: await response.arrayBuffer() };
  });
  // The browser loads files of the vault from the page's server.
  DiskAdapter.prototype.getResourcePath = addressOf;
  patchKeymap();
  patchModal();
  patchSuggestModals();
  patchNoticeLooks();
  patchMenus();
  patchComponents();
  patchRows();
  patchSecrets();
  patchSettingTabs();
  patchViews();
  patchMarkdownView();
  patchRenderer();
  SecretStorage.create2__ = (app) => new PageSecrets(app);
  Workspace.create2__ = (app, containerEl) => new ShellWorkspace(app, containerEl);
  WorkspaceLeaf.create2__ = (app, id) => new ShellLeaf(app, id);
}
