/**
 * Gets every saved notification shown once: by SmartHole, in order and within its rate limit, or by
 * Obsidian if SmartHole no longer knows the message.
 */
import { shorten } from '#text/shorten';
import type { Clock } from '#ports/clock';
import { AGAIN, again } from '#messages/voice-messages';
import { combined, MAX_TITLE_CHARS } from './notifications';
import type { Outbox, PendingReply, ReplyTurn } from './outbox';
import { ackFrame, type Notification, notificationFrame } from './protocol';

/** The connection to SmartHole while Parley is registered. */
export interface ReplyLine {
  /** False if it could not be sent. */
  send(frame: string): boolean;
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
  show(notification: ObsidianNotification): void;
}

/**
 * How long SmartHole waits for an ack. An ack lost with a connection is sent again within this
 * time; duplicates are harmless.
 */
const ACK_VALID_MS = 30_000;
/** SmartHole remembers as many deliveries, so replies before these have waited for too long. */
const MAX_DELIVERIES = 100;
/** Of requests that were done, more than this many are not shown one by one. */
const MAX_SEPARATE = 5;

export class NotificationSender {
  readonly #deps: NotificationSenderDeps;
  readonly #pace = new NotificationPace();
  readonly #deliveries = new Deliveries();
  /** Recent acks with their times, sent or not. */
  readonly #acks = new Map<string, number>();
  /** Null while Parley is not registered. */
  #line: ReplyLine | null = null;
  /** SmartHole refuses to register Parley, mostly because another program has its name. */
  #isRefused = false;
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
    this.#isRefused = false;
    this.#forgetOldAcks();
    for (const messageId of this.#acks.keys()) line.send(ackFrame(messageId));
    this.#next();
  }

  /** Stops sending until it is opened again; everything is saved meanwhile. */
  close(): void {
    this.#line = null;
    this.#cancel();
  }

  /** Lets Obsidian show everything until `open` is called. */
  refuse(): void {
    this.#isRefused = true;
    this.#next();
  }

  /** Must be called with the id of each message that SmartHole delivers. */
  delivered(messageId: string): void {
    this.#deliveries.add(messageId);
  }

  /** Must be called when SmartHole has forgotten its deliveries. */
  forget(): void {
    this.#deliveries.forget();
    this.#next();
  }

  /** Acknowledges a message that is saved and will be run, at the latest when `open` is called. */
  ack(messageId: string): void {
    this.#forgetOldAcks();
    this.#acks.set(messageId, this.#deps.clock.elapsed());
    this.#line?.send(ackFrame(messageId));
  }

  /** Resolves when the reply is on disk. It is shown when its turn comes. */
  async add(reply: PendingReply): Promise<void> {
    await this.#deps.outbox.keepReply(reply);
    this.#next();
  }

  #next(): void {
    const { clock, outbox } = this.#deps;
    this.#cancel();
    if (!this.#isRunning) return;
    this.#showInObsidian(this.#unreachable());
    const { replies, isUrgent } = nextReplies(outbox.replies);
    if (!this.#line || replies.length === 0) return;
    const wait = this.#pace.wait(clock.elapsed(), isUrgent);
    if (wait > 0) this.#cancel = clock.after(wait, () => this.#next());
    else if (this.#send(this.#line, replies, isUrgent)) this.#next();
  }

  /** False if it could not be sent, because the connection is about to close. */
  #send(line: ReplyLine, replies: readonly PendingReply[], isUrgent: boolean): boolean {
    const { clock, outbox } = this.#deps;
    const messageId = this.#deliveries.newestOf(replies.flatMap(({ messageIds }) => messageIds));
    if (messageId === null) return false;
    const { title: wanted, body, priority } = combined(replies);
    const title = this.#pace.take(wanted, clock.elapsed(), isUrgent);
    if (!line.send(notificationFrame(messageId, { title, body, priority }))) return false;
    void outbox.repliesShown(replies);
    return true;
  }

  #unreachable(): readonly PendingReply[] {
    const { replies } = this.#deps.outbox;
    return replies.filter(
      ({ messageIds }, at) =>
        this.#isRefused ||
        at < replies.length - MAX_DELIVERIES ||
        this.#deliveries.newestOf(messageIds) === null,
    );
  }

  #showInObsidian(unreachable: readonly PendingReply[]): void {
    const { outbox, show } = this.#deps;
    let left = unreachable;
    while (left.length > 0) {
      const { replies } = nextReplies(left);
      const { title, body } = combined(replies);
      show({ title, body, turns: replies.flatMap(({ turn }) => (turn ? [turn] : [])) });
      void outbox.repliesShown(replies);
      left = left.filter((each) => !replies.includes(each));
    }
  }

  #forgetOldAcks(): void {
    const now = this.#deps.clock.elapsed();
    for (const [messageId, at] of this.#acks) {
      if (now - at > ACK_VALID_MS) this.#acks.delete(messageId);
    }
  }
}

/** The deliveries that SmartHole remembers: it shows no reply to another message. */
class Deliveries {
  /** Oldest first. */
  #ids: readonly string[] = [];
  /** Whether SmartHole may know ids of an earlier run of Parley, too. */
  #mayKnowMore = true;

