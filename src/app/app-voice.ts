/** Connects SmartHole: incoming messages become spoken requests, and replies go back. */
import * as t from '#messages/notice-messages';
import * as voiceText from '#messages/voice-messages';
import type { Conversations } from '#conversations/repository';
import type { ConversationId } from '#model/ids';
import { notify, showNotice } from '#obsidian/platform/platform';
import { DeliveredIds } from '#queue/delivered-ids';
import type { Inbox } from '#queue/inbox';
import { routingDescriptionOf, type Settings } from '#model/settings';
import { assistantNames } from '#voice/spoken-words';
import { heldMessageIds, recentMessageIds, type SpokenRequests } from '#queue/spoken-requests';
import { TurnReplies } from '#voice/turn-replies';
import { Bridge } from '#voice/bridge';
import type { ReplyTurn } from '#voice/outbox';
import { VoicePairing } from '#voice/voice-pairing';
import { wireNameOf, type BridgeSettings } from '#voice/registration';
import { onlyIfListening, webSockets } from '#voice/connection';
import type { AppContext } from './app-context';

export interface AppVoice {
  readonly bridge: Bridge;
  readonly replies: TurnReplies;
  readonly pairing: VoicePairing;
  readonly deliveredIds: DeliveredIds;
  /** Called when this process starts to lead. After this, replies can be saved. */
  load(): Promise<void>;
  /** Connects. Called when the open turns have been found again. */
  start(requests: Pick<SpokenRequests, 'take'>): void;
  settingsChanged(): void;
}

export interface AppVoiceDeps {
  readonly inbox: Inbox;
  /** Path of the file with this device's delivered ids, without extension. */
  readonly own: string;
  readonly conversations: Conversations;
  openConversation(id: ConversationId): void;
}

/** Key in local storage, which does not sync. */
const PAIRING_KEY = 'parley-voice-decisions';

export function createAppVoice(
  { plugin, machine, folder, device, settings, report }: AppContext,
  { inbox, own, conversations, openConversation }: AppVoiceDeps,
): AppVoice {
  const { clock, storage: store, isListening } = machine;
  const { version } = plugin.manifest;
  const named = () => ({ ...bridgeSettings(settings()), version });
  const bridge: Bridge = new Bridge({
    open: onlyIfListening(webSockets(window.WebSocket), isListening),
    clock,
    store,
    outboxPath: `${folder}/smarthole-${device}.jsonl`,
    isListening,
    report,
    show: ({ title, body, turns }) => {
      const [first] = turns;
      const clicked = () => first && openConversation(first.conversation);
      const isShown = settings().notifications && notify({ title, body, clicked });
      if (!isShown) showNotice(`${title}\n${body}`);
      for (const turn of turns) void noteInChat(turn);
    },
  });
  /** Says in the chat why SmartHole was silent. The notification was shown even if this fails. */
  const noteInChat = async ({ conversation, turn }: ReplyTurn) => {
    const log = await conversations.open(conversation).catch(() => null);
    await log
      ?.append({ type: 'turn-notice', turn, text: voiceText.shownHere })
      .catch(() => undefined);
  };
  plugin.register(() => bridge.close());
  const pairing = new VoicePairing({
    get: () => plugin.app.loadLocalStorage(PAIRING_KEY) as unknown,
    set: (saved) => plugin.app.saveLocalStorage(PAIRING_KEY, saved),
    wanted: () => ({ port: named().port, name: wireNameOf(named()) }),
    isConnected: () => bridge.state.kind === 'connected',
  });
  bridge.subscribe(() => pairing.check());
  const replies: TurnReplies = new TurnReplies({
    clock,
    names: () => assistantNames(settings()),
    allowsDecisions: () => pairing.decisions.allowed,
    replyTo: (id) => inbox.get(id)?.request.reply ?? null,
    post: (messageIds, announcement) => bridge.reply({ ...announcement, messageIds }),
    drop: (abouts) => bridge.drop(abouts),
    shownFor: (about) => bridge.shownFor(about),
  });
  const deliveredIds = new DeliveredIds(store, `${own}.heard`);
  return {
    bridge,
    replies,
    pairing,
    deliveredIds,
    async load() {
      const held = heldMessageIds(inbox);
      const recent = await recentMessageIds(conversations, clock.now());
      const missing = await deliveredIds.load([...recent, ...held]).catch((error: unknown) => {
        report(t.deliveredIdsUnreadable(String(error)));
        return [];
      });
      await bridge.load(named());
      // A crash may have come between saving a request and acknowledging it.
      for (const id of new Set([...held, ...missing])) bridge.ack(id);
    },
    start: ({ take }) => bridge.start(take),
    settingsChanged() {
      pairing.check();
      bridge.update(named());
    },
  };
}

function bridgeSettings(settings: Settings): BridgeSettings {
  const { smartHole, assistantName, wireName, smartHolePort } = settings;
  return {
    enabled: smartHole,
    assistantName,
    wireName,
    description: routingDescriptionOf(settings),
    port: smartHolePort,
  };
}
