/** Steering: a message that is sent while a turn runs joins it at its next tool boundary. */
import type { Turn } from './conversation';
import type { QueuedRequest } from './request';

/**
 * Whether a queued request is one that joins this turn. It does not look at the conversation that
 * the request is for.
 */
export function joinsTurn({ state, attempts, request }: QueuedRequest, turn: Turn): boolean {
  const { when, fork, time } = request;
  if (state !== 'queued' || when === 'after' || when === 'stop') return false;
  // A retry is a new turn on the same request, and a fork begins a conversation.
  if (attempts > 0 || fork || !canBeSteered(turn)) return false;
  // What was queued before the turn began has a turn of its own, unless the user asked for this.
  return when === 'steer' || time >= turn.started;
}

/** Whether messages can join the turn; a call of an MCP client and a quick command have no steps. */
export function canBeSteered({ request, model, end }: Turn): boolean {
  return end === null && request.source !== 'mcp' && model !== '';
}
