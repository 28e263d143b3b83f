/**
 * Generates titles of conversations after their first answer, and summaries of ended ones, in the
 * background. One call at a time, and never while a turn runs: a new turn aborts the call, because
 * both share a connection, a rate limit or a single local server. Failed calls are retried later
 * without a notice; until then the first message serves as the title.
 */
import { isFileError } from '#messages/failures';
import { nameConversation } from '#agent/title';
import type { Conversations } from '#conversations/repository';
import { type Conversation, isCommand } from '#model/conversation';
import type { Event } from '#model/event';
import type { ConversationId } from '#model/ids';
import type { Settings } from '#model/settings';
import type { Clock } from '#ports/clock';
import type { ModelProvider } from '#ports/model-provider';
import { delayAfter, type RetryDelays } from '#ports/retry';
import { isDaySpent, type UsageLog } from '#usage/usage-log';

export interface TitleScheduleDeps {
  readonly conversations: Pick<Conversations, 'list' | 'open'>;
  readonly model: ModelProvider;
  readonly usage: UsageLog;
  readonly clock: Clock;
  settings(): Settings;
  /** True while a request is running, or while another process is the leader. */
  busy(): boolean;
  /** True if there is a key and, as far as known, a network connection. */
  mayAsk(): boolean;
}

/** Idle time before a call is made. */
const QUIET_MS = 10_000;
/** Delay before checking again whether Parley is still busy. */
const BUSY_RETRY_MS = 60_000;
const MINUTE_MS = 60_000;
/**
 * Delays between the attempts for one conversation. After the last one it has to wait for the next
 * load.
 */
const NAMING_RETRIES: RetryDelays = {
  delays: [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 120 * MINUTE_MS, 360 * MINUTE_MS],
  repeats: false,
};
/**
 * How many of the newest conversations are checked after load, so that a lost index does not become
 * expensive.
 */
const MAX_FOUND = 20;

interface Due {
  readonly attempts: number;
  /** Milliseconds since 1970. */
  readonly at: number;
}

export class TitleSchedule {
  readonly #deps: TitleScheduleDeps;
  readonly #due = new Map<ConversationId, Due>();
  #call: AbortController | null = null;
  #cancelTimer: () => void = () => undefined;
  #isFound = false;
  /** Started and not closed, so this process may make calls. */
  #isOpen = false;

  constructor(deps: TitleScheduleDeps) {
    this.#deps = deps;
  }

  /**
   * Looks for conversations left over from earlier runs as soon as Parley is idle. Nothing happens
   * before this call.
   */
  start(): void {
    this.#isOpen = true;
    this.#wait();
  }

  close(): void {
    this.#isOpen = false;
    this.#cancelTimer();
    this.#call?.abort();
  }

  /** Must be called with every event, and the conversation after it. */
  take(event: Event, conversation: Pick<Conversation, 'titledBy'>): void {
    switch (event.type) {
      case 'conversation-end':
        this.#due.set(event.conversation, { attempts: 0, at: event.time });
        this.#wait();
        break;
      case 'turn-start':
      case 'step-start':
        this.#call?.abort();
        break;
      case 'turn-end': {
        const isUntitled = conversation.titledBy === 'first-message';
        // A failed attempt keeps its delay, so that a model that cannot name is not asked each turn.
        if (isUntitled && event.end.kind === 'completed' && !this.#due.has(event.conversation)) {
          this.#due.set(event.conversation, { attempts: 0, at: event.time });
        }
        this.#wait();
        break;
      }
      default:
    }
  }

  /** @param least a turn that ends meanwhile starts the wait again */
  #wait(least = QUIET_MS): void {
    this.#cancelTimer();
    if (!this.#isOpen || this.#call) return;
    if (this.#isFound && this.#due.size === 0) return;
    const { clock } = this.#deps;
    const first = this.#isFound ? Math.min(...[...this.#due.values()].map(({ at }) => at)) : 0;
    const wait = Math.max(least, first - clock.now());
    this.#cancelTimer = clock.after(wait, () => void this.#next());
  }

  async #next(): Promise<void> {
    const { busy, clock } = this.#deps;
    if (busy() || !this.#isOpen) return this.#wait(BUSY_RETRY_MS);
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

  /** Only conversations of this device, because no device writes to the files of another. */
  async #find(): Promise<void> {
    // If the folder cannot be read, the next load tries again.
    const listed = await this.#deps.conversations.list().catch(() => []);
    this.#isFound = true;
    const found = listed.filter(({ own, title, titledBy, ended, summary }) => {
      const isUntitled = titledBy === 'first-message' && title !== '';
      return own && (isUntitled || (ended !== null && summary === null));
    });
    for (const { id, updated: at } of found.toReversed().slice(0, MAX_FOUND)) {
      if (!this.#due.has(id)) this.#due.set(id, { attempts: 0, at });
    }
  }

  async #name(id: ConversationId, due: Due, signal: AbortSignal): Promise<void> {
    const attempts = due.attempts + 1;
    const wait = delayAfter(attempts, NAMING_RETRIES);
    // Postpone the next attempt first, so that no error can cause an immediate retry.
    const later = { attempts, at: this.#deps.clock.now() + wait };
    this.#due.set(id, later);
    const isDone = await this.#tryToName(id, signal);
    // The conversation ended in the meantime, which replaced this entry.
    if (this.#due.get(id) !== later) return;
    // A turn aborted the call, which does not count as an attempt.
    if (!isDone && signal.aborted) this.#due.set(id, due);
    else if (isDone || wait === Infinity) this.#due.delete(id);
  }

  /** False if it has to be retried. */
  async #tryToName(id: ConversationId, signal: AbortSignal): Promise<boolean> {
    const { conversations, model, usage, settings, mayAsk } = this.#deps;
    try {
      const log = await conversations.open(id);
      if (!log?.isOwn) return true;
      const before = log.state;
      const lacks = missingParts(before);
      if (!lacks.title && !lacks.summary) return true;
      await usage.load();
      if (!mayAsk() || isDaySpent(settings(), usage, settings().model)) return false;
      const name = await nameConversation(model, settings(), before, signal);
      if (!name || 'failure' in name) return false;
      if (!this.#isOpen) return true;
      // While the model answered, the user may have named the conversation or continued it.
      const { titledBy, ended } = log.state;
      if (lacks.title && titledBy === 'first-message') {
        await log.append({ type: 'title-set', title: name.title, by: 'model' });
      }
      if (lacks.summary && ended === before.ended) {
        await log.append({ type: 'summary-set', summary: name.summary });
      }
      return true;
    } catch (error) {
      if (!isFileError(error)) throw error;
      return false;
    }
  }
}

/** A conversation without an answer lacks no title yet: there is nothing to name it by. */
function missingParts({ ended, summary, title, titledBy, turns }: Conversation) {
  // Commands and calls of MCP clients contain no words to summarize, and must not cost the user
  // more the more there are.
  const said = turns.filter((turn) => turn.request.source !== 'mcp' && !isCommand(turn));
  const isAnswered = said.some(({ end }) => end?.kind === 'completed');
  const needsSummary = ended !== null && summary === null && said.length > 0;
  const isUntitled = titledBy === 'first-message' && title !== '';
  return { title: isUntitled && (isAnswered || needsSummary), summary: needsSummary };
}
