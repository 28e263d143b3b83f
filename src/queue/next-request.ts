/** Claims the next request of the queue, and resolves it when its turn has ended. */
import type { Turns } from './turn-runner';
import type { ConversationLog } from '#conversations/conversation-log';
import { findTurn, openInteractions } from '#model/conversation';
import type { TurnEnd } from '#model/event';
import type { ConversationId, DeviceId, RequestId, MintId } from '#model/ids';
import { type QueuedRequest, isSpoken } from '#model/request';
import type { Clock } from '#ports/clock';
import type { OpenApproval } from '#voice/open-approvals';
import type { TurnReplies } from '#voice/turn-replies';
import { namesSubject } from '#voice/approval-names';
import { isAboutDecision } from '#voice/yes-no-words';
import type { Settings } from '#model/settings';
import { isReply } from '#model/steering';
import { assistantNames, isLikelyRequest, isShortAnswer, spokenWords } from '#voice/spoken-words';
import * as t from '#messages/notice-messages';
import type { ConversationPicker } from './conversation-picker';
import type { Inbox } from './inbox';
import {
  interruptedApproval,
  removeJoined,
  takeAsAnswer,
  takeAsApproval,
  wasTaken,
} from './typed-answers';
import type { HeldTurn, OpenTurns } from './open-turns';
import { type RetryCause, retryCause, nextTry, type RetrySchedule } from './request-retry-schedule';

export interface NextRequestDeps {
  readonly inbox: Inbox;
  readonly device: DeviceId;
  readonly mint: MintId;
  readonly replies: TurnReplies;
  readonly picker: ConversationPicker;
  readonly open: OpenTurns;
  readonly turns: Pick<Turns, 'begin'>;
  settings(): Settings;
  /** Whether the request is a quick command, which does not wait for its turn. */
  isQuick(queued: QueuedRequest): boolean;
  log(conversation: ConversationId): Promise<ConversationLog>;
  /** Whether the request's files could not be written; it is skipped until the user retries it. */
  isStuck(requestId: RequestId): boolean;
  giveUp(requestId: RequestId, error: unknown): void;
}

/** Open approvals, and words that do not decide which of them. */
interface Undecided {
  readonly approvals: readonly OpenApproval[];
  /** The words may have asked for something, which is not done. */
  readonly isDropped: boolean;
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
    const { inbox, device, picker, open, isStuck, isQuick, giveUp } = this.#deps;
    for (const queued of inOrder(inbox.requests())) {
      const { id, source, when } = queued.request;
      if (queued.state !== 'queued' || queued.device !== device || isStuck(id)) continue;
      if (isQuick(queued)) continue;
      try {
        if (isSpoken(source) && (await this.#decideBySpeech(queued))) {
          await inbox.resolve(id);
          return open.takeResumable() ?? this.claim();
        }
        const undecided = isSpoken(source) ? await this.#undecidedBy(queued) : null;
        if (undecided) {
          await this.#repeatPhrases(queued, undecided);
          await inbox.resolve(id);
          continue;
        }
        const log = await picker.forRequest(queued);
        if (await wasTaken(log, id)) {
          await inbox.resolve(id);
          continue;
        }
        const held = open.heldIn(log.state.id);
        if (!held) {
          // The turn was answered and continues before this request, or is being ended.
          if (open.isOpenIn(log.state.id)) continue;
          const begun = await this.#begin(queued, log);
          if (begun) return begun;
          continue;
        }
        // Such a message is no answer: the user chose a turn of its own for it.
        if (when === 'after' || when === 'stop') continue;
        // A message sent before the question was shown waits behind it; one sent afterwards is the
        // answer.
        const taken = await takeAsAnswer(queued, log, held.turn, this.#deps);
        if (!taken) continue;
        open.resumeIfFree(log, held);
        if (taken !== 'closed') await inbox.resolve(id);
        return open.takeResumable() ?? this.claim();
      } catch (error) {
        giveUp(id, error);
      }
    }
    return null;
  }

  /** Whether the message clearly decides the announced approval. */
  async #decideBySpeech(queued: QueuedRequest): Promise<boolean> {
    const { open } = this.#deps;
    for (const held of open.held()) {
      const log = await this.#deps.log(held.conversation);
      const decided = this.#decisionOf(queued, log, held);
      if (!decided) continue;
      await takeAsApproval(queued, log, decided.approval, decided.choice, this.#deps);
      open.resumeIfFree(log, held);
      return true;
    }
    return false;
  }

  /**
   * The open approvals that short words are about without deciding one. Such words must not begin a
   * conversation of their own; a request does.
   */
  async #undecidedBy({ request }: QueuedRequest): Promise<Undecided | null> {
    const { open, picker, replies, settings } = this.#deps;
    const names = assistantNames(settings());
    const spoken = spokenWords(request.text, names);
    const all = replies.openApprovals;
    const isNamed = all.some(({ approval }) => namesSubject(spoken, approval, names));
    const isDecision = isNamed || isAboutDecision(spoken);
    if (!isDecision && (isLikelyRequest(spoken) || isReply(request))) return null;
    const log = await picker.spokenPlace(request);
    const held = log && open.heldIn(log.state.id);
    if (held?.by === 'approval' && isShortAnswer(spoken)) {
      const turn = findTurn(log!.state, held.turn);
      const approval = (turn ? openInteractions(turn) : []).find(({ kind }) => kind === 'approval');
      if (turn && approval?.kind === 'approval') {
        // Other words that were said before it can have been heard are a request of their own.
        const isMeant = isDecision || replies.wasHeard(turn, approval, request.time);
        const isSpokenTurn = all.some(({ turn: { id } }) => id === turn.id);
        const own = { approval, turn, conversation: held.conversation };
        if (isMeant)
          return { approvals: isSpokenTurn ? all : [own, ...all], isDropped: !isDecision };
      }
    }
    const isAnswer = held?.by === 'question';
    return isDecision && !isAnswer && all.length > 0 ? { approvals: all, isDropped: false } : null;
  }

