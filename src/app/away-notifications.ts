/**
 * Notifies users who typed a request but may not see the chat: when the agent asks something, and
 * when the turn ends.
 */
import { findTurn, type Conversation, type Turn } from '#model/conversation';
import type { Event } from '#model/event';
import type { ConversationId } from '#model/ids';
import type { Reply } from '#model/reply';
import { endReply } from '#messages/result-text';
import { recipients } from '#voice/turn-replies';

export interface AwayNews {
  readonly conversation: ConversationId;
  readonly reply: Reply;
  /** The text of the request. */
  readonly request: string;
}

export interface AwayNotificationsDeps {
  /** The current conversation; null if there is none, or if it cannot be read. */
  conversation(id: ConversationId): Promise<Conversation | null>;
  /** May ignore the news if the user is looking at the chat. */
  show(notification: AwayNews): void;
}

export class AwayNotifications {
  readonly #deps: AwayNotificationsDeps;

  constructor(deps: AwayNotificationsDeps) {
    this.#deps = deps;
  }

  /**
   * Must be called with every event. What was spoken is answered through SmartHole, and a user who
   * stopped a turn knows.
   */
  take(event: Event): void {
    if (event.type === 'interaction-start') {
      const { interaction } = event;
      void this.#notify(event, () => ({ kind: 'waiting', interaction, byVoice: false }));
    } else if (event.type === 'turn-end' && event.end.kind !== 'stopped') {
      const { end } = event;
      void this.#notify(event, (turn) => endReply(turn, end));
    }
  }

  async #notify(
    event: Extract<Event, { turn: unknown }>,
    make: (turn: Turn) => Reply,
  ): Promise<void> {
    const state = await this.#deps.conversation(event.conversation);
    const turn = state && findTurn(state, event.turn);
    if (!turn || recipients(turn).length > 0) return;
    const reply = make(turn);
    // An MCP client receives the result itself; the user is needed only for its approvals.
    if (turn.request.source === 'mcp' && reply.kind === 'end') return;
    this.#deps.show({ conversation: state.id, reply, request: turn.request.text });
  }
}
