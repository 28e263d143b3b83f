/** `app.setting`: the settings dialog with a tab for each plugin. */
import type { SettingDefinitionPage, SettingPage } from 'obsidian';
import { Modal, PluginSettingTab, SettingTab } from 'obsidian-test-mocks/obsidian';
import type { WorkbenchApp } from '../../obsidian/app';
import { setIcon } from '../../obsidian/icons';
import { inner, patch } from '../patch';
import type { FolderVault } from '../../obsidian/vault';
import { listenIn } from '../keymap';
import { activate, openWindow } from '../workspace/windows';
import { drawDefinitions, type Drawing } from './definitions';

const OWN_WINDOW = 'settingsPopoutWindow';
/** A new window takes a moment. */
const OPENING_MS = 50;

export class SettingWindow extends Modal {
  activeTab: PluginSettingTab | null = null;
  readonly #app: WorkbenchApp;
  #nav: HTMLElement | null = null;
  #body: HTMLElement | null = null;
  /** The settings' own window, while they are open there. */
  #own: Window | null = null;

  constructor(app: WorkbenchApp) {
    super(app);
    this.#app = app;
  }

  get pluginTabs(): PluginSettingTab[] {
    return [...this.#app.registrations.settingTabs] as unknown as PluginSettingTab[];
  }

  /** In a window of their own, the settings appear only once that is open. */
  override open(): void {
    if (this.#own || (this.#app.vault as FolderVault).getConfig(OWN_WINDOW) === false) {
      super.open();
      return;
    }
    const own = openWindow(() => {
      this.#own = null;
      this.close();
    });
    this.#own = own;
    listenIn(own, this.#app);
    window.setTimeout(() => {
      if (this.#own !== own) return;
      activate(own);
      super.open();
    }, OPENING_MS);
  }

  override close(): void {
    super.close();
    this.#own?.close();
    this.#own = null;
  }

  override onOpen(): void {
    const { modalEl, contentEl } = this;
    modalEl.addClass('mod-settings');
    modalEl.setAttribute('aria-label', 'Settings');
    contentEl.empty();
    contentEl.className = 'vertical-tabs-container';
    this.#nav = contentEl.createDiv('vertical-tab-header');
    this.#body = contentEl.createDiv('vertical-tab-content-container');
    this.#nav.createDiv({ cls: 'vertical-tab-header-group-title', text: 'Community plugins' });
    for (const tab of this.pluginTabs) {
      const item = this.#nav.createEl('button', {
        cls: 'vertical-tab-nav-item',
        text: nameOf(tab),
      });
      item.addEventListener('click', () => this.openTab(tab));
    }
    const first = this.activeTab ?? this.pluginTabs[0];
    this.activeTab = null;
    if (first) this.openTab(first);
    else this.#clearMessage();
  }

  override onClose(): void {
    if (this.activeTab) closeTab(this.activeTab);
    this.activeTab = null;
    this.#body = null;
  }

  openTab(tab: PluginSettingTab): void {
    if (this.activeTab && this.#body) closeTab(this.activeTab);
    this.activeTab = tab;
    if (!this.#body) return;
    const items = this.#nav?.querySelectorAll('.vertical-tab-nav-item') ?? [];
    for (const [index, item] of [...items].entries()) {
      item.classList.toggle('is-active', this.pluginTabs[index] === tab);
    }
    this.#body?.replaceChildren(tab.containerEl);
    openTab(tab);
  }

  openTabById(id: string): PluginSettingTab | null {
    const tab = this.pluginTabs.find(({ plugin__ }) => plugin__.manifest.id === id) ?? null;
    if (tab) this.openTab(tab);
    return tab;
  }

  #clearMessage(): void {
    this.#body?.createDiv({
      cls: 'vertical-tab-content setting-list-empty',
      text: 'The plugin has no settings of its own yet.',
    });
  }
}

function nameOf({ plugin__ }: PluginSettingTab): string {
  return plugin__.manifest.name;
}

interface Shown {
  drawing: Drawing | null;
  /** Open pages, outermost first. */
  path: SettingDefinitionPage[];
  page: SettingPage | null;
  isOpen: boolean;
}