  /** Tells the user, by voice and in the chat, how to decide the approvals. */
  async #repeatPhrases(
    { request }: QueuedRequest,
    { approvals, isDropped }: Undecided,
  ): Promise<void> {
    const { open, replies, log } = this.#deps;
    const isByVoice = await replies.repeatPhrases(request, approvals, isDropped);
    const words = request.text.trim();
    const text = isByVoice
      ? t.decidesNothing(words)
      : replies.allowsDecisions
        ? t.decideHere(words)
        : t.voiceDecidesNothing(words);
    const turns = new Set(approvals.map(({ turn }) => turn.id));
    for (const held of open.held().filter(({ turn }) => turns.has(turn))) {
      await (await log(held.conversation)).append({ type: 'turn-notice', turn: held.turn, text });
    }
  }

  #decisionOf(queued: QueuedRequest, log: ConversationLog, { turn }: HeldTurn) {
    const { replies } = this.#deps;
    const decided = replies.decides(queued.request);
    if (decided?.approval.turn === turn) return decided;
    const found = findTurn(log.state, turn);
    const begun = found && interruptedApproval(found, queued.request.id);
    const choice = begun && replies.choiceOf(queued.request, begun);
    return begun && choice ? { approval: begun, choice } : null;
  }

  /** Null if the request has left the queue in the meantime. */
  async #begin(queued: QueuedRequest, log: ConversationLog): Promise<HeldTurn | null> {
    const { inbox, turns, mint } = this.#deps;
    const turn = mint('turn');
    const conversation = log.state.id;
    const claimed = await inbox.claim(queued, conversation, turn);
    if (!claimed) return null;
    await turns.begin(log, claimed, turn);
    return { requestId: queued.request.id, conversation, turn };
  }
}

/** A message that stops a turn is next; the others follow in the order in which they were made. */
function inOrder(queued: readonly QueuedRequest[]): QueuedRequest[] {
  const isNext = ({ request }: QueuedRequest) => request.when === 'stop';
  return [...queued.filter(isNext), ...queued.filter((each) => !isNext(each))];
}

export interface RequestEndDeps {
  readonly inbox: Inbox;
  readonly clock: Clock;
  readonly replies: TurnReplies;
  readonly picker: ConversationPicker;
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
  { inbox, clock, replies, picker, retries }: RequestEndDeps,
  log: ConversationLog,
  held: HeldTurn,
  end: TurnEnd,
): Promise<void> {
  const queued = inbox.get(held.requestId);
  if (!queued) return;
  const now = clock.now();
  const triesAgain =
    end.kind === 'failed' &&
    (EVENT_RETRY_CAUSES.has(retryCause(end.failure)) ||
      nextTry(end.failure, queued.attempts, queued.firstFailed ?? now, now) !== null);
  await replies.postReplies(log.state, held.turn, triesAgain);
  await picker.turnEnded(log, held.turn);
  if (end.kind === 'failed') {
    // A retry has to answer the messages that joined this attempt, too.
    for (const { reply } of findTurn(log.state, held.turn)?.steering ?? []) {
      const messageIds = reply.to === 'smarthole' ? reply.messageIds : [];
      for (const messageId of messageIds) await inbox.alsoFor(held.requestId, messageId);
    }
    await inbox.fail(queued, held, end.failure, now);
    retries.plan();
    // The request stays in the inbox, so its next end or the next load tries this again.
    await removeJoined(log, held.requestId, inbox).catch(() => undefined);
    return;
  }
  await removeJoined(log, held.requestId, inbox);
  await inbox.resolve(held.requestId);
  if (end.kind === 'completed') {
    void retries.retryCauses('network', 'endpoint', 'capacity', 'credit', 'key');
  }
}
