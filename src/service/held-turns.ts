/** Turns that do not run: they wait for a person, or the person holds them. They keep their place, not the queue. */
import { findTurn, openWaitings } from '#model/conversation';
import type { Conversation } from '#model/conversation';
import type { ConversationId, EntryId, TurnId } from '#model/ids';
import type { Clock } from '#ports/clock';

/** A turn by its place, and the entry that it answers. */
export interface Held {
  readonly conversation: ConversationId;
  readonly turn: TurnId;
  readonly entry: EntryId;
}

/** What a held turn keeps waiting for. */
export type HeldBy = 'question' | 'card' | 'pause';

export class HeldTurns {
  readonly #clock: Clock;
  readonly #expired: (held: Held) => void;
  readonly #turns = new Map<TurnId, Held & { readonly by: HeldBy; cancelTimer(): void }>();

  /** @param expired told when nobody has answered in time; the turn is let go by then */
  constructor(clock: Clock, expired: (held: Held) => void) {
    this.#clock = clock;
    this.#expired = expired;
  }

  /** Null for a turn that nothing holds. */
  hold(held: Held, conversation: Conversation): HeldBy | null {
    const by = whatHolds(conversation, held.turn);
    if (by === null) return null;
    this.letGo(held.turn);
    const turn = findTurn(conversation, held.turn);
    const expires = (turn ? openWaitings(turn) : []).map((waiting) => waiting.expires);
    const cancelTimer =
      expires.length === 0
        ? () => undefined
        : this.#clock.after(Math.max(0, Math.min(...expires) - this.#clock.now()), () => {
            this.letGo(held.turn);
            this.#expired(held);
          });
    this.#turns.set(held.turn, { ...held, by, cancelTimer });
    return by;
  }

  letGo(turn: TurnId): void {
    this.#turns.get(turn)?.cancelTimer();
    this.#turns.delete(turn);
  }

  has(turn: TurnId): boolean {
    return this.#turns.has(turn);
  }

  in(conversation: ConversationId): (Held & { readonly by: HeldBy }) | undefined {
    return this.all().find((held) => held.conversation === conversation);
  }

  all(): readonly (Held & { readonly by: HeldBy })[] {
    return [...this.#turns.values()];
  }

  close(): void {
    for (const { cancelTimer } of this.#turns.values()) cancelTimer();
  }
}

/** A question can be answered by what is said next; a card and a pause have to be decided on themselves. */
export function whatHolds(conversation: Conversation, id: TurnId): HeldBy | null {
  const turn = findTurn(conversation, id);
  if (!turn || turn.end) return null;
  const open = openWaitings(turn);
  if (open.some(({ kind }) => kind === 'question')) return 'question';
  if (open.length > 0) return 'card';
  return turn.paused ? 'pause' : null;
}
