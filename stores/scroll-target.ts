/** Where to scroll to in a conversation, and what to select there. */
import type { Conversation } from '#model/conversation';

export interface ScrollTarget {
  /** Index of the turn, from 0. */
  readonly place: number;
  /** Author of the message; null for the message that began the turn. */
  readonly role: 'user' | 'agent' | null;
  /** The search query that found it; '' for none. */
  readonly query: string;
}

/** A message found by a search, or the turn at this index. */
export type ScrollRequest =
  | { readonly message: string; readonly role: ScrollTarget['role']; readonly query: string }
  | { readonly place: number };

/** Null if the message does not exist. */
export function scrollTargetIn(
  { turns }: Conversation,
  scrollRequest: ScrollRequest,
): ScrollTarget | null {
  if ('place' in scrollRequest) return { place: scrollRequest.place, role: null, query: '' };
  const { message, role, query } = scrollRequest;
  // Ids of intermediate texts begin with their turn's id.
  const place = turns.findIndex(
    ({ id, message: asked, answers, steering }) =>
      asked === message ||
      message.startsWith(`${id}.`) ||
      [...answers, ...steering].some((each) => each.message === message),
  );
  const turn = turns[place];
  return turn ? { place, role: turn.message === message ? null : role, query } : null;
}
