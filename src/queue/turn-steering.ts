/**
 * Messages that act on the turn that is open in their conversation: those that join it at its next
 * tool boundary, and those that stop it in order to be next.
 */
import type { ConversationLog } from '#conversations/conversation-log';
import { findTurn } from '#model/conversation';
import { isAboutDecision } from '#voice/yes-no-words';
import type { ConversationId, DeviceId, RequestId, TurnId } from '#model/ids';
import { isSpoken, type QueuedRequest } from '#model/request';
import type { Settings } from '#model/settings';
import { assistantNames, spokenWords } from '#voice/spoken-words';
import { joinsTurn } from '#model/steering';
import type { OpenApproval } from '#voice/open-approvals';
import type { TurnReplies } from '#voice/turn-replies';
import type { ConversationPicker } from './conversation-picker';
import type { Inbox } from './inbox';
import type { HeldTurn, OpenTurns } from './open-turns';
import type { QueueControls } from './queue-controls';
import type { Turns } from './turn-runner';

export interface TurnSteeringDeps {
  readonly inbox: Inbox;
  readonly device: DeviceId;
  readonly open: OpenTurns;
  readonly turns: Pick<Turns, 'join'>;
  readonly replies: Pick<TurnReplies, 'decides' | 'choiceOf' | 'openApprovals'>;
  readonly controls: QueueControls;
  readonly picker: ConversationPicker;
  settings(): Settings;
  log(conversation: ConversationId): Promise<ConversationLog>;
  /** Resolves when no claim of a request is pending. */
  claimed(): Promise<unknown>;
  /** Whether the request is stuck, or carried out as a quick command. */
  isOthers(queued: QueuedRequest): boolean;
  giveUp(id: RequestId, error: unknown): void;
}

export class TurnSteering {
  readonly #deps: TurnSteeringDeps;
  #isSettling = false;
  #again = false;
  #closed = false;

  constructor(deps: TurnSteeringDeps) {
    this.#deps = deps;
  }

  get isBusy(): boolean {
    return this.#isSettling;
  }

  close(): void {
    this.#closed = true;
  }

  /**
   * Lets the messages that steer this turn join it, oldest first, behind the results of the step.
   * Rejects if a message cannot be recorded.
   */
  async join(log: ConversationLog, id: TurnId, step: number, signal: AbortSignal): Promise<void> {
    const { inbox, turns } = this.#deps;
    for (const { request } of inbox.requests()) {
      const isMeant = async () => {
        const queued = inbox.get(request.id);
        return queued !== undefined && (await this.#joins(queued, log, id));
      };
      if (!(await isMeant())) continue;
      await inbox.join(request.id, async (queued) => {
        // The user may have stopped or paused the turn, or queued the message, in the meantime.
        const mayJoin = () => {
          const turn = findTurn(log.state, id);
          return !signal.aborted && turn !== undefined && !turn.paused && joinsTurn(queued, turn);
        };
        return mayJoin() && turns.join(log, id, step, queued, mayJoin);
      });
    }
  }

  async #joins(queued: QueuedRequest, log: ConversationLog, id: TurnId): Promise<boolean> {
    const { device, picker, isOthers } = this.#deps;
    const turn = findTurn(log.state, id);
    if (!turn || queued.device !== device || !joinsTurn(queued, turn) || isOthers(queued))
      return false;
    if (this.#mayDecide(queued) || (await this.#isAnswer(queued))) return false;
    return picker.isMeant(queued.request, log);
  }

  /** Whether spoken words may decide an approval of another turn. */
  #mayDecide({ request }: QueuedRequest): boolean {
    const { open, replies, settings } = this.#deps;
    if (!isSpoken(request.source)) return false;
    const names = ({ approval }: OpenApproval) => replies.choiceOf(request, approval) !== null;
    if (replies.decides(request) || replies.openApprovals.some(names)) return true;
    const isAsked = open.held().some(({ by }) => by === 'approval');
    return isAsked && isAboutDecision(spokenWords(request.text, assistantNames(settings())));
  }

  /** Whether the message answers another turn, and a crash interrupted this. */
  async #isAnswer({ request: { id } }: QueuedRequest): Promise<boolean> {
    for (const { conversation, turn } of this.#deps.open.held()) {
      // A file that cannot be read is reported where the turn continues.
      const log = await this.#deps.log(conversation).catch(() => null);
      const answers = (log && findTurn(log.state, turn)?.answers) ?? [];
      if (answers.some(({ requestId }) => requestId === id)) return true;
    }
    return false;
  }

  /** Stops the turns that queued messages are to replace. Each message then is the next request. */
  wake(): void {
    this.#again = true;
    if (!this.#isSettling) void this.#settle();
  }

  async #settle(): Promise<void> {
    const { inbox, device, giveUp } = this.#deps;
    this.#isSettling = true;
    while (this.#again && !this.#closed) {
      this.#again = false;
      for (const queued of inbox.requests()) {
        const isMine = queued.state === 'queued' && queued.device === device;
        if (!isMine || queued.request.when !== 'stop' || this.#closed) continue;
        await this.#stopFor(queued).catch((error: unknown) => giveUp(queued.request.id, error));
      }
    }
    // Reset synchronously after the last check; otherwise a concurrent wake() is lost.
    this.#isSettling = false;
  }

  async #stopFor({ request }: QueuedRequest): Promise<void> {
    const { picker, claimed, controls, log } = this.#deps;
    // A request that is just being claimed has no turn yet.
    await claimed();
    const conversation = request.conversation ?? (await picker.current())?.state.id ?? null;
    const held = conversation === null ? undefined : this.#openIn(conversation);
    const turn = held && findTurn((await log(held.conversation)).state, held.turn);
    // A turn that began later is not the one that the user wanted to stop.
    if (!held || !turn || turn.request.time > request.time || turn.requestId === request.id) return;
    await controls.stopTurn(held);
  }

  #openIn(conversation: ConversationId): HeldTurn | undefined {
    const { running } = this.#deps.open;
    if (running?.conversation === conversation) return running;
    const isHere = (held: HeldTurn) => held.conversation === conversation;
    return this.#deps.open.heldIn(conversation) ?? this.#deps.open.resumable().find(isHere);
  }
}
