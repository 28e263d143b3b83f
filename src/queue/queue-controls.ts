/**
 * What the user can do with requests and open turns: send, answer, decide, pause, resume, stop,
 * retry and discard.
 */
import * as t from '#messages/action-messages';
import { readApprovalFirst } from '#messages/answer-messages';
import * as notices from '#messages/notice-messages';
import type { TurnOutcome } from '#agent/turn-ending';
import type { DraftFile } from '#conversations/drafts';
import { hunkAmong, type DraftOwner } from '#model/attachment';
import { findTurn, openInteractions } from '#model/conversation';
import type { ActionResult } from '#model/failure';
import type { ConversationId, InteractionId, RequestId, TurnId } from '#model/ids';
import { isGrant, type Interaction, type Question, type Resolution } from '#model/interaction';
import type { CallResult } from '#model/message';
import { type BegunRequest, isSpoken, type QueuedRequest, type UserRequest } from '#model/request';
import { isReply } from '#model/steering';
import type {
  ApprovalAnswer,
  QuestionAnswer,
  QueuePort,
  ReturnedMessages,
  SendRequest,
} from '#ports/app/queue-port';
import { SerialQueues } from '#ports/serial-queue';
import type { DirectCalls } from '#tools/direct-calls';
import { typedChoice } from '#voice/yes-no-words';
import { problemResult, textFault, toResult } from './action-result';
import { FOLLOWER_NOTICE, type LeaderLock } from './leader-lock';
import type { McpCalls } from './mcp-calls';
import type { HeldTurn, OpenTurns } from './open-turns';
import type { QueueContext } from './queue-context';
import type { RequestRetries } from './request-retries';
import { removeJoined } from './typed-answers';

/** A turn with its conversation. */
export type TurnPlace = Pick<HeldTurn, 'conversation' | 'turn'>;

export interface QueueControlsDeps extends QueueContext {
  readonly open: OpenTurns;
  readonly leader: Pick<LeaderLock, 'isFollower'>;
  readonly retries: RequestRetries;
  /** Their turns are not the runner's. */
  readonly mcpCalls: McpCalls;
  readonly direct: Pick<DirectCalls, 'confirm'>;
  readonly drafts: Pick<DraftFile, 'giveBack'>;
  /** Records the end of a turn that was released for it. */
  end(held: HeldTurn, ending: TurnOutcome): Promise<void>;
  /** The request as it is saved, once what became of its last turn is. */
  settled(id: RequestId): Promise<QueuedRequest | undefined>;
  /** Resolves when what became of a turn that has run is saved. */
  saved(held: HeldTurn): Promise<void>;
  /** Continues a turn whose file could not be written. */
  findAgain(queued: Extract<QueuedRequest, { state: 'claimed' }>): Promise<void>;
  onChange: QueuePort['onChange'];
  /** Called when a request was saved. */
  received(): void;
  /** Called when the user retries a request. */
  askAgain(): void;
}

export class QueueControls implements QueuePort {
  readonly #deps: QueueControlsDeps;
  readonly onChange: QueuePort['onChange'];
  /** Between its check and its saving, no other request may continue the same turn. */
  readonly #continuations = new SerialQueues<TurnId>();

  constructor(deps: QueueControlsDeps) {
    this.#deps = deps;
    this.onChange = deps.onChange;
  }

