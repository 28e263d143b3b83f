/** Lets messages join the turn that is open in their conversation, at its next tool boundary. */
import type { ConversationLog } from '#conversations/conversation-log';
import { findTurn } from '#model/conversation';
import { isAboutDecision } from '#voice/yes-no-words';
import type { RequestId, TurnId } from '#model/ids';
import { isSpoken, type QueuedRequest } from '#model/request';
import { assistantNames, spokenWords } from '#voice/spoken-words';
import { joinsTurn } from '#model/steering';
import type { ConversationPicker } from './conversation-picker';
import type { OpenTurns } from './open-turns';
import type { QueueContext } from './queue-context';

export class TurnSteering {
  readonly #deps: QueueContext;
  readonly #open: OpenTurns;
  readonly #picker: ConversationPicker;

  constructor(deps: QueueContext, open: OpenTurns, picker: ConversationPicker) {
    this.#deps = deps;
    this.#open = open;
    this.#picker = picker;
  }

  /**
   * Lets the messages that steer this turn join it, oldest first, behind the results of the step.
   * Rejects if a message cannot be recorded.
   *
   * @param isOthers whether the request is stuck, or carried out as a quick command
   */
  async join(
    log: ConversationLog,
    id: TurnId,
    step: number,
    signal: AbortSignal,
    isOthers: (queued: QueuedRequest) => boolean,
  ): Promise<void> {
    const { inbox, turns } = this.#deps;
    for (const { request } of inbox.requests()) {
      if (!(await this.#isMeant(request.id, log, id, isOthers))) continue;
      await inbox.move(request.id, async (queued) => {
        // The user may have stopped or paused the turn, or queued the message, in the meantime.
        const mayJoin = () => {
          const turn = findTurn(log.state, id);
          return !signal.aborted && turn !== undefined && !turn.paused && joinsTurn(queued, turn);
        };
        return mayJoin() && turns.join(log, id, step, queued, mayJoin);
      });
    }
  }

  /** Whether there are messages that would join the turn. */
  async hasMessages(
    log: ConversationLog,
    id: TurnId,
    isOthers: (queued: QueuedRequest) => boolean,
  ): Promise<boolean> {
    for (const { request } of this.#deps.inbox.requests()) {
      if (await this.#isMeant(request.id, log, id, isOthers)) return true;
    }
    return false;
  }

  async #isMeant(
    request: RequestId,
    log: ConversationLog,
    id: TurnId,
    isOthers: (queued: QueuedRequest) => boolean,
  ): Promise<boolean> {
    const queued = this.#deps.inbox.get(request);
    return queued && !isOthers(queued) ? this.#joins(queued, log, id) : false;
  }

  async #joins(queued: QueuedRequest, log: ConversationLog, id: TurnId): Promise<boolean> {
    const turn = findTurn(log.state, id);
    if (!turn || queued.device !== this.#deps.device || !joinsTurn(queued, turn)) return false;
    if (this.#mayDecide(queued) || (await this.#isAnswer(queued))) return false;
    return this.#picker.isMeant(queued.request, log);
  }

  /** Whether spoken words may decide an approval of another turn, or came for one just decided. */
  #mayDecide({ request }: QueuedRequest): boolean {
    const { replies, settings } = this.#deps;
    if (!isSpoken(request.source)) return false;
    if (replies.decides(request) || replies.mayDecide(request.text)) return true;
    if (replies.decidedSince(request)) return true;
    const isAsked = this.#open.held().some(({ by }) => by === 'approval');
    return isAsked && isAboutDecision(spokenWords(request.text, assistantNames(settings())));
  }

  /** Whether the message answers another turn, and a crash interrupted this. */
  async #isAnswer({ request: { id } }: QueuedRequest): Promise<boolean> {
    for (const { conversation, turn } of this.#open.held()) {
      // A file that cannot be read is reported where the turn continues.
      const log = await this.#deps.conversations.open(conversation).catch(() => null);
      const answers = (log && findTurn(log.state, turn)?.answers) ?? [];
      if (answers.some(({ requestId }) => requestId === id)) return true;
    }
    return false;
  }
}
