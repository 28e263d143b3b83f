/** Connects SmartHole: incoming messages go to the inbox, and replies go back, each once. */
import * as t from '#model/messages/notice-messages';
import { DeliveredIds } from '#voice/intake';
import type { Inbox } from '#queue/inbox';
import { routingDescriptionOf, type Settings } from '#model/settings';
import { assistantNames } from '#model/spoken-words';
import { heldMessageIds, SpokenRequests } from '#queue/spoken-requests';
import { TurnReplies } from '#voice/turn-replies';
import { Bridge } from '#voice/bridge';
import { VoicePairing } from '#voice/pairing';
import { wireNameOf, type BridgeSettings } from '#voice/registration';
import { onlyIfListening, webSockets } from '#voice/connection';
import type { AppContext } from './app-context';

export interface AppVoice {
  readonly bridge: Bridge;
  readonly replies: TurnReplies;
  readonly pairing: VoicePairing;
  /** Called when this process starts to run the vault's requests. */
  start(): Promise<void>;
  settingsChanged(): void;
}

/** Key in local storage, which does not sync. */
const PAIRING_KEY = 'parley-voice-decisions';

/**
 * @param own path of the file with this device's delivered ids, without extension
 * @param wake called when the inbox has a new request
 */
export function createAppVoice(
  { plugin, machine, folder, device, mint, settings, report }: AppContext,
  inbox: Inbox,
  own: string,
  wake: () => void,
): AppVoice {
  const { clock, storage: store, isListening } = machine;
  const { version } = plugin.manifest;
  const named = () => ({ ...bridgeSettings(settings()), version });
  const bridge: Bridge = new Bridge({
    open: onlyIfListening(webSockets(window.WebSocket), isListening),
    clock,
    store,
    outboxPath: `${folder}/smarthole-${device}.jsonl`,
    onMessage: async ({ id, text, routing }, late) => {
      const source = routing.inputMethod;
      const message = { id, text, source, routing: { ...routing } };
      const taken = await reception.take(message, late);
      return taken.ok ? 'ack' : { reject: taken.reason };
    },
    report,
    sent: (key) => replies.sent(key.slice(key.indexOf(' ') + 1)),
  });
  plugin.register(() => bridge.close());
  const pairing = new VoicePairing({
    get: () => plugin.app.loadLocalStorage(PAIRING_KEY) as unknown,
    set: (saved) => plugin.app.saveLocalStorage(PAIRING_KEY, saved),
    now: () => clock.now(),
    wanted: () => ({ port: named().port, name: wireNameOf(named()) }),
    isConnected: () => bridge.state.kind === 'connected',
  });
  bridge.subscribe(() => pairing.check());
  const replies: TurnReplies = new TurnReplies({
    clock,
    names: () => assistantNames(settings()),
    allowsDecision: (time) => pairing.allows(time),
    replyTo: (id) => inbox.get(id)?.request.reply ?? null,
    post: (messageId, { key, reply, request }) =>
      bridge.reply({ key: `${messageId} ${key}`, messageId, reply, request }),
    wasSent: (messageId, key) => bridge.wasSent(`${messageId} ${key}`),
  });
  const delivered = new DeliveredIds(store, `${own}.heard`);
  const reception: SpokenRequests = new SpokenRequests({
    inbox,
    deliveredIds: delivered,
    replies,
    clock,
    mint,
    wake,
    report,
  });
  return {
    bridge,
    replies,
    pairing,
    async start() {
      const held = heldMessageIds(inbox);
      await delivered.load(held).catch((error: unknown) => {
        report(t.deliveredIdsUnreadable(String(error)));
      });
      await bridge.start(named());
      // A crash may have come between saving a request and acknowledging it.
      for (const id of held) await bridge.ack(id);
    },
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
