/** Ends conversations: idle ones, and those that the user or the agent ends. */
import type { ConversationLog } from '#conversations/conversation-log';
import { allCalls, type Conversation, findTurn } from '#model/conversation';
import type { EndReason } from '#model/event';
import type { ConversationId, TurnId } from '#model/ids';
import type { OpenTurns } from './open-turns';
import type { QueueContext } from './queue-context';

/**
 * Minimum delay of a timer. Timers may fire slightly early or late, so the clock decides what is
 * due.
 */
const TIMER_TOLERANCE_MS = 1_000;
/** Delay before checking again whether a queued request has begun or was taken back. */
const QUEUED_RETRY_MS = 60_000;

export class ConversationEndings {
  readonly #deps: QueueContext;
  readonly #turns: OpenTurns;
  /** When idle conversations are ended next, and what cancels that. */
  #timer: { readonly at: number; cancel(): void } | null = null;
  #closed = false;

  constructor(deps: QueueContext, turns: OpenTurns) {
    this.#deps = deps;
    this.#turns = turns;
  }

  /** Whether the conversation has ended, or ends before the next spoken request. */
  isOver(log: ConversationLog): boolean {
    return log.state.ended !== null || this.isIdle(log);
  }

  /**
   * Ends the conversation if the turn asked for it. Called after the turn, so that its last words
   * are included.
   */
  async turnEnded(log: ConversationLog, id: TurnId): Promise<void> {
    const turn = findTurn(log.state, id);
    const isEndRequested = (turn ? allCalls(turn) : []).some(
      (call) =>
        call.state === 'finished' &&
        !call.result.failed &&
        call.result.details?.kind === 'end-conversation',
    );
    if (isEndRequested) await this.end(log, 'asked');
    else this.#planEnd(this.#due(log.state));
  }

  /**
   * Ends idle conversations, including those that became idle while Parley was not running, and
   * sets a timer for the next one. Call it at load.
   */
  async endIdle(): Promise<void> {
    const { conversations, clock, inbox } = this.#deps;
    for (const line of await conversations.list().catch(() => [])) {
      const { id, own, ended, messages } = line;
      if (!own || ended !== null || messages === 0 || this.#turns.isOpenIn(id)) continue;
      const due = this.#due(line);
      if (due > clock.now()) this.#planEnd(due);
      // The request has a turn soon, or is taken back.
      else if (inbox.isQueued(id)) this.#planEnd(clock.now() + QUEUED_RETRY_MS);
      // What cannot be read or written is tried again at the next load.
      else await this.#endIfIdle(id).catch(() => undefined);
    }
  }

  close(): void {
    this.#closed = true;
    this.#timer?.cancel();
  }

  #planEnd(at: number): void {
    if (this.#closed || (this.#timer && this.#timer.at <= at)) return;
    this.#timer?.cancel();
    const { clock } = this.#deps;
    const wait = Math.max(TIMER_TOLERANCE_MS, at - clock.now());
    const cancel = clock.after(wait, () => {
      this.#timer = null;
      void this.endIdle();
    });
    this.#timer = { at, cancel };
  }

  async #endIfIdle(id: ConversationId): Promise<void> {
    const log = await this.#deps.conversations.open(id);
    if (log && this.isIdle(log)) await this.end(log, 'idle');
  }

  /** False if it has ended, is empty, or has an open turn, interaction or pause. */
  #mayBecomeIdle({ state: { id, ended, turns } }: ConversationLog): boolean {
    return ended === null && turns.length > 0 && !this.#turns.isOpenIn(id);
  }

  /** A queued request keeps a conversation from becoming idle. */
  isIdle(log: ConversationLog): boolean {
    const isDue = this.#due(log.state) <= this.#deps.clock.now();
    return isDue && this.#mayBecomeIdle(log) && !this.#deps.inbox.isQueued(log.state.id);
  }

  #due({ updated }: Pick<Conversation, 'updated'>): number {
    return updated + this.#deps.settings().idleMinutes * 60_000;
  }

  async end(log: ConversationLog, reason: EndReason): Promise<void> {
    const { id, ended } = log.state;
    if (ended !== null || log.state.device !== this.#deps.device || this.#turns.isOpenIn(id))
      return;
    await log.append({ type: 'conversation-end', reason });
  }
}
