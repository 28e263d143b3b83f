/** `app.setting`: the settings dialog with a tab for each plugin. */
import { Modal, type PluginSettingTab } from 'obsidian-test-mocks/obsidian';
import type { WorkbenchApp } from '#workbench/obsidian/app';
import { closeTab, openTab } from './tab';

export class SettingWindow extends Modal {
  activeTab: PluginSettingTab | null = null;
  readonly #app: WorkbenchApp;
  #nav: HTMLElement | null = null;
  #body: HTMLElement | null = null;

  constructor(app: WorkbenchApp) {
    super(app);
    this.#app = app;
  }

  get pluginTabs(): PluginSettingTab[] {
    return [...this.#app.registrations.settingTabs] as unknown as PluginSettingTab[];
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
    const [first] = this.pluginTabs;
    if (first) this.openTab(first);
    else this.#clearMessage();
  }

  override onClose(): void {
    if (this.activeTab) closeTab(this.activeTab);
    this.activeTab = null;
  }

  openTab(tab: PluginSettingTab): void {
    if (this.activeTab) closeTab(this.activeTab);
    this.activeTab = tab;
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
