/** Status bar item with the state of the SmartHole connection. */
import * as t from '#model/messages/command-messages';
import type { Plugin } from 'obsidian';
import type { Agent } from '#ports/app/agent';
import { type SmartHoleStatus, smartHoleStatusText } from '#model/smarthole-status';

/** @param clicked called when the user clicks the item */
export function addStatusBarItem(
  plugin: Plugin,
  agent: Pick<Agent, 'voice' | 'state'>,
  clicked: () => void,
): void {
  const item = plugin.addStatusBarItem();
  item.addClass('mod-clickable', 'parley-status');
  plugin.registerDomEvent(item, 'click', clicked);
  const show = (state: SmartHoleStatus): void => {
    const { label, detail } = smartHoleStatusText(state);
    item.toggle(state.kind !== 'off');
    item.setText(t.smartHoleStatus(label));
    item.setAttribute('aria-label', detail);
    item.setAttribute('data-tooltip-position', 'top');
    item.dataset['state'] = state.kind;
  };
  plugin.register(agent.voice.onStatus(show));
  void agent.state().then(({ connection }) => show(connection));
}
