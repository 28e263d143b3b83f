/** Decisions about open approvals by spoken words. */
import * as t from '#messages/notice-messages';
import type { ConversationLog } from '#conversations/conversation-log';
import * as voice from '#messages/voice-messages';
import { findTurn, type ResolvedInteraction } from '#model/conversation';
import type { QueuedRequest, UserRequest } from '#model/request';
import { isReply } from '#model/steering';
import { namesSubject } from '#voice/approval-names';
import { saidName } from '#text/speech';
import type { OpenApproval } from '#voice/open-approvals';
import { assistantNames, isLikelyRequest, isShortAnswer, spokenWords } from '#voice/spoken-words';
import { isAboutDecision } from '#voice/yes-no-words';
import type { ConversationPicker } from './conversation-picker';
import type { HeldTurn, OpenTurns } from './open-turns';
import type { QueueContext } from './queue-context';
import { interruptedApproval, takeAsApproval } from './typed-answers';

/** Open approvals, and words that do not decide which of them. */
interface Undecided {
  readonly approvals: readonly OpenApproval[];
  /** The words may have asked for something, which is not done. */
  readonly isDropped: boolean;
}

export class SpokenDecisions {
  readonly #deps: QueueContext;
  readonly #open: OpenTurns;
  readonly #picker: ConversationPicker;

  constructor(deps: QueueContext, open: OpenTurns, picker: ConversationPicker) {
    this.#deps = deps;
    this.#open = open;
    this.#picker = picker;
  }

  /** Whether the message clearly decides the announced approval. */
  async decide(queued: QueuedRequest): Promise<boolean> {
    for (const held of this.#open.held()) {
      const log = await this.#deps.conversations.openExisting(held.conversation);
      const decided = this.#decisionOf(queued, log, held);
      if (!decided) continue;
      await takeAsApproval(queued, log, decided.approval, decided.choice, this.#deps);
      this.#open.resumeIfFree(log, held);
      return true;
    }
    return false;
  }

  /** Answers words that are about open approvals without deciding one. False if they are a request. */
  async repeatPhrases(queued: QueuedRequest): Promise<boolean> {
    const { request } = queued;
    const since = this.#deps.replies.decidedSince(request);
    if (since) return this.#sayDecided(request, since);
    const undecided = await this.#undecidedBy(queued);
    if (undecided) await this.#repeatPhrases(queued, undecided);
    return undecided !== null;
  }

  /** The result of the decision already answers words that came twice. */
  async #sayDecided(
    request: UserRequest,
    { interaction, resolution }: ResolvedInteraction,
  ): Promise<true> {
    const { replies } = this.#deps;
    if (interaction.kind !== 'approval' || resolution.kind !== 'choice') return true;
    const choice = replies.choiceOf(request, interaction);
    if (choice === null || choice === resolution.choice) return true;
    const subject = interaction.subject === undefined ? null : saidName(interaction.subject);
    const isLast = replies.openApprovals.length === 0;
    await replies.answer(request, 'not_done', voice.alreadyDecided(subject, isLast));
    return true;
  }

  /**
   * The open approvals that short words are about without deciding one. Such words must not begin a
   * conversation of their own; a request does.
   */
  async #undecidedBy({ request }: QueuedRequest): Promise<Undecided | null> {
    const { replies, settings } = this.#deps;
    const names = assistantNames(settings());
    const spoken = spokenWords(request.text, names);
    const all = replies.openApprovals;
    const isNamed = all.some(({ interaction }) => namesSubject(spoken, interaction, names));
    const isDecision = isNamed || isAboutDecision(spoken);
    if (!isDecision && (isLikelyRequest(spoken) || isReply(request))) return null;
    const log = await this.#picker.spokenPlace(request);
    const held = log && this.#open.heldIn(log.state.id);
    if (held?.by === 'approval' && isShortAnswer(spoken)) {
      const own = replies.approvalOf(held.turn);
      const wasHeard = request.hearing?.heard.some(({ id }) => id === own?.interaction.id);
      // Other words that were said before it can have been heard are a request of their own.
      if (own && (isDecision || wasHeard)) {
        return { approvals: own.isSpoken ? all : [own, ...all], isDropped: !isDecision };
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
    const { replies, conversations } = this.#deps;
    const isByVoice = await replies.repeatPhrases(request, approvals, isDropped);
    const words = request.text.trim();
    const text = isByVoice
      ? replies.isTooSoon(request)
        ? t.saidTooSoon(words)
        : t.decidesNothing(words)
      : replies.allowsDecisions
        ? t.decideHere(words)
        : t.voiceDecidesNothing(words);
    const turns = new Set(approvals.map(({ turn }) => turn.id));
    for (const { conversation, turn } of this.#open.held()) {
      if (!turns.has(turn)) continue;
      const log = await conversations.openExisting(conversation);
      await log.append({ type: 'turn-notice', turn, text });
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
}
