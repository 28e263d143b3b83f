/**
 * Announces what happens in turns that were requested through SmartHole, each thing once, and knows
 * which announcements the user can have heard.
 */
import type { Reply, TurnTitle } from '#model/reply';
import { endReply } from '#messages/result-text';
import {
  allCalls,
  type Conversation,
  findTurn,
  openInteractions,
  type Turn,
} from '#model/conversation';
import type { Event, TurnEnd } from '#model/event';
import type { ConversationId, RequestId, TurnId } from '#model/ids';
import type { Approval, ApprovalChoice, Question } from '#model/interaction';
import { shorten } from '#text/shorten';
import * as t from '#messages/voice-messages';
import type { UserRequest, ReplyTo } from '#model/request';
import type { AssistantNames } from './spoken-words';
import type { Clock } from '#ports/clock';
import { SerialQueue } from '#ports/serial-queue';
import { OpenApprovals, REACTION_MS, type OpenApproval, type Phrases } from './open-approvals';
import type { ReplyTurn } from './outbox';

export interface TurnRepliesDeps {
  readonly clock: Clock;
  /** The names by which the user addresses the agent. */
  names(): AssistantNames;
  /** Whether words that were said at this time may decide approvals. */
  allowsDecision(time: number): boolean;
  /** Where the reply to a request goes at the moment; null if the request has left the inbox. */
  replyTo(requestId: RequestId): ReplyTo | null;
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
  /** The last announcement shown or saved whose subject begins with this, or null. */
  lastAbout(prefix: string): string | null;
}

const MAX_RECENT_TURNS = 50;
const MAX_DROPPED_CHARS = 60;

/** Of more, the user hears only the number. */
const MAX_REPEATED = 3;

export class TurnReplies {
  readonly #deps: TurnRepliesDeps;
  readonly #approvals: OpenApprovals;
  /** The requests whose turns were announced last. */
  readonly #recent = new Set<RequestId>();
  /** Turns whose stop the answer to a command reports. */
  readonly #silent = new Set<TurnId>();
  /** Serializes posting: an earlier state of a turn must not be announced after a later one. */
  readonly #posts = new SerialQueue();

  constructor(deps: TurnRepliesDeps) {
    this.#deps = deps;
    this.#approvals = new OpenApprovals(deps);
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
   * Must be called at load for every open turn before anything is posted, because how an approval is
   * announced depends on the others.
   */
  restore(conversation: Conversation, id: TurnId): void {
    const turn = findTurn(conversation, id);
    if (turn) this.#follow(turn, conversation.id);
  }

  /**
   * Posts the announcements of a turn that have not been posted yet, and drops those that are no
   * longer true. Rejects if they cannot be saved.
   *
   * @param triesAgain whether the request failed and is retried automatically
   */
  postReplies(conversation: Conversation, id: TurnId, triesAgain = false): Promise<void> {
    return this.#posts.run(() => this.#post(conversation, id, triesAgain));
  }

  async #post(conversation: Conversation, id: TurnId, triesAgain: boolean): Promise<void> {
    const turn = findTurn(conversation, id);
    if (!turn) return;
    const next = this.#follow(turn, conversation.id);
    const outdated = this.#approvals.outdatedFor(turn);
    if (outdated.length > 0) await this.#deps.drop(outdated);
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
  wasHeard(turn: Turn, approval: Approval, time: number): boolean {
    const isOnScreen = this.#recipients(turn).length === 0;
    const at = isOnScreen ? approval.asked : this.#approvals.shownAt(approval);
    return at !== null && at + REACTION_MS <= time;
  }

  /** The approval that a message decides. */
  decides(request: UserRequest): { approval: Approval; choice: ApprovalChoice } | null {
    return this.#approvals.decides(request);
  }

  /** The choice that these words make on an approval they are known to refer to. */
  choiceOf(request: UserRequest, approval: Approval): ApprovalChoice | null {
    return this.#approvals.choiceOf(request, approval);
  }

  /**
   * Answers words that decide nothing with the phrases that would decide each approval.
   *
   * @param isDropped whether the words asked for something that is not done
   * @returns whether any of them can be decided by voice
   */
  async repeatPhrases(
    { id, reply, text }: UserRequest,
    approvals: readonly OpenApproval[],
    isDropped: boolean,
  ): Promise<boolean> {
    const notes = [
      ...(isDropped ? [t.notCarriedOut(shorten(text.trim(), MAX_DROPPED_CHARS))] : []),
      ...(approvals.length > 1 ? [t.approvalsOpen(approvals.length)] : []),
    ];
    let isByVoice = false;
    for (const [at, { approval, turn }] of approvals.slice(0, MAX_REPEATED).entries()) {
      const { about, ...how } = this.#approvals.phrasesFor(approval);
      isByVoice ||= how.byVoice;
      if (reply.to !== 'smarthole') continue;
      const note = at === 0 && notes.length > 0 ? { note: notes.join(' ') } : {};
      await this.#deps.post(reply.messageIds, {
        key: `${id}:phrases:${approval.id}`,
        // The phrases offer the approval, if it was not offered before.
        about,
        reply: { kind: 'waiting', interaction: approval, ...how, ...note },
        request: turn.request.text,
        turn: null,
      });
    }
    return isByVoice;
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

