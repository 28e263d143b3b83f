/** Tracks the turns that have begun and not ended: running, held, resumable, or being ended. */
import type { ConversationLog } from '#conversations/conversation-log';
import { type Conversation, findTurn, openInteractions } from '#model/conversation';
import type { ConversationId, RequestId, TurnId } from '#model/ids';
import { isSpokenTo } from '#model/steering';
import type { Clock } from '#ports/clock';

export interface OpenTurnEvents {
  /** Called when the user did not answer in time. The only thing left is to end the turn. */
  expired(held: HeldTurn): void;
  /** Called when a turn can be resumed. */
  wakeRunner(): void;
}

/** A turn with its conversation and the request that it answers. */
export interface HeldTurn {
  readonly conversation: ConversationId;
  readonly turn: TurnId;
  readonly requestId: RequestId;
  /** Whether it may take the slot that is left for spoken requests. */
  readonly isSpoken: boolean;
}

/** What a held turn waits for. */
export type HoldReason = 'question' | 'approval' | 'pause';

type OpenTurn = HeldTurn &
  (
    | { readonly state: 'running'; readonly stop: AbortController }
    | { readonly state: 'held'; readonly by: HoldReason; cancelTimer(): void }
    /** It was answered, or found interrupted at load. It runs before new requests. */
    | { readonly state: 'resumable' }
    /** It is being ended from outside the loop. */
    | { readonly state: 'ending' }
  );

type TurnIn<State extends OpenTurn['state']> = Extract<OpenTurn, { readonly state: State }>;

export class OpenTurns {
  readonly #clock: Clock;
  readonly #isCalled: (conversation: ConversationId) => boolean;
  #events: OpenTurnEvents | null = null;
  /** Those that changed their state last come last. */
  readonly #turns = new Map<TurnId, OpenTurn>();

  /** @param isCalled whether an MCP call is open in a conversation */
  constructor(clock: Clock, isCalled: (conversation: ConversationId) => boolean) {
    this.#clock = clock;
    this.#isCalled = isCalled;
  }

  /** Must be called before any turn is open. */
  listen(events: OpenTurnEvents): void {
    this.#events = events;
  }

  /** The turns that the runner runs; at most one in each conversation. */
  running(): readonly HeldTurn[] {
    return this.#in('running');
  }

  runningIn(conversation: ConversationId): HeldTurn | undefined {
    return this.running().find((each) => each.conversation === conversation);
  }

  isRunning(turn: TurnId): boolean {
    return this.#turns.get(turn)?.state === 'running';
  }

  /** Whether a turn is being ended from outside the loop. */
  get isEnding(): boolean {
    return this.#in('ending').length > 0;
  }

  /** Turns that wait for the user, or that the user paused. */
  held(): readonly TurnIn<'held'>[] {
    return this.#in('held');
  }

  heldIn(conversation: ConversationId): TurnIn<'held'> | undefined {
    return this.held().find((held) => held.conversation === conversation);
  }

