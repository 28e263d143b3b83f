/** Where spoken requests come in: each is saved before it is acknowledged, and none is taken twice. */
import { duplicateOf, type DeliveredIds } from '#voice/intake';
import type { Inbox } from './inbox';
import { fileFailure } from '#model/failure';
import type { RequestId, MintId } from '#model/ids';
import { isSpoken, type UserRequest, type RequestSource } from '#model/request';
import type { Clock } from '#ports/clock';
import type { TurnReplies } from '#voice/turn-replies';

/** A message as SmartHole delivers it. */
export interface SpokenMessage {
  readonly id: string;
  readonly text: string;
  readonly source: Extract<RequestSource, 'voice' | 'text'>;
  /** SmartHole's routing metadata, as it came. */
  readonly routing: Readonly<Record<string, unknown>>;
}

/** Taken, so that it may be acknowledged; or why not, in words that hold nothing of the vault. */
export type IntakeResult = { readonly ok: true } | { readonly ok: false; readonly reason: string };

export interface SpokenRequestsDeps {
  readonly inbox: Inbox;
  readonly heard: DeliveredIds;
  readonly replies: TurnReplies;
  readonly clock: Clock;
  readonly mint: MintId;
  /** There is something new in the inbox. */
  wake(): void;
  /** What the user has to be told in the chat. */
  report(problem: string): void;
}

/** Longer ago nothing counts as the same utterance. */
const LOOKBACK_MS = 60_000;
/** Milliseconds within which an answer that comes again is the same one. */
const ANSWER_ECHO_MS = 2_000;
const MAX_MESSAGE_CHARS = 1_000_000;
const TOO_LATE: IntakeResult = { ok: false, reason: 'Saving the request took too long.' };

interface LastHeard {
  readonly entry: RequestId;
  readonly messageId: string;
  readonly text: string;
  readonly at: number;
}

export class SpokenRequests {
  readonly #deps: SpokenRequestsDeps;
  #last: readonly LastHeard[] = [];
  /** One after another: two deliveries of one message in the same moment must not both be new. */
  #tail: Promise<unknown> = Promise.resolve();

  constructor(deps: SpokenRequestsDeps) {
    this.#deps = deps;
  }

  /** @param late aborts when whoever delivered it has given up: then it is not to be done here */
  take(message: SpokenMessage, late: AbortSignal): Promise<IntakeResult> {
    const taken = this.#tail.then(() => this.#take(message, late));
    // What one message met must not keep the next out.
    this.#tail = taken.catch(() => undefined);
    return taken;
  }

  async #take(message: SpokenMessage, late: AbortSignal): Promise<IntakeResult> {
    const { heard, wake, report } = this.#deps;
    if (heard.has(message.id)) return { ok: true };
    const words = message.text.trim();
    if (words === '') return { ok: false, reason: 'The message was empty.' };
    if (words.length > MAX_MESSAGE_CHARS) return { ok: false, reason: 'The message was too long.' };
    try {
      const echoed = this.#echoed(message);
      if (echoed) await this.#join(echoed, message.id);
      else if (!(await this.#receive(message, words, late))) return TOO_LATE;
      wake();
      return { ok: true };
    } catch (error) {
      if (typeof (error as { code?: unknown } | null)?.code !== 'string') throw error;
      const { sentence, next, detail } = fileFailure(error);
      report(
        `A spoken request could not be saved and was refused: "${words.slice(0, 200)}". ${sentence} ${next}${detail ? ` (${detail})` : ''}`,
      );
      return { ok: false, reason: 'It could not be saved.' };
    }
  }

  /** False where it came too late, and was removed. */
  async #receive(
    { id, source, routing }: SpokenMessage,
    text: string,
    late: AbortSignal,
  ): Promise<boolean> {
    const { inbox, heard, clock, mint } = this.#deps;
    const inbound: UserRequest = {
      id: mint('request'),
      time: clock.now(),
      text,
      source,
      conversation: null,
      attachments: [],
      reply: { to: 'smarthole', messageIds: [id] },
      routing,
    };
    await inbox.receive(inbound);
    // Refused as a whole, unless it runs already or can't be removed: then it was taken.
    const refuse = () => inbox.takeBack(inbound.id).catch(() => false);
    if (late.aborted && (await refuse())) return false;
    try {
      await heard.add(id);
    } catch (error) {
      // Without a note of its id it would run again if it came again.
      if (await refuse()) throw error;
    }
    this.#last = [...this.#last, { entry: inbound.id, messageId: id, text, at: inbound.time }];
    return true;
  }

  /** Answered as the first one is, also where that has been answered already. */
  async #join({ entry }: LastHeard, messageId: string): Promise<void> {
    const { inbox, heard, replies } = this.#deps;
    await inbox.alsoFor(entry, messageId);
    await replies.repeat(entry, messageId);
    await heard.add(messageId);
  }

  #echoed(message: SpokenMessage): LastHeard | undefined {
    const now = this.#deps.clock.now();
    this.#last = this.#last.filter(({ at }) => Math.abs(now - at) <= LOOKBACK_MS);
    const first = duplicateOf(message, this.#last, now);
    const heard = this.#last.find(({ messageId }) => messageId === first);
    if (!heard) return undefined;
    // What was an answer or a decision is over: the same word a moment later is about what was asked since.
    const { inbox, replies } = this.#deps;
    const isOver = !inbox.get(heard.entry) && !replies.knows(heard.entry);
    return isOver && now - heard.at > ANSWER_ECHO_MS ? undefined : heard;
  }
}

/** The ids of all messages that are in the inbox. */
export function heldMessageIds(inbox: Inbox): string[] {
  return inbox
    .requests()
    .flatMap(({ request: { source, reply } }) =>
      isSpoken(source) && reply.to === 'smarthole' ? reply.messageIds : [],
    );
}
