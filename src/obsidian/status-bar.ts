/** Status bar items: the chats at work, and the state of the SmartHole connection. */
import { smartHoleStatusText } from '#messages/smarthole-status-text';
import * as t from '#messages/command-messages';
import { stateCounts } from '#messages/queue-messages';
import { openWork } from '#model/conversation-summary';
import type { Event } from '#model/event';
import type { Plugin } from 'obsidian';
import type { Agent } from '#ports/app/agent';
import { isReachable, SMARTHOLE_SEEN, type SmartHoleStatus } from '#model/smarthole-status';
import type { Ui } from '#ports/ui';
import type { RunInChat } from './panel';

export function addStatusBarItems(
  plugin: Plugin,
  agent: Pick<Agent, 'queue' | 'state' | 'subscribe' | 'voice'>,
  ui: Pick<Ui, 'hasSeen' | 'openSettings'>,
  inChat: RunInChat,
): void {
  addWorkItem(plugin, agent, () => void inChat({ do: 'show-inbox' }));
  addSmartHoleItem(plugin, agent, ui);
}

/** Events that change which chats are at work. A turn that was open at load goes on with a step. */
const WORK_EVENTS = new Set<Event['type']>([
  'turn-start',
  'turn-end',
  'turn-pause',
  'turn-resume',
  'step-start',
  'interaction-start',
  'interaction-end',
]);

/** Hidden while no chat is at work; a click shows the list of chats. */
function addWorkItem(
  plugin: Plugin,
  agent: Pick<Agent, 'queue' | 'state' | 'subscribe'>,
  showChats: () => void,
): void {
  const item = plugin.addStatusBarItem();
  item.addClass('mod-clickable', 'parley-work');
  plugin.registerDomEvent(item, 'click', showChats);
  let lookups = 0;
  const update = async (): Promise<void> => {
    const lookup = (lookups += 1);
    const { conversations } = await agent.state();
    // A later lookup has a newer state.
    if (lookup !== lookups) return;
    const words = stateCounts(conversations.flatMap((chat) => openWork(chat) ?? []));
    item.toggle(words !== '');
    item.setText(t.atWork(words));
  };
  plugin.register(
    agent.subscribe(({ type }) => {
      if (WORK_EVENTS.has(type)) void update();
    }),
  );
  plugin.register(agent.queue.onChange(() => void update()));
  void update();
}

/** Hidden until SmartHole was running once; a click opens the settings. */
function addSmartHoleItem(
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
