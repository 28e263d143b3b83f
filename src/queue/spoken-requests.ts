/**
 * Receives requests from SmartHole: each one is saved before it is acknowledged, and duplicates do
 * not run twice.
 */
import type { DeliveredIds } from './delivered-ids';
import type { Conversations } from '#conversations/repository';
import * as t from '#messages/queue-messages';
import * as refusals from '#messages/voice-messages';
import { shorten } from '#text/shorten';
import { type Inbox, InboxFullError } from './inbox';
import { fileFailure } from '#messages/failures';
import type { RequestId, MintId } from '#model/ids';
import {
  isSpoken,
  type RequestSource,
  type RequestSubject,
  type UserRequest,
} from '#model/request';
import type { Settings } from '#model/settings';
import type { Clock } from '#ports/clock';
import { SerialQueue } from '#ports/serial-queue';
import { quickCommandOf } from '#voice/quick-command-phrases';
import { assistantNames } from '#voice/spoken-words';
import { recipients, type TurnReplies } from '#voice/turn-replies';

/** A message as SmartHole delivers it. */
export interface SpokenMessage {
  readonly id: string;
  readonly text: string;
  readonly source: Extract<RequestSource, 'voice' | 'text'>;
  /** SmartHole's routing metadata, unchanged. */
  readonly routing: Readonly<Record<string, unknown>>;
}

/**
 * Whether the message was taken and may be acknowledged. The reason must not contain anything from
 * the vault.
 */
export type IntakeResult = { readonly ok: true } | { readonly ok: false; readonly reason: string };

export interface SpokenRequestsDeps {
  readonly inbox: Inbox;
  readonly deliveredIds: DeliveredIds;
  readonly replies: TurnReplies;
  readonly clock: Clock;
  readonly mint: MintId;
  settings(): Settings;
  /** What the user was talking about at this time; null if it is not known. */
  subject(time: number): Promise<RequestSubject | null>;
  /** Called when the inbox has a new request. */
  wake(): void;
  /** Shows a problem to the user in the chat. */
  report(problem: string): void;
}

/** Older messages are not compared for duplicates. */
const LOOKBACK_MS = 60_000;
/** A repeated answer or decision within this time is a duplicate. */
const ANSWER_DUPLICATE_MS = 2_000;
const MAX_MESSAGE_CHARS = 1_000_000;
const TOO_LATE: IntakeResult = { ok: false, reason: refusals.saveTimedOut };

interface RecentMessage {
  readonly requestId: RequestId;
  readonly messageId: string;
  readonly text: string;
  readonly at: number;
}

export class SpokenRequests {
  readonly #deps: SpokenRequestsDeps;
  #last: readonly RecentMessage[] = [];
  /** Reported once until a request is taken again, because a program may send thousands. */
  #isFullReported = false;
  /** Serializes messages: two simultaneous deliveries of one message must not both count as new. */
  readonly #messages = new SerialQueue();

  constructor(deps: SpokenRequestsDeps) {
    this.#deps = deps;
  }

  /** @param late aborts when the sender has given up waiting; the message must then not be run */
  take(message: SpokenMessage, late: AbortSignal): Promise<IntakeResult> {
    // Words mean what the user could know when they arrived, however long earlier ones take.
    const arrived = this.#deps.clock.now();
    return this.#messages.run(() => this.#take(message, arrived, late));
  }

  async #take(message: SpokenMessage, arrived: number, late: AbortSignal): Promise<IntakeResult> {
    const { deliveredIds, wake, report } = this.#deps;
    if (deliveredIds.has(message.id)) return { ok: true };
    const words = message.text.trim();
    if (words === '') return { ok: false, reason: refusals.messageEmpty };
    if (words.length > MAX_MESSAGE_CHARS) return { ok: false, reason: refusals.messageTooLong };
    try {
      const earlier = this.#duplicateOf(message, arrived);
      if (earlier) await this.#join(earlier, message.id);
      else if (!(await this.#receive({ ...message, text: words }, arrived, late))) return TOO_LATE;
      this.#isFullReported = false;
      wake();
      return { ok: true };
    } catch (error) {
      if (error instanceof InboxFullError) return this.#refuseForFull(words, error);
      if (typeof (error as { code?: unknown } | null)?.code !== 'string') throw error;
      const { sentence, next, detail } = fileFailure(error);
      const why = `${sentence} ${next}${detail ? ` (${detail})` : ''}`;
      report(t.spokenNotSaved(words.slice(0, 200), why));
      return { ok: false, reason: refusals.messageNotSaved };
    }
  }

  #refuseForFull(words: string, { message }: InboxFullError): IntakeResult {
    if (!this.#isFullReported) this.#deps.report(t.spokenRefused(shorten(words, 200), message));
    this.#isFullReported = true;
    return { ok: false, reason: refusals.inboxFull };
  }

  /** False if the message came too late and was removed. */
  async #receive(
    { id, text, source, routing }: SpokenMessage,
    arrived: number,
    late: AbortSignal,
  ): Promise<boolean> {
    const { inbox, deliveredIds, mint, subject } = this.#deps;
    const about = this.#isCommand({ text, source }) ? null : await subject(arrived);
    const request: UserRequest = {
      id: mint('request'),
      time: arrived,
      text,
      source,
      conversation: null,
      attachments: [],
      reply: { to: 'smarthole', messageIds: [id] },
      routing,
      ...about,
    };
    await inbox.receive(request);
    // Resolves to false if the turn has begun or the file cannot be removed: then the message
    // counts as taken.
    const refuse = () => inbox.takeBack(request.id).catch(() => false);
    if (late.aborted && (await refuse())) return false;
    try {
      await deliveredIds.add(id);
    } catch (error) {
      // Without a record of its id, the message would run again on a second delivery.
      if (await refuse()) throw error;
      deliveredIds.keep(id);
    }
    if (late.aborted && (await refuse())) {
      await deliveredIds.forget(id);
      return false;
    }
    this.#last = [...this.#last, { requestId: request.id, messageId: id, text, at: request.time }];
    return true;
  }

