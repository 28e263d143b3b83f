/** Opens the page of a setting in the settings dialog, and shows its row. */
import * as t from '#messages/settings-messages';
import type { SettingDefinitionItem } from 'obsidian';
import type { SettingsPage, SettingsTarget } from '#ports/ui';
import type { SettingName } from './setting-rows';

/** Titles from the first page on, and the name of the row; null for a whole page. */
export interface SettingPlace {
  readonly pages: readonly string[];
  readonly row: string | null;
}

export const PAGE_NAMES: Record<SettingsPage, string> = {
  connection: t.connectionPage,
  chat: t.chatPage,
  permissions: t.permissionsPage,
  voice: t.voicePage,
  search: t.searchPage,
  mcp: t.mcpPage,
  limits: t.limitsPage,
  advanced: t.advancedPage,
};

/** Rows and headings of settings whose definition does not name them. */
export const ROW_NAMES: { readonly [Key in SettingName]?: string } = {
  apiKeyName: t.apiKey,
  contextPresets: t.contextPresets,
  disabledAgents: t.toolGroups,
  embeddingKeyName: t.embeddingKey,
  excludedFolders: t.excludedFolders,
  logLevels: t.log,
  mcpServers: t.mcpServers,
  searchKeyName: t.webSearchKey,
  tools: t.toolGroups,
};

/** The window of the settings may take seconds to open. */
const MAX_WAIT_MS = 5_000;
const POLL_MS = 20;

/** Null if the target is not shown at present, such as the key of a provider that is not chosen. */
export function settingPlace(
  items: readonly SettingDefinitionItem[],
  target: SettingsTarget,
): SettingPlace | null {
  if (Object.hasOwn(PAGE_NAMES, target)) {
    return { pages: [PAGE_NAMES[target as SettingsPage]], row: null };
  }
  return search(items, target as SettingName, []);
}

function search(
  items: readonly SettingDefinitionItem[],
  key: SettingName,
  pages: readonly string[],
): SettingPlace | null {
  for (const item of items) {
    const within = 'type' in item && item.type === 'page' ? [...pages, item.name] : pages;
    const name = 'type' in item && item.type !== 'page' ? item.heading : item.name;
    const isOwn =
      'type' in item ? item.type !== 'page' && name === ROW_NAMES[key] : isRowOf(item, key);
    if (isOwn && name !== undefined) return { pages, row: name };
    const found = 'type' in item ? search(item.items ?? [], key, within) : null;
    if (found) return found;
  }
  return null;
}

function isRowOf(
  { name, control }: Extract<SettingDefinitionItem, { control?: unknown }>,
  key: SettingName,
): boolean {
  return control ? control.key === key : name === ROW_NAMES[key];
}

/**
 * Opens the pages one after the other, as a click on each would, since Obsidian has no function for
 * it. Stops where a page or row does not appear, or when aborted.
 *
 * @param tab element of the settings tab
 */
export async function showPlace(
  tab: HTMLElement,
  { pages, row }: SettingPlace,
  signal: AbortSignal,
): Promise<void> {
  for (const page of pages) {
    const link = await appeared(tab, page, signal);
    if (!link) return;
    link.click();
  }
  if (row !== null && (await appeared(tab, row, signal))) highlight(tab, row);
}

const CONTROLS = 'input, select, textarea, button';

/** @returns moves the focus back to the control that has it, if rows were drawn again meanwhile */
export function rememberFocus(tab: HTMLElement): () => void {
  const { activeElement } = tab.ownerDocument;
  const row = tab.contains(activeElement) ? activeElement?.closest('.setting-item') : null;
  const name = row?.querySelector('.setting-item-name')?.textContent?.trim();
  if (!row || name === undefined) return () => undefined;
  const at = [...row.querySelectorAll(CONTROLS)].findIndex((each) => each === activeElement);
  return () => {
    if (activeElement?.isConnected) return;
    const controls = find(tab, name)?.querySelectorAll<HTMLElement>(CONTROLS);
    controls?.[at]?.focus({ preventScroll: true });
  };
}

/** Scrolls to the row and focuses it, if it is visible. */
export function highlight(tab: HTMLElement, name: string): void {
  const row = find(tab, name);
  if (!row) return;
  row.scrollIntoView({ block: 'center' });
  row.addClass('parley-setting-target');
  const control = row.querySelector<HTMLElement>(CONTROLS);
  if (!control) row.tabIndex = -1;
  (control ?? row).focus({ preventScroll: true });
}

async function appeared(
  tab: HTMLElement,
  name: string,
  signal: AbortSignal,
): Promise<HTMLElement | null> {
  for (let waited = 0; waited < MAX_WAIT_MS && !signal.aborted; waited += POLL_MS) {
    const row = find(tab, name);
    if (row) return row;
    // A window in the background has no frames.
    await new Promise((resolve) => window.setTimeout(resolve, POLL_MS));
  }
  return null;
}

/** The visible row with this name. The dialog may draw a page outside of the tab's element. */
function find(tab: HTMLElement, name: string): HTMLElement | null {
  const names = (tab.closest('.modal') ?? tab).querySelectorAll('.setting-item-name');
  for (const each of names) {
    const row = each.closest<HTMLElement>('.setting-item');
    if (each.textContent?.trim() === name && row?.isShown()) return row;
  }
  return null;
}
