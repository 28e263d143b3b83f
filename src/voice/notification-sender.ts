/**
 * Gets every saved notification shown once: by SmartHole, in order and within its rate limit, or by
 * Obsidian if SmartHole no longer knows the message.
 */
import { shorten } from '#text/shorten';
import type { Clock } from '#ports/clock';
import type { KnownDeliveries } from './known-deliveries';
import { combined } from './notifications';
import type { Outbox, PendingReply, ReplyTurn } from './outbox';
import { ackFrame, notificationFrame } from './protocol';

/** The connection to SmartHole while Parley is registered. */
export interface ReplyLine {
  /** False if it could not be sent. */
  send(frame: string): boolean;
  /** Resolves to whether SmartHole has received everything sent so far. */
  confirm(): Promise<boolean>;
}

/** A notification for Obsidian to show. */
export interface ObsidianNotification {
  readonly title: string;
  readonly body: string;
  readonly turns: readonly ReplyTurn[];
}

export interface NotificationSenderDeps {
  readonly clock: Clock;
  readonly outbox: Outbox;
  readonly known: KnownDeliveries;
  show(notification: ObsidianNotification): void;
}

/**
 * How long SmartHole waits for an ack. An ack lost with a connection is sent again within this
 * time; duplicates are harmless.
 */
const ACK_VALID_MS = 30_000;
/** A notification that SmartHole did not confirm this often is left to Obsidian. */
const MAX_SENDS = 2;
/** SmartHole remembers as many deliveries, so replies before these have waited for too long. */
const MAX_WAITING = 100;
/** Of requests that were done, more than this many are not shown one by one. */
const MAX_SEPARATE = 5;

export class NotificationSender {
  readonly #deps: NotificationSenderDeps;
  readonly #pace = new NotificationPace();
  /** Recently sent acks with their times. */
  readonly #acked = new Map<string, number>();
  /** Null while Parley is not registered. */
  #line: ReplyLine | null = null;
  /** Sent and not confirmed, by key. */
  readonly #unconfirmed = new Map<string, { readonly title: string; readonly sends: number }>();
  #isConfirming = false;
  #isRunning = false;
  #cancel = () => {};

  constructor(deps: NotificationSenderDeps) {
    this.#deps = deps;
  }

  /** Nothing is shown before, so that replies that have become obsolete can be dropped first. */
  start(): void {
    this.#isRunning = true;
    this.#pace.resume(this.#deps.outbox.shownTimes);
    this.#next();
  }

  /** Called at unload. */
  stop(): void {
    this.#isRunning = false;
    this.close();
  }

