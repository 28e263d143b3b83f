import type { TurnEnd } from './event';
import type { TurnTitle } from './turn-outcome';
import type { CardChoice, Waiting } from './waiting';

/** What goes back to whoever asked from afar: what was said on the way, what waits for a person, how it ended. */
export type Reply =
  | { readonly kind: 'message'; readonly text: string }
  /** `byVoice`: a card may be decided by saying so; not more than one at a time, so that the words mean one thing. */
  | { readonly kind: 'waiting'; readonly waiting: Waiting; readonly byVoice: boolean }
  | { readonly kind: 'end'; readonly end: TurnEnd; readonly title?: TurnTitle | null };

/** What a person says to decide a card by voice. What has no phrase is decided on the screen only. */
export const CHOICE_PHRASES: Readonly<Partial<Record<CardChoice, string>>> = {
  delete: 'delete it',
  keep: 'keep it',
  'allow-once': 'allow it',
  deny: 'deny it',
};
