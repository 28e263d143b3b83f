/** The leaves of the last run, which Obsidian saves in `workspace.json` and opens at the next start. */
import type { ViewState } from 'obsidian';

export type LayoutArea = 'left' | 'main' | 'right' | 'window';

/** Leaves that share tabs, in an area or in a window of their own. */
export interface SavedTabs {
  readonly area: LayoutArea;
  readonly leaves: readonly ViewState[];
  /** Index of the leaf whose tab is in front; -1 if the sidebar is collapsed. */
  readonly shown: number;
}

interface Item {
  readonly type?: unknown;
  readonly children?: unknown;
  readonly currentTab?: unknown;
  readonly collapsed?: unknown;
  readonly state?: unknown;
}

/** Reads the text of `workspace.json`; empty if there is none or it is damaged. */
export function savedTabs(text: string | null): SavedTabs[] {
  let layout: Record<string, unknown>;
  try {
    layout = (JSON.parse(text ?? '{}') ?? {}) as Record<string, unknown>;
  } catch {
    return [];
  }
  const areas = { left: 'left', main: 'main', right: 'right', floating: 'window' } as const;
  return Object.entries(areas).flatMap(([key, area]) => {
    const item = layout[key];
    return isItem(item) ? tabsIn(item, area, item.collapsed === true) : [];
  });
}

function tabsIn(item: Item, area: LayoutArea, isCollapsed: boolean): SavedTabs[] {
  const children = Array.isArray(item.children) ? item.children.filter(isItem) : [];
  if (item.type !== 'tabs') return children.flatMap((each) => tabsIn(each, area, isCollapsed));
  const leaves = children.flatMap(({ state }) => (isItem(state) ? [state as ViewState] : []));
  const current = typeof item.currentTab === 'number' ? item.currentTab : 0;
  return [{ area, leaves, shown: isCollapsed ? -1 : current }];
}

function isItem(value: unknown): value is Item {
  return typeof value === 'object' && value !== null;
}