  async send(request: SendRequest): Promise<ActionResult<{ request: RequestId }>> {
    const { conversations, clock, mint, mcpCalls, received } = this.#deps;
    const text = request.text.trim();
    const fault = textFault(text);
    if (fault !== null) return problemResult(fault);
    const { conversation = null } = request;
    const userRequest: UserRequest = {
      id: mint('request'),
      time: clock.now(),
      text,
      source: request.source ?? 'typed',
      conversation,
      attachments: request.attachments ?? [],
      ...(request.activeNote === undefined ? {} : { activeNote: request.activeNote }),
      ...(request.when === undefined ? {} : { when: request.when }),
      ...(request.beyondDayLimit ? { beyondDayLimit: true } : {}),
      // Words that the user did not write answer and decide nothing; they get a turn of their own.
      ...(request.linked?.length
        ? { linked: request.linked, when: request.when === 'stop' ? 'stop' : 'after' }
        : {}),
      reply: { to: 'chat' },
    };
    return toResult(async () => {
      if (await this.#allowsUnread(request)) return readApprovalFirst;
      if (conversation !== null && !(await conversations.open(conversation))) {
        return t.unknownChat(conversation);
      }
      if (!(await this.#receive(userRequest, request.continues))) return t.alreadyContinued;
      if (request.when === 'stop') {
        await this.#deps.waitForOpenTurns();
        if (conversation !== null) await mcpCalls.stop(conversation);
        // If the turn cannot be stopped, the message waits for its end.
        await this.stopFor(userRequest).catch(() => undefined);
      }
      received();
      return { request: userRequest.id };
    });
  }

  /** Saves a request. False if it continues a turn that another message follows already. */
  async #receive(request: UserRequest, continues: TurnId | undefined): Promise<boolean> {
    const { inbox } = this.#deps;
    if (continues === undefined) {
      await inbox.receive(request);
      return true;
    }
    return this.#continuations.run(continues, async () => {
      if (!(await this.#isLast(continues, request.conversation))) return false;
      await inbox.receive(request);
      return true;
    });
  }

  /** Whether no turn and no request follows a turn. */
  async #isLast(turn: TurnId, conversation: ConversationId | null): Promise<boolean> {
    if (conversation === null) return false;
    const { inbox, conversations } = this.#deps;
    const { turns } = (await conversations.openExisting(conversation)).state;
    const isNext = (queued: QueuedRequest) =>
      queued.request.conversation === conversation &&
      (queued.state === 'queued' || (queued.state === 'claimed' && queued.turn !== turn));
    return turns.at(-1)?.id === turn && !inbox.requests().some(isNext);
  }

  async #allowsUnread({ text, unread }: SendRequest): Promise<boolean> {
    if (unread === undefined) return false;
    await this.#deps.waitForOpenTurns();
    const open = await this.interactions();
    const found = open.find(({ interaction: { id } }) => id === unread)?.interaction;
    const choice = found?.kind === 'approval' ? typedChoice(text, found) : null;
    return choice !== null && isGrant(choice);
  }

