/**
 * Runs the requests of this device, the oldest first: one turn at a time in each conversation, and
 * as many at once as the settings allow. Spoken requests have one more slot, so that they never wait
 * behind typed ones. A message that stops a turn comes before the others, and quick commands do not
 * wait. A turn that waits for the user takes no slot.
 */
import * as t from '#messages/notice-messages';
import type { TurnOutcome } from '#agent/turn-ending';
import type { ConversationLog } from '#conversations/conversation-log';
import type { DraftFile } from '#conversations/drafts';
import { isRetriedLater, nextTry, RequestRetries } from './request-retries';
import { type Conversation, findTurn } from '#model/conversation';
import type { Event, TurnEnd } from '#model/event';
import { failure, fileFailure, isFileError } from '#messages/failures';
import type { ConversationId, RequestId, TurnId } from '#model/ids';
import type { Failure, RetryCause } from '#model/failure';
import { type BegunRequest, isSpoken, type QueuedRequest } from '#model/request';
import type { QueuePort } from '#ports/app/queue-port';
import type { DirectCalls } from '#tools/direct-calls';
import type { McpCalls } from './mcp-calls';
import { SpokenDecisions } from './spoken-decisions';
import { removeJoined, resolveAnswers, takeAsAnswer, wasTaken } from './typed-answers';
import type { FindDueTasks } from './due-answers';
import { ConversationPicker, type RequestPlace } from './conversation-picker';
import type { HeldTurn, OpenTurns } from './open-turns';
import type { LeaderLock } from './leader-lock';
import { type EditHistory, QuickCommands } from './quick-commands';
import { TurnReplies } from '#voice/turn-replies';
import type { QueueContext } from './queue-context';
import { QueueControls, type TurnPlace } from './queue-controls';
import { TurnSteering } from './turn-steering';

export interface RunnerDeps extends Omit<
  QueueContext,
  'wakeRunner' | 'waitForClaim' | 'waitForOpenTurns' | 'skip'
> {
  readonly leader: LeaderLock;
  readonly open: OpenTurns;
  readonly editHistory: EditHistory;
  readonly dueTasks: FindDueTasks;
  readonly mcpCalls: McpCalls;
  readonly direct: Pick<DirectCalls, 'confirm'>;
  readonly drafts: Pick<DraftFile, 'giveBack' | 'givenBack'>;
  /** False if the model cannot be called because a key is needed and none is set. */
  hasKey(): boolean;
  /** Called when the user retries a request: the provider's rate limit may be over. */
  askAgain(): void;
  /** Calls back when the queue or the list of problems changes. */
  onChange: QueuePort['onChange'];
  /** Called when a request gets stuck. */
  onStatus(): void;
}

export interface RunnerEvents {
  /**
   * Called with true when this process becomes the leader and has read the inbox, and with false
   * when it stops leading.
   */
  onLeading(isLeading: boolean): Promise<void>;
  /** Called when the leader has found all open turns again. */
  onReady(): void;
}

/** A turn that runs; `saved` resolves when what became of it is in the inbox. */
interface Run {
  readonly held: HeldTurn;
  readonly saved: Promise<void>;
}

export class Runner {
  readonly #deps: RunnerDeps;
  readonly #context: QueueContext;
  readonly #open: OpenTurns;
  readonly #picker: ConversationPicker;
  readonly #spoken: SpokenDecisions;
  readonly #quick: QuickCommands;
  readonly #steering: TurnSteering;
  readonly #retries: RequestRetries;
  #events: RunnerEvents | null = null;
  readonly queue: QueueControls;
  /** Pending while it is not known yet which turns are open. */
  #finding: Promise<void> = Promise.resolve();
  #pumping = false;
  readonly #runs = new Set<Run>();
  /** No request begins until open turns are found again and earlier stop messages are applied. */
  #isReady = false;
  /** The pending claim of the next request; what it returns counts as running. */
  #claiming: Promise<HeldTurn | null> = Promise.resolve(null);
  /** Woken during the last look at the queue, so look once more. */
  #again = false;
  #closed = false;

