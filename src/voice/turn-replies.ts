/**
 * Announces what happens in turns that were requested through SmartHole, each thing once, and knows
 * which announcements the user can have heard.
 */
import { turnTitle, type TurnTitle } from '#model/result-text';
import {
  allCalls,
  type Conversation,
  findTurn,
  openInteractions,
  resolvedInteractions,
  type Turn,
} from '#model/conversation';
import type { Event, TurnEnd } from '#model/event';
import type { ConversationId, RequestId, TurnId, InteractionId } from '#model/ids';
import type { Approval, ApprovalChoice, Question } from '#model/interaction';
import { spokenChoice } from '#model/decision-words';
import type { UserRequest, Reply, ReplyTo } from '#model/request';
import { spokenWords, type AssistantNames } from '#model/spoken-words';
import type { Clock } from '#ports/clock';
import type { ReplyTurn } from './outbox';

export interface TurnRepliesDeps {
  readonly clock: Clock;
  /** The names by which the user addresses the agent. */
  names(): AssistantNames;
  /** Whether words that were said at this time may decide approvals. */
  allowsDecision(time: number): boolean;
  /** Where the reply to a request goes at the moment; null if the request has left the inbox. */
  replyTo(entry: RequestId): ReplyTo | null;
  /**
   * Resolves when the announcement is saved and will be shown, if necessary after a restart. A known
   * key is not saved again. Rejects if the file system does.
   *
   * @param messageIds SmartHole's ids of the messages that it replies to; it is shown once
   */
  post(messageIds: readonly string[], announcement: Announcement): Promise<void>;
  /** Drops announcements about these things that were not shown yet. */
  drop(abouts: readonly string[]): Promise<void>;
  /** When an announcement about this was first shown, in milliseconds since 1970, or null. */
  shownAt(about: string): number | null;
}

/**
 * Time after an announcement was shown in which the user cannot have heard it yet: earlier words
 * mean something else.
 */
const REACTION_MS = 1_500;
/** The same after another approval was decided, because a phrase for that one may still arrive. */
const NEXT_OFFER_DELAY_MS = 8_000;
const MAX_RECENT_TURNS = 50;

export interface OpenApproval {
  readonly card: Approval;
  readonly turn: Turn;
  readonly conversation: ConversationId;
}

interface Offer {
  readonly card: Approval;
  /** Milliseconds from its announcement to the first words that can refer to it. */
  readonly delay: number;
}

export class TurnReplies {
  readonly #deps: TurnRepliesDeps;
  /** Open approvals of spoken turns, oldest first. */
  #approvals: readonly OpenApproval[] = [];
  /** Open questions of turns that reply by voice. */
  #questions: readonly Question[] = [];
  /**
   * The oldest approval. Only this one can be decided by voice, so that "delete it" is unambiguous.
   */
  #offered: Offer | null = null;
  /** The requests whose turns were announced last. */
  readonly #recent = new Set<RequestId>();
  /** Serializes posting: an earlier state of a turn must not be announced after a later one. */
  #tail: Promise<unknown> = Promise.resolve();

  constructor(deps: TurnRepliesDeps) {
    this.#deps = deps;
  }

  /** Whether an event may require an announcement before its turn ends. */
  static matters(event: Event): event is Event & { turn: TurnId } {
    return (
      event.type === 'interaction-start' ||
      event.type === 'interaction-end' ||
      event.type === 'call-end' ||
      event.type === 'steer-join'
    );
  }

  /**
   * Posts the announcements of a turn that have not been posted yet, and drops those that are no
   * longer true. Rejects if they cannot be saved.
   *
   * @param triesAgain whether the request failed and is retried automatically
   */
  postReplies(conversation: Conversation, id: TurnId, triesAgain = false): Promise<void> {
    const posted = this.#tail.then(() => this.#post(conversation, id, triesAgain));
    // A failed announcement must not block the next one.
    this.#tail = posted.catch(() => undefined);
    return posted;
  }

