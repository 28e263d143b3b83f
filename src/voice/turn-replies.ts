/**
 * Sends replies for turns that were requested through SmartHole: each announcement goes to the
 * bridge's outbox once.
 */
import { turnTitle, type TurnTitle } from '#model/result-text';
import {
  allCalls,
  type Conversation,
  findTurn,
  openInteractions,
  type Turn,
} from '#model/conversation';
import type { Event, TurnEnd } from '#model/event';
import type { RequestId, TurnId, InteractionId } from '#model/ids';
import type { Approval, ApprovalChoice } from '#model/interaction';
import { spokenChoice } from '#model/decision-words';
import type { UserRequest, Reply, ReplyTo } from '#model/request';
import { spokenWords, type AssistantNames } from '#model/spoken-words';
import type { Clock } from '#ports/clock';

export interface TurnRepliesDeps {
  readonly clock: Clock;
  /** The names by which the user addresses the agent. */
  names(): AssistantNames;
  /** Whether words that were said at this time may decide approvals. */
  allowsDecision(time: number): boolean;
  /** Where the reply to a request goes at the moment; null if the request has left the inbox. */
  replyTo(entry: RequestId): ReplyTo | null;
  /**
   * Resolves when the announcement is saved and will be sent, if necessary after a restart. A known
   * key is not saved again. Rejects if the file system does.
   */
  post(messageId: string, announcement: Announcement): Promise<void>;
  /** Whether the announcement with this key has been sent for this message. */
  wasSent(messageId: string, key: string): boolean;
}

/**
 * Time after an offer was sent in which the user cannot have heard it yet: earlier words mean
 * something else.
 */
const OFFER_DELAY_MS = 1_500;
/** The same after another approval was decided, because a phrase for that one may still arrive. */
const NEXT_OFFER_DELAY_MS = 8_000;
const MAX_RECENT_TURNS = 50;

export interface OpenApproval {
  readonly card: Approval;
  readonly turn: Turn;
}

interface Offer {
  readonly card: Approval;
  /** Words from this time on can decide the approval; null until its announcement has been sent. */
  readonly from: number | null;
  /** Milliseconds from sending to the first words that can refer to it. */
  readonly delay: number;
}

export class TurnReplies {
  readonly #deps: TurnRepliesDeps;
  /** Open approvals of spoken turns, oldest first. */
  #approvals: readonly OpenApproval[] = [];
  /**
   * The oldest approval. Only this one can be decided by voice, so that "delete it" is unambiguous.
   */
  #offered: Offer | null = null;
  /** The last announcements by request, for a duplicate that arrives under another id. */
  readonly #recent = new Map<RequestId, readonly Announcement[]>();

  constructor(deps: TurnRepliesDeps) {
    this.#deps = deps;
  }

  /** Whether an event may require an announcement before its turn ends. */
  static matters(event: Event): event is Event & { turn: TurnId } {
    return (
      event.type === 'interaction-start' ||
      event.type === 'interaction-end' ||
      event.type === 'call-end'
    );
  }

  /**
   * Posts the announcements of a turn that have not been posted yet. Rejects if they cannot be
   * saved.
   *
   * @param triesAgain whether the request failed and is retried automatically
   */
  async postReplies(conversation: Conversation, id: TurnId, triesAgain = false): Promise<void> {
    const turn = findTurn(conversation, id);
    if (!turn) return;
    const next = this.#follow(turn);
    await this.#say(turn, triesAgain);
    if (next && next.id !== turn.id) await this.#say(next, false);
  }

