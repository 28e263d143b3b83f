/**
 * What is seen while the panel is closed: the chats at work in the status bar and on the ribbon, and
 * the state of the SmartHole connection.
 */
import { smartHoleStatusText } from '#messages/smarthole-status-text';
import * as t from '#messages/command-messages';
import { stateCounts } from '#messages/queue-messages';
import { openWork, type OpenTurn } from '#model/conversation-summary';
import type { Event, TurnEnd } from '#model/event';
import type { ConversationId } from '#model/ids';
import { isNews } from '#model/steering';
import type { Plugin } from 'obsidian';
import type { Agent } from '#ports/app/agent';
import { isReachable, SMARTHOLE_SEEN, type SmartHoleStatus } from '#model/smarthole-status';
import type { Ui } from '#ports/ui';
import type { ChatPanel } from './panel';

type ObservedAgent = Pick<Agent, 'queue' | 'state' | 'subscribe' | 'voice'>;
type Panel = Pick<ChatPanel, 'inChat' | 'isShown' | 'onShown' | 'ribbonIcon'>;

export function addStatusBarItems(
  plugin: Plugin,
  agent: ObservedAgent,
  ui: Pick<Ui, 'hasSeen' | 'openSettings'>,
  panel: Panel,
): void {
  const item = plugin.addStatusBarItem();
  item.addClass('mod-clickable', 'parley-work');
  const watch = new WorkWatch(plugin, agent, panel, (work) => {
    drawItem(item, work);
    drawBadge(panel.ribbonIcon, work);
  });
  plugin.registerDomEvent(item, 'click', () => watch.open());
  addSmartHoleItem(plugin, agent, ui);
}

type EndedWork = 'done' | 'unfinished';

/** The most urgent state, shown while the panel is closed. */
interface Work {
  readonly state: OpenTurn | EndedWork;
  /** The first chat in that state. */
  readonly conversation: ConversationId;
  /** For example "2 working, 1 needs you"; empty if only one chat is at work. */
  readonly counts: string;
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

const URGENCY = ['waiting', 'running', 'paused'] as const;

class WorkWatch {
  readonly #agent: ObservedAgent;
  readonly #panel: Panel;
  readonly #draw: (work: Work | null) => void;
  /** How a turn ended last while no panel was shown, and in which chat. */
  #ended: Pick<Work, 'state' | 'conversation'> | null = null;
  #work: Work | null = null;
  #lookups = 0;

  constructor(
    plugin: Plugin,
    agent: ObservedAgent,
    panel: Panel,
    draw: (work: Work | null) => void,
  ) {
    this.#agent = agent;
    this.#panel = panel;
    this.#draw = draw;
    plugin.register(
      agent.subscribe((event, conversation) => {
        if (event.type === 'turn-end' && !panel.isShown() && isNews(event, conversation)) {
          const state = endedAs(event.end);
          if (state !== null) this.#ended = { state, conversation: conversation.id };
        }
        if (WORK_EVENTS.has(event.type)) void this.#update();
      }),
    );
    plugin.register(agent.queue.onChange(() => void this.#update()));
    panel.onShown(() => {
      this.#ended = null;
      void this.#update();
    });
    void this.#update();
  }

  open(): void {
    const work = this.#work;
    if (!work) return;
    this.#ended = null;
    void this.#panel.inChat({ do: 'open', conversation: work.conversation });
    void this.#update();
  }

  async #update(): Promise<void> {
    const lookup = (this.#lookups += 1);
    const { conversations } = await this.#agent.state();
    // A later lookup has a newer state.
    if (lookup !== this.#lookups) return;
    const open = conversations.flatMap((chat) => {
      const state = openWork(chat);
      return state === null ? [] : [{ state, conversation: chat.id }];
    });
    const counts = open.length > 1 ? stateCounts(open.map(({ state }) => state)) : '';
    const first = URGENCY.flatMap((state) => open.filter((each) => each.state === state))[0];
    const shown = first ?? this.#ended;
    this.#work = shown && { ...shown, counts };
    this.#draw(this.#work);
  }
}

/** Null if Parley is going to retry without the user. */
function endedAs(end: TurnEnd): EndedWork | null {
  if (end.kind === 'completed') return 'done';
  const retried = end.kind === 'failed' ? end.retry?.when : undefined;
  return retried === 'at' || retried === 'online' ? null : 'unfinished';
}

function drawItem(item: HTMLElement, work: Work | null): void {
  item.toggle(work !== null);
  if (!work) return;
  const words = t.atWork[work.state];
  item.setText(words);
  item.setAttribute('aria-label', t.openTheChat(words, work.counts));
  item.setAttribute('data-tooltip-position', 'top');
}

/** Work alone is no reason to look, so it has no badge. */
const WITH_BADGE: ReadonlySet<Work['state']> = new Set(['waiting', 'done', 'unfinished']);

function drawBadge(icon: HTMLElement, work: Work | null): void {
  const state = work && WITH_BADGE.has(work.state) ? work.state : null;
  icon.classList.toggle('parley-badge', state !== null);
  icon.setAttribute('aria-label', state ? t.openChatBadge(t.atWork[state]) : t.openChat);
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
    item.setText(label);
    item.setAttribute('aria-label', detail);
    item.setAttribute('data-tooltip-position', 'top');
    item.dataset['state'] = state.kind;
  };
  plugin.register(agent.voice.onStatus(show));
  void agent.state().then(({ connection }) => show(connection));
}