const shownBy = new WeakMap<SettingTab, Shown>();

function shown(tab: SettingTab): Shown {
  const known = shownBy.get(tab) ?? { drawing: null, path: [], page: null, isOpen: false };
  shownBy.set(tab, known);
  return known;
}

/** A plugin's settings tab, rendered from its definitions or else by `display`. */
export function patchSettingTabs(): void {
  const tab: Partial<SettingTab> & ThisType<SettingTab> = {
    update() {
      this.settingItems = this.getSettingDefinitions();
      if (shown(this).isOpen) draw(this, this.containerEl.parentElement?.scrollTop);
    },
    refreshDomState() {
      shown(this).drawing?.refresh();
    },
    hide() {
      leave(this);
      this.containerEl.empty();
    },
  };
  patch(SettingTab, tab);
  Object.assign(PluginSettingTab.prototype, {
    getControlValue(this: PluginSettingTab, key: string): unknown {
      return storeOf(this)[key];
    },
    setControlValue(this: PluginSettingTab, key: string, value: unknown): Promise<void> {
      const settings = storeOf(this);
      settings[key] = value;
      return this.plugin__.saveData(settings);
    },
  });
}

/** Opens the tab in its element, at its first page. */
function openTab(tab: SettingTab): void {
  Object.assign(shown(tab), { path: [], isOpen: true });
  tab.containerEl.className = 'vertical-tab-content';
  if (tab.getSettingDefinitions().length > 0) tab.update();
  else tab.display();
}

function closeTab(tab: SettingTab): void {
  shown(tab).isOpen = false;
  tab.hide();
  leave(tab);
}

/** @param scrollTop where the page was scrolled to, if it was drawn before */
function draw(tab: SettingTab, scrollTop = 0): void {
  const { containerEl } = tab;
  leave(tab);
  containerEl.empty();
  const state = shown(tab);
  const items = state.path.length === 0 ? tab.settingItems : drawPageHead(tab, state);
  if (items) {
    const pages = {
      open(page: SettingDefinitionPage) {
        state.path.push(page);
        draw(tab);
      },
    };
    state.drawing = drawDefinitions(tab, items, containerEl, pages);
  }
  if (containerEl.parentElement) containerEl.parentElement.scrollTop = scrollTop;
}

/**
 * Renders the page's header and returns its current items; null if the page renders itself. A page
 * is known by its name, so one that is renamed leads back to the page before it.
 */
function drawPageHead(tab: SettingTab, state: Shown): SettingDefinitionPage['items'] | null {
  let items = tab.settingItems;
  let page: SettingDefinitionPage | undefined;
  for (const [depth, { name }] of state.path.entries()) {
    const found = pagesIn(items).find((each) => each.name === name);
    if (!found) {
      state.path.splice(depth);
      break;
    }
    page = found;
    items = found.items ?? [];
  }
  if (!page) return items;
  const head = tab.containerEl.createDiv('setting-page-head');
  const back = head.createEl('button', { cls: 'clickable-icon', attr: { 'aria-label': 'Back' } });
  setIcon(back, 'arrow-left');
  back.addEventListener('click', () => {
    state.path.pop();
    draw(tab);
  });
  head.createSpan({ cls: 'setting-page-title', text: page.name });
  const own = page.page?.();
  if (!own) return items;
  state.page = own;
  tab.containerEl.append(own.rootEl);
  own.display();
  return null;
}

function pagesIn(items: SettingTab['settingItems']): SettingDefinitionPage[] {
  return items.flatMap((item): SettingDefinitionPage[] => {
    if (!('type' in item)) return [];
    return item.type === 'page' ? [item] : pagesIn(item.items ?? []);
  });
}

function leave(tab: SettingTab): void {
  const state = shown(tab);
  state.drawing?.clear();
  state.drawing = null;
  state.page?.hide();
  state.page = null;
}

function storeOf(tab: PluginSettingTab): Record<string, unknown> {
  const owner = inner<{ settings?: Record<string, unknown> }>(tab.plugin__);
  return (owner.settings ??= {});
}
