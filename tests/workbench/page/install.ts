import { SecretStorage, Workspace, WorkspaceLeaf } from 'obsidian-test-mocks/obsidian';
import { post } from '../disk/server-calls';
import { DiskAdapter } from '../obsidian/adapter';
import { setIconSource } from '../obsidian/icons';
import { installFakeHost, setPlatform } from '../obsidian/install';
import { setTransport } from '../obsidian/request-url';
import { patchMarkdownView } from './editor/markdown-view';
import { patchRenderer } from './editor/render';
import { drawIcon } from './icons';
import { patchKeymap } from './keymap';
import { patchMenus, patchModal, patchNoticeLooks, patchSuggestModals } from './popups';
import { patchComponents, patchRows } from './settings/components';
import { PageSecrets, patchSecrets } from './settings/secret';
import { patchSettingTabs } from './settings/settings-window';
import { addressOf } from './views/file-view';
import { patchWorkers } from './window-workers';
import { patchViews } from './workspace/item-view';
import { ShellLeaf } from './workspace/shell-leaf';
import { ShellWorkspace } from './workspace/shell-workspace';
import { followUse, onWindowMigrated } from './workspace/windows';

/** Gives the fake host a user interface. Must run before any of the app's objects are created. */
export function installShell(platform: string): void {
  installFakeHost();
  setPlatform(platform);
  fixDom();
  followUse(window);
  refuseUnfocusedCopies();
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
  patchWorkers();
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

/** Browsers refuse to copy in a window without focus; tests run with all windows focused. */
function refuseUnfocusedCopies(): void {
  const { clipboard } = navigator;
  // The clipboard of a page without a secure context.
  if (!clipboard) return;
  const write = clipboard.writeText.bind(clipboard);
  clipboard.writeText = async (text) => {
    if (activeWindow !== window) throw new DOMException('Not focused.', 'NotAllowedError');
    await write(text);
  };
}

type Listener = (this: HTMLElement, event: Event, target: HTMLElement) => unknown;

const delegated = new WeakMap<Listener, WeakMap<HTMLElement, (event: Event) => void>>();

/** Corrects the mocks' DOM extensions where they differ from Obsidian's. */
function fixDom(): void {
  Object.assign(HTMLElement.prototype, {
    onWindowMigrated,
    find(this: HTMLElement, selector: string) {
      return this.querySelector(selector);
    },
    on(this: HTMLElement, type: string, selector: string, listener: Listener, options?: boolean) {
      const call = (event: Event): void => {
        const hit = event.target instanceof Element && event.target.closest(selector);
        if (hit instanceof HTMLElement && this.contains(hit)) listener.call(this, event, hit);
      };
      const known = delegated.get(listener) ?? new WeakMap<HTMLElement, typeof call>();
      delegated.set(listener, known.set(this, call));
      this.addEventListener(type, call, options);
    },
    off(this: HTMLElement, type: string, _selector: string, listener: Listener, options?: boolean) {
      const call = delegated.get(listener)?.get(this);
      if (call) this.removeEventListener(type, call, options);
    },
  });
  hideFromLoops();
}

/**
 * Makes the extensions of built-in objects non-enumerable, so that `for … in` loops do not see
 * them.
 */
function hideFromLoops(): void {
  for (const extended of [Array.prototype, String.prototype, Object, Array, String, Number, Math]) {
    for (const key of Object.keys(extended)) {
      Object.defineProperty(extended, key, { enumerable: false });
    }
  }
}