  async #post(conversation: Conversation, id: TurnId, triesAgain: boolean): Promise<void> {
    const turn = findTurn(conversation, id);
    if (!turn) return;
    const next = this.#follow(turn, conversation.id);
    await this.#dropSettled(turn);
    await this.#say(turn, conversation.id, triesAgain);
    if (next && next.turn.id !== turn.id) await this.#say(next.turn, next.conversation, false);
  }

  /**
   * The time from which spoken words can answer a question of the turn: it must have been heard.
   * Null if the user cannot have heard any.
   */
  answerableFrom(turn: Turn): number | null {
    const times = openInteractions(turn).flatMap((each) => {
      const at = each.kind === 'question' ? this.#heardAt(turn, each) : null;
      return at === null ? [] : [at + REACTION_MS];
    });
    return times.length === 0 ? null : Math.min(...times);
  }

  /** Whether the user can have known of this approval when words were spoken at this time. */
  wasHeard(turn: Turn, { id, asked }: Approval, time: number): boolean {
    const { shownAt } = this.#deps;
    const at =
      this.#recipients(turn).length === 0 ? asked : (shownAt(id) ?? shownAt(offeredKey(id)));
    return at !== null && at + REACTION_MS <= time;
  }

  /**
   * The approval that a message decides: its words must be clear, and spoken after the approval was
   * offered.
   */
  decides(request: UserRequest): { card: Approval; choice: ApprovalChoice } | null {
    const offered = this.#offered;
    if (!offered) return null;
    const at = this.#deps.shownAt(offeredKey(offered.card.id));
    if (at === null || request.time < at + offered.delay) return null;
    if (!this.#deps.allowsDecision(request.time)) return null;
    // The words rather answer a question that was heard after the approval.
    if (this.#questions.some(({ id }) => (this.#deps.shownAt(id) ?? 0) > at)) return null;
    const choice = this.choiceOf(request, offered.card);
    return choice === null ? null : { card: offered.card, choice };
  }

  /** The choice that these words make on an approval they are known to refer to. */
  choiceOf({ text, routing }: UserRequest, approval: Approval): ApprovalChoice | null {
    const spoken = spokenWords(text, this.#deps.names());
    const isAddressed = spoken.isAddressed || routing?.['directRouted'] === true;
    return spokenChoice({ ...spoken, isAddressed }, approval);
  }

  /** Answers words that decide nothing with the phrases that would decide the approval. */
  async repeatPhrases({ id, reply }: UserRequest, approval: Approval, turn: Turn): Promise<void> {
    if (reply.to !== 'smarthole') return;
    const byVoice = this.#isOffered(approval.id);
    await this.#deps.post(reply.messageIds, {
      key: `${id}:phrases`,
      // The phrases offer the approval, if it was not offered before.
      about: byVoice ? offeredKey(approval.id) : approval.id,
      reply: { kind: 'waiting', interaction: approval, byVoice },
      request: turn.request.text,
      turn: null,
    });
  }

  /** Answers a command that Parley carried out without a turn. */
  async answer({ id, reply, text }: UserRequest, end: TurnEnd, title: TurnTitle): Promise<void> {
    if (reply.to !== 'smarthole') return;
    const key = `${id}:answer`;
    await this.#deps.post(reply.messageIds, {
      ...{ key, about: key, request: text, turn: null },
      reply: { kind: 'end', end, title },
    });
  }

  /** Whether voice may decide approvals at the moment. */
  get allowsDecisions(): boolean {
    return this.#deps.allowsDecision(this.#deps.clock.now());
  }

  /** The oldest open approval of a spoken turn, with its turn. */
  get oldestApproval(): OpenApproval | null {
    return this.#approvals[0] ?? null;
  }

  /** Whether announcements were recently posted for this request. */
  knows(entry: RequestId): boolean {
    return this.#recent.has(entry);
  }

  /** Whether the approval can be decided by voice. */
  #isOffered(approval: InteractionId): boolean {
    return this.#offered?.card.id === approval && this.allowsDecisions;
  }

  #recipients(turn: Turn): readonly string[] {
    const now = this.#deps.replyTo(turn.requestId);
    const joined = now?.to === 'smarthole' ? now.messageIds : [];
    return [...new Set([...recipients(turn), ...joined])];
  }

  /** A question of a typed turn is announced on the screen only. */
  #heardAt(turn: Turn, { id, asked }: Question): number | null {
    return this.#recipients(turn).length === 0 ? asked : this.#deps.shownAt(id);
  }

  /** Questions and approvals that are settled must not be announced any more. */
  async #dropSettled(turn: Turn): Promise<void> {
    const settled = resolvedInteractions(turn).map(({ id }) => id);
    // The announcement that an approval can be decided by voice replaces the first one.
    const card = this.#offered?.card;
    const offered = card?.turn === turn.id && this.#isOffered(card.id) ? [card.id] : [];
    const abouts = [...settled, ...settled.map(offeredKey), ...offered];
    if (abouts.length > 0) await this.#deps.drop(abouts);
  }

  async #say(turn: Turn, conversation: ConversationId, triesAgain: boolean): Promise<void> {
    const messageIds = this.#recipients(turn);
    if (messageIds.length === 0) return;
    // Remember it first, so that a duplicate that arrives meanwhile is recognized.
    for (const id of [turn.requestId, ...turn.steering.map(({ requestId }) => requestId)]) {
      this.#recent.delete(id);
      this.#recent.add(id);
    }
    for (const oldest of this.#recent) {
      if (this.#recent.size <= MAX_RECENT_TURNS) break;
      this.#recent.delete(oldest);
    }
    const card = this.#offered?.card.id ?? null;
    const offered = card !== null && this.#isOffered(card) ? card : null;
    for (const each of announcementsOf(turn, { conversation, offered, triesAgain })) {
      await this.#deps.post(messageIds, each);
    }
  }

  /** Updates the list of open approvals. If another approval is to be offered, returns its turn. */
  #follow(turn: Turn, conversation: ConversationId): OpenApproval | null {
    const open = this.#recipients(turn).length === 0 ? [] : openInteractions(turn);
    const mine = open.flatMap((approval) =>
      approval.kind === 'approval' ? [{ card: approval, turn, conversation }] : [],
    );
    const asked = open.flatMap((each) => (each.kind === 'question' ? [each] : []));
    this.#questions = [...this.#questions.filter((each) => each.turn !== turn.id), ...asked];
    const others = this.#approvals.filter((each) => each.turn.id !== turn.id);
    this.#approvals = [...others, ...mine].sort((a, b) => a.card.asked - b.card.asked);
    const [first] = this.#approvals;
    if (first?.card.id === this.#offered?.card.id) return null;
    const delay = this.#offered ? NEXT_OFFER_DELAY_MS : REACTION_MS;
    this.#offered = first ? { card: first.card, delay } : null;
    return first ?? null;
  }
}

