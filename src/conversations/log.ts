/** One conversation: its file, and what the file folds to. Nothing else appends to it. */
import type { Conversation } from '#model/conversation';
import type { Event, EventDraft, EventOf } from '#model/event';
import { emptyConversation, fold, foldAll } from '#model/fold';
import type { ConversationId } from '#model/ids';
import type { Store } from '#ports/store';
import { migrate } from './migrations';
import { eventLine, readLines } from './record';

export interface LogOptions {
  readonly id: ConversationId;
  readonly path: string;
  readonly store: Store;
  now(): number;
  /** Told of every event once it is kept, and of every delta as it comes. */
  tell(event: Event): void;
}

export class ConversationLog {
  readonly #options: LogOptions;
  #state: Conversation;
  #torn: boolean;
  /** Lines of the file that could not be read. */
  readonly damaged: number;
  #tail: Promise<unknown> = Promise.resolve();

  private constructor(options: LogOptions, state: Conversation, damaged: number, torn: boolean) {
    this.#options = options;
    this.#state = state;
    this.damaged = damaged;
    this.#torn = torn;
  }

  static begin(options: LogOptions): ConversationLog {
    return new ConversationLog(options, emptyConversation(options.id), 0, false);
  }

  /** Null if there is no such file. Rejects when it can't be read. */
  static async open(options: LogOptions): Promise<ConversationLog | null> {
    const text = await options.store.read(options.path);
    if (text === null) return null;
    const { events, damaged, torn } = readLines(text);
    return new ConversationLog(options, foldAll(options.id, migrate(events)), damaged, torn);
  }

  get state(): Conversation {
    return this.#state;
  }

  /**
   * Resolves when the event is in the file and folded; events keep the order of the calls. Rejects when the file
   * system refuses, and then nothing is folded or told.
   */
  append(draft: EventDraft, options: { flush: boolean } = { flush: false }): Promise<void> {
    const written = this.#tail.then(async () => {
      const event = this.#event(draft);
      const line = (this.#torn ? '\n' : '') + eventLine(event);
      // Until it is known to be whole, a part of it may be there: a full disk takes what fits.
      this.#torn = true;
      await this.#options.store.append(this.#options.path, line, options);
      this.#torn = false;
      this.#take(event);
    });
    // What failed for one caller must not fail for the next.
    this.#tail = written.catch(() => undefined);
    return written;
  }

  /** Folded and told, not kept. */
  show(delta: Omit<EventOf<'part-delta'>, 'conversation' | 'time'>): void {
    this.#take(this.#event(delta));
  }

  #event(draft: EventDraft): Event {
    return { ...draft, conversation: this.#options.id, time: this.#options.now() };
  }

  #take(event: Event): void {
    this.#state = fold(this.#state, event);
    this.#options.tell(event);
  }
}
