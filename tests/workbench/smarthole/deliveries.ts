/**
 * Delivered messages and the responses to them. Each is sent once, with 30 s for the first
 * response.
 */
import type { Metadata, SmartHoleClock, Response } from './wire';

export type DeliveryState = 'waiting' | 'acked' | 'rejected' | 'timed out' | 'answered';

export interface Delivery {
  readonly id: string;
  readonly text: string;
  readonly client: string;
  readonly at: number;
  readonly metadata: Metadata;
  /** `answered` means by something other than a valid ack or reject; it only stops the timer. */
  readonly state: DeliveryState;
  /** How often it was sent with this id. */
  readonly sent: number;
  /** Clients that failed to take the message before it was routed here. */
  readonly after: readonly string[];
}

type Kept = { -readonly [Name in keyof Delivery]: Delivery[Name] } & { cancel(): void };

const ANSWER_TIMEOUT_MS = 30_000;
const REJECT_WINDOW_MS = 300_000;
const MAX_KEPT = 100;

export interface DeliveriesDeps {
  readonly clock: SmartHoleClock;
  /** Routes a message to another client. */
  reroute(delivery: Delivery, reason: string): void;
  changed(): void;
}

export class Deliveries {
  readonly #deps: DeliveriesDeps;
  readonly #kept: Kept[] = [];

  constructor(parts: DeliveriesDeps) {
    this.#deps = parts;
  }

  /** The last hundred, oldest first. */
  get all(): readonly Delivery[] {
    return this.#kept.map(plain);
  }

  find(id: string): Delivery | null {
    const kept = this.#kept.findLast((each) => each.id === id);
    return kept ? plain(kept) : null;
  }

  add(delivery: Pick<Delivery, 'id' | 'text' | 'client' | 'metadata' | 'after'>): Delivery {
    const kept: Kept = {
      ...delivery,
      at: this.#deps.clock.now(),
      state: 'waiting',
      sent: 1,
      cancel: () => undefined,
    };
    this.#kept.push(kept);
    if (this.#kept.length > MAX_KEPT) this.#kept.shift()?.cancel();
    this.#startTimer(kept);
    return plain(kept);
  }

  /** Sends the message again with the same id, and restarts the timer. */
  repeat(id: string): void {
    const kept = this.#kept.findLast((each) => each.id === id);
    if (!kept) return;
    kept.sent += 1;
    kept.state = 'waiting';
    this.#startTimer(kept);
  }

  /** False if there is no message with this id for this client. */
  answer(client: string, response: Response): boolean {
    const { clock, reroute, changed } = this.#deps;
    const kept = this.#kept.findLast(
      (each) => each.id === response.messageId && each.client === client,
    );
    if (!kept) return false;
    kept.cancel();
    const before = kept.state;
    const isFresh = before === 'waiting' || before === 'answered';
    const isTakenBack = before === 'acked' && clock.now() - kept.at < REJECT_WINDOW_MS;
    if (response.kind === 'ack' && isFresh) kept.state = 'acked';
    else if (response.kind === 'reject' && (isFresh || isTakenBack)) {
      kept.state = 'rejected';
      reroute(plain(kept), response.reason);
    } else if (before === 'waiting') kept.state = 'answered';
    changed();
    return true;
  }

  clear(): void {
    for (const kept of this.#kept.splice(0)) kept.cancel();
  }

  #startTimer(kept: Kept): void {
    kept.cancel();
    kept.cancel = this.#deps.clock.after(ANSWER_TIMEOUT_MS, () => {
      kept.state = 'timed out';
      this.#deps.reroute(plain(kept), 'Response timeout');
      this.#deps.changed();
    });
  }
}

function plain({ cancel: _, ...delivery }: Kept): Delivery {
  return delivery;
}