  /**
   * The approval that a message decides: its words must be clear, and spoken after the approval was
   * offered.
   */
  decides(request: UserRequest): { card: Approval; choice: ApprovalChoice } | null {
    const offered = this.#offered;
    if (!offered || offered.from === null || request.time < offered.from) return null;
    if (!this.#deps.allowsDecision(request.time)) return null;
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
    const announcement: Announcement = {
      // The phrases offer the approval, if it was not offered before.
      key: byVoice ? offeredKey(approval.id) : `${id}:phrases`,
      reply: { kind: 'waiting', interaction: approval, byVoice },
      request: turn.request.text,
    };
    for (const messageId of reply.messageIds) await this.#deps.post(messageId, announcement);
  }

  /** Answers a command that Parley carried out without a turn. */
  async answer({ id, reply, text }: UserRequest, end: TurnEnd, title: TurnTitle): Promise<void> {
    if (reply.to !== 'smarthole') return;
    const announcement: Announcement = {
      key: `${id}:answer`,
      reply: { kind: 'end', end, title },
      request: text,
    };
    for (const messageId of reply.messageIds) await this.#deps.post(messageId, announcement);
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

  /** Must be called when an announcement has been sent. */
  sent(key: string): void {
    const offered = this.#offered;
    if (!offered || offered.from !== null || key !== offeredKey(offered.card.id)) return;
    this.#offered = { ...offered, from: this.#deps.clock.now() + offered.delay };
  }

  /** Posts the announcements of a request for one more message id. */
  async repeat(entry: RequestId, messageId: string): Promise<void> {
    for (const each of this.#recent.get(entry) ?? []) await this.#deps.post(messageId, each);
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

  async #say(turn: Turn, triesAgain: boolean): Promise<void> {
    const messageIds = this.#recipients(turn);
    if (messageIds.length === 0) return;
    const offered = this.#offered?.card.id ?? null;
    const announcements = announcementsOf(turn, {
      offered: offered !== null && this.#isOffered(offered) ? offered : null,
      triesAgain,
    });
    // Remember them first, so that an id that joins while they are being saved gets them too.
    this.#recent.delete(turn.requestId);
    this.#recent.set(turn.requestId, announcements);
    for (const oldest of this.#recent.keys()) {
      if (this.#recent.size <= MAX_RECENT_TURNS) break;
      this.#recent.delete(oldest);
    }
    for (const each of announcements) {
      for (const id of messageIds) await this.#deps.post(id, each);
    }
  }

  /** Updates the list of open approvals. If another approval is to be offered, returns its turn. */
  #follow(turn: Turn): Turn | null {
    const open = this.#recipients(turn).length === 0 ? [] : openInteractions(turn);
    const mine = open.flatMap((approval) =>
      approval.kind === 'approval' ? [{ card: approval, turn }] : [],
    );
    const others = this.#approvals.filter((each) => each.turn.id !== turn.id);
    this.#approvals = [...others, ...mine].sort((a, b) => a.card.asked - b.card.asked);
    const [first] = this.#approvals;
    if (first?.card.id === this.#offered?.card.id) return null;
    const delay = this.#offered ? NEXT_OFFER_DELAY_MS : OFFER_DELAY_MS;
    if (!first) this.#offered = null;
    else {
      const { card: approval, turn: asking } = first;
      // After a restart, the approval may have been offered long ago.
      const isOut = this.#recipients(asking).some((id) =>
        this.#deps.wasSent(id, offeredKey(approval.id)),
      );
      this.#offered = {
        card: approval,
        delay,
        from: isOut ? approval.asked + OFFER_DELAY_MS : null,
      };
    }
    return first?.turn ?? null;
  }
}

export interface Announcement {
  /** Permanent name of the announcement. */
  readonly key: string;
  readonly reply: Reply;
  /** The text of the request. */
  readonly request: string;
}

export interface AnnouncementContext {
  /** The approval that can be decided by voice. */
  readonly offered: InteractionId | null;
  /**
   * The request is retried automatically: only its first failure and its final end are announced.
   */
  readonly triesAgain: boolean;
}

/**
 * SmartHole's ids of all messages to reply to: the request, and the answers to the turn's
 * questions.
 */
export function recipients(turn: Turn): readonly string[] {
  const replies = [turn.request.reply, ...turn.answers.map(({ reply }) => reply)];
  return [...new Set(replies.flatMap((to) => (to.to === 'smarthole' ? to.messageIds : [])))];
}

/** All announcements of the turn so far, in order. */
export function announcementsOf(turn: Turn, to: AnnouncementContext): readonly Announcement[] {
  const announcements: Announcement[] = [];
  const say = (key: string, reply: Reply) =>
    announcements.push({ key, reply, request: turn.request.text });

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
