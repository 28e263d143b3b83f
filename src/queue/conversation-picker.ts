/**
 * Picks the conversation for a request: the one it names, the last one used by voice, the current
 * one, or a new one.
 */
import type { ConversationLog } from '#conversations/conversation-log';
import { type Conversation, findTurn, openInteractions, type Turn } from '#model/conversation';
import { messagesOf } from '#model/conversation-summary';
import type { ConversationId } from '#model/ids';
import { type QueuedRequest, isSpoken, type UserRequest } from '#model/request';
import { isSpokenTo } from '#model/steering';
import { ConversationEndings } from './conversation-endings';
import type { OpenTurns } from './open-turns';
import type { QueueContext } from './queue-context';

/** For this long, spoken requests continue the conversation of the last spoken one. */
const VOICE_CONTINUES_MS = 10 * 60_000;

/**
 * The conversation that a request goes to, or how to begin it. `id` is the conversation that begins
 * empty; a request may be claimed for it before it has begun.
 */
export type RequestPlace =
  | { readonly log: ConversationLog; begin?: never }
  | { readonly log: null; readonly id?: ConversationId; begin(): Promise<ConversationLog> };

export class ConversationPicker {
  readonly #deps: QueueContext;
  readonly #turns: OpenTurns;
  readonly endings: ConversationEndings;
  /** For conversations of other devices: the conversation that continues them here. */
  readonly #continuations = new Map<ConversationId, ConversationId>();

  constructor(deps: QueueContext, turns: OpenTurns) {
    this.#deps = deps;
    this.#turns = turns;
    this.endings = new ConversationEndings(deps, turns);
  }

  /**
   * Ends the current conversation, unless something in it is open, and begins a new one.
   *
   * @param carried its text starts the new one
   */
  async begin(carried?: Conversation): Promise<ConversationLog> {
    const current = await this.#current();
    if (current) await this.endings.end(current, 'new-chat');
    return carried ? this.#carry(carried) : this.#new();
  }

