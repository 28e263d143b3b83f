/**
 * What becomes of a quick command: a turn without a model, or, in a conversation whose turn is open,
 * a notice in that turn.
 */
import * as t from '#messages/quick-command-messages';
import type { TurnOutcome } from '#agent/turn-ending';
import type { ConversationLog } from '#conversations/conversation-log';
import type { Outcome } from '#model/message';
import { isSpoken, type QueuedRequest, type UserRequest } from '#model/request';
import type { ConversationPicker } from './conversation-picker';
import type { HeldTurn, OpenTurns } from './open-turns';
import type { QueueContext } from './queue-context';

export interface CommandAnswer {
  readonly outcome: Outcome;
  /** In Markdown. */
  readonly text: string;
  /** What a listener hears instead. */
  readonly spoken?: string;
  /** The stopped turn reports its own end to a listener. */
  readonly isReported?: boolean;
}

export function doneAnswer(text: string): CommandAnswer {
  return { outcome: 'done', text };
}

export function notDoneAnswer(text: string): CommandAnswer {
  return { outcome: 'not_done', text };
}

export function commandEnding({ outcome, text, spoken }: CommandAnswer): TurnOutcome {
  return { kind: 'completed', outcome, summary: text, ...(spoken ? { spoken } : {}) };
}

export class CommandTurns {
  readonly #deps: QueueContext;
  readonly #open: OpenTurns;
  readonly #picker: ConversationPicker;

  constructor(deps: QueueContext, open: OpenTurns, picker: ConversationPicker) {
    this.#deps = deps;
    this.#open = open;
    this.#picker = picker;
  }

  /** Begins and ends a turn without a model. False if the request has left the queue meanwhile. */
  async take(
    queued: QueuedRequest,
    log: ConversationLog,
    ending: () => Promise<TurnOutcome>,
    isSilent = false,
  ): Promise<boolean> {
    const { inbox, mint, turns, replies } = this.#deps;
    const conversation = log.state.id;
    const { id, source } = queued.request;
    const ids = { requestId: id, conversation, turn: mint('turn') };
    const held = { ...ids, isSpoken: isSpoken(source) };
    if (isSilent) replies.silenceStop(held.turn);
    // No request may begin in this conversation meanwhile.
    this.#open.releaseToEnd(held);
    try {
      const claimed = await inbox.claim(queued, conversation, held.turn);
      if (!claimed) return false;
      const place = { id: conversation, log };
      const prepared = await turns.prepare(place, claimed, held.turn, { hasModel: false });
      await turns.begin(log, claimed, held.turn, prepared);
      await this.end(queued, log, held, await ending());
      return true;
    } finally {
      this.#open.ended(held);
    }
  }

  async end(
    { request }: QueuedRequest,
    log: ConversationLog,
    { turn }: HeldTurn,
    ending: TurnOutcome,
  ): Promise<void> {
    const { inbox, turns, replies } = this.#deps;
    await turns.end(log, turn, ending);
    await replies.postReplies(log.state, turn);
    await this.#picker.endings.turnEnded(log, turn);
    await inbox.resolve(request.id);
  }

  /** Shows the answer beside the open turn, or only tells the listener if there is no chat. */
  async answerBeside(
    { request }: QueuedRequest,
    log: ConversationLog | null,
    answer: CommandAnswer,
  ): Promise<void> {
    const { inbox, replies } = this.#deps;
    if (log && !answer.isReported) await this.showBeside(request, log, answer);
    if (!answer.isReported) {
      const { outcome, text, spoken } = answer;
      await replies.answer(request, outcome, spoken ?? text);
    }
    await inbox.resolve(request.id);
  }

  async showBeside(
    { text }: UserRequest,
    log: ConversationLog,
    answer: CommandAnswer,
  ): Promise<void> {
    const turn = log.state.turns.findLast(({ end }) => end === null);
    if (!turn) return;
    const notice = t.inOpenTurn(text.trim(), answer.spoken ?? answer.text);
    await log.append({ type: 'turn-notice', turn: turn.id, text: notice });
  }
}