  /**
   * Turns whose interactions the user can resolve. A running turn counts, because it can have asked
   * while other calls run.
   */
  resolvable(): readonly HeldTurn[] {
    return [...this.#in('running'), ...this.#in('held')];
  }

  /** Turns that continue as soon as there is a slot for them. */
  resumable(): readonly HeldTurn[] {
    return this.#in('resumable');
  }

  resumableIn(conversation: ConversationId): HeldTurn | undefined {
    return this.resumable().find((each) => each.conversation === conversation);
  }

  isOpenIn(conversation: ConversationId): boolean {
    const open = [...this.#turns.values()];
    return this.#isCalled(conversation) || open.some((each) => each.conversation === conversation);
  }

  /** Marks a turn as running until `stopped`, and returns the signal that stops it. */
  runs(held: HeldTurn): AbortSignal {
    const stop = new AbortController();
    this.#set({ ...idsOf(held), state: 'running', stop });
    return stop.signal;
  }

  /** Must be called when a turn no longer runs. */
  stopped({ turn }: HeldTurn): void {
    if (this.isRunning(turn)) this.#turns.delete(turn);
  }

  /** Stops a running turn. False if it does not run. */
  stop({ turn }: HeldTurn): boolean {
    const open = this.#turns.get(turn);
    if (open?.state !== 'running') return false;
    open.stop.abort();
    return true;
  }

  /** The next turn to resume, of those for which there is a slot. */
  takeResumable(hasSlot: (held: HeldTurn) => boolean): HeldTurn | undefined {
    const next = this.#in('resumable').find(hasSlot);
    if (next) this.#turns.delete(next.turn);
    return next;
  }

  /** Holds a turn that returned without an end, or makes it resumable if nothing holds it. */
  holdOrResume({ state }: ConversationLog, held: HeldTurn): void {
    const by = holdReason(state, held.turn);
    if (by !== null) return this.#hold(held, by, state);
    const turn = findTurn(state, held.turn);
    // A spoken answer uses the slot of spoken requests, even if the turn was typed.
    const isSpoken = turn ? isSpokenTo(turn) : held.isSpoken;
    this.#set({ ...idsOf(held), isSpoken, state: 'resumable' });
  }

  /** Must be called when the user paused a turn. One that runs returns by itself. */
  holdIfReady(log: ConversationLog, held: HeldTurn): void {
    if (this.#turns.get(held.turn)?.state === 'resumable') this.holdOrResume(log, held);
  }

  /** Must be called when something that the turn waited for was resolved. */
  resumeIfFree(log: ConversationLog, held: HeldTurn): void {
    // It is still running, or was released by a second click, a stop or the timeout: it must not
    // run twice.
    if (this.#turns.get(held.turn)?.state !== 'held') return;
    this.holdOrResume(log, held);
    if (this.#turns.get(held.turn)?.state === 'resumable') this.#events?.wakeRunner();
  }

  /** Releases a turn in order to end it. After this, nothing else can answer or resume it. */
  releaseToEnd(held: HeldTurn): void {
    this.#set({ ...idsOf(held), state: 'ending' });
  }

  /** Must be called when the end of a released turn is recorded. */
  ended({ turn }: HeldTurn): void {
    this.#turns.delete(turn);
    this.#events?.wakeRunner();
  }

  close(): void {
    for (const { cancelTimer } of this.#in('held')) cancelTimer();
    for (const { stop } of this.#in('running')) stop.abort();
  }

  #hold(held: HeldTurn, by: HoldReason, conversation: Conversation): void {
    const turn = findTurn(conversation, held.turn);
    const expires = (turn ? openInteractions(turn) : []).flatMap((each) => each.expires ?? []);
    const wait = Math.max(0, Math.min(...expires) - this.#clock.now());
    const expire = () => {
      this.releaseToEnd(held);
      this.#events?.expired(held);
    };
    const cancelTimer = expires.length === 0 ? () => undefined : this.#clock.after(wait, expire);
    this.#set({ ...idsOf(held), state: 'held', by, cancelTimer });
  }

  #set(open: OpenTurn): void {
    const before = this.#turns.get(open.turn);
    if (before?.state === 'held') before.cancelTimer();
    this.#turns.delete(open.turn);
    this.#turns.set(open.turn, open);
  }

  #in<State extends OpenTurn['state']>(state: State): TurnIn<State>[] {
    return [...this.#turns.values()].filter(
      (each): each is TurnIn<State> & OpenTurn => each.state === state,
    );
  }
}

function idsOf({ conversation, turn, requestId, isSpoken }: HeldTurn): HeldTurn {
  return { conversation, turn, requestId, isSpoken };
}

/**
 * What holds a turn, or null. A question comes first, because any next message of the user can
 * answer it.
 */
function holdReason(conversation: Conversation, id: TurnId): HoldReason | null {
  const turn = findTurn(conversation, id);
  if (!turn || turn.end) return null;
  const open = openInteractions(turn);
  if (open.some(({ kind }) => kind === 'question')) return 'question';
  if (open.length > 0) return 'approval';
  return turn.paused ? 'pause' : null;
}
