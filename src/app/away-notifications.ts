/** What a user who typed a request hears of it where they may not see the chat: that it asks, or how it ended. */
import { findTurn, type Conversation, type Turn } from '#model/conversation';
import type { Event } from '#model/event';
import type { ConversationId } from '#model/ids';
import { isSpoken, type Reply } from '#model/request';
import { turnTitle } from '#model/result-text';

export interface AwayNews {
  readonly conversation: ConversationId;
  readonly reply: Reply;
  /** As it was asked. */
  readonly request: string;
}

export interface AwayNotificationsDeps {
  /** As it stands; null where there is none, or it can't be read. */
  conversation(id: ConversationId): Promise<Conversation | null>;
  /** Of news that comes while the user looks, nothing need be shown. */
  show(news: AwayNews): void;
}

export class AwayNotifications {
  readonly #deps: AwayNotificationsDeps;

  constructor(deps: AwayNotificationsDeps) {
    this.#deps = deps;
  }

  /** To be told of every event. Whoever spoke hears by SmartHole, and whoever stopped a turn knows. */
  take(event: Event): void {
    if (event.type === 'interaction-start') {
      const { interaction: waiting } = event;
      void this.#tell(event, () => ({ kind: 'waiting', interaction: waiting, byVoice: false }));
    } else if (event.type === 'turn-end' && event.end.kind !== 'stopped') {
      const { end } = event;
      void this.#tell(event, (turn) => ({ kind: 'end', end, title: turnTitle(turn) }));
    }
  }

  async #tell(
    event: Extract<Event, { turn: unknown }>,
    make: (turn: Turn) => Reply,
  ): Promise<void> {
    const state = await this.#deps.conversation(event.conversation);
    const turn = state && findTurn(state, event.turn);
    if (!turn || isSpoken(turn.request.source)) return;
    const reply = make(turn);
    // A program hears its end by itself; what it needs is a user for its card.
    if (turn.request.source === 'mcp' && reply.kind === 'end') return;
    this.#deps.show({ conversation: state.id, reply, request: turn.request.text });
  }
}
