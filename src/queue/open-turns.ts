/** The turns that have begun and not ended: the one that runs, those that are held, that may go on, or are being ended. */
import type { ConversationLog } from '#conversations/conversation-log';
import { type Conversation, findTurn, openInteractions } from '#model/conversation';
import type { ConversationId, RequestId, TurnId } from '#model/ids';
import type { Clock } from '#ports/clock';

export interface OpenTurnsDeps {
  readonly clock: Clock;
  /** A program's call is open in it. */
  isCalled(conversation: ConversationId): boolean;
  /** Nobody has answered in time; nothing else may happen to it than its end. */
  expired(held: HeldTurn): void;
  /** One may go on. */
  wake(): void;
}

export class OpenTurns {
  readonly #deps: OpenTurnsDeps;
  readonly #held: HeldTurns;
  #running: (HeldTurn & { readonly stop: AbortController }) | null = null;
  /** Answered, or found interrupted at load. They come before new ones. */
  readonly #resumable: HeldTurn[] = [];
  readonly #ending = new Map<TurnId, HeldTurn>();

  constructor(deps: OpenTurnsDeps) {
    this.#deps = deps;
    this.#held = new HeldTurns(deps.clock, (held) => {
      this.letGoToEnd(held);
      deps.expired(held);
    });
  }

  get running(): HeldTurn | null {
    return this.#running;
  }

  /** One is being ended from outside the loop. */
  get isEnding(): boolean {
    return this.#ending.size > 0;
  }

  /** Turns that wait for the user, or that the user holds. */
  held(): readonly (HeldTurn & { readonly by: HeldBy })[] {
    return this.#held.all();
  }

  heldIn(conversation: ConversationId): (HeldTurn & { readonly by: HeldBy }) | undefined {
    return this.#held.in(conversation);
  }

  /** Turns with something the user may settle: one that runs may have asked already and go on asking. */
  settleable(): readonly HeldTurn[] {
    return [...(this.#running ? [this.#running] : []), ...this.#held.all()];
  }

  isOpenIn(conversation: ConversationId): boolean {
    return (
      this.#deps.isCalled(conversation) ||
      [...this.settleable(), ...this.#resumable, ...this.#ending.values()].some(
        (held) => held.conversation === conversation,
      )
    );
  }

  /** False while a card or a pause holds it, behind which spoken words would be stuck without anybody's seeing it. */
  takesWords(conversation: ConversationId): boolean {
    const by = this.#held.in(conversation)?.by;
    return by === undefined || by === 'question';
  }

  /** From here on this one runs, until it rests; aborted when it is stopped. */
  runs(held: HeldTurn): AbortSignal {
    const stop = new AbortController();
    this.#running = { ...held, stop };
    return stop.signal;
  }

  rests(): void {
    this.#running = null;
  }

  stopRunning(): void {
    this.#running?.stop.abort();
  }

  /** The next that may go on. */
  takeResumable(): HeldTurn | undefined {
    return this.#resumable.shift();
  }

  /** One that came to rest is held by what holds it, or goes on. */
  holdOrGoOn({ state }: ConversationLog, held: HeldTurn): void {
    if (this.#held.hold(held, state) === null) this.#resumable.push(held);
  }

  /** To be called when something it waited for was settled. */
  goOnIfFree({ state }: ConversationLog, held: HeldTurn): void {
    // It runs still, or has been let go by a second click, the stop or the clock: it must not run twice.
    if (!this.#held.has(held.turn)) return;
    if (whatHolds(state, held.turn) !== null) {
      this.#held.hold(held, state);
      return;
    }
    this.#held.letGo(held.turn);
    this.#resumable.push(held);
    this.#deps.wake();
  }

  /** From here on nobody else answers it or lets it go on. */
  letGoToEnd(held: HeldTurn): void {
    this.#held.letGo(held.turn);
    this.#ending.set(held.turn, held);
  }

  /** What was let go to its end has it. */
  ended({ turn }: HeldTurn): void {
    this.#ending.delete(turn);
    this.#deps.wake();
  }

  close(): void {
    this.#held.close();
    this.stopRunning();
  }
}

/** A turn by its place, and the entry that it answers. */
export interface HeldTurn {
  readonly conversation: ConversationId;
  readonly turn: TurnId;
  readonly requestId: RequestId;
}

/** What a held turn keeps waiting for. */
export type HeldBy = 'question' | 'approval' | 'pause';

export class HeldTurns {
  readonly #clock: Clock;
  readonly #expired: (held: HeldTurn) => void;
  readonly #turns = new Map<TurnId, HeldTurn & { readonly by: HeldBy; cancelTimer(): void }>();

  /** @param expired told when nobody has answered in time; the turn is let go by then */
  constructor(clock: Clock, expired: (held: HeldTurn) => void) {
    this.#clock = clock;
    this.#expired = expired;
  }

  /** Null for a turn that nothing holds. */
  hold(held: HeldTurn, conversation: Conversation): HeldBy | null {
    const by = whatHolds(conversation, held.turn);
    if (by === null) return null;
    this.letGo(held.turn);
    const turn = findTurn(conversation, held.turn);
    const expires = (turn ? openInteractions(turn) : []).map((waiting) => waiting.expires);
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

  in(conversation: ConversationId): (HeldTurn & { readonly by: HeldBy }) | undefined {
    return this.all().find((held) => held.conversation === conversation);
  }

  all(): readonly (HeldTurn & { readonly by: HeldBy })[] {
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
  const open = openInteractions(turn);
  if (open.some(({ kind }) => kind === 'question')) return 'question';
  if (open.length > 0) return 'approval';
  return turn.paused ? 'pause' : null;
}
