/** Back to whoever asked by SmartHole: what is to be said of their turns goes to the bridge's outbox, each once. */
import { turnTitle } from '#model/result-text';
import {
  allCalls,
  type Conversation,
  findTurn,
  openInteractions,
  type Turn,
} from '#model/conversation';
import type { Event } from '#model/event';
import type { RequestId, TurnId, InteractionId } from '#model/ids';
import type { Approval, ApprovalChoice } from '#model/interaction';
import { CHOICE_PHRASES, type UserRequest, type Reply, type ReplyTo } from '#model/request';
import type { Clock } from '#ports/clock';

export interface TurnRepliesDeps {
  readonly clock: Clock;
  /** The name by which the user addresses the agent. */
  wireName(): string;
  /** Where the reply of an entry goes by now, while it is in the inbox. */
  replyTo(entry: RequestId): ReplyTo | null;
  /**
   * Resolves when it is kept and will be sent, be it after a restart; what is known under its key is not kept again.
   * Rejects when the file system does.
   */
  post(messageId: string, announcement: Announcement): Promise<void>;
  /** Whether what is known under this key has gone out to this message's sender. */
  wasSent(messageId: string, key: string): boolean;
}

/** Milliseconds after an offer went out in which nobody can have heard it: words that came before mean something else. */
const OFFER_DELAY_MS = 1_500;
/** The same after another card was decided: a phrase that was meant for that one may still be on its way. */
const NEXT_OFFER_DELAY_MS = 8_000;
const MAX_RECENT_TURNS = 50;

interface OpenCard {
  readonly card: Approval;
  readonly turn: Turn;
}

interface Offer {
  readonly card: Approval;
  /** Words from this time on may decide it; null before its announcement has gone out. */
  readonly from: number | null;
  /** Milliseconds between its going out and the first words that can mean it. */
  readonly delay: number;
}

export class TurnReplies {
  readonly #deps: TurnRepliesDeps;
  /** Open cards of spoken turns, the oldest first. */
  #cards: readonly OpenCard[] = [];
  /** The oldest one. It alone may be decided by voice, so that "delete it" means one thing. */
  #offered: Offer | null = null;
  /** What was said last, by entry, for the same words that come once more under another id. */
  readonly #recent = new Map<RequestId, readonly Announcement[]>();

  constructor(deps: TurnRepliesDeps) {
    this.#deps = deps;
  }

  /** Whether an event may give somebody something to hear before its turn ends. */
  static matters(event: Event): event is Event & { turn: TurnId } {
    return (
      event.type === 'interaction-start' ||
      event.type === 'interaction-end' ||
      event.type === 'call-end'
    );
  }

  /**
   * Says what there is to say of a turn and was not said yet. Rejects where that can't be kept.
   *
   * @param triesAgain its request failed and is tried again by itself
   */
  async tell(conversation: Conversation, id: TurnId, triesAgain = false): Promise<void> {
    const turn = findTurn(conversation, id);
    if (!turn) return;
    const next = this.#follow(turn);
    await this.#say(turn, triesAgain);
    if (next && next.id !== turn.id) await this.#say(next, false);
  }