  add(id: string): void {
    const all = [...this.#ids.filter((each) => each !== id), id];
    this.#ids = all.slice(-MAX_DELIVERIES);
    if (all.length > MAX_DELIVERIES) this.#mayKnowMore = false;
  }

  forget(): void {
    this.#ids = [];
    this.#mayKnowMore = false;
  }

  newestOf(ids: readonly string[]): string | null {
    const newest = this.#ids.findLast((id) => ids.includes(id));
    return newest ?? (this.#mayKnowMore ? ids.at(-1) : null) ?? null;
  }
}

interface NextReplies {
  readonly replies: readonly PendingReply[];
  /** Whether one of them, or a reply that waits for them, is a question or an approval. */
  readonly isUrgent: boolean;
}

/**
 * The most urgent reply, but never before an earlier reply to the same message; or the oldest of
 * many requests that were done, to be shown as one.
 */
export function nextReplies(waiting: readonly PendingReply[]): NextReplies {
  const firsts = new Map<string, { readonly reply: PendingReply; rank: number }>();
  for (const reply of waiting) {
    const [message = reply.key] = reply.messageIds;
    const first = firsts.get(message);
    if (first) first.rank = Math.max(first.rank, rankOf(reply));
    else firsts.set(message, { reply, rank: rankOf(reply) });
  }
  const all = [...firsts.values()];
  const highest = Math.max(...all.map(({ rank }) => rank));
  const urgent = all.filter(({ rank }) => rank === highest);
  const next = urgent.find(({ reply }) => rankOf(reply) === highest) ?? urgent[0];
  if (!next) return { replies: [], isUrgent: false };
  const done = all.flatMap(({ reply }) => (reply.done === null ? [] : [reply]));
  const isOneOfMany = next.reply.done !== null && done.length > MAX_SEPARATE;
  const replies = isOneOfMany ? done.slice(0, done.length - MAX_SEPARATE + 1) : [next.reply];
  return { replies, isUrgent: highest === RANKS.indexOf('high') };
}

const RANKS: readonly Notification['priority'][] = ['low', 'normal', 'high'];

function rankOf({ notification }: PendingReply): number {
  return RANKS.indexOf(notification.priority);
}

/**
 * SmartHole's limits plus a margin, because notifications sent a second apart may arrive closer
 * together.
 */
const MIN_INTERVAL_MS = 1_100;
const RATE_WINDOW_MS = 60_500;
/** For all programs together. */
const MAX_PER_WINDOW = 10;
/** The rest is for questions and approvals, and for other programs. */
const MAX_ENDS_PER_WINDOW = 6;
/**
 * Titles must not repeat within this time: far more than five seconds, because SmartHole has a queue
 * of its own.
 */
const TITLE_WINDOW_MS = 120_000;

interface SentNotification {
  readonly at: number;
  readonly title: string;
  readonly isUrgent: boolean;
}

/** All times are of a clock that never goes back. */
export class NotificationPace {
  /** Those that still count, oldest first. */
  #sent: readonly SentNotification[] = [];

  /** Milliseconds until the next notification may be sent, or 0. */
  wait(now: number, isUrgent: boolean): number {
    const until = (sent: SentNotification | undefined, delay: number) =>
      sent ? sent.at + delay - now : 0;
    const ends = this.#sent.filter((each) => !each.isUrgent);
    return Math.max(
      0,
      until(this.#sent.at(-1), MIN_INTERVAL_MS),
      until(this.#sent.at(-MAX_PER_WINDOW), RATE_WINDOW_MS),
      isUrgent ? 0 : until(ends.at(-MAX_ENDS_PER_WINDOW), RATE_WINDOW_MS),
    );
  }

  /** Counts notifications of an earlier run, because SmartHole's limits do not start over. */
  resume(times: readonly number[]): void {
    this.#sent = times.map((at) => ({ at, title: '', isUrgent: false }));
  }

  /** Records a notification sent now. Returns its title, made different from all recent ones. */
  take(title: string, now: number, isUrgent: boolean): string {
    this.#sent = this.#sent.filter(({ at }) => now - at < TITLE_WINDOW_MS);
    const distinct = this.#leastRecent(titleForms(title));
    this.#sent = [...this.#sent, { at: now, title: distinct, isUrgent }];
    return distinct;
  }

  /** The first form that was not used recently, or else the one used longest ago. */
  #leastRecent(forms: readonly string[]): string {
    const lastUse = (form: string) => this.#sent.findLast((each) => isSame(each.title, form))?.at;
    const used = forms.map((form) => lastUse(form) ?? -Infinity);
    return forms[used.indexOf(Math.min(...used))] ?? '';
  }
}

/** As many that sent one after the other, each is sent again only when SmartHole has forgotten it. */
function titleForms(title: string): readonly string[] {
  return ['', ...AGAIN].map((lead) => {
    const room = MAX_TITLE_CHARS - lead.length - 2;
    return lead === '' ? shorten(title, MAX_TITLE_CHARS) : again(lead, shorten(title, room));
  });
}

function isSame(title: string, other: string): boolean {
  return title.trim().toLowerCase() === other.trim().toLowerCase();
}