export interface Announcement {
  /** Permanent name of the announcement. */
  readonly key: string;
  /** What it announces; an approval can be announced several times. */
  readonly about: string;
  readonly reply: Reply;
  /** The text of the request. */
  readonly request: string;
  /** The turn that it reports; null if it only repeats something. */
  readonly turn: ReplyTurn | null;
}

export interface AnnouncementContext {
  readonly conversation: ConversationId;
  /** The approval that can be decided by voice. */
  readonly offered: InteractionId | null;
  /**
   * The request is retried automatically: only its first failure and its final end are announced.
   */
  readonly triesAgain: boolean;
}

/**
 * SmartHole's ids of all messages to reply to: the request, the answers to the turn's questions, and
 * the messages that joined the turn.
 */
export function recipients(turn: Turn): readonly string[] {
  const later = [...turn.answers, ...turn.steering];
  const replies = [turn.request.reply, ...later.map(({ reply }) => reply)];
  return [...new Set(replies.flatMap((to) => (to.to === 'smarthole' ? to.messageIds : [])))];
}

/** All announcements of the turn so far, in order. */
export function announcementsOf(turn: Turn, to: AnnouncementContext): readonly Announcement[] {
  const announcements: Announcement[] = [];
  const place = { conversation: to.conversation, turn: turn.id };
  const say = (key: string, reply: Reply) =>
    announcements.push({ key, about: key, reply, request: turn.request.text, turn: place });

  for (const call of allCalls(turn)) {
    if (call.state === 'finished' && call.result.details?.kind === 'message') {
      say(call.id, { kind: 'message', text: call.result.details.text });
    }
  }
  for (const waiting of openInteractions(turn)) {
    const byVoice = waiting.id === to.offered;
    // Announced again when the approval can be decided by voice.
    say(byVoice ? offeredKey(waiting.id) : waiting.id, {
      kind: 'waiting',
      interaction: waiting,
      byVoice,
    });
  }
  if (turn.end && !(turn.end.kind === 'failed' && to.triesAgain && turn.attempt > 1)) {
    say(`${turn.id}:end`, { kind: 'end', end: turn.end, title: turnTitle(turn) });
  }
  return announcements;
}

/** Key of the announcement that an approval can be decided by voice. */
export function offeredKey(approval: InteractionId): string {
  return `${approval}:offered`;
}
