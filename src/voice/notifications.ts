/**
 * Notifications for users who are not looking at the chat: a title with the status of the request,
 * and a short body. Also sends them in order, and within SmartHole's rate limit.
 */
import * as t from '#model/messages/voice-messages';
import type { TurnEnd } from '#model/event';
import type { Interaction } from '#model/interaction';
import { MAX_SCANNED_CHARS, plainText, shorten } from '#model/markdown/plain-text';
import { CHOICE_PHRASES, type Reply } from '#model/request';
import type { TurnTitle } from '#model/result-text';
import type { Clock } from '#ports/clock';
import type { Outbox, PendingReply } from './outbox';
import { ackFrame, type Notification, notificationFrame } from './protocol';

const MAX_REQUEST_CHARS = 60;
const MAX_BODY_CHARS = 240;
const TRUNCATION_SUFFIX = t.openForRest;

export interface NotificationContext {
  /** The text of the request. */
  readonly request: string;
  /** The name by which the user addresses the agent; null if the request was typed. */
  readonly wireName: string | null;
}

export function notificationOf(
  reply: Reply,
  { request, wireName }: NotificationContext,
): Notification {
  const words = oneLine(request);
  const titled = (state: string) => (words === '' ? state : `${state}: ${words}`);
  switch (reply.kind) {
    case 'message':
      return { title: titled(t.workingOn), body: inShort(reply.text), priority: 'normal' };
    case 'waiting':
      return {
        title: titled(
          reply.interaction.kind === 'question' ? t.waitingForAnswer : t.waitingForApproval,
        ),
        body: questionText(reply.interaction, reply.byVoice, wireName),
        priority: 'high',
      };
    case 'end':
      return {
        title: titled(reply.title ? TITLES[reply.title] : stateOf(reply.end)),
        body: inShort(wordsOf(reply.end)),
        priority: 'normal',
      };
  }
}

const TITLES: Record<TurnTitle, string> = { answer: t.answer, kept: t.kept, denied: t.declined };

/** Every end of a turn has a different title. */
function stateOf(end: TurnEnd): string {
  switch (end.kind) {
    case 'completed':
      return { done: t.done, partly: t.partlyDone, not_done: t.notCompleted }[end.outcome];
    case 'stopped':
      return t.stopped;
    case 'limited':
      return end.reason === 'no-answer' ? t.noAnswerCame : t.notFinished;
    case 'failed':
      return t.failed;
  }
}

function wordsOf(end: TurnEnd): string {
  if (end.kind !== 'failed' || end.reply !== '') return end.reply;
  return `${end.failure.sentence} ${end.failure.next}`;
}

/** The question may be cut, but not the instructions for answering it. */
function questionText(interaction: Interaction, byVoice: boolean, wireName: string | null): string {
  const name = wireName === null ? '' : wireName.charAt(0).toUpperCase() + wireName.slice(1);
  if (interaction.kind === 'question') {
    const choices = shorten(interaction.choices.map(oneLine).join(' / '), MAX_BODY_CHARS / 3);
    const how = wireName === null ? t.answerInChat : t.answerWith(name);
    return inShort(interaction.text, choices === '' ? how : `${choices}\n${how}`);
  }
  const choices = byVoice ? interaction.choices : [];
  const phrases = choices.flatMap((choice) => CHOICE_PHRASES[choice] ?? []);
  const how = phrases.map((phrase) => `“${name}, ${phrase}”`).join(' or ');
  const lines = [interaction.title, ...interaction.lines].join('\n');
  return inShort(lines, how === '' ? t.decideInObsidian : t.sayHow(how));
}

/** @param last a separate last line, which is never cut */
function inShort(markdown: string, last = ''): string {
  const room = MAX_BODY_CHARS - (last === '' ? 0 : last.length + 1);
  const text =
    plainNotification(markdown) + (markdown.length > MAX_SCANNED_CHARS ? TRUNCATION_SUFFIX : '');
  return `${shorten(text, room, TRUNCATION_SUFFIX)}\n${last}`.trim();
}

function oneLine(text: string): string {
  return shorten(plainNotification(text).replace(/\s+/g, ' '), MAX_REQUEST_CHARS);
}

/** SmartHole removes anything that looks like `<…>`, so angle brackets are replaced. */
export function plainNotification(markdown: string): string {
  return plainText(markdown)
    .replace(/<([^<>]*)>/g, '‹$1›')
    .replace(/</g, '‹');
}

