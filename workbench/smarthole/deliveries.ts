/** What was delivered to whom, and what came back. One attempt each, 30 s for the first answer. */
import type { Response } from './responses';
import type { Metadata, PretendClock } from './wire';

export type DeliveryState = 'waiting' | 'acked' | 'rejected' | 'timed out' | 'answered';

export interface Delivery {
  readonly id: string;
  readonly text: string;
  readonly client: string;
  readonly at: number;
  readonly metadata: Metadata;
  /** `answered`: by something that is neither ack nor reject, or is malformed. It stopped the timer, and no more. */
  readonly state: DeliveryState;
  /** How often it was sent under this id. */
  readonly sent: number;
  /** Names in whose stead it came here. */
  readonly after: readonly string[];
}

type Kept = { -readonly [Name in keyof Delivery]: Delivery[Name] } & { cancel(): void };

const ANSWER_WITHIN = 30_000;
const REJECT_AFTER_ACK_WITHIN = 300_000;
const MOST_KEPT = 100;

export interface DeliveriesParts {
  readonly clock: PretendClock;
  /** A message has to go to somebody else. */
  reroute(delivery: Delivery, reason: string): void;
  changed(): void;
}

export class Deliveries {
  readonly #parts: DeliveriesParts;
  readonly #kept: Kept[] = [];

  constructor(parts: DeliveriesParts) {
    this.#parts = parts;
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
      at: this.#parts.clock.now(),
      state: 'waiting',
      sent: 1,
      cancel: () => undefined,
    };
    this.#kept.push(kept);
    if (this.#kept.length > MOST_KEPT) this.#kept.shift()?.cancel();
    this.#startTimer(kept);
    return plain(kept);
  }

  /** The same once more, under the same id: an answer is awaited anew. */
  repeat(id: string): void {
    const kept = this.#kept.findLast((each) => each.id === id);
    if (!kept) return;
    kept.sent += 1;
    kept.state = 'waiting';
    this.#startTimer(kept);
  }

  /** False if nothing is known under this id and name. */
  answer(client: string, response: Response): boolean {
    const { clock, reroute, changed } = this.#parts;
    const kept = this.#kept.findLast(
      (each) => each.id === response.messageId && each.client === client,
    );
    if (!kept) return false;
    kept.cancel();
    const before = kept.state;
    const isFresh = before === 'waiting' || before === 'answered';
    const isTakenBack = before === 'acked' && clock.now() - kept.at < REJECT_AFTER_ACK_WITHIN;
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
    kept.cancel = this.#parts.clock.after(ANSWER_WITHIN, () => {
      kept.state = 'timed out';
      this.#parts.reroute(plain(kept), 'Response timeout');
      this.#parts.changed();
    });
  }
}

function plain({ cancel: _, ...delivery }: Kept): Delivery {
  return delivery;
}
