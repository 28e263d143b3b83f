/** Status bar item with the state of the SmartHole connection. */
import { smartHoleStatusText } from '#messages/smarthole-status-text';
import * as t from '#messages/command-messages';
import type { Plugin } from 'obsidian';
import type { Agent } from '#ports/app/agent';
import { isReachable, SMARTHOLE_SEEN, type SmartHoleStatus } from '#model/smarthole-status';
import type { Ui } from '#ports/ui';

/** Hidden until SmartHole was running once; a click opens the settings. */
export function addStatusBarItem(
  plugin: Plugin,
  agent: Pick<Agent, 'voice' | 'state'>,
  ui: Pick<Ui, 'hasSeen' | 'openSettings'>,
): void {
  const item = plugin.addStatusBarItem();
  item.addClass('mod-clickable', 'parley-status');
  plugin.registerDomEvent(item, 'click', () => ui.openSettings('voice'));
  const show = (state: SmartHoleStatus): void => {
    const { label, detail } = smartHoleStatusText(state);
    item.toggle(state.kind !== 'off' && (isReachable(state) || ui.hasSeen(SMARTHOLE_SEEN)));
    item.setText(t.smartHoleStatus(label));
    item.setAttribute('aria-label', detail);
    item.setAttribute('data-tooltip-position', 'top');
    item.dataset['state'] = state.kind;
  };
  plugin.register(agent.voice.onStatus(show));
  void agent.state().then(({ connection }) => show(connection));
}
