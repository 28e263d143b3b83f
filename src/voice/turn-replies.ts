/**
 * Announces what happens in turns that were requested through SmartHole, each thing once, and knows
 * which announcements the user can have heard.
 */
import type { Reply } from '#model/reply';
import { endReply } from '#messages/result-text';
import {
  allCalls,
  type Conversation,
  findTurn,
  openInteractions,
  type ResolvedInteraction,
  resolvedInteractions,
  type Turn,
} from '#model/conversation';
import type { Event } from '#model/event';
import type { Outcome } from '#model/message';
import type { ConversationId, RequestId, TurnId } from '#model/ids';
import type { Approval, ApprovalChoice, Interaction } from '#model/interaction';
import { lowerFirst, shorten } from '#text/shorten';
import * as t from '#messages/voice-messages';
import type { Hearing, UserRequest, ReplyTo } from '#model/request';
import { SerialQueue } from '#ports/serial-queue';
import {
  OpenApprovals,
  type OpenApproval,
  type OpenApprovalsDeps,
  type ApprovalAnnouncement,
  REACTION_MS,
} from './open-approvals';
import type { ReplyTurn } from './outbox';

export interface TurnRepliesDeps extends OpenApprovalsDeps {
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
}

const APPROVAL_DELAY_MS = 1_000;
const MAX_RECENT_REQUESTS = 50;
/** For this long, the user knows that voice decides nothing. */
const VOICE_OFF_MS = 60_000;
const MAX_DROPPED_CHARS = 60;

/** Of more, the user hears only the number. */
const MAX_REPEATED = 3;

