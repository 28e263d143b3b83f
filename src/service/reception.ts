/** Where spoken requests come in: each is saved before it is acknowledged, and none is taken twice. */
import type { Heard } from '#inbox/heard';
import type { Inbox } from '#inbox/inbox';
import { fileFailure } from '#model/failure';
import type { EntryId, MintId } from '#model/ids';
import { isSpoken, type Inbound, type Source } from '#model/inbound';
import type { Clock } from '#ports/clock';
import type { Replies } from './replies';

/** A message as SmartHole delivers it. */
export interface SpokenMessage {
  readonly id: string;
  readonly text: string;
  readonly source: Exclude<Source, 'typed'>;
  /** SmartHole's routing metadata, as it came. */
  readonly routing: Readonly<Record<string, unknown>>;
}

/** Taken, so that it may be acknowledged; or why not, in words that hold nothing of the vault. */
export type Received = { readonly ok: true } | { readonly ok: false; readonly reason: string };

export interface ReceptionParts {
  readonly inbox: Inbox;
  readonly heard: Heard;
  readonly replies: Replies;
  readonly clock: Clock;
  readonly mint: MintId;
  /** There is something new in the inbox. */
  wake(): void;
  /** What the person has to be told in the chat. */
  report(problem: string): void;
}

/** One utterance may be delivered twice under different ids; within this time the same words are one request. */
const SAME_WITHIN = 5_000;
const LONGEST_MESSAGE = 1_000_000;

interface LastHeard {
  readonly entry: EntryId;
  readonly words: string;
  readonly time: number;
}

export class Reception {
  readonly #parts: ReceptionParts;
  #last: readonly LastHeard[] = [];
  /** One after another: two deliveries of one message in the same moment must not both be new. */
  #tail: Promise<unknown> = Promise.resolve();

  constructor(parts: ReceptionParts) {
    this.#parts = parts;
  }

  take(message: SpokenMessage): Promise<Received> {
    const taken = this.#tail.then(() => this.#take(message));
    this.#tail = taken;
    return taken;
  }

  async #take(message: SpokenMessage): Promise<Received> {
    const { heard, wake, report } = this.#parts;
    if (heard.has(message.id)) return { ok: true };
    const words = message.text.trim();
    if (words === '') return { ok: false, reason: 'The message was empty.' };
    if (words.length > LONGEST_MESSAGE) return { ok: false, reason: 'The message was too long.' };
    try {
      const twin = this.#twin(words);
      if (twin) await this.#join(twin, message.id);
      else await this.#receive(message, words);
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

  async #receive({ id, source, routing }: SpokenMessage, text: string): Promise<void> {
    const { inbox, heard, clock, mint } = this.#parts;
    const inbound: Inbound = {
      id: mint('entry'),
      time: clock.now(),
      text,
      source,
      conversation: null,
      attachments: [],
      reply: { to: 'smarthole', messageIds: [id] },
      routing,
    };
    await inbox.receive(inbound);
    try {
      await heard.add(id);
    } catch (error) {
      // Without a note of its id it would run again if it came again: it is refused as a whole.
      await inbox.settle(inbound.id);
      throw error;
    }
    this.#remember({ entry: inbound.id, words: text.toLowerCase(), time: inbound.time });
  }

  /** Answered as the first one is, also where that has been answered already. */
  async #join({ entry }: LastHeard, messageId: string): Promise<void> {
    const { inbox, heard, replies } = this.#parts;
    await inbox.alsoFor(entry, messageId);
    await replies.repeat(entry, messageId);
    await heard.add(messageId);
  }

  #twin(words: string): LastHeard | undefined {
    const now = this.#parts.clock.now();
    this.#last = this.#last.filter(({ time }) => now - time <= SAME_WITHIN);
    return this.#last.find((each) => each.words === words.toLowerCase());
  }

  #remember(heard: LastHeard): void {
    this.#last = [...this.#last, heard];
  }
}

/** The ids of all messages that are in the inbox. */
export function heldMessageIds(inbox: Inbox): string[] {
  return inbox
    .entries()
    .flatMap(({ inbound: { source, reply } }) =>
      isSpoken(source) && reply.to === 'smarthole' ? reply.messageIds : [],
    );
}