/** False if it could not be sent. */
export type SendFrame = (frame: string) => boolean;

/**
 * How long SmartHole waits for an ack. An ack lost with a connection is sent again within this
 * time; duplicates are harmless.
 */
const ACK_VALID_MS = 30_000;

export interface NotificationSenderDeps {
  readonly clock: Clock;
  readonly outbox: Outbox;
  /** Called when the notification with this key has been sent. */
  sent(key: string): void;
}

export class NotificationSender {
  readonly #deps: NotificationSenderDeps;
  readonly #pace = new NotificationPace();
  /** Recently sent acks with their times. */
  readonly #acked = new Map<string, number>();
  /** Null while Parley is not registered. */
  #send: SendFrame | null = null;
  #cancel = () => {};

  constructor(deps: NotificationSenderDeps) {
    this.#deps = deps;
  }

  /** Starts sending: first the acks, then the saved notifications. */
  open(send: SendFrame): void {
    this.#send = send;
    const { outbox, clock } = this.#deps;
    this.#forgetOld(clock.now());
    const acks = new Set([...this.#acked.keys(), ...outbox.acks]);
    for (const messageId of acks) {
      if (!send(ackFrame(messageId))) return;
    }
    void outbox.acksSent();
    this.#next();
  }

  /** Stops sending until it is opened again; everything is saved meanwhile. */
  close(): void {
    this.#send = null;
    this.#cancel();
  }

  /**
   * Acknowledges a message that is saved and will be run. Resolves when the ack was sent, or is
   * saved to be sent later.
   */
  async ack(messageId: string): Promise<void> {
    const { clock, outbox } = this.#deps;
    if (!this.#send?.(ackFrame(messageId))) return outbox.keepAck(messageId);
    const now = clock.now();
    this.#forgetOld(now);
    this.#acked.set(messageId, now);
  }

  /** Resolves when the reply is on disk. It is sent when its turn comes. */
  async add(reply: PendingReply): Promise<void> {
    await this.#deps.outbox.keepReply(reply);
    this.#next();
  }

  #next(): void {
    const { clock, outbox } = this.#deps;
    this.#cancel();
    const reply = nextReply(outbox.replies);
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
    this.#deps.sent(reply.key);
    this.#next();
  }

  #forgetOld(now: number): void {
    for (const [messageId, at] of this.#acked) {
      if (now - at > ACK_VALID_MS) this.#acked.delete(messageId);
    }
  }
}

/** The most urgent reply, but never before an earlier reply to the same message. */
export function nextReply(replies: readonly PendingReply[]): PendingReply | null {
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

/**
 * SmartHole's limits plus a margin, because notifications sent a second apart may arrive closer
 * together.
 */
const MIN_INTERVAL_MS = 1_100;
const RATE_WINDOW_MS = 60_500;
const MAX_PER_WINDOW = 10;
/**
 * Recent titles, which must not repeat. Far more than five seconds' worth, because SmartHole has a
 * queue of its own.
 */
const MAX_REMEMBERED = 30;
const MAX_TITLE_CHARS = 100;

export class NotificationPace {
  readonly #sent: { readonly at: number; readonly title: string }[] = [];

  /** Milliseconds until the next notification may be sent, or 0. */
  wait(now: number): number {
    // Ignore times that lie in the future because the clock was set back.
    const past = this.#sent.filter(({ at }) => at <= now);
    const last = past.at(-1)?.at ?? -Infinity;
    const tenth = past.at(-MAX_PER_WINDOW)?.at ?? -Infinity;
    return Math.max(0, last + MIN_INTERVAL_MS - now, tenth + RATE_WINDOW_MS - now);
  }

  /** Records a notification sent now. Returns its title, made different from all recent ones. */
  take(title: string, now: number): string {
    const wanted = shorten(title, MAX_TITLE_CHARS);
    let distinct = wanted;
    for (let count = 2; this.#has(distinct); count += 1) distinct = `${wanted} (${count})`;
    this.#sent.push({ at: now, title: distinct });
    if (this.#sent.length > MAX_REMEMBERED) this.#sent.shift();
    return distinct;
  }

  #has(title: string): boolean {
    const same = (other: string) => other.trim().toLowerCase() === title.trim().toLowerCase();
    return this.#sent.some((each) => same(each.title));
  }
}