  /**
   * The conversation that a spoken request is about: the one in which the user heard a question, or
   * else the one last used. Null if there is none on this device.
   */
  async spokenPlace(request: UserRequest): Promise<ConversationLog | null> {
    const log =
      (await this.#lastAsked(request)) ?? (await this.#lastSpoken()) ?? (await this.#current());
    return log && this.#isOwn(log) ? log : null;
  }

  /**
   * Whether a request is sent to this conversation, whose turn is running. A spoken one has to
   * continue the talk: the user last spoke there, some minutes ago at most.
   */
  async isMeant(request: UserRequest, { state }: ConversationLog): Promise<boolean> {
    if (request.conversation !== null) return request.conversation === state.id;
    if (!isSpoken(request.source)) return (await this.#current())?.state.id === state.id;
    const log = await this.spokenPlace(request);
    if (log?.state.id !== state.id || (await this.#isTyping(state, request))) return false;
    return (await this.#lastSpoken())?.state.id === state.id;
  }

  async forRequest(queued: QueuedRequest): Promise<ConversationLog> {
    const { log, begin } = await this.placeOf(queued);
    return log ?? begin();
  }

  /** Like `forRequest`, but makes no conversation. */
  async placeOf({ request }: QueuedRequest): Promise<RequestPlace> {
    const { conversation, fork } = request;
    const fresh = this.#fresh();
    if (conversation !== null) {
      const { conversations } = this.#deps;
      const log = await conversations.open(conversation);
      if (fork && !log) {
        const forked = () => conversations.fork(conversation, fork);
        return { log, begin: async () => (await forked()) ?? this.#new() };
      }
      if (log) return this.#isOwn(log) ? { log } : this.#continued(log);
    }
    const spoken = isSpoken(request.source);
    const log = await (spoken ? this.spokenPlace(request) : this.#current());
    if (!log || !this.#isOwn(log)) return fresh;
    const { ended, endReason } = log.state;
    // Typing continues a conversation however long it was idle.
    if (!spoken) return ended === null || endReason === 'idle' ? { log } : fresh;
    if (ended !== null) return fresh;
    // The timer may not have fired yet; a spoken request after a long silence begins a new
    // conversation.
    if (this.endings.isIdle(log)) {
      await this.endings.end(log, 'idle');
      return fresh;
    }
    return (await this.#acceptsSpeech(log, request)) ? { log } : fresh;
  }

  /** The conversation of the spoken turn whose question the user heard last. */
  async #lastAsked(request: UserRequest): Promise<ConversationLog | null> {
    let last: { readonly log: ConversationLog; readonly ago: number } | null = null;
    for (const { conversation, turn: id, by } of this.#turns.held()) {
      if (by !== 'question') continue;
      const log = await this.#deps.conversations.open(conversation).catch(() => null);
      const turn = log && findTurn(log.state, id);
      if (!log || !turn) continue;
      // A crash interrupted the answer.
      if (turn.answers.some(({ requestId }) => requestId === request.id)) return log;
      const ago = questionHeard(turn, request);
      if (!isSpoken(turn.request.source) || ago === null || ago > VOICE_CONTINUES_MS) continue;
      if (ago <= (last?.ago ?? Infinity)) last = { log, ago };
    }
    return last?.log ?? null;
  }

  /**
   * False while an approval, a pause, or a question that the user had not heard holds the
   * conversation, or a turn that was only typed: the request would wait behind it unnoticed, or be
   * taken for an answer.
   */
  async #acceptsSpeech({ state }: ConversationLog, request: UserRequest): Promise<boolean> {
    const held = this.#turns.heldIn(state.id);
    if (!held) return !(await this.#isTyping(state, request));
    const turn = findTurn(state, held.turn);
    if (held.by !== 'question' || !turn) return false;
    if (turn.answers.some(({ requestId }) => requestId === request.id)) return true;
    const ago = questionHeard(turn, request);
    // A question that was only on screen is soon forgotten; the user speaks of something else.
    return ago !== null && (isSpoken(turn.request.source) || ago <= VOICE_CONTINUES_MS);
  }

  /** Whether a turn without a spoken word is open, or else a typed request is queued before this. */
  async #isTyping({ id, turns }: Conversation, { time }: UserRequest): Promise<boolean> {
    const open = this.#turns.isOpenIn(id) ? turns.findLast(({ end }) => end === null) : undefined;
    if (open) return !isSpokenTo(open);
    const current = (await this.#current())?.state.id;
    const queued = this.#deps.inbox.requests().filter(({ state }) => state === 'queued');
    return queued.some(
      ({ request: { conversation, source, time: sent } }) =>
        (conversation ?? current) === id && sent < time && !isSpoken(source),
    );
  }

  #current(): Promise<ConversationLog | null> {
    return this.#deps.conversations.current();
  }

  async #lastSpoken(): Promise<ConversationLog | null> {
    const { conversations, clock } = this.#deps;
    const id = await conversations.lastSpoken(clock.now() - VOICE_CONTINUES_MS);
    const log = id === null ? null : await conversations.open(id).catch(() => null);
    return log?.state.ended === null && this.#isOwn(log) ? log : null;
  }

  /**
   * Continues a conversation of another device in a new one of this device, which starts with the
   * old text.
   */
  async #continued(old: ConversationLog): Promise<RequestPlace> {
    const known = this.#continuations.get(old.state.id);
    const before = known && (await this.#deps.conversations.open(known));
    return before ? { log: before } : { log: null, begin: () => this.#continue(old) };
  }

  async #continue(old: ConversationLog): Promise<ConversationLog> {
    const log = await this.#carry(old.state);
    this.#continuations.set(old.state.id, log.state.id);
    return log;
  }

  /** A new conversation that starts with the text of an old one. */
  async #carry(old: Conversation): Promise<ConversationLog> {
    const log = await this.#new();
    await log.append({
      type: 'compaction-end',
      why: 'carried',
      summary: conversationText(old),
      from: null,
      usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    });
    return log;
  }

  #isOwn(log: ConversationLog): boolean {
    return log.state.device === this.#deps.device;
  }

  #new(): Promise<ConversationLog> {
    return this.#fresh().begin();
  }

  #fresh() {
    const { conversations, mint } = this.#deps;
    const id = mint('conversation');
    return { log: null, id, begin: () => conversations.begin(id) };
  }
}

/** How long before the words the user heard an open question of the turn; null if none. */
function questionHeard(turn: Turn, { hearing }: UserRequest): number | null {
  const open = openInteractions(turn).filter(({ kind }) => kind === 'question');
  const heard = hearing?.heard.filter(({ id }) => open.some((each) => each.id === id)) ?? [];
  return heard.length === 0 ? null : Math.max(...heard.map(({ ago }) => ago));
}

/** Characters of the old text to keep, from its end. */
const MAX_CARRIED_CHARS = 40_000;

/** The summary of a conversation, if it has one, and its text. */
export function conversationText(conversation: Conversation): string {
  const lines = messagesOf(conversation).map(
    ({ role, text }) => `${role === 'user' ? 'User' : 'Parley'}: ${text}`,
  );
  const whole = lines.join('\n\n');
  const text = whole.length > MAX_CARRIED_CHARS ? `[…]\n${whole.slice(-MAX_CARRIED_CHARS)}` : whole;
  const { title, summary } = conversation;
  const head = `This continues the conversation "${title}":`;
  return [head, ...(summary === null ? [] : [`Summary: ${summary}`]), text].join('\n\n');
}
