/** A plugin's settings tab, rendered from its definitions or else by `display`. */
import type { SettingDefinitionPage, SettingPage } from 'obsidian';
import { PluginSettingTab, SettingTab } from 'obsidian-test-mocks/obsidian';
import { setIcon } from '#workbench/obsidian/icons';
import { inner, patch } from '../patch';
import { drawDefinitions, type Drawing } from './definitions';

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
export function openTab(tab: SettingTab): void {
  Object.assign(shown(tab), { path: [], isOpen: true });
  tab.containerEl.className = 'vertical-tab-content';
  if (tab.getSettingDefinitions().length > 0) tab.update();
  else tab.display();
}

export function closeTab(tab: SettingTab): void {
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

/** Renders the page's header and returns its current items; null if the page renders itself. */
function drawPageHead(tab: SettingTab, state: Shown): SettingDefinitionPage['items'] | null {
  let items = tab.settingItems;
  let page = state.path.at(-1);
  for (const step of state.path) {
    page = pagesIn(items).find(({ name }) => name === step.name) ?? step;
    items = page.items ?? [];
  }
  const head = tab.containerEl.createDiv('setting-page-head');
  const back = head.createEl('button', { cls: 'clickable-icon', attr: { 'aria-label': 'Back' } });
  setIcon(back, 'arrow-left');
  back.addEventListener('click', () => {
    state.path.pop();
    draw(tab);
  });
  head.createSpan({ cls: 'setting-page-title', text: page?.name ?? '' });
  const own = page?.page?.();
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
