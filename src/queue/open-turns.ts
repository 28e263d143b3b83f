/** Tracks the turns that have begun and not ended: running, held, resumable, or being ended. */
import type { ConversationLog } from '#conversations/conversation-log';
import { type Conversation, findTurn, openInteractions } from '#model/conversation';
import type { ConversationId, RequestId, TurnId } from '#model/ids';
import type { Clock } from '#ports/clock';

export interface OpenTurnsDeps {
  readonly clock: Clock;
  /** Whether an MCP call is open in this conversation. */
  isCalled(conversation: ConversationId): boolean;
  /** Called when the user did not answer in time. The only thing left is to end the turn. */
  expired(held: HeldTurn): void;
  /** Called when a turn can be resumed. */
  wakeRunner(): void;
}

export class OpenTurns {
  readonly #deps: OpenTurnsDeps;
  readonly #held: HeldTurns;
  #running: (HeldTurn & { readonly stop: AbortController }) | null = null;
  /** Turns that were answered, or found interrupted at load. They run before new requests. */
  readonly #resumable: HeldTurn[] = [];
  readonly #ending = new Map<TurnId, HeldTurn>();

  constructor(deps: OpenTurnsDeps) {
    this.#deps = deps;
    this.#held = new HeldTurns(deps.clock, (held) => {
      this.releaseToEnd(held);
      deps.expired(held);
    });
  }

  get running(): HeldTurn | null {
    return this.#running;
  }

  /** Whether a turn is being ended from outside the loop. */
  get isEnding(): boolean {
    return this.#ending.size > 0;
  }

  /** Turns that wait for the user, or that the user paused. */
  held(): readonly (HeldTurn & { readonly by: HoldReason })[] {
    return this.#held.all();
  }

  heldIn(conversation: ConversationId): (HeldTurn & { readonly by: HoldReason }) | undefined {
    return this.#held.in(conversation);
  }

  /**
   * Turns whose interactions the user can resolve. A running turn counts, because it can have asked
   * while other calls run.
   */
  resolvable(): readonly HeldTurn[] {
    return [...(this.#running ? [this.#running] : []), ...this.#held.all()];
  }

  /** Turns that continue as soon as the running one ends. */
  resumable(): readonly HeldTurn[] {
    return this.#resumable;
  }

  isOpenIn(conversation: ConversationId): boolean {
    return (
      this.#deps.isCalled(conversation) ||
      [...this.resolvable(), ...this.#resumable, ...this.#ending.values()].some(
        (held) => held.conversation === conversation,
      )
    );
  }

  /** Marks a turn as running until `stopped`, and returns the signal that stops it. */
  runs(held: HeldTurn): AbortSignal {
    const stop = new AbortController();
    this.#running = { ...held, stop };
    return stop.signal;
  }

  stopped(): void {
    this.#running = null;
  }

  stopRunning(): void {
    this.#running?.stop.abort();
  }

  /** The next turn to resume. */
  takeResumable(): HeldTurn | undefined {
    return this.#resumable.shift();
  }

  /** Holds a turn that returned without an end, or makes it resumable if nothing holds it. */
  holdOrResume({ state }: ConversationLog, held: HeldTurn): void {
    if (this.#held.hold(held, state) === null) this.#resumable.push(held);
  }

  /** Must be called when something that the turn waited for was resolved. */
  resumeIfFree({ state }: ConversationLog, held: HeldTurn): void {
    // It is still running, or was released by a second click, a stop or the timeout: it must not
    // run twice.
    if (!this.#held.has(held.turn)) return;
    if (holdReason(state, held.turn) !== null) {
      this.#held.hold(held, state);
      return;
    }
    this.#held.release(held.turn);
    this.#resumable.push(held);
    this.#deps.wakeRunner();
  }

  /** Releases a turn in order to end it. After this, nothing else can answer or resume it. */
  releaseToEnd(held: HeldTurn): void {
    this.#held.release(held.turn);
    const at = this.#resumable.findIndex(({ turn }) => turn === held.turn);
    if (at >= 0) this.#resumable.splice(at, 1);
    this.#ending.set(held.turn, held);
  }

  /** Must be called when the end of a released turn is recorded. */
  ended({ turn }: HeldTurn): void {
    this.#ending.delete(turn);
    this.#deps.wakeRunner();
  }

  close(): void {
    this.#held.close();
    this.stopRunning();
  }
}

/** A turn with its conversation and the request that it answers. */
export interface HeldTurn {
  readonly conversation: ConversationId;
  readonly turn: TurnId;
  readonly requestId: RequestId;
}

/** What a held turn waits for. */
export type HoldReason = 'question' | 'approval' | 'pause';

export class HeldTurns {
  readonly #clock: Clock;
  readonly #expired: (held: HeldTurn) => void;
  readonly #turns = new Map<TurnId, HeldTurn & { readonly by: HoldReason; cancelTimer(): void }>();

  /**
   * @param expired called when the user did not answer in time, after the turn has been released
   */
  constructor(clock: Clock, expired: (held: HeldTurn) => void) {
    this.#clock = clock;
    this.#expired = expired;
  }

  /** Null if nothing holds the turn. */
  hold(held: HeldTurn, conversation: Conversation): HoldReason | null {
    const by = holdReason(conversation, held.turn);
    if (by === null) return null;
    this.release(held.turn);
    const turn = findTurn(conversation, held.turn);
    const expires = (turn ? openInteractions(turn) : []).flatMap((each) => each.expires ?? []);
    const cancelTimer =
      expires.length === 0
        ? () => undefined
        : this.#clock.after(Math.max(0, Math.min(...expires) - this.#clock.now()), () => {
            this.release(held.turn);
            this.#expired(held);
          });
    this.#turns.set(held.turn, { ...held, by, cancelTimer });
    return by;
  }

  release(turn: TurnId): void {
    this.#turns.get(turn)?.cancelTimer();
    this.#turns.delete(turn);
  }

  has(turn: TurnId): boolean {
    return this.#turns.has(turn);
  }

  in(conversation: ConversationId): (HeldTurn & { readonly by: HoldReason }) | undefined {
    return this.all().find((held) => held.conversation === conversation);
  }

  all(): readonly (HeldTurn & { readonly by: HoldReason })[] {
    return [...this.#turns.values()];
  }

  close(): void {
    for (const { cancelTimer } of this.#turns.values()) cancelTimer();
  }
}

/**
 * What holds a turn, or null. A question comes first, because any next message of the user can
 * answer it.
 */
export function holdReason(conversation: Conversation, id: TurnId): HoldReason | null {
  const turn = findTurn(conversation, id);
  if (!turn || turn.end) return null;
  const open = openInteractions(turn);
  if (open.some(({ kind }) => kind === 'question')) return 'question';
  if (open.length > 0) return 'approval';
  return turn.paused ? 'pause' : null;
}
