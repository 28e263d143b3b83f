/** What goes back to SmartHole: acks at once, notifications at the pace it shows them. What can't go now is kept. */
import { shorten } from '#model/plain-text';
import type { Clock } from '#ports/clock';
import type { PendingReply, Outbox } from './outbox';
import { ackFrame, notificationFrame } from './protocol';

/** False if it could not be sent. */
export type SendFrame = (frame: string) => boolean;

/**
 * SmartHole waits so long for an answer. An ack that went down with a connection is said again while it still counts;
 * twice does no harm.
 */
const ACK_COUNTS = 30_000;

export interface RepliesParts {
  readonly clock: Clock;
  readonly outbox: Outbox;
  /** The notification under this key has gone out. */
  sent(key: string): void;
}

export class NotificationSender {
  readonly #parts: RepliesParts;
  readonly #pace = new NotificationPace();
  /** Acks that were sent of late, with when. */
  readonly #acked = new Map<string, number>();
  /** While SmartHole knows us. */
  #send: SendFrame | null = null;
  #cancel = () => {};

  constructor(parts: RepliesParts) {
    this.#parts = parts;
  }

  /** From now on frames can go: first the acks, then what was kept, in its order. */
  open(send: SendFrame): void {
    this.#send = send;
    const { outbox, clock } = this.#parts;
    this.#forgetOld(clock.now());
    const acks = new Set([...this.#acked.keys(), ...outbox.acks]);
    for (const messageId of acks) {
      if (!send(ackFrame(messageId))) return;
    }
    void outbox.acksSent();
    this.#next();
  }

  /** Until it is opened again, all is kept. */
  close(): void {
    this.#send = null;
    this.#cancel();
  }

  /** The message is saved and will be done. Resolves when that was sent, or is kept on disk to be sent. */
  async ack(messageId: string): Promise<void> {
    const { clock, outbox } = this.#parts;
    if (!this.#send?.(ackFrame(messageId))) return outbox.keepAck(messageId);
    const now = clock.now();
    this.#forgetOld(now);
    this.#acked.set(messageId, now);
  }

  /** Resolves when it is on disk; it goes as soon as its turn comes. */
  async add(reply: PendingReply): Promise<void> {
    await this.#parts.outbox.keepReply(reply);
    this.#next();
  }

  #next(): void {
    const { clock, outbox } = this.#parts;
    this.#cancel();
    const reply = nextOf(outbox.replies);
    if (!this.#send || !reply) return;
    const now = clock.now();
    const wait = this.#pace.wait(now);
    if (wait > 0) {
      this.#cancel = clock.after(wait, () => this.#next());
      return;
    }
    const { messageId, notification } = reply;
    const title = this.#pace.take(notification.title, now);
    if (!this.#send(notificationFrame(messageId, { ...notification, title }))) return;
    void outbox.replySent(reply);
    this.#parts.sent(reply.key);
    this.#next();
  }

  #forgetOld(now: number): void {
    for (const [messageId, at] of this.#acked) {
      if (now - at > ACK_COUNTS) this.#acked.delete(messageId);
    }
  }
}

/** The most urgent comes first, but not before what was said earlier about the same message. */
export function nextOf(replies: readonly PendingReply[]): PendingReply | null {
  const begun = new Set<string>();
  let next: PendingReply | null = null;
  for (const reply of replies) {
    if (begun.has(reply.messageId)) continue;
    begun.add(reply.messageId);
    if (!next || rank(reply) > rank(next)) next = reply;
  }
  return next;
}

function rank({ notification }: PendingReply): number {
  return ['low', 'normal', 'high'].indexOf(notification.priority);
}

/** With a little to spare, as what is sent a second apart may arrive in less. */
const APART = 1_100;
const WINDOW = 60_500;
const IN_WINDOW = 10;
/** Titles that must not come again. Far more than five seconds' worth: SmartHole has a queue of its own. */
const REMEMBERED = 30;
const LONGEST_TITLE = 100;

export class NotificationPace {
  readonly #sent: { readonly at: number; readonly title: string }[] = [];

  /** Milliseconds until the next one may go; 0 for now. */
  wait(now: number): number {
    // Those from before the clock was set back say nothing of now.
    const past = this.#sent.filter(({ at }) => at <= now);
    const last = past.at(-1)?.at ?? -Infinity;
    const tenth = past.at(-IN_WINDOW)?.at ?? -Infinity;
    return Math.max(0, last + APART - now, tenth + WINDOW - now);
  }

  /** One goes now; gives the title it goes under, unlike any of late. */
  take(title: string, now: number): string {
    const wanted = shorten(title, LONGEST_TITLE);
    let distinct = wanted;
    for (let count = 2; this.#has(distinct); count += 1) distinct = `${wanted} (${count})`;
    this.#sent.push({ at: now, title: distinct });
    if (this.#sent.length > REMEMBERED) this.#sent.shift();
    return distinct;
  }

  #has(title: string): boolean {
    const same = (other: string) => other.trim().toLowerCase() === title.trim().toLowerCase();
    return this.#sent.some((each) => same(each.title));
  }
}