  /** If this turn is stopped from now on, the answer to a command reports it. */
  silenceStop(turn: TurnId): void {
    this.#silent.add(turn);
  }

  /** Whether voice may decide approvals at the moment. */
  get allowsDecisions(): boolean {
    return this.#approvals.allowsDecisions;
  }

  /** The open approvals of spoken turns, oldest first. */
  get openApprovals(): readonly OpenApproval[] {
    return this.#approvals.all;
  }

  /** Whether announcements were recently posted for this request. */
  knows(requestId: RequestId): boolean {
    return this.#recent.has(requestId);
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
    const phrasesOf = (approval: Approval) => this.#approvals.announcementOf(approval);
    const isSilent = this.#silent.has(turn.id);
    for (const each of announcementsOf(turn, { conversation, phrasesOf, triesAgain })) {
      if (isSilent && each.reply.kind === 'end' && each.reply.end.kind === 'stopped') continue;
      await this.#deps.post(messageIds, each);
    }
  }

  #follow(turn: Turn, conversation: ConversationId): OpenApproval | null {
    return this.#approvals.follow(turn, conversation, this.#recipients(turn).length > 0);
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
  /** How an approval is announced. */
  readonly phrasesOf: (approval: Approval) => Phrases;
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

/** What happened before the first spoken words is on the screen of the user who typed the request. */
function spokenSince({ request, answers, steering }: Turn): number {
  if (request.reply.to === 'smarthole') return 0;
  const later = [...answers, ...steering];
  return Math.min(...later.flatMap(({ reply, time }) => (reply.to === 'smarthole' ? [time] : [])));
}

/** All announcements of the turn so far, in order. */
export function announcementsOf(turn: Turn, to: AnnouncementContext): readonly Announcement[] {
  const announcements: Announcement[] = [];
  const place = { conversation: to.conversation, turn: turn.id };
  const say = (key: string, reply: Reply) =>
    announcements.push({ key, about: key, reply, request: turn.request.text, turn: place });

  const since = spokenSince(turn);
  for (const call of allCalls(turn)) {
    if (call.state !== 'finished' || call.ended < since) continue;
    if (call.result.details?.kind === 'message') {
      say(call.id, { kind: 'message', text: call.result.details.text });
    }
  }
  for (const interaction of openInteractions(turn)) {
    if (interaction.kind === 'question') {
      say(interaction.id, { kind: 'waiting', interaction, byVoice: false });
      continue;
    }
    const { about, ...how } = to.phrasesOf(interaction);
    say(about, { kind: 'waiting', interaction, ...how });
  }
  if (turn.end && !(turn.end.kind === 'failed' && to.triesAgain && turn.attempt > 1)) {
    say(`${turn.id}:end`, endReply(turn, turn.end));
  }
  return announcements;
}
