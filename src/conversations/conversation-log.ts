/**
 * One open conversation: its file and the state reduced from it. All events are appended here. Also
 * the cache of open conversations.
 */
import * as t from '#messages/action-messages';
import type { Conversation, Turn } from '#model/conversation';
import type { Event, EventDraft, LiveDraft } from '#model/event';
import type { ConversationId, DeviceId, RequestId, TurnId } from '#model/ids';
import { emptyConversation, reduce, reduceAll } from '#model/reducer';
import type { Signer } from '#ports/device-key';
import { SerialQueue } from '#ports/serial-queue';
import type { Storage } from '#ports/storage';
import { inSlices, Slices } from '#ports/slices';
import {
  bytesInSteps,
  type Damage,
  type FileOrigin,
  readConversation,
  type SignedLine,
  signedLines,
} from './conversation-file';
import { bytesOf, CUT_MARK, LineAppender } from '#ports/line-file';

export interface ConversationLogOptions {
  readonly id: ConversationId;
  readonly path: string;
  readonly store: Storage;
  /** This device, which can append only to its own conversations. */
  readonly device: DeviceId;
  readonly signer: Signer;
  /** From the index, for a file whose first line is damaged. */
  readonly origin?: FileOrigin;
  now(): number;
  pause(): Promise<void>;
  /** Called with every event once it is saved, and with every live delta. */
  notify(event: Event, conversation: Conversation): void;
}

interface Found {
  readonly state: Conversation;
  readonly damage: Damage;
  readonly bytes: number;
  readonly isOwn: boolean;
}

type Modes = Pick<Conversation, 'mode' | 'followsMode' | 'modeLimit'>;

export class ConversationLog {
  readonly #options: ConversationLogOptions;
  #state: Conversation;
  readonly #appender: LineAppender;
  #bytes: number;
  #isWritten = false;
  /** Damage found when the file was read. */
  readonly damage: Damage;
  /** False for a conversation of another device, which is read-only here. */
  readonly isOwn: boolean;
  readonly #appends = new SerialQueue();

  private constructor(options: ConversationLogOptions, { state, damage, bytes, isOwn }: Found) {
    this.#options = options;
    this.#state = state;
    this.damage = damage;
    this.#appender = new LineAppender(options.store, options.path, damage.repair);
    this.#bytes = bytes;
    this.isOwn = isOwn;
  }

  /**
   * Begins a conversation.
   *
   * @param left the rest of an earlier beginning that was never saved, which is ignored
   */
  static begin(options: ConversationLogOptions, left = ''): ConversationLog {
    const state = emptyConversation(options.id);
    const damage: Damage = { damaged: 0, repair: left === '' ? '' : CUT_MARK, lost: true };
    return new ConversationLog(options, { state, damage, bytes: bytesOf(left), isOwn: true });
  }

  /** Null if the file is missing or has no readable line. Rejects if the file cannot be read. */
  static async open(options: ConversationLogOptions): Promise<ConversationLog | null> {
    const { id, path, store, device, origin } = options;
    const text = await store.read(path);
    if (text === null) return null;
    const slices = new Slices(options);
    const { state, ...damage } = await readConversation(id, text, slices, origin);
    // A power failure can leave the file of a new conversation empty or cut off.
    if (damage.lost) return null;
    const isOwn = state.device === device;
    const bytes = await inSlices(bytesInSteps(text), slices);
    const log = new ConversationLog(options, { state, damage, bytes, isOwn });
    if (isOwn) log.#state = { ...state, ...(await log.#modes(text)) };
    return log;
  }

  /** The mode that this device's user chose last; what others have set since can only limit it. */
  async #modes(text: string): Promise<Modes> {
    let modes: Modes = { mode: null, followsMode: false, modeLimit: null };
    let since = 0;
    for (const line of signedLines(text, '"mode-set"')) {
      const { event } = line;
      if (event.type !== 'mode-set') continue;
      // A line may be copied to a later place.
      const isOurs = event.time >= since && (await this.#wrote(line));
      if (isOurs) since = event.time;
      modes = isOurs
        ? { mode: event.mode, followsMode: event.follows ?? false, modeLimit: null }
        : { ...modes, modeLimit: event.mode };
    }
    return modes;
  }

  get state(): Conversation {
    return this.#state;
  }

  /** Size of the file, as far as this log has written or read it. */
  get bytes(): number {
    return this.#bytes;
  }

