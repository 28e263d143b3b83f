/** One conversation: its file, and what the file folds to. Nothing else appends to it. */
import type { Conversation } from '#model/conversation';
import type { Event, EventDraft, LiveDraft } from '#model/event';
import type { ConversationId, DeviceId } from '#model/ids';
import { emptyConversation, reduce } from '#model/reducer';
import type { Storage } from '#ports/storage';
import { SlicedWork } from '#search/slices';
import { eventLine } from './conversation-file';
import { bytesOf, CUT, type TornLineRepair } from './line-file';
import { type Damage, type FileOrigin, readConversation } from './read-conversation';

export interface ConversationLogOptions {
  readonly id: ConversationId;
  readonly path: string;
  readonly store: Storage;
  /** This one; only its own conversations can be appended to. */
  readonly device: DeviceId;
  /** What the index knows, for a file whose first line is damaged. */
  readonly origin?: FileOrigin;
  now(): number;
  pause(): Promise<void>;
  /** Told of every event once it is kept, and of every delta as it comes. */
  tell(event: Event, conversation: Conversation): void;
}

interface Found {
  readonly state: Conversation;
  readonly damage: Damage;
  readonly bytes: number;
  readonly isOwn: boolean;
}

export class ConversationLog {
  readonly #options: ConversationLogOptions;
  #state: Conversation;
  #mend: TornLineRepair;
  #bytes: number;
  #isWritten = false;
  /** What was found of the file. */
  readonly damage: Damage;
  /** False for a conversation of another device, which is only read here. */
  readonly isOwn: boolean;
  #tail: Promise<unknown> = Promise.resolve();

  private constructor(options: ConversationLogOptions, { state, damage, bytes, isOwn }: Found) {
    this.#options = options;
    this.#state = state;
    this.damage = damage;
    this.#mend = damage.mend;
    this.#bytes = bytes;
    this.isOwn = isOwn;
  }

  /** What is left of an earlier beginning that was never kept is passed by. Rejects when it can't be read. */
  static async begin(options: ConversationLogOptions): Promise<ConversationLog> {
    const state = emptyConversation(options.id);
    const left = (await options.store.read(options.path)) ?? '';
    const damage: Damage = { damaged: 0, mend: left === '' ? '' : CUT, lost: true };
    return new ConversationLog(options, { state, damage, bytes: bytesOf(left), isOwn: true });
  }

  /** Null if there is no such file, or nothing in it that could be read. Rejects when it can't be read. */
  static async open(options: ConversationLogOptions): Promise<ConversationLog | null> {
    const { id, path, store, now, pause, device, origin } = options;
    const text = await store.read(path);
    if (text === null) return null;
    const work = new SlicedWork({ clock: now, pause });
    const { state, ...damage } = await readConversation(id, text, work, origin);
    // Empty or cut is what a power cut leaves of a conversation that had just begun.
    if (damage.lost) return null;
    const isOwn = state.device === device;
    return new ConversationLog(options, { state, damage, bytes: bytesOf(text), isOwn });
  }

  get state(): Conversation {
    return this.#state;
  }

  /** Of the file, as far as this log has written or read it. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Something was appended here, or is about to be: what it holds is ahead of what others know. */
  get isWritten(): boolean {
    return this.#isWritten;
  }

  /**
   * Resolves when the event is in the file and folded; events keep the order of the calls. Rejects when the file
   * system refuses, or the conversation is another device's (EFOREIGN), and then nothing is folded or told.
   */
  append(draft: EventDraft, options: { flush: boolean } = { flush: false }): Promise<void> {
    if (!this.isOwn) return Promise.reject(foreign());
    this.#isWritten = true;
    const written = this.#tail.then(async () => {
      const event = this.#event(draft);
      const line = this.#mend + eventLine(event);
      // Until it is known to be whole, a part of it may be there: a full disk takes what fits.
      this.#mend = CUT;
      await this.#options.store.append(this.#options.path, line, options);
      this.#mend = '';
      this.#bytes += bytesOf(line);
      this.#take(event);
    });
    // What failed for one caller must not fail for the next.
    this.#tail = written.catch(() => undefined);
    return written;
  }

  /** Folded and told, not kept. */
  show(live: LiveDraft): void {
    this.#take(this.#event(live));
  }

  #event(draft: EventDraft): Event {
    return { ...draft, conversation: this.#options.id, time: this.#options.now() };
  }

  #take(event: Event): void {
    this.#state = reduce(this.#state, event);
    this.#options.tell(event, this.#state);
  }
}

function foreign(): Error {
  return Object.assign(
    new Error('The conversation belongs to another device and can only be read here.'),
    { code: 'EFOREIGN' },
  );
}

/** So many are kept; of any other only for as long as somebody holds it. */
const MAX_CACHED_LOGS = 8;

export class OpenLogs {
  readonly #recent = new Map<ConversationId, ConversationLog>();
  readonly #others = new Map<ConversationId, WeakRef<ConversationLog>>();
  readonly #letGo: (id: ConversationId) => void;

  /** @param letGo told of each that is not kept any more, and may still be held */
  constructor(letGo: (id: ConversationId) => void) {
    this.#letGo = letGo;
  }

  get(id: ConversationId): ConversationLog | undefined {
    return this.#recent.get(id) ?? this.#others.get(id)?.deref();
  }

  /** The one asked for last. */
  set(id: ConversationId, log: ConversationLog): void {
    this.delete(id);
    this.#recent.set(id, log);
    const [oldest] = this.#recent;
    if (!oldest || this.#recent.size <= MAX_CACHED_LOGS) return;
    this.#recent.delete(oldest[0]);
    for (const [other, held] of this.#others) if (!held.deref()) this.#others.delete(other);
    this.#others.set(oldest[0], new WeakRef(oldest[1]));
    this.#letGo(oldest[0]);
  }

  delete(id: ConversationId): void {
    this.#recent.delete(id);
    this.#others.delete(id);
  }

  all(): [ConversationId, ConversationLog][] {
    const held = [...this.#others].flatMap(([id, ref]): [ConversationId, ConversationLog][] => {
      const log = ref.deref();
      return log ? [[id, log]] : [];
    });
    return [...this.#recent, ...held];
  }
}
