/** Steering: a message that is sent while a turn runs joins it at its next tool boundary. */
import { hunkAmong, type Attachment } from './attachment';
import { findTurn, type Conversation, type Turn } from './conversation';
import type { EventOf } from './event';
import { isSpoken, type QueuedRequest, type UserRequest } from './request';

/**
 * Whether a queued request is one that joins this turn. It does not look at the conversation that
 * the request is for.
 */
export function joinsTurn({ state, attempts, request }: QueuedRequest, turn: Turn): boolean {
  const { when, fork, time } = request;
  if (state !== 'queued' || when === 'after' || when === 'stop' || isReply(request)) return false;
  // A retry is a new turn on the same request, and a fork begins a conversation.
  if (attempts > 0 || fork || !canBeSteered(turn)) return false;
  // What was queued before the turn began has a turn of its own, unless the user asked for this.
  return when === 'steer' || time >= turn.started;
}

/** Whether it is about one pending edit, so that its turn may do nothing else. */
export function isReply({ attachments }: UserRequest): boolean {
  return hunkAmong(attachments) !== null;
}

/** Whether the user listens for the end of the turn, because the request or what joined it was spoken. */
export function isUserListening({ request, steering }: Turn): boolean {
  return [request, ...steering].some(({ source }) => isSpoken(source));
}

/** Whether the user has spoken in the turn, so that they wait for it as for a spoken request. */
export function isSpokenTo({ request, answers, steering }: Turn): boolean {
  return [request, ...answers, ...steering].some(({ source }) => isSpoken(source));
}

/** The note that was open when the user last sent a message of this turn. */
export function newestActiveNote({ activeNote, steering }: Turn): string | null {
  const newest = steering.findLast((message) => message.activeNote !== undefined);
  return newest?.activeNote === undefined ? activeNote : newest.activeNote;
}

/** What the user attached to the request and to what joined it. */
export function attachmentsOf({ request, steering }: Turn): readonly Attachment[] {
  return [request, ...steering].flatMap(({ attachments }) => attachments);
}

/**
 * Whether messages can join the turn. A call of an MCP client and a quick command have no steps, the
 * turn of a reply is about its edit alone, and only the request that the user let beyond the daily
 * limit may go beyond it.
 */
export function canBeSteered({ request, model, end }: Turn): boolean {
  if (end !== null || request.source === 'mcp' || model === '') return false;
  return !isReply(request) && !request.beyondDayLimit;
}

/** The words of the request and of what joined it, for asking them again as one message. */
export function saidIn({ request, steering }: Turn): string {
  return [request, ...steering].map(({ text }) => text).join('\n\n');
}

/**
 * Whether the user is to be told that a turn has ended. A stopped turn was ended by the user. The
 * result of a quick edit or of a reply about an edit is in the note, and that of a call of an MCP
 * client concerns the client.
 */
export function isNews(
  { turn: id, end }: Pick<EventOf<'turn-end'>, 'turn' | 'end'>,
  conversation: Conversation,
): boolean {
  if (end.kind === 'stopped' || conversation.quickEditsOf !== null) return false;
  const request = findTurn(conversation, id)?.request;
  return request?.source !== 'mcp' && !(request && isReply(request));
}
