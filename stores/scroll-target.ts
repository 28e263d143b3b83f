/** What is looked for in a conversation: where it is, and what is to be marked there. */
import type { Conversation } from '#model/conversation';

export interface ScrollTarget {
  /** Counts the turns from 0. */
  readonly place: number;
  /** Whose words; null for the message that began the turn. */
  readonly role: 'user' | 'agent' | null;
  /** What was searched for, to be marked. */
  readonly query: string;
}

/** A message by its id, with what was searched for; or the turn at this place. */
export type Sought =
  | { readonly message: string; readonly role: ScrollTarget['role']; readonly query: string }
  | { readonly place: number };

/** Null where it is not there. */
export function goalIn({ turns }: Conversation, sought: Sought): ScrollTarget | null {
  if ('place' in sought) return { place: sought.place, role: null, query: '' };
  const { message, role, query } = sought;
  // Words on the way have their turn's id and more.
  const place = turns.findIndex(
    ({ id, message: asked, answers }) =>
      asked === message ||
      message.startsWith(`${id}.`) ||
      answers.some((answer) => answer.message === message),
  );
  const turn = turns[place];
  return turn ? { place, role: turn.message === message ? null : role, query } : null;
}