  /** Whether this log has appended or is about to append, so that it is ahead of the index. */
  get isWritten(): boolean {
    return this.#isWritten;
  }

  /**
   * Resolves when the event is in the file and reduced; events keep the order of the calls. Rejects
   * if the file system refuses, or with EFOREIGN if the conversation belongs to another device; the
   * event is then neither reduced nor announced.
   */
  append(draft: EventDraft, options: { flush: boolean } = { flush: false }): Promise<void> {
    return this.appendTogether([draft], options);
  }

  /** Like `append`, with several events in one write, so that no crash comes between them. */
  appendTogether(drafts: readonly EventDraft[], options = { flush: false }): Promise<void> {
    if (!this.isOwn) return Promise.reject(foreign());
    this.#isWritten = true;
    return this.#appends.run(async () => {
      const events = drafts.map((draft) => this.#event(draft));
      const lines = await Promise.all(events.map((event) => this.#signed(event)));
      this.#bytes += await this.#appender.append(lines, options);
      for (const event of events) this.#take(event);
    });
  }

  /**
   * Whether this device wrote all lines of the file from the beginning of the turn on. What others
   * wrote is shown, but it must not make a turn go on or decide anything in it.
   */
  async isSignedSince(turn: TurnId): Promise<boolean> {
    const lines = await this.#lines();
    const begun = lines.findIndex(
      ({ event }) => event.type === 'turn-start' && event.turn === turn,
    );
    for (const line of lines.slice(begun)) if (!(await this.#wrote(line))) return false;
    return begun >= 0;
  }

  /** Whether this device wrote that the request joined a turn or answered; true for all without a key. */
  async hasSigned(requestId: RequestId): Promise<boolean> {
    if ((await this.#options.signer.sign('')) === null) return true;
    for (const line of await this.#lines()) {
      const { event } = line;
      const isJoining = event.type === 'steer-join' && event.request.id === requestId;
      const isAnswer = event.type === 'answer-end' && event.requestId === requestId;
      if ((isJoining || isAnswer) && (await this.#wrote(line))) return true;
    }
    return false;
  }

  /** The turns with only the events that this device signed. */
  async signedTurns(): Promise<readonly Turn[]> {
    const events: Event[] = [];
    for (const line of await this.#lines()) if (await this.#wrote(line)) events.push(line.event);
    return reduceAll(this.#options.id, events).turns;
  }

  async #lines(): Promise<SignedLine[]> {
    const { store, path } = this.#options;
    return signedLines((await store.read(path)) ?? '');
  }

  /** A line may be copied from another conversation. */
  async #wrote({ event, signature }: SignedLine): Promise<boolean> {
    const { id, signer } = this.#options;
    return event.conversation === id && signer.verifies(JSON.stringify(event), signature);
  }

  async #signed(event: Event): Promise<object> {
    const signature = await this.#options.signer.sign(JSON.stringify(event));
    return signature === null ? event : { ...event, signature };
  }

  /** Reduces and announces a live event without saving it. */
  show(live: LiveDraft): void {
    this.#take(this.#event(live));
  }

  #event(draft: EventDraft): Event {
    return { ...draft, conversation: this.#options.id, time: this.#options.now() };
  }

  #take(event: Event): void {
    this.#state = reduce(this.#state, event);
    this.#options.notify(event, this.#state);
  }
}

function foreign(): Error {
  return Object.assign(new Error(t.otherDevicesChat), { code: 'EFOREIGN' });
}

/** How many logs are kept in memory. Others live only as long as something references them. */
const MAX_CACHED_LOGS = 8;

export class OpenLogs {
  readonly #recent = new Map<ConversationId, ConversationLog>();
  readonly #others = new Map<ConversationId, WeakRef<ConversationLog>>();

  get(id: ConversationId): ConversationLog | undefined {
    return this.#recent.get(id) ?? this.#others.get(id)?.deref();
  }

  /** Adds a log as the most recently used one. */
  set(id: ConversationId, log: ConversationLog): void {
    this.delete(id);
    this.#recent.set(id, log);
    const [oldest] = this.#recent;
    if (!oldest || this.#recent.size <= MAX_CACHED_LOGS) return;
    this.#recent.delete(oldest[0]);
    for (const [other, held] of this.#others) if (!held.deref()) this.#others.delete(other);
    this.#others.set(oldest[0], new WeakRef(oldest[1]));
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