  /**
   * Runs an action on what is open or queued. The chat shows it as soon as its file is read, which
   * can be before the runner knows it.
   */
  async #act<Value extends object>(
    work: () => Promise<Value | string>,
  ): Promise<ActionResult<Value>> {
    await this.#deps.waitForOpenTurns();
    return this.#deps.leader.isFollower ? problemResult(FOLLOWER_NOTICE) : toResult(work);
  }

  /** Turns that the user paused. */
  get paused(): readonly TurnPlace[] {
    return this.#deps.open
      .held()
      .filter(({ by }) => by === 'pause')
      .map(placeOf);
  }

  /** All open interactions, with their conversations. */
  async interactions(): Promise<{ conversation: ConversationId; interaction: Interaction }[]> {
    const { open, conversations } = this.#deps;
    const all: { conversation: ConversationId; interaction: Interaction }[] = [];
    for (const { conversation, turn } of open.resolvable()) {
      const found = findTurn((await conversations.openExisting(conversation)).state, turn);
      for (const interaction of found ? openInteractions(found) : []) {
        all.push({ conversation, interaction });
      }
    }
    return all;
  }

  answer(answer: QuestionAnswer): Promise<ActionResult<{ question: InteractionId }>> {
    return this.#act(async () => {
      const words = (answer.choice ?? answer.text ?? '').trim();
      if (words === '') return t.answerEmpty;
      const open = (await this.interactions()).flatMap(({ interaction }) =>
        interaction.kind === 'question' ? [interaction] : [],
      );
      const question = answer.question ?? (open.length === 1 ? open[0]?.id : undefined);
      if (question === undefined) {
        return open.length === 0
          ? t.noOpenQuestion
          : t.severalQuestions(open.map(({ id }) => id).join(', '));
      }
      const problem = await this.#resolve(question, 'question', (interaction) => {
        const fault = answerProblem(interaction as Question, words, answer.choice !== undefined);
        return fault ?? { kind: 'answer', text: words, via: 'click' };
      });
      return problem ?? { question };
    });
  }

  approve({
    approval,
    choice,
    reason,
  }: ApprovalAnswer): Promise<ActionResult<{ result?: CallResult }>> {
    return this.#act(async () => {
      const direct = await this.#deps.direct.confirm(approval, choice, reason);
      if (direct) return typeof direct === 'string' ? direct : { result: direct };
      const decide = (interaction: Interaction): Resolution | string => {
        const choices = interaction.kind === 'approval' ? interaction.choices : [];
        return choices.includes(choice)
          ? { kind: 'choice', choice, ...(reason ? { reason } : {}) }
          : t.approvalChoices(choices.join(' or '));
      };
      const settled = await this.#deps.mcpCalls.resolve(approval, decide);
      if (settled !== false) return settled === true ? {} : settled;
      return (await this.#resolve(approval, 'approval', decide)) ?? {};
    });
  }

  /** Returns a sentence if that is impossible. */
  async #resolve(
    id: InteractionId,
    kind: Interaction['kind'],
    make: (interaction: Interaction) => Resolution | string,
  ): Promise<string | null> {
    const { open } = this.#deps;
    for (const held of open.resolvable()) {
      const log = await this.#deps.conversations.openExisting(held.conversation);
      const turn = findTurn(log.state, held.turn);
      const interaction =
        turn && openInteractions(turn).find((each) => each.id === id && each.kind === kind);
      if (!interaction) continue;
      const resolution = make(interaction);
      if (typeof resolution === 'string') return resolution;
      await log.append(
        { type: 'interaction-end', turn: held.turn, interaction: id, resolution },
        { flush: true },
      );
      open.resumeIfFree(log, held);
      return null;
    }
    return kind === 'question' ? t.questionClosed : t.approvalClosed;
  }

  pause(conversation?: ConversationId): Promise<ActionResult<TurnPlace>> {
    return this.#act(async () => {
      const { open } = this.#deps;
      const ready = conversation === undefined ? undefined : open.resumableIn(conversation);
      const running = ready ?? (await this.#runningIn(conversation));
      if (!running) {
        const held = conversation === undefined ? undefined : open.heldIn(conversation);
        if (!held) return t.nothingRunning;
        return held.by === 'pause' ? t.alreadyPaused : t.waitingForYou;
      }
      const log = await this.#deps.conversations.openExisting(running.conversation);
      if (findTurn(log.state, running.turn)?.end) return t.nothingRunning;
      await log.append({ type: 'turn-pause', turn: running.turn }, { flush: true });
      open.holdIfReady(log, running);
      return placeOf(running);
    });
  }

  resume(conversation?: ConversationId): Promise<ActionResult<TurnPlace>> {
    return this.#act(() => this.resumeTurn(conversation));
  }

  /** Like `resume`, also while open turns are being found. Returns a sentence if it is impossible. */
  async resumeTurn(conversation?: ConversationId): Promise<TurnPlace | string> {
    const { open } = this.#deps;
    const wanted = conversation ?? (await this.#current());
    const isWanted = (held: HeldTurn) => held.conversation === wanted;
    const others = open.resolvable().filter((held) => !isWanted(held));
    // Without a conversation, the current one comes first, and then the one paused last.
    const rest = conversation === undefined ? others.toReversed() : [];
    for (const held of [...open.resolvable().filter(isWanted), ...rest]) {
      const log = await this.#deps.conversations.openExisting(held.conversation);
      if (!findTurn(log.state, held.turn)?.paused) continue;
      await log.append({ type: 'turn-resume', turn: held.turn }, { flush: true });
      open.resumeIfFree(log, held);
      return placeOf(held);
    }
    return t.nothingPaused;
  }

  stop(conversation?: ConversationId): ReturnType<QueuePort['stop']> {
    return this.#act(async () => {
      const { open, mcpCalls } = this.#deps;
      const [call] = conversation === undefined ? [] : await mcpCalls.stop(conversation);
      if (call !== undefined) return { turn: call, returned: [], attached: [], linked: [] };
      const find = async () =>
        (await this.#runningIn(conversation)) ?? (await this.#waitingIn(conversation));
      const first = await find();
      // It may have ended since it was found, and the next one begun.
      let stopping = first;
      while (stopping && !open.isRunning(stopping.turn) && !this.#isWaiting(stopping))
        stopping = await find();
      const held = stopping ?? first;
      if (!held) return t.nothingRunning;
      const isRunning = stopping === undefined || open.stop(held);
      if (!isRunning) open.releaseToEnd(held);
      const returned = await this.#takeBackTyped(held.conversation);
      if (!isRunning) await this.#deps.end(held, { kind: 'stopped' });
      // All had ended, and nothing was queued behind them.
      if (stopping === undefined && returned.length === 0) return t.nothingRunning;
      return { turn: held.turn, ...asReturned(returned) };
    });
  }

  stopRequest(id: RequestId, draft: DraftOwner | null): ReturnType<QueuePort['stopRequest']> {
    return this.#act(async () => {
      const { inbox, open, device, waitForClaim } = this.#deps;
      const queued = inbox.get(id);
      if (queued && queued.device !== device) return notices.otherDevicesRequest;
      const takeBack = () => (draft === null ? inbox.takeBack(id) : this.#giveBack(id, draft));
      if (queued && (await takeBack())) return asReturned([queued.request]);
      // A request that is just being claimed has no turn yet.
      await waitForClaim();
      const begun = [...open.resolvable(), ...open.resumable()];
      const held = begun.find(({ requestId }) => requestId === id);
      return held && (await this.stopTurn(held)) ? asReturned([]) : t.nothingRunning;
    });
  }

  /** Stops the turn that a message is to replace, so that the message is the next request. */
  async stopFor({ id, time, ...request }: UserRequest): Promise<void> {
    const { open, conversations } = this.#deps;
    // A request that is just being claimed has no turn yet.
    await this.#deps.waitForClaim();
    const conversation = request.conversation ?? (await this.#current());
    const here = [...open.resolvable(), ...open.resumable()];
    const held = here.find((each) => each.conversation === conversation);
    const turn =
      held && findTurn((await conversations.openExisting(held.conversation)).state, held.turn);
    // A turn that began later is not the one that the user wanted to stop.
    if (!held || !turn || turn.request.time > time || turn.requestId === id) return;
    await this.stopTurn(held);
  }

  /**
   * Stops a turn without taking back the messages queued behind it. False if it is no longer open.
   */
  async stopTurn(held: HeldTurn): Promise<boolean> {
    const { open, end } = this.#deps;
    if (open.stop(held)) return true;
    if (!this.#isWaiting(held)) return false;
    open.releaseToEnd(held);
    await end(held, { kind: 'stopped' });
    return true;
  }

  /** Whether the turn is open and does not run. */
  #isWaiting(held: HeldTurn): boolean {
    const { open } = this.#deps;
    return [...open.held(), ...open.resumable()].some(({ turn }) => turn === held.turn);
  }

  /** Like `stopTurn`, but resolves when the end of the turn is saved. */
  async stopToEnd(held: HeldTurn): Promise<boolean> {
    const isStopped = await this.stopTurn(held);
    await this.#deps.saved(held);
    return isStopped;
  }

  /** Stops the open calls of all MCP clients. Resolves when their ends are recorded. */
  async stopCalls(): Promise<void> {
    await this.#deps.mcpCalls.stop();
  }

  /** Typed messages queued behind a stopped turn leave the queue; spoken requests stay. */
  async #takeBackTyped(stopped: ConversationId): Promise<readonly UserRequest[]> {
    const { inbox, device } = this.#deps;
    const current = await this.#current();
    const taken: UserRequest[] = [];
    for (const { device: owner, request } of inbox.requests()) {
      if (owner !== device || isSpoken(request.source)) continue;
      // What was said about an edit belongs to the field of that edit, not to the composer.
      if (hunkAmong(request.attachments)) continue;
      if ((request.conversation ?? current) !== stopped) continue;
      // If the draft cannot be written, the message stays in the queue.
      if (await this.#giveBack(request.id, stopped).catch(() => false)) taken.push(request);
    }
    return taken;
  }

  /** Moves a queued request into a draft. False if it has left the queue. */
  #giveBack(id: RequestId, owner: DraftOwner): Promise<boolean> {
    const { inbox, drafts } = this.#deps;
    return inbox.move(id, async ({ request }) => {
      await drafts.giveBack(owner, request);
      return true;
    });
  }

  /**
   * The running turn of a conversation; without one, that of the current conversation, or else the
   * one that began last.
   */
  async #runningIn(conversation: ConversationId | undefined): Promise<HeldTurn | undefined> {
    const { open, waitForClaim } = this.#deps;
    const find = async () => {
      if (conversation !== undefined) return open.runningIn(conversation);
      const current = await this.#current();
      const here = current === null ? undefined : open.runningIn(current);
      return here ?? open.running().at(-1);
    };
    for (;;) {
      const found = await find();
      if (found) return found;
      // A request that is just being claimed has no turn yet; without waiting it would run on
      // unnoticed.
      if (!(await waitForClaim())) return find();
    }
  }

  /** The turn of a conversation that waits for the user, or for a slot to continue. */
  async #waitingIn(conversation: ConversationId | undefined): Promise<HeldTurn | undefined> {
    const { open } = this.#deps;
    const where = conversation ?? (await this.#current());
    return where === null ? undefined : (open.heldIn(where) ?? open.resumableIn(where));
  }

  async #current(): Promise<ConversationId | null> {
    return (await this.#deps.conversations.current())?.state.id ?? null;
  }

  retryFailed(): Promise<ActionResult<{ requests: readonly RequestId[] }>> {
    return this.#act(async () => {
      const { inbox, device, retries, askAgain } = this.#deps;
      askAgain();
      const requests = inbox
        .requests()
        .filter((queued) => queued.device === device)
        .filter(({ state, request }) => state === 'failed' || retries.isStuck(request.id))
        .map(({ request }) => request.id);
      // One that has begun by itself in the meantime needs no retry.
      for (const id of requests) await this.retryNow(id);
      return requests.length > 0 ? { requests } : notices.nothingFailed;
    });
  }

  retry(request: RequestId): Promise<ActionResult<{ request: RequestId }>> {
    return this.#act(async () => (await this.retryForUser(request)) ?? { request });
  }

  /** Like `retryNow`, but the model is called even if the server named a later time. */
  async retryForUser(id: RequestId): Promise<string | null> {
    this.#deps.askAgain();
    return this.retryNow(id);
  }

  /** Like `retry`. Returns a sentence if it is impossible, and rejects if a file cannot be written. */
  async retryNow(id: RequestId): Promise<string | null> {
    const { inbox, conversations, retries, findAgain, wakeRunner } = this.#deps;
    const queued = await this.#ownRequest(id);
    if (typeof queued === 'string') return queued;
    if (queued.state === 'unsigned') {
      const { conversation } = queued.request;
      const log = conversation === null ? null : await conversations.open(conversation);
      await inbox.adopt(queued, log?.isOwn ? conversation : null);
    } else {
      if (queued.state !== 'failed' && !retries.isStuck(id)) return notices.notFailed;
      retries.unskip(id);
      if (queued.state === 'failed') await inbox.requeue(queued);
      else if (queued.state === 'claimed') await findAgain(queued);
    }
    wakeRunner();
    return null;
  }

  sendNow(request: RequestId): Promise<ActionResult<{ request: RequestId }>> {
    return this.#act(async () => {
      const { inbox, device } = this.#deps;
      const queued = inbox.get(request);
      if (queued && queued.device !== device) return notices.otherDevicesRequest;
      if (queued && isReply(queued.request)) return notices.replyIsAlone;
      return (await inbox.setDelivery(request, 'steer')) ? { request } : notices.noSuchRequest;
    });
  }

  edit(request: RequestId, draft: DraftOwner): Promise<ActionResult<{ request: RequestId }>> {
    return this.#act(async () => {
      const queued = await this.#ownRequest(request);
      if (typeof queued === 'string') return queued;
      return (await this.#giveBack(request, draft)) ? { request } : t.turnIsOpen;
    });
  }

  discard(request: RequestId): Promise<ActionResult<{ request: RequestId }>> {
    return this.#act(async () => {
      const { inbox, retries } = this.#deps;
      const queued = await this.#ownRequest(request);
      if (typeof queued === 'string') return queued;
      const { state } = queued;
      if (state !== 'unsigned' && state !== 'failed' && !retries.isStuck(request)) {
        return (await inbox.takeBack(request)) ? { request } : t.turnIsOpen;
      }
      if ('turn' in queued) await this.#endDiscarded(queued);
      await inbox.resolve(request);
      retries.forget(request);
      return { request };
    });
  }

  /** A request of this device, or a sentence. */
  async #ownRequest(id: RequestId): Promise<QueuedRequest | string> {
    const queued = await this.#deps.settled(id);
    if (!queued) return notices.noSuchRequest;
    return queued.device === this.#deps.device ? queued : notices.otherDevicesRequest;
  }

  /**
   * Ends a turn whose file could not be written earlier; without an end it would count as open
   * forever. Removes what joined it.
   */
  async #endDiscarded(queued: BegunRequest): Promise<void> {
    const { conversations, inbox, turns } = this.#deps;
    const log = await conversations.open(queued.conversation);
    if (!log) return;
    if (findTurn(log.state, queued.turn)?.end === null) {
      await turns.end(log, queued.turn, { kind: 'stopped' });
    }
    await removeJoined(log, queued.request.id, inbox);
  }
}

function asReturned(requests: readonly UserRequest[]): ReturnedMessages {
  return {
    returned: requests.map(({ text }) => text),
    attached: requests.flatMap(({ attachments }) => attachments),
    linked: requests.flatMap(({ linked = [] }) => linked),
  };
}

function answerProblem(question: Question, answer: string, isChoice: boolean): string | null {
  const isListed = question.choices.includes(answer);
  if (isListed) return null;
  const choices = question.choices.join(', ');
  if (isChoice) return t.notAChoice(answer, choices);
  return question.allowFreeText ? null : t.questionChoices(choices);
}

function placeOf({ conversation, turn }: TurnPlace): TurnPlace {
  return { conversation, turn };
}