export class TurnReplies {
  readonly #deps: TurnRepliesDeps;
  readonly #approvals: OpenApprovals;
  /** The requests about which something was announced last. */
  readonly #recent = new Set<RequestId>();
  /** When the user was last told that voice decisions are off, and by which announcement. */
  #saidOff: { readonly at: number; readonly about: string } | null = null;
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
    const outdated = resolvedInteractions(turn).map(({ interaction: { id } }) => id);
    if (outdated.length > 0) await this.#deps.drop(outdated);
    await this.#say(turn, conversation.id, triesAgain);
    if (next && next.turn.id !== turn.id) await this.#say(next.turn, next.conversation, false);
  }

  /** What the user can know at the moment. */
  hearing(): Hearing {
    return this.#approvals.hearing();
  }

  /** The approval that was decided since the words for it arrived. */
  decidedSince(request: UserRequest): ResolvedInteraction | null {
    return this.#approvals.decidedSince(request);
  }

  /** Whether the words would decide an approval if they had come later. */
  isTooSoon(request: UserRequest): boolean {
    return this.#approvals.isTooSoon(request);
  }

  /** Whether the user can have heard how this turn ended. */
  wasEndHeard(turn: TurnId): boolean {
    return (this.#deps.shownFor(endKey(turn)) ?? 0) >= REACTION_MS;
  }

  /** The approval that a message decides. */
  decides(request: UserRequest): { approval: Approval; choice: ApprovalChoice } | null {
    return this.#approvals.decides(request);
  }

  /** Whether these words decide one of the open approvals, if it is meant. */
  mayDecide(text: string): boolean {
    const { spoken } = this.#approvals;
    return spoken.some(({ interaction }) => this.choiceOf({ text }, interaction) !== null);
  }

  /** The choice that these words make on an approval they are known to refer to. */
  choiceOf(request: Pick<UserRequest, 'text'>, approval: Approval): ApprovalChoice | null {
    return this.#approvals.choiceOf(request, approval);
  }

  /**
   * Answers words that decide nothing with the phrases that would decide each approval.
   *
   * @param isDropped whether the words asked for something that is not done
   * @returns whether any of them can be decided by voice
   */
  async repeatPhrases(
    request: UserRequest,
    approvals: readonly OpenApproval[],
    isDropped: boolean,
  ): Promise<boolean> {
    const { id, reply, text } = request;
    const notes = [
      ...(this.isTooSoon(request) ? [t.tooSoon] : []),
      ...(isDropped ? [t.notCarriedOut(shorten(text.trim(), MAX_DROPPED_CHARS))] : []),
      ...(approvals.length > 1 ? [t.approvalsOpen(approvals.length)] : []),
    ];
    if (!this.allowsDecisions) {
      await this.#sayVoiceIsOff(request, approvals);
      return false;
    }
    let isByVoice = false;
    for (const [at, { interaction, turn }] of approvals.slice(0, MAX_REPEATED).entries()) {
      const how = this.#approvals.phrasesFor(interaction);
      isByVoice ||= how.byVoice;
      if (reply.to !== 'smarthole') continue;
      const note = at === 0 ? notes.join(' ') : '';
      await this.#deps.post(reply.messageIds, {
        key: `${id}:phrases:${interaction.id}`,
        about: interaction.id,
        reply: { kind: 'waiting', interaction, ...how, note },
        request: turn.request.text,
        turn: null,
      });
    }
    return isByVoice;
  }

  /** Must be called when voice was allowed to decide, or forbidden: what was said about it is outdated. */
  decisionsChanged(): Promise<void> {
    return this.#posts.run(async () => {
      if (this.#saidOff) await this.#deps.drop([this.#saidOff.about]);
      this.#saidOff = null;
      const open = new Map(this.openApprovals.map((each) => [each.turn.id, each]));
      for (const { turn, conversation } of open.values())
        await this.#say(turn, conversation, false);
    });
  }

  async #sayVoiceIsOff(request: UserRequest, approvals: readonly OpenApproval[]): Promise<void> {
    const now = this.#deps.clock.elapsed();
    if (this.#saidOff && now - this.#saidOff.at < VOICE_OFF_MS) return;
    this.#saidOff = { at: now, about: answerKey(request.id) };
    const titles = approvals
      .slice(0, MAX_REPEATED)
      .map(({ interaction: { said, title } }) => said?.title ?? title);
    const reply = t.voiceDecisionsOff(lowerFirst(titles.join(' ')));
    await this.answer(request, 'not_done', reply);
  }

  /** Answers a command that Parley carried out without a turn. */
  async answer({ id, reply, text }: UserRequest, outcome: Outcome, said: string): Promise<void> {
    if (reply.to !== 'smarthole') return;
    const key = answerKey(id);
    const end = { kind: 'completed', outcome, reply: said } as const;
    await this.#deps.post(reply.messageIds, {
      ...{ key, about: key, request: text, turn: null },
      reply: { kind: 'end', end, title: 'command' },
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
    return this.#approvals.spoken;
  }

  /** The oldest open approval of a turn, spoken or not. */
  approvalOf(turn: TurnId): OpenApproval | null {
    return this.#approvals.all.find((each) => each.turn.id === turn) ?? null;
  }

  /** Whether something was recently announced about this request. */
  hasAnnounced(requestId: RequestId): boolean {
    return this.#recent.has(requestId);
  }

  #recipients(turn: Turn): readonly string[] {
    const now = this.#deps.replyTo(turn.requestId);
    const joined = now?.to === 'smarthole' ? now.messageIds : [];
    return [...new Set([...recipients(turn), ...joined])];
  }

  async #say(turn: Turn, conversation: ConversationId, triesAgain: boolean): Promise<void> {
    const messageIds = this.#recipients(turn);
    if (messageIds.length === 0) return;
    const announcements = announcementsOf(turn, {
      conversation,
      phrasesOf: (approval) => this.#approvals.announcementOf(approval),
      triesAgain,
    });
    if (announcements.length > 0) this.#remember(turn);
    const isSilent = this.#silent.has(turn.id);
    for (const each of announcements) {
      if (isSilent && each.reply.kind === 'end' && each.reply.end.kind === 'stopped') continue;
      if (each.reply.kind === 'waiting' && this.#isEarly(each.reply.interaction)) continue;
      await this.#deps.post(messageIds, each);
    }
  }

  /**
   * A step asks for its approvals one after the other. The first is announced when the others are
   * known, because the words that decide it depend on them.
   */
  #isEarly({ kind, turn, asked }: Interaction): boolean {
    const { clock } = this.#deps;
    const wait = asked + APPROVAL_DELAY_MS - clock.now();
    if (kind !== 'approval' || wait <= 0 || wait > APPROVAL_DELAY_MS) return false;
    // The outbox reports what cannot be saved.
    clock.after(wait, () => {
      void this.#posts.run(() => this.#sayApprovals(turn)).catch(() => undefined);
    });
    return true;
  }

  async #sayApprovals(id: TurnId): Promise<void> {
    const open = this.approvalOf(id);
    if (open) await this.#say(open.turn, open.conversation, false);
  }

  #remember({ requestId, steering }: Turn): void {
    for (const id of [requestId, ...steering.map((joined) => joined.requestId)]) {
      this.#recent.delete(id);
      this.#recent.add(id);
    }
    for (const oldest of this.#recent) {
      if (this.#recent.size <= MAX_RECENT_REQUESTS) break;
      this.#recent.delete(oldest);
    }
  }

  #follow(turn: Turn, conversation: ConversationId): OpenApproval | null {
    return this.#approvals.follow(turn, conversation, this.#recipients(turn).length > 0);
  }
}

function answerKey(request: RequestId): string {
  return `${request}:answer`;
}

/** Permanent name of the announcement of a turn's end. */
function endKey(turn: TurnId): string {
  return `${turn}:end`;
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
  readonly phrasesOf: (approval: Approval) => ApprovalAnnouncement;
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
  const say = (key: string, reply: Reply, about = key) =>
    announcements.push({ key, about, reply, request: turn.request.text, turn: place });

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
    const { key, ...how } = to.phrasesOf(interaction);
    say(key, { kind: 'waiting', interaction, ...how }, interaction.id);
  }
  if (turn.end && !(turn.end.kind === 'failed' && to.triesAgain && turn.attempt > 1)) {
    say(endKey(turn.id), endReply(turn, turn.end));
  }
  return announcements;
}
