/**
 * Notifies users who typed a request but may not see the chat: when the agent asks something, and
 * when the turn ends.
 */
import { findTurn, type Conversation } from '#model/conversation';
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

/** Null if the user needs no notification of the event. `conversation` includes it. */
export function awayNews(event: Event, conversation: Conversation): AwayNews | null {
  if (event.type !== 'interaction-start' && event.type !== 'turn-end') return null;
  const turn = findTurn(conversation, event.turn);
  // What was spoken is answered through SmartHole.
  if (!turn || recipients(turn).length > 0) return null;
  const news = { conversation: conversation.id, request: turn.request.text };
  if (event.type === 'interaction-start') {
    const { interaction } = event;
    return { ...news, reply: { kind: 'waiting', interaction, byVoice: false } };
  }
  // A user who stopped a turn knows, and an MCP client receives the result itself.
  if (event.end.kind === 'stopped' || turn.request.source === 'mcp') return null;
  return { ...news, reply: endReply(turn, event.end) };
}
