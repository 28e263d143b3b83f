/** The turns that have begun and not ended: the one that runs, those that are held, that may go on, or are being ended. */
import type { ConversationLog } from '#conversations/log';
import type { ConversationId, TurnId } from '#model/ids';
import type { Clock } from '#ports/clock';
import { HeldTurns, whatHolds, type Held, type HeldBy } from './held-turns';

export interface OpenTurnsParts {
  readonly clock: Clock;
  /** A program's call is open in it. */
  isCalled(conversation: ConversationId): boolean;
  /** Nobody has answered in time; nothing else may happen to it than its end. */
  expired(held: Held): void;
  /** One may go on. */
  wake(): void;
}

export class OpenTurns {
  readonly #parts: OpenTurnsParts;
  readonly #held: HeldTurns;
  #running: (Held & { readonly stop: AbortController }) | null = null;
  /** Answered, or found interrupted at load. They come before new ones. */
  readonly #resumable: Held[] = [];
  readonly #ending = new Map<TurnId, Held>();

  constructor(parts: OpenTurnsParts) {
    this.#parts = parts;
    this.#held = new HeldTurns(parts.clock, (held) => {
      this.letGoToEnd(held);
      parts.expired(held);
    });
  }

  get running(): Held | null {
    return this.#running;
  }

  /** One is being ended from outside the loop. */
  get isEnding(): boolean {
    return this.#ending.size > 0;
  }

  /** Turns that wait for the person, or that the person holds. */
  held(): readonly (Held & { readonly by: HeldBy })[] {
    return this.#held.all();
  }

  heldIn(conversation: ConversationId): (Held & { readonly by: HeldBy }) | undefined {
    return this.#held.in(conversation);
  }

  /** Turns with something the person may settle: one that runs may have asked already and go on asking. */
  settleable(): readonly Held[] {
    return [...(this.#running ? [this.#running] : []), ...this.#held.all()];
  }

  isOpenIn(conversation: ConversationId): boolean {
    return (
      this.#parts.isCalled(conversation) ||
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
  runs(held: Held): AbortSignal {
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
  takeResumable(): Held | undefined {
    return this.#resumable.shift();
  }

  /** One that came to rest is held by what holds it, or goes on. */
  holdOrGoOn({ state }: ConversationLog, held: Held): void {
    if (this.#held.hold(held, state) === null) this.#resumable.push(held);
  }

  /** To be called when something it waited for was settled. */
  goOnIfFree({ state }: ConversationLog, held: Held): void {
    // It runs still, or has been let go by a second click, the stop or the clock: it must not run twice.
    if (!this.#held.has(held.turn)) return;
    if (whatHolds(state, held.turn) !== null) {
      this.#held.hold(held, state);
      return;
    }
    this.#held.letGo(held.turn);
    this.#resumable.push(held);
    this.#parts.wake();
  }

  /** From here on nobody else answers it or lets it go on. */
  letGoToEnd(held: Held): void {
    this.#held.letGo(held.turn);
    this.#ending.set(held.turn, held);
  }

  /** What was let go to its end has it. */
  ended({ turn }: Held): void {
    this.#ending.delete(turn);
    this.#parts.wake();
  }

  close(): void {
    this.#held.close();
    this.stopRunning();
  }
}
