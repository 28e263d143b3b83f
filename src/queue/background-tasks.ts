/**
 * Titles and summaries of conversations that have ended, made by the model when nothing else is to be done. One at a
 * time, and never while a turn runs: a turn that begins ends the call, since both share a connection, a rate limit or
 * a single local server, and a title can wait. What fails is tried again later; nobody is told, for until then the
 * first message serves.
 */
import { nameConversation } from '#agent/title';
import type { ConversationLog } from '#conversations/conversation-log';
import type { Conversation } from '#model/conversation';
import type { Event } from '#model/event';
import type { ConversationId, DeviceId } from '#model/ids';
import type { Settings } from '#model/settings';
import type { Clock } from '#ports/clock';
import type { ModelProvider } from '#ports/model-provider';
import { isDaySpent } from '#usage/usage-record';
import type { UsageLog } from '#usage/usage-log';

/** The conversations, as far as they are named here. */
export interface EndedConversations {
  list(): Promise<readonly UntitledConversation[]>;
  open(id: ConversationId): Promise<Pick<ConversationLog, 'state' | 'append'> | null>;
}

export type UntitledConversation = Pick<Conversation, 'id' | 'device' | 'ended' | 'summary'>;

export interface BackgroundTasksDeps {
  readonly conversations: EndedConversations;
  readonly model: ModelProvider;
  readonly usage: UsageLog;
  readonly clock: Clock;
  readonly device: DeviceId;
  settings(): Settings;
  /** Something is being done, or this process is not the one to do anything. */
  busy(): boolean;
  /** There is a key, and as far as is known a network. */
  mayAsk(): boolean;
}

/** Milliseconds in which nothing was done before a call is made. */
const QUIET_MS = 10_000;
/** Milliseconds until it is looked again whether something is still being done. */
const BUSY_RETRY_MS = 60_000;
const MINUTE_MS = 60_000;
/** Waits between the tries of one conversation; after the last it is left to the next load. */
const WAITS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 120 * MINUTE_MS, 360 * MINUTE_MS];
/** So many of the newest are looked at after load: an index that was lost must not cost money. */
const MAX_FOUND = 20;

interface Due {
  readonly attempts: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export class BackgroundTasks {
  readonly #deps: BackgroundTasksDeps;
  readonly #due = new Map<ConversationId, Due>();
  #call: AbortController | null = null;
  #cancelTimer: () => void = () => undefined;
  #isFound = false;
  /** Begun and not closed: this process may do things here. */
  #isOpen = false;

  constructor(deps: BackgroundTasksDeps) {
    this.#deps = deps;
  }

  /** Looks for what earlier runs have left, as soon as it is quiet. Before that nothing is done. */
  start(): void {
    this.#isOpen = true;
    this.#wait();
  }

  close(): void {
    this.#isOpen = false;
    this.#cancelTimer();
    this.#call?.abort();
  }

  /** To be told of every event. */
  take(event: Event): void {
    switch (event.type) {
      case 'conversation-end':
        this.#due.set(event.conversation, { attempts: 0, at: event.time });
        this.#wait();
        break;
      case 'turn-start':
        // Written in again: what it is about may change, and it will end again.
        this.#due.delete(event.conversation);
        this.#call?.abort();
        break;
      case 'step-start':
        this.#call?.abort();
        break;
      case 'turn-end':
        this.#wait();
        break;
      default:
    }
  }

  #wait(): void {
    this.#cancelTimer();
    if (!this.#isOpen || this.#call) return;
    if (this.#isFound && this.#due.size === 0) return;
    const { clock, busy } = this.#deps;
    const first = this.#isFound ? Math.min(...[...this.#due.values()].map(({ at }) => at)) : 0;
    const least = busy() ? BUSY_RETRY_MS : QUIET_MS;
    const wait = Math.max(least, first - clock.now());
    this.#cancelTimer = clock.after(wait, () => void this.#next());
  }

  async #next(): Promise<void> {
    const { busy, clock } = this.#deps;
    if (busy() || !this.#isOpen) return this.#wait();
    const call = new AbortController();
    this.#call = call;
    try {
      if (!this.#isFound) await this.#find();
      const now = clock.now();
      const [next] = [...this.#due].filter(([, { at }]) => at <= now);
      if (next && !call.signal.aborted) await this.#name(...next, call.signal);
    } finally {
      this.#call = null;
      this.#wait();
    }
  }

  /** Those of this device only: nobody appends to another's file. */
  async #find(): Promise<void> {
    const { conversations, device } = this.#deps;
    const ended: { id: ConversationId; ended: number }[] = [];
    try {
      for (const line of await conversations.list()) {
        const { id, ended: time } = line;
        if (time === null || line.summary !== null || line.device !== device) continue;
        ended.push({ id, ended: time });
      }
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // Left to the next load.
    }
    this.#isFound = true;
    ended.sort((one, other) => other.ended - one.ended);
    for (const { id, ended: at } of ended.slice(0, MAX_FOUND)) {
      if (!this.#due.has(id)) this.#due.set(id, { attempts: 0, at });
    }
  }

  async #name(id: ConversationId, due: Due, signal: AbortSignal): Promise<void> {
    const wait = WAITS[due.attempts] ?? Infinity;
    // Put off first: whatever happens, it is not tried again at once.
    const later = { attempts: due.attempts + 1, at: this.#deps.clock.now() + wait };
    this.#due.set(id, later);
    const isDone = await this.#tryToName(id, signal);
    // Begun or ended anew meanwhile: that is another matter.
    if (this.#due.get(id) !== later) return;
    // A turn came first: that was nobody's failure.
    if (!isDone && signal.aborted) this.#due.set(id, due);
    else if (isDone || wait === Infinity) this.#due.delete(id);
  }

  /** False where it has to be tried again. */
  async #tryToName(id: ConversationId, signal: AbortSignal): Promise<boolean> {
    const { conversations, model, usage, device, settings, mayAsk } = this.#deps;
    try {
      const log = await conversations.open(id);
      const before = log?.state;
      if (!before || !isUnnamed(before, device)) return true;
      await usage.load();
      const { model: modelId } = settings();
      if (!mayAsk() || isDaySpent(settings(), usage, modelId)) return false;
      const name = await nameConversation(model, modelId, before, signal);
      if (!name || 'failure' in name) return false;
      // In the moment of the answer it may have been written in, closed, or named by the user.
      if (log.state.ended !== before.ended || !this.#isOpen) return true;
      if (log.state.titledBy !== 'user') {
        await log.append({ type: 'title-set', title: name.title, by: 'model' });
      }
      await log.append({ type: 'summary-set', summary: name.summary });
      return true;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return false;
    }
  }
}

function isUnnamed(conversation: Conversation, device: DeviceId): boolean {
  const { ended, summary, turns } = conversation;
  // Calls of programs have no words to be summed up, and what they cost a user should not grow with them.
  const isSaid = turns.some(({ request: inbound }) => inbound.source !== 'mcp');
  return ended !== null && summary === null && isSaid && conversation.device === device;
}

/** Of the file system, or of a form that is not known; anything else is a mistake of ours. */
function isRefusal(error: unknown): boolean {
  return typeof (error as { code?: unknown } | null)?.code === 'string';
}
