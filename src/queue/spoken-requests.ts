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
import { fileErrorText, fileFailure, isFileError } from '#messages/failures';
import type { RequestId, MintId } from '#model/ids';
import { type Hearing, isSpoken, type RequestSubject, type UserRequest } from '#model/request';
import type { Settings } from '#model/settings';
import type { Clock } from '#ports/clock';
import { SerialQueue } from '#ports/serial-queue';
import type { IntakeReply, TakeMessage } from '#voice/bridge';
import type { RoutedMessage } from '#voice/protocol';
import { quickCommandOf } from '#voice/quick-command-phrases';
import { assistantNames } from '#voice/spoken-words';
import { recipients, type TurnReplies } from '#voice/turn-replies';

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

/** SmartHole may deliver one utterance several times, each under its own id. */
const DUPLICATE_WINDOW_MS = 1_000;
const MAX_MESSAGE_CHARS = 1_000_000;
const TOO_LATE: IntakeReply = { reject: refusals.saveTimedOut };

/** When a message arrived, and what the user could know then. */
interface Arrival {
  /** Milliseconds since 1970. */
  readonly time: number;
  /** By the clock's `elapsed`. */
  readonly elapsed: number;
  readonly hearing: Hearing;
}

/** A message that was taken as a request of its own. */
interface RecentMessage {
  readonly requestId: RequestId;
  readonly messageId: string;
  readonly text: string;
  /** By the clock's `elapsed`. */
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

  take: TakeMessage = async (message, late) => {
    const { clock, replies } = this.#deps;
    // Words mean what the user could know when they arrived, however long earlier ones take.
    const arrived = { time: clock.now(), elapsed: clock.elapsed(), hearing: replies.hearing() };
    try {
      return await this.#messages.run(() => this.#take(message, arrived, late));
    } catch (error) {
      // This is a bug, but SmartHole must still get an answer and the user a message.
      const detail = error instanceof Error ? error.message : String(error);
      this.#deps.report(refusals.requestFailed(detail));
      return { reject: refusals.requestNotSaved };
    }
  };

  async #take(message: RoutedMessage, arrived: Arrival, late: AbortSignal): Promise<IntakeReply> {
    const { deliveredIds, wake, report } = this.#deps;
    if (deliveredIds.has(message.id)) return 'ack';
    const words = message.text.trim();
    if (words === '') return { reject: refusals.messageEmpty };
    if (words.length > MAX_MESSAGE_CHARS) return { reject: refusals.messageTooLong };
    try {
      const earlier = this.#earlierOf(message, arrived);
      if (earlier) await this.#join(earlier, message.id);
      else if (!(await this.#receive({ ...message, text: words }, arrived, late))) return TOO_LATE;
      this.#isFullReported = false;
      wake();
      return 'ack';
    } catch (error) {
      if (error instanceof InboxFullError) return this.#refuseForFull(words, error);
      if (!isFileError(error)) throw error;
      const { kind, sentence } = fileFailure(error);
      report(t.spokenNotSaved(words.slice(0, 200), fileErrorText(error)));
      return { reject: kind === 'disk-full' ? sentence : refusals.messageNotSaved };
    }
  }

  #refuseForFull(words: string, { message }: InboxFullError): IntakeReply {
    if (!this.#isFullReported) this.#deps.report(t.spokenRefused(shorten(words, 200), message));
    this.#isFullReported = true;
    return { reject: refusals.inboxFull };
  }

  /** False if the message came too late and was removed. */
  async #receive(
    { id, text, routing }: RoutedMessage,
    { time, elapsed, hearing }: Arrival,
    late: AbortSignal,
  ): Promise<boolean> {
    const { inbox, deliveredIds, mint, subject } = this.#deps;
    const source = routing.inputMethod;
    const about = this.#isCommand({ text, source }) ? null : await subject(time);
    const request: UserRequest = {
      id: mint('request'),
      time,
      text,
      source,
      conversation: null,
      attachments: [],
      reply: { to: 'smarthole', messageIds: [id] },
      routing: { ...routing },
      hearing,
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
    this.#last = [...this.#last, { requestId: request.id, messageId: id, text, at: elapsed }];
    return true;
  }

  /** Whether Parley carries the words out itself. */
  #isCommand(message: Pick<UserRequest, 'text' | 'source'>): boolean {
    return quickCommandOf(message, assistantNames(this.#deps.settings())) !== null;
  }

  /** A duplicate is the same request: what is said about it from now on replies to both messages. */
  async #join({ requestId }: RecentMessage, messageId: string): Promise<void> {
    const { inbox, deliveredIds } = this.#deps;
    await inbox.alsoFor(requestId, messageId);
    await deliveredIds.add(messageId);
  }

  /**
   * The message that brought the same words a moment ago, if nothing was announced about it since.
   * Words that command or decide take effect each time.
   */
  #earlierOf(message: RoutedMessage, { elapsed }: Arrival): RecentMessage | undefined {
    const { replies } = this.#deps;
    const { text, routing } = message;
    this.#last = this.#last.filter(({ at }) => elapsed - at <= DUPLICATE_WINDOW_MS);
    const words = comparable(text);
    const earlier = this.#last.find((each) => comparable(each.text) === words);
    const isCommand = this.#isCommand({ text, source: routing.inputMethod });
    if (!earlier || isCommand || replies.mayDecide(text)) return undefined;
    return replies.hasAnnounced(earlier.requestId) ? undefined : earlier;
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

/** The spoken words, without the punctuation and letter case of writing. */
function comparable(text: string): string {
  const words = text.normalize('NFC').toLowerCase().replace(/\s+/g, ' ').trim();
  let end = words.length;
  while (end > 0 && ' .!?…'.includes(words.charAt(end - 1))) end -= 1;
  return words.slice(0, end);
}