  /** The card that spoken words decide: an exact phrase, and said when the card had been offered. */
  decides({ text, time }: UserRequest): { card: Approval; choice: ApprovalChoice } | null {
    const offered = this.#offered;
    if (!offered || offered.from === null || time < offered.from) return null;
    const choice = spokenChoice(text, offered.card, this.#deps.wireName());
    return choice === null ? null : { card: offered.card, choice };
  }

  /** What these words decide on a card that they are known to mean. */
  choiceOf(text: string, card: Approval): ApprovalChoice | null {
    return spokenChoice(text, card, this.#deps.wireName());
  }

  /** Answers words that decide nothing with the phrases that would decide this approval. */
  async repeatPhrases({ id, reply }: UserRequest, card: Approval, turn: Turn): Promise<void> {
    if (reply.to !== 'smarthole') return;
    const byVoice = this.#offered?.card.id === card.id;
    const announcement: Announcement = {
      key: `${id}:phrases`,
      reply: { kind: 'waiting', interaction: card, byVoice },
      request: turn.request.text,
    };
    for (const messageId of reply.messageIds) await this.#deps.post(messageId, announcement);
  }

  /** Whether something was said for this entry of late. */
  knows(entry: RequestId): boolean {
    return this.#recent.has(entry);
  }

  /** An announcement has gone out. */
  sent(key: string): void {
    const offered = this.#offered;
    if (!offered || offered.from !== null || key !== offeredKey(offered.card.id)) return;
    this.#offered = { ...offered, from: this.#deps.clock.now() + offered.delay };
  }

  /** Says to one more message id what was said for an entry. */
  async repeat(entry: RequestId, messageId: string): Promise<void> {
    for (const each of this.#recent.get(entry) ?? []) await this.#deps.post(messageId, each);
  }

  #recipients(turn: Turn): readonly string[] {
    const now = this.#deps.replyTo(turn.requestId);
    const joined = now?.to === 'smarthole' ? now.messageIds : [];
    return [...new Set([...recipients(turn), ...joined])];
  }

  async #say(turn: Turn, triesAgain: boolean): Promise<void> {
    const messageIds = this.#recipients(turn);
    if (messageIds.length === 0) return;
    const announcements = announcementsOf(turn, {
      offered: this.#offered?.card.id ?? null,
      triesAgain,
    });
    // First: an id that joins while these are being kept is told them from here.
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

  /** Keeps the list of open cards. The turn whose card is offered from now on, if that changed. */
  #follow(turn: Turn): Turn | null {
    const open = this.#recipients(turn).length === 0 ? [] : openInteractions(turn);
    const mine = open.flatMap((card) => (card.kind === 'approval' ? [{ card, turn }] : []));
    const others = this.#cards.filter((each) => each.turn.id !== turn.id);
    this.#cards = [...others, ...mine].sort((a, b) => a.card.asked - b.card.asked);
    const [first] = this.#cards;
    if (first?.card.id === this.#offered?.card.id) return null;
    const delay = this.#offered ? NEXT_OFFER_DELAY_MS : OFFER_DELAY_MS;
    if (!first) this.#offered = null;
    else {
      const { card, turn: asking } = first;
      // Found again after a restart, it may have been offered long ago.
      const isOut = this.#recipients(asking).some((id) =>
        this.#deps.wasSent(id, offeredKey(card.id)),
      );
      this.#offered = { card, delay, from: isOut ? card.asked + OFFER_DELAY_MS : null };
    }
    return first?.turn ?? null;
  }
}

export interface Announcement {
  /** Names it for good. */
  readonly key: string;
  readonly reply: Reply;
  /** What was asked, as it was asked. */
  readonly request: string;
}

export interface AnnouncementContext {
  /** The one card that may be decided by voice now. */
  readonly offered: InteractionId | null;
  /** Its request is tried again by itself. Its first failure is told, and then only how it ends. */
  readonly triesAgain: boolean;
}

/** SmartHole's ids of everybody who is to hear of this turn: who asked, and who answered its questions. */
export function recipients(turn: Turn): readonly string[] {
  const replies = [turn.request.reply, ...turn.answers.map(({ reply }) => reply)];
  return [...new Set(replies.flatMap((to) => (to.to === 'smarthole' ? to.messageIds : [])))];
}

/** All that is to be said of it up to now, in its order. */
export function announcementsOf(turn: Turn, to: AnnouncementContext): readonly Announcement[] {
  const said: Announcement[] = [];
  const say = (key: string, reply: Reply) => said.push({ key, reply, request: turn.request.text });

  for (const call of allCalls(turn)) {
    if (call.state === 'finished' && call.result.details?.kind === 'message') {
      say(call.id, { kind: 'message', text: call.result.details.text });
    }
  }
  for (const waiting of openInteractions(turn)) {
    const byVoice = waiting.id === to.offered;
    // Said once more when its time to be decided by voice has come.
    say(byVoice ? offeredKey(waiting.id) : waiting.id, {
      kind: 'waiting',
      interaction: waiting,
      byVoice,
    });
  }
  if (turn.end && !(turn.end.kind === 'failed' && to.triesAgain && turn.attempt > 1)) {
    say(`${turn.id}:end`, { kind: 'end', end: turn.end, title: turnTitle(turn) });
  }
  return said;
}

/** Names the announcement that a card may be decided by voice from now on. */
export function offeredKey(card: InteractionId): string {
  return `${card}:offered`;
}

/** The choice that spoken words make on this card: exactly its phrase, whatever the case, the name before it or not. */
export function spokenChoice(
  text: string,
  card: Approval,
  wireName: string,
): ApprovalChoice | null {
  const words = text
    .toLowerCase()
    .replace(/[.,:;!]/g, ' ')
    .trim()
    .split(/\s+/);
  if (words[0] === wireName.toLowerCase()) words.shift();
  const phrase = words.join(' ');
  return card.choices.find((choice) => CHOICE_PHRASES[choice] === phrase) ?? null;
}
