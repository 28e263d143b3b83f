/** Claims the next request of the queue, and resolves it when its turn has ended. */
import type { Turns } from './turn-runner';
import type { ConversationLog } from '#conversations/conversation-log';
import { findTurn, openInteractions } from '#model/conversation';
import type { TurnEnd } from '#model/event';
import type { ConversationId, DeviceId, RequestId, MintId } from '#model/ids';
import { type QueuedRequest, isSpoken } from '#model/request';
import type { Clock } from '#ports/clock';
import type { TurnReplies } from '#voice/turn-replies';
import type { ConversationPicker } from './conversation-picker';
import type { Inbox } from './inbox';
import { interruptedApproval, takeAsAnswer, takeAsApproval, wasAnswer } from './typed-answers';
import type { HeldTurn, OpenTurns } from './open-turns';
import { type RetryCause, retryCause, nextTry, type RetrySchedule } from './request-retry-schedule';

export interface NextRequestDeps {
  readonly inbox: Inbox;
  readonly device: DeviceId;
  readonly mint: MintId;
  readonly replies: TurnReplies;
  readonly choice: ConversationPicker;
  readonly open: OpenTurns;
  readonly turns: Pick<Turns, 'begin'>;
  log(conversation: ConversationId): Promise<ConversationLog>;
  /** Whether the request's files could not be written; it is skipped until the user retries it. */
  isStuck(entry: RequestId): boolean;
  giveUp(entry: RequestId, error: unknown): void;
}

export class NextRequest {
  readonly #deps: NextRequestDeps;

  constructor(deps: NextRequestDeps) {
    this.#deps = deps;
  }

  /**
   * Claims the next request that can run and begins its turn. Returns an earlier turn instead if
   * the request answered it.
   */
  async claim(): Promise<HeldTurn | null> {
    const { inbox, device, choice, open, isStuck, giveUp } = this.#deps;
    for (const entry of inbox.requests()) {
      const { id, source } = entry.request;
      if (entry.state !== 'queued' || entry.device !== device || isStuck(id)) continue;
      try {
        if (isSpoken(source) && (await this.#decideBySpeech(entry))) {
          await inbox.resolve(id);
          return open.takeResumable() ?? this.claim();
        }
        const chosen = await choice.forRequest(entry);
        if ('undecided' in chosen) {
          await this.#repeatPhrases(entry, chosen.undecided);
          await inbox.resolve(id);
          continue;
        }
        const log = chosen;
        if (wasAnswer(log, id)) {
          await inbox.resolve(id);
          continue;
        }
        const held = open.heldIn(log.state.id);
        if (!held) {
          // The turn was answered and continues before this request, or is being ended.
          if (open.isOpenIn(log.state.id)) continue;
          const begun = await this.#begin(entry, log);
          if (begun) return begun;
          continue;
        }
        // A message sent before the question was shown waits behind it; one sent afterwards is the
        // answer.
        if (!(await takeAsAnswer(entry, log, held.turn, this.#deps))) continue;
        open.resumeIfFree(log, held);
        await inbox.resolve(id);
        return open.takeResumable() ?? this.claim();
      } catch (error) {
        giveUp(id, error);
      }
    }
    return null;
  }

  /** Whether the message is one of the exact phrases that decide the announced approval. */
  async #decideBySpeech(entry: QueuedRequest): Promise<boolean> {
    const { open } = this.#deps;
    for (const held of open.held()) {
      const log = await this.#deps.log(held.conversation);
      const decided = this.#decisionOf(entry, log, held);
      if (!decided) continue;
      await takeAsApproval(entry, log, decided.card, decided.choice, this.#deps);
      open.resumeIfFree(log, held);
      return true;
    }
    return false;
  }

  /** Tells the user which phrases decide the open approval, because no other words do. */
  async #repeatPhrases({ request }: QueuedRequest, log: ConversationLog): Promise<void> {
    const held = this.#deps.open.heldIn(log.state.id);
    const turn = held && findTurn(log.state, held.turn);
    const approval = (turn ? openInteractions(turn) : []).find(({ kind }) => kind === 'approval');
    if (turn && approval?.kind === 'approval')
      await this.#deps.replies.repeatPhrases(request, approval, turn);
  }

  #decisionOf(entry: QueuedRequest, log: ConversationLog, { turn }: HeldTurn) {
    const { replies } = this.#deps;
    const decided = replies.decides(entry.request);
    if (decided?.card.turn === turn) return decided;
    const found = findTurn(log.state, turn);
    const begun = found && interruptedApproval(found, entry.request.id);
    const choice = begun && replies.choiceOf(entry.request.text, begun);
    return begun && choice ? { card: begun, choice } : null;
  }

  /** Null if the request has left the queue in the meantime. */
  async #begin(entry: QueuedRequest, log: ConversationLog): Promise<HeldTurn | null> {
    const { inbox, turns, mint } = this.#deps;
    const turn = mint('turn');
    const conversation = log.state.id;
    const claimed = await inbox.claim(entry, conversation, turn);
    if (!claimed) return null;
    await turns.begin(log, claimed, turn);
    return { requestId: entry.request.id, conversation, turn };
  }
}

export interface RequestEndDeps {
  readonly inbox: Inbox;
  readonly clock: Clock;
  readonly replies: TurnReplies;
  readonly choice: ConversationPicker;
  readonly retries: RetrySchedule;
}

/** Causes whose retry is triggered by an event instead of a time. */
const EVENT_RETRY_CAUSES: ReadonlySet<RetryCause> = new Set(['network', 'credit', 'key']);

/**
 * Resolves a request after the end of its turn has been saved. The inbox is updated last: after a
 * crash, all of this runs again at the next load, and every part of it is idempotent. Rejects if a
 * file cannot be written.
 */
export async function resolveTurn(
  { inbox, clock, replies, choice, retries }: RequestEndDeps,
  log: ConversationLog,
  held: HeldTurn,
  end: TurnEnd,
): Promise<void> {
  const entry = inbox.get(held.requestId);
  if (!entry) return;
  const now = clock.now();
  const triesAgain =
    end.kind === 'failed' &&
    (EVENT_RETRY_CAUSES.has(retryCause(end.failure)) ||
      nextTry(end.failure, entry.attempts, entry.firstFailed ?? now, now) !== null);
  await replies.postReplies(log.state, held.turn, triesAgain);
  await choice.turnEnded(log, held.turn);
  if (end.kind === 'failed') {
    await inbox.fail(entry, held, end.failure, now);
    retries.plan();
    return;
  }
  await inbox.resolve(held.requestId);
  if (end.kind === 'completed') {
    void retries.retryCauses('network', 'endpoint', 'capacity', 'credit', 'key');
  }
}