  constructor(deps: RunnerDeps) {
    this.#deps = deps;
    const { open, mcpCalls, direct, drafts, onChange, askAgain, editHistory, dueTasks } = deps;
    const context: QueueContext = {
      ...deps,
      wakeRunner: () => this.wake(),
      waitForClaim: () => this.#waitForClaim(),
      waitForOpenTurns: () => this.#finding,
      skip: (requestId, error) => this.#skip(requestId, error),
    };
    this.#context = context;
    mcpCalls.onEnd(() => this.wake());
    open.listen({
      expired: (held) => void this.#endReleased(held, { kind: 'limited', reason: 'no-answer' }),
      wakeRunner: () => this.wake(),
    });
    this.#open = open;
    const picker = new ConversationPicker(context, open);
    this.#picker = picker;
    this.#spoken = new SpokenDecisions(context, open, picker);
    this.#steering = new TurnSteering(context, open, picker);
    this.#retries = new RequestRetries(context, (id) => this.queue.retryNow(id));
    this.queue = new QueueControls({
      ...context,
      ...{ open, retries: this.#retries, mcpCalls, direct, drafts, onChange, askAgain },
      leader: deps.leader,
      end: (held, ending) => this.#endReleased(held, ending),
      settled: (id) => this.#settled(id),
      saved: async ({ turn }) => [...this.#runs].find(({ held }) => held.turn === turn)?.saved,
      findAgain: (queued) => this.#findAgain(queued, false),
      received: () => this.received(),
    });
    this.#quick = new QuickCommands(
      context,
      open,
      picker,
      this.queue,
      editHistory,
      dueTasks,
      (id) => this.#retries.isStuck(id),
    );
  }

  /** Ends the current conversation, unless something in it is open, and begins a new one. */
  newConversation(carried?: Conversation): Promise<ConversationLog> {
    return this.#picker.begin(carried);
  }

  get running(): readonly TurnPlace[] {
    return this.#open.running();
  }

  /**
   * Finds the turns that were open at the last unload or crash, and resumes them. A follower does
   * this once it becomes the leader.
   */
  load(events: RunnerEvents): Promise<void> {
    this.#events = events;
    const taken = this.#deps.leader.take({
      begin: () => this.#startLeading(events),
      lost: () => void this.close(),
    });
    this.#finding = settled(taken);
    return taken;
  }

  async #startLeading(events: RunnerEvents): Promise<void> {
    const finding = this.#findOpenTurns(events);
    this.#finding = settled(finding);
    const mine = await finding;
    if (this.#closed) return;
    events.onReady();
    // A "stop" from before must not come after the request that it stops has run.
    await this.#quick.wake();
    for (const { state, request } of mine) {
      if (state !== 'queued' || request.when !== 'stop') continue;
      await this.queue.stopFor(request).catch((error: unknown) => this.#skip(request.id, error));
    }
    this.#isReady = true;
    this.wake();
    // The key or the endpoint may have changed while Obsidian was closed.
    const withKey: readonly RetryCause[] = this.#deps.hasKey() ? ['key'] : [];
    await this.#retries.retryCauses('network', 'endpoint', 'credit', ...withKey);
  }

  /** Returns the requests of this device as they were before any turn was found. */
  async #findOpenTurns({ onLeading }: RunnerEvents): Promise<readonly QueuedRequest[]> {
    const { inbox, conversations, device, drafts, report } = this.#deps;
    let unsigned: readonly BegunRequest[] = [];
    // Another process may have been the leader until now, so anything opened here is out of date.
    await conversations.refresh().catch(() => undefined);
    try {
      const loaded = await inbox.load();
      for (const name of loaded.damaged) {
        report(t.requestUnreadable(name));
      }
      unsigned = loaded.unsigned;
      for (const id of await drafts.givenBack())
        if (inbox.get(id)?.state === 'queued') await inbox.dropMoved(id);
    } catch (error) {
      const { sentence, next, detail } = fileFailure(error);
      report(t.requestsUnreadable(sentence, next, detail ?? ''));
    }
    // If the plugin was unloaded in the meantime, nothing may begin.
    if (this.#closed) return [];
    await onLeading(true);
    for (const queued of unsigned) await this.#endUnsigned(queued);
    const mine = inbox.requests().filter((queued) => queued.device === device);
    for (const queued of mine) {
      if (this.#closed) return [];
      if (queued.state === 'claimed') await this.#restoreReplies(queued);
      else if (queued.state === 'failed') await this.#removeTaken(queued.conversation);
    }
    for (const queued of mine) {
      if (this.#closed) return [];
      if (queued.state === 'claimed') await this.#findAgain(queued, true);
    }
    await this.#picker.endings.endIdle();
    return mine;
  }

  /**
   * Retries requests whose cause of failure may be gone: the network is back, or a check has
   * succeeded.
   */
  async retryFor(...causes: readonly RetryCause[]): Promise<void> {
    if (!this.#deps.leader.isFollower && !this.#closed) await this.#retries.retryCauses(...causes);
  }

  /** Must be called with every saved event of any conversation. */
  follow(event: Event): void {
    if (TurnReplies.matters(event)) void this.#announce(event.conversation, event.turn);
  }

  async #announce(conversation: ConversationId, turn: TurnId): Promise<void> {
    const { replies, report } = this.#deps;
    try {
      const log = await this.#deps.conversations.openExisting(conversation);
      await replies.postReplies(log.state, turn);
    } catch (error) {
      // The notification is sent with the end of the turn, or after the next start.
      report(t.notificationNotSaved(fileFailure(error).sentence));
    }
  }

  /** A new request was saved, so what the disk refused before may be written now. */
  received(): void {
    void this.#retries.retryStuck();
    this.wake();
  }

  /** Checks whether there is anything to run. */
  wake(): void {
    this.#again = true;
    if (this.#closed || !this.#isReady) return;
    void this.#quick.wake();
    if (this.#pumping) return;
    this.#pumping = true;
    void this.#pump();
  }

  /**
   * After this, nothing is run or recorded, so that the next load has the files to itself. This
   * ends no turn: open ones stay open and resume at the next load. Resolves when another process
   * may lead.
   */
  close(): Promise<void> {
    this.#closed = true;
    void this.#events?.onLeading(false);
    const released = this.#deps.leader.close();
    this.#quick.close();
    this.#retries.close();
    this.#picker.endings.close();
    this.#deps.turns.close();
    this.#open.close();
    return released;
  }

  /**
   * Whether anything runs or is about to. Turns that wait for the user or for a retry do not count.
   */
  get busy(): boolean {
    const isWorking = this.#pumping || this.#runs.size > 0;
    return (isWorking || this.#quick.isBusy || this.#open.isEnding) && !this.#closed;
  }

  /** Requests that are skipped until they are retried, mostly after a file could not be written. */
  get stuck(): readonly RequestId[] {
    return this.#retries.stuck;
  }

  /**
   * The request as it is saved. If its turn has just ended, waits until what became of it is saved:
   * the user sees the end of the turn first, and may answer it at once.
   */
  async #settled(id: RequestId): Promise<QueuedRequest | undefined> {
    const { inbox, conversations } = this.#deps;
    const queued = inbox.get(id);
    const run = [...this.#runs].find(({ held }) => held.requestId === id);
    if (queued?.state !== 'claimed' || !run) return queued;
    const log = await conversations.open(queued.conversation);
    if (log && findTurn(log.state, queued.turn)?.end) await run.saved;
    return inbox.get(id);
  }

  /** Ends a turn that this device's user may not have asked for. A later run begins a new turn. */
  async #endUnsigned({ request, conversation, turn }: BegunRequest): Promise<void> {
    const { conversations, turns } = this.#deps;
    try {
      const log = await conversations.open(conversation);
      const found = log?.isOwn ? findTurn(log.state, turn) : null;
      if (!log || found?.requestId !== request.id || found.end) return;
      await turns.end(log, turn, { kind: 'stopped', by: 'closing' });
    } catch (error) {
      this.#skip(request.id, error);
    }
  }

  async #pump(): Promise<void> {
    try {
      while (this.#again && !this.#closed) {
        this.#again = false;
        for (;;) {
          const held = this.#takeResumable() ?? (await (this.#claiming = this.#claim()));
          if (!held || this.#closed) break;
          this.#start(held);
        }
      }
    } finally {
      // Reset synchronously after the last check; otherwise a concurrent wake() is lost.
      this.#pumping = false;
    }
  }

  /** Runs a turn beside the others. Its end wakes the queue, because it frees its slot. */
  #start(held: HeldTurn): void {
    const run = { held, saved: this.#run(held) };
    this.#runs.add(run);
    void run.saved.finally(() => {
      this.#runs.delete(run);
      this.wake();
    });
  }

  #takeResumable(): HeldTurn | undefined {
    return this.#open.takeResumable(({ isSpoken }) => this.#hasSlot(isSpoken));
  }

  /** Typed turns leave one slot free, which only spoken ones can take. */
  #hasSlot(isForSpoken: boolean): boolean {
    const { turnsAtOnce } = this.#deps.settings();
    const running = this.#open.running();
    const typed = running.filter(({ isSpoken }) => !isSpoken).length;
    if (!isForSpoken) return typed < turnsAtOnce && running.length <= turnsAtOnce;
    return typed === running.length || running.length <= turnsAtOnce;
  }

  /**
   * Whether a turn is open in the conversation, even if it is stuck, or what became of its last one
   * is being saved.
   *
   * @param requests those in the inbox when the queue was looked at
   */
  #isTaken({ state }: ConversationLog, requests: readonly QueuedRequest[]): boolean {
    const { device } = this.#deps;
    const isIn = (run: Run) => run.held.conversation === state.id;
    if (this.#open.isOpenIn(state.id) || [...this.#runs].some(isIn)) return true;
    return requests.some(
      (queued) =>
        queued.state === 'claimed' &&
        queued.device === device &&
        queued.conversation === state.id &&
        !findTurn(state, queued.turn)?.end,
    );
  }

  /**
   * Claims the next request that can run and begins its turn. Returns an earlier turn instead if
   * the request answered it.
   */
  async #claim(): Promise<HeldTurn | null> {
    const { inbox, device } = this.#deps;
    /** Conversations, and sources, of requests that have to wait: later ones do not overtake them. */
    const passed = new Set<ConversationId>();
    const full = new Set<boolean>();
    const requests = stopMessagesFirst(inbox.requests());
    for (const queued of requests) {
      const { id, source, when } = queued.request;
      if (queued.state !== 'queued' || queued.device !== device || this.#isSkipped(queued))
        continue;
      try {
        if (isSpoken(source) && (await this.#spoken.decide(queued))) {
          await inbox.resolve(id);
          return this.#takeResumable() ?? this.#claim();
        }
        if (isSpoken(source) && (await this.#spoken.repeatPhrases(queued))) {
          await inbox.resolve(id);
          continue;
        }
        const place = await this.#picker.placeOf(queued);
        const log = place.log;
        if (log && (await wasTaken(log, id))) {
          await inbox.resolve(id);
          continue;
        }
        const held = log && this.#open.heldIn(log.state.id);
        if (!log || !held) {
          // Within a conversation, no request overtakes an earlier one.
          const hasPlace = !log || !(this.#isTaken(log, requests) || passed.has(log.state.id));
          const hasSlot = !full.has(isSpoken(source)) && this.#hasSlot(isSpoken(source));
          if (hasPlace && !hasSlot) full.add(isSpoken(source));
          if (!hasPlace || !hasSlot) {
            if (log) passed.add(log.state.id);
            continue;
          }
          const begun = await this.#claimAndBegin(queued, place);
          if (begun) return begun;
          continue;
        }
        // Such a message is no answer: it gets a turn of its own.
        if (when === 'after' || when === 'stop') continue;
        // A message sent before the question was shown waits behind it; one sent afterwards is the
        // answer.
        const taken = await takeAsAnswer(queued, log, held.turn, this.#context);
        if (!taken) continue;
        this.#open.resumeIfFree(log, held);
        if (taken !== 'closed') await inbox.resolve(id);
        return this.#takeResumable() ?? this.#claim();
      } catch (error) {
        this.#skip(id, error);
      }
    }
    return null;
  }

  /** Whether the request is stuck, or a quick command carries it out or stops it. */
  #isSkipped(queued: QueuedRequest): boolean {
    return this.#retries.isStuck(queued.request.id) || this.#quick.holds(queued);
  }

  /** Null if the request has left the queue in the meantime. */
  async #claimAndBegin(queued: QueuedRequest, place: RequestPlace): Promise<HeldTurn | null> {
    const { inbox, turns, mint } = this.#deps;
    const turn = mint('turn');
    const { id: conversation, log: known, open } = await claimable(place);
    // Nothing is recorded of the turn until the request is claimed, but what it begins with is read.
    const opening = open();
    const preparing = turns.prepare({ id: conversation, log: known }, queued, turn);
    const claimed = await inbox
      .claim(queued, conversation, turn)
      .finally(() => Promise.allSettled([opening, preparing]));
    if (!claimed) return null;
    const log = await opening.catch(async (error: unknown) => {
      // If that fails too, the request is found again without a turn.
      await inbox.release(claimed).catch(() => undefined);
      throw error;
    });
    // The request may have been changed until it was claimed.
    const isSame = claimed.request === queued.request;
    const prepared = isSame
      ? await preparing
      : await turns.prepare({ id: conversation, log }, claimed, turn);
    await turns.begin(log, claimed, turn, prepared);
    const { id, source } = queued.request;
    return { requestId: id, conversation, turn, isSpoken: isSpoken(source) };
  }

  async #run(held: HeldTurn): Promise<void> {
    const signal = this.#open.runs(held);
    try {
      const log = await this.#deps.conversations.openExisting(held.conversation);
      const isOthers = (queued: QueuedRequest) => this.#isSkipped(queued);
      const end = await this.#deps.turns.run(log, held.turn, signal, {
        joinMessages: (step) => this.#steering.join(log, held.turn, step, signal, isOthers),
        hasMessages: () => this.#steering.hasMessages(log, held.turn, isOthers),
      });
      this.#open.stopped(held);
      // The turn has ended even if its request cannot be removed; the next load tries again.
      if (end)
        await this.#settleRequest(log, held, end).catch((error) =>
          this.#skip(held.requestId, error),
        );
      else if (signal.aborted && !this.#closed) {
        // It was stopped after the loop had looked for the last time.
        const stopped = await this.#deps.turns.end(log, held.turn, { kind: 'stopped' });
        await this.#settleRequest(log, held, stopped);
      } else this.#open.holdOrResume(log, held);
    } catch (error) {
      await this.#fail(held, error);
    } finally {
      this.#open.stopped(held);
    }
  }

  /**
   * Ends a turn as failed after an error that the loop does not handle: a bug, or one of Parley's
   * files cannot be read or written.
   */
  async #fail(held: HeldTurn, error: unknown): Promise<void> {
    const detail = error instanceof Error ? error.message : String(error);
    const cause = isFileError(error) ? fileFailure(error) : failure('unexpected', { detail });
    try {
      const log = await this.#deps.conversations.openExisting(held.conversation);
      await this.#settleRequest(
        log,
        held,
        await this.#deps.turns.end(log, held.turn, { kind: 'failed', failure: cause }),
      );
    } catch {
      this.#skip(held.requestId, error);
    }
  }

  /**
   * Sends the replies of a turn whose end has been saved, and then removes its request or keeps it
   * as failed. The inbox is updated last: after a crash, all of this runs again at the next load,
   * and every part of it is idempotent. Rejects if a file cannot be written.
   */
  async #settleRequest(log: ConversationLog, held: HeldTurn, end: TurnEnd): Promise<void> {
    const { inbox, clock, replies } = this.#deps;
    const queued = inbox.get(held.requestId);
    if (queued) {
      const now = clock.now();
      await replies.postReplies(log.state, held.turn, isRetriedLater(queued, end, now));
      await this.#picker.endings.turnEnded(log, held.turn);
      if (end.kind === 'failed') await this.#keepFailed(queued, log, held, end.failure);
      else {
        await removeJoined(log, held.requestId, inbox);
        await inbox.resolve(held.requestId);
      }
    }
    this.#retries.forget(held.requestId);
    if (end.kind !== 'completed') return;
    void this.#retries.retryCauses('network', 'endpoint', 'capacity', 'credit', 'key');
    void this.#retries.retryStuck();
  }

  async #keepFailed(
    { request: { id } }: QueuedRequest,
    log: ConversationLog,
    held: HeldTurn,
    failed: Failure,
  ): Promise<void> {
    const { inbox, clock } = this.#deps;
    // A retry has to answer the messages that joined this attempt, too.
    for (const { reply } of findTurn(log.state, held.turn)?.steering ?? []) {
      const messageIds = reply.to === 'smarthole' ? reply.messageIds : [];
      for (const messageId of messageIds) await inbox.alsoFor(id, messageId);
    }
    const queued = inbox.get(id);
    if (queued) {
      const now = clock.now();
      const firstFailed = queued.firstFailed ?? now;
      const next = nextTry(failed, queued.attempts, firstFailed, now);
      await inbox.fail(queued, held, failed, { firstFailed, nextTry: next });
    }
    this.#retries.plan();
    // The request stays in the inbox, so its next end or the next load tries this again.
    await removeJoined(log, id, inbox).catch(() => undefined);
  }

  /** Ends a turn that was released for it, such as a held one that the user stops. */
  async #endReleased(held: HeldTurn, ending: TurnOutcome): Promise<void> {
    try {
      const log = await this.#deps.conversations.openExisting(held.conversation);
      await this.#settleRequest(log, held, await this.#deps.turns.end(log, held.turn, ending));
    } catch (error) {
      this.#skip(held.requestId, error);
    } finally {
      this.#open.ended(held);
    }
  }

  async #removeTaken(conversation: ConversationId): Promise<void> {
    // A file that cannot be read is reported when the request is tried again.
    const log = await this.#deps.conversations.open(conversation).catch(() => null);
    if (log) await resolveAnswers(log, this.#deps.inbox);
  }

  /** Comes before any reply is posted: how an approval is announced depends on the other ones. */
  async #restoreReplies({ conversation, turn }: Extract<QueuedRequest, { state: 'claimed' }>) {
    // A file that cannot be read is reported when the turn is found again.
    const log = await this.#deps.conversations.open(conversation).catch(() => null);
    if (log) this.#deps.replies.restore(log.state, turn);
  }

  async #findAgain(
    queued: Extract<QueuedRequest, { state: 'claimed' }>,
    isAfterRestart: boolean,
  ): Promise<void> {
    const { inbox, turns, conversations } = this.#deps;
    const held = {
      requestId: queued.request.id,
      conversation: queued.conversation,
      turn: queued.turn,
      isSpoken: isSpoken(queued.request.source),
    };
    try {
      const log =
        (await conversations.open(queued.conversation)) ??
        (await conversations.beginAgain(queued.conversation));
      await resolveAnswers(log, inbox);
      const turn = findTurn(log.state, queued.turn);
      const isQuickCommand = turn?.model === '';
      if (turn && !(await log.isSignedSince(turn.id))) {
        await inbox.distrust(queued);
        await this.#endUnsigned(queued);
        return;
      }
      if (!turn) {
        // Another turn of the conversation may have begun since.
        await inbox.unclaim(queued);
        return;
      }
      if (isQuickCommand && !turn.end) {
        await this.#quick.finish(queued, log, held);
        return;
      }
      if (turn.end) {
        await this.#settleRequest(log, held, turn.end);
        return;
      } else {
        await turns.recover(log, queued.turn);
        await turns.renewApprovals(log, queued.turn);
        if (isAfterRestart) await turns.tellOfRestart(log, queued.turn);
      }
      await this.#deps.replies.postReplies(log.state, queued.turn);
      this.#open.holdOrResume(log, held);
    } catch (error) {
      this.#skip(held.requestId, error);
    }
  }

  /**
   * Resolves when no claim is pending or due: a claimed request has a turn by then. False if there
   * was nothing to wait for.
   */
  async #waitForClaim(): Promise<boolean> {
    for (let hasWaited = false; ;) {
      // Once the end of a turn is saved, the next request of its chat is claimed.
      const ending = [...this.#runs].filter(({ held }) => !this.#open.isRunning(held.turn));
      await Promise.all(ending.map(({ saved }) => saved));
      const pending = this.#claiming;
      await pending;
      if (ending.length === 0 && pending === this.#claiming) return hasWaited;
      hasWaited = true;
    }
  }

  /**
   * Keeps the request in the inbox and skips it until it is retried: an error, mostly of a file,
   * keeps it from continuing. The user learns it once, however often it is retried.
   */
  #skip(requestId: RequestId, error: unknown): void {
    const isTimed = isFileError(error);
    const isNew = this.#retries.skip(requestId, isTimed);
    this.#deps.onStatus();
    if (!isNew) return;
    const { sentence, next, detail = '' } = fileFailure(error);
    this.#deps.report(
      isTimed ? t.requestRetried(sentence, detail) : t.requestKept(`${sentence} ${next}`, detail),
    );
  }
}

async function settled(work: Promise<unknown>): Promise<void> {
  await work.catch(() => undefined);
}

interface ClaimableConversation {
  readonly id: ConversationId;
  /** Null if it has yet to begin. */
  readonly log: ConversationLog | null;
  open(): Promise<ConversationLog>;
}

async function claimable(place: RequestPlace): Promise<ClaimableConversation> {
  if (place.log === null && place.id !== undefined)
    return { id: place.id, log: null, open: () => place.begin() };
  const log = place.log ?? (await place.begin());
  return { id: log.state.id, log, open: async () => log };
}

/** A message that stops a turn is next; the others follow in the order in which they were made. */
function stopMessagesFirst(queued: readonly QueuedRequest[]): QueuedRequest[] {
  const isNext = ({ request }: QueuedRequest) => request.when === 'stop';
  return [...queued.filter(isNext), ...queued.filter((each) => !isNext(each))];
}