  /** Starts sending: first the acks, then the saved notifications. */
  open(line: ReplyLine): void {
    this.#line = line;
    const { outbox, clock } = this.#deps;
    this.#forgetOld(clock.now());
    const acks = new Set([...this.#acked.keys(), ...outbox.acks]);
    for (const messageId of acks) {
      if (!line.send(ackFrame(messageId))) return;
    }
    void outbox.acksSent();
    this.#next();
  }

  /** Stops sending until it is opened again; everything is saved meanwhile. */
  close(): void {
    this.#line = null;
    this.#cancel();
  }

  /** Must be called when SmartHole has forgotten its deliveries. */
  wake(): void {
    this.#next();
  }

  /**
   * Acknowledges a message that is saved and will be run. Resolves when the ack was sent, or is
   * saved to be sent later.
   */
  async ack(messageId: string): Promise<void> {
    const { clock, outbox } = this.#deps;
    if (!this.#line?.send(ackFrame(messageId))) return outbox.keepAck(messageId);
    const now = clock.now();
    this.#forgetOld(now);
    this.#acked.set(messageId, now);
  }

  /** Resolves when the reply is on disk. It is shown when its turn comes. */
  async add(reply: PendingReply): Promise<void> {
    await this.#deps.outbox.keepReply(reply);
    this.#next();
  }

  #next(): void {
    const { clock, outbox } = this.#deps;
    this.#cancel();
    if (!this.#isRunning || this.#isConfirming) return;
    this.#showInObsidian(this.#unreachable());
    const replies = nextReplies(outbox.replies);
    if (!this.#line || replies.length === 0) return;
    const wait = this.#pace.wait(clock.now());
    if (wait > 0) this.#cancel = clock.after(wait, () => this.#next());
    else void this.#send(this.#line, replies);
  }

  async #send(line: ReplyLine, replies: readonly PendingReply[]): Promise<void> {
    const { clock, outbox, known } = this.#deps;
    const messageId = known.newestOf(replies.flatMap(({ messageIds }) => messageIds));
    if (messageId === null) return;
    const { title: wanted, body, priority } = combined(replies);
    // Under its old title SmartHole merges a notification that it had received after all.
    const before = replies.length === 1 ? this.#unconfirmed.get(replies[0]!.key) : undefined;
    const title = this.#pace.take(wanted, clock.now(), before?.title);
    if (!line.send(notificationFrame(messageId, { title, body, priority }))) return;
    this.#isConfirming = true;
    const isReceived = await line.confirm();
    this.#isConfirming = false;
    if (!this.#isRunning) return;
    for (const { key } of replies) {
      const sends = (this.#unconfirmed.get(key)?.sends ?? 0) + 1;
      if (isReceived) this.#unconfirmed.delete(key);
      else this.#unconfirmed.set(key, { title, sends });
    }
    if (isReceived) void outbox.repliesShown(replies, clock.now());
    this.#next();
  }

  #unreachable(): readonly PendingReply[] {
    const { outbox, known } = this.#deps;
    return outbox.replies.filter(
      ({ key, messageIds }, at) =>
        at < outbox.replies.length - MAX_WAITING ||
        known.newestOf(messageIds) === null ||
        (this.#unconfirmed.get(key)?.sends ?? 0) >= MAX_SENDS,
    );
  }

  #showInObsidian(replies: readonly PendingReply[]): void {
    const { clock, outbox, show } = this.#deps;
    let left = replies;
    while (left.length > 0) {
      const group = nextReplies(left);
      const { title, body } = combined(group);
      show({ title, body, turns: group.flatMap(({ turn }) => (turn ? [turn] : [])) });
      void outbox.repliesShown(group, clock.now());
      for (const { key } of group) this.#unconfirmed.delete(key);
      left = left.filter((each) => !group.includes(each));
    }
  }

  #forgetOld(now: number): void {
    for (const [messageId, at] of this.#acked) {
      if (now - at > ACK_VALID_MS) this.#acked.delete(messageId);
    }
  }
}

/**
 * The most urgent reply, but never before an earlier reply to the same message; or the oldest of
 * many requests that were done, to be shown as one.
 */
export function nextReplies(replies: readonly PendingReply[]): readonly PendingReply[] {
  const begun = new Set<string>();
  const first = replies.filter(({ key, messageIds: [messageId = key] }) => {
    const isFirst = !begun.has(messageId);
    begun.add(messageId);
    return isFirst;
  });
  let next: PendingReply | null = null;
  for (const reply of first) if (!next || rank(reply) > rank(next)) next = reply;
  if (!next) return [];
  const done = first.filter((reply) => reply.done !== null);
  const isOneOfMany = next.done !== null && done.length > MAX_SEPARATE;
  return isOneOfMany ? done.slice(0, done.length - MAX_SEPARATE + 1) : [next];
}

function rank({ notification }: PendingReply): number {
  return ['low', 'normal', 'high'].indexOf(notification.priority);
}

/**
 * SmartHole's limits plus a margin, because notifications sent a second apart may arrive closer
 * together.
 */
const MIN_INTERVAL_MS = 1_100;
const RATE_WINDOW_MS = 60_500;
const MAX_PER_WINDOW = 10;
/**
 * Titles must not repeat within this time: far more than five seconds, because SmartHole has a queue
 * of its own.
 */
const TITLE_WINDOW_MS = 120_000;
const MAX_TITLE_CHARS = 100;

export class NotificationPace {
  /** Those that still count, oldest first. */
  #sent: readonly { readonly at: number; readonly title: string }[] = [];

  /** Milliseconds until the next notification may be sent, or 0. */
  wait(now: number): number {
    // Ignore times that lie in the future because the clock was set back.
    const past = this.#sent.filter(({ at }) => at <= now);
    const last = past.at(-1)?.at ?? -Infinity;
    const tenth = past.at(-MAX_PER_WINDOW)?.at ?? -Infinity;
    return Math.max(0, last + MIN_INTERVAL_MS - now, tenth + RATE_WINDOW_MS - now);
  }

  /** Counts notifications of an earlier run, because SmartHole's limits do not start over. */
  resume(times: readonly number[]): void {
    this.#sent = times.map((at) => ({ at, title: '' }));
  }

  /**
   * Records a notification sent now. Returns its title, made different from all recent ones.
   *
   * @param again the title under which it was sent before
   */
  take(title: string, now: number, again?: string): string {
    this.#sent = this.#sent.filter(({ at }) => Math.abs(now - at) < TITLE_WINDOW_MS);
    const wanted = shorten(title, MAX_TITLE_CHARS);
    let distinct = again ?? wanted;
    for (let count = 2; distinct !== again && this.#has(distinct); count += 1) {
      distinct = `${wanted} (${count})`;
    }
    this.#sent = [...this.#sent, { at: now, title: distinct }];
    return distinct;
  }

  #has(title: string): boolean {
    const same = (other: string) => other.trim().toLowerCase() === title.trim().toLowerCase();
    return this.#sent.some((each) => same(each.title));
  }
}
