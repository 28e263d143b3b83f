/** SmartHole in the status bar: whether what is spoken arrives. */
import type { Plugin } from 'obsidian';
import { type SmartHoleStatus, smartHoleStatusText } from '#model/smarthole-status';

/** @param clicked the user wants to see or mend it */
export function addStatusBarItem(
  plugin: Plugin,
  clicked: () => void,
): (state: SmartHoleStatus) => void {
  const item = plugin.addStatusBarItem();
  item.addClass('mod-clickable', 'parley-status');
  plugin.registerDomEvent(item, 'click', clicked);
  return (state) => {
    const { label, detail } = smartHoleStatusText(state);
    item.toggle(state.kind !== 'off');
    item.setText(`SmartHole: ${label}`);
    item.setAttribute('aria-label', detail);
    item.setAttribute('data-tooltip-position', 'top');
    item.dataset['state'] = state.kind;
  };
}