  /** Whether Parley carries the words out itself. */
  #isCommand(message: Pick<SpokenMessage, 'text' | 'source'>): boolean {
    return quickCommandOf(message, assistantNames(this.#deps.settings())) !== null;
  }

  /** A duplicate is the same request: what is said about it from now on replies to both messages. */
  async #join({ requestId }: RecentMessage, messageId: string): Promise<void> {
    const { inbox, deliveredIds } = this.#deps;
    await inbox.alsoFor(requestId, messageId);
    await deliveredIds.add(messageId);
  }

  #duplicateOf(message: SpokenMessage, now: number): RecentMessage | undefined {
    this.#last = this.#last.filter(({ at }) => Math.abs(now - at) <= LOOKBACK_MS);
    const first = duplicateOf(message, this.#last, now);
    const earlier = this.#last.find(({ messageId }) => messageId === first);
    if (!earlier) return undefined;
    const { inbox, replies } = this.#deps;
    if (this.#isCommand(message)) return earlier;
    // An answer or decision takes effect at once, so the same word a moment later is about
    // something newer.
    const isOver = !inbox.get(earlier.requestId) && !replies.knows(earlier.requestId);
    return isOver && now - earlier.at > ANSWER_DUPLICATE_MS ? undefined : earlier;
  }
}

/** The SmartHole ids of all messages in the inbox. */
export function heldMessageIds(inbox: Inbox): string[] {
  return inbox
    .requests()
    .flatMap(({ request: { source, reply } }) =>
      isSpoken(source) && reply.to === 'smarthole' ? reply.messageIds : [],
    );
}

/** SmartHole hardly delivers a message again after this time. */
const REDELIVERY_MS = 60 * 60_000;
/** Bounds what a start reads; more chats are hardly used by voice in this time. */
const MAX_READ_CONVERSATIONS = 20;

/**
 * The SmartHole ids of messages that began, answered or joined a recent turn: they leave the inbox,
 * perhaps before their ids are recorded. Never rejects.
 */
export async function recentMessageIds(
  conversations: Pick<Conversations, 'list' | 'open'>,
  now: number,
): Promise<readonly string[]> {
  const all = await conversations.list().catch(() => []);
  const recent = all
    .filter(({ own, lastSpoken }) => own && (lastSpoken ?? 0) >= now - REDELIVERY_MS)
    .sort((a, b) => (b.lastSpoken ?? 0) - (a.lastSpoken ?? 0))
    .slice(0, MAX_READ_CONVERSATIONS);
  const logs = await Promise.all(recent.map(({ id }) => conversations.open(id).catch(() => null)));
  return logs.flatMap((log) => log?.state.turns.flatMap(recipients) ?? []);
}

/** SmartHole may deliver one utterance several times, each under its own id. */
const DUPLICATE_WINDOW_MS = 5_000;

export interface Utterance {
  readonly messageId: string;
  readonly text: string;
  /** When it arrived, in milliseconds since 1970 by this device's clock. */
  readonly at: number;
}

/**
 * The id under which the same words arrived a moment ago, or null. A duplicate is the same request:
 * it is saved and answered once, and acknowledged under both ids.
 *
 * @param utterances utterances that were taken as requests of their own, without duplicates
 * @param now when `message` arrived
 */
export function duplicateOf(
  message: { readonly id: string; readonly text: string },
  utterances: Iterable<Utterance>,
  now: number,
): string | null {
  const words = spoken(message.text);
  for (const { messageId, text, at } of utterances) {
    const isRecent = Math.abs(now - at) <= DUPLICATE_WINDOW_MS;
    if (isRecent && messageId !== message.id && spoken(text) === words) return messageId;
  }
  return null;
}

/** The spoken words, without the punctuation and letter case of writing. */
function spoken(text: string): string {
  const words = text.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim();
  let end = words.length;
  while (end > 0 && ' .!?…'.includes(words.charAt(end - 1))) end -= 1;
  return words.slice(0, end);
}
