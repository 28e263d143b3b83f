/**
 * Runs the requests of the vault in the order in which they were made, one turn at a time. A turn
 * that waits for the user does not block the queue.
 */
import * as t from '#messages/notice-messages';
import type { TurnOutcome } from '#agent/turn-ending';
import type { Conversations } from '#conversations/repository';
import type { ConversationLog } from '#conversations/conversation-log';
import type { Inbox } from './inbox';
import { type RetryCause, RetrySchedule } from './request-retry-schedule';
import { findTurn } from '#model/conversation';
import type { Event, TurnEnd } from '#model/event';
import { failure, fileFailure } from '#messages/failures';
import type { ConversationId, DeviceId, RequestId, MintId, TurnId } from '#model/ids';
import type { BegunRequest, QueuedRequest } from '#model/request';
import type { Settings } from '#model/settings';
import type { QueuePort } from '#ports/app/queue-port';
import type { Clock } from '#ports/clock';
import type { DirectCalls } from '#tools/direct-calls';
import type { McpCalls } from './mcp-calls';
import { resolveAnswers } from './typed-answers';
import { ConversationPicker } from './conversation-picker';
import { type HeldTurn, OpenTurns } from './open-turns';
import { LeaderLock, type LeaderLockDeps } from './leader-lock';
import { NextRequest, resolveTurn } from './next-request';
import { type EditHistory, QuickCommands } from './quick-commands';
import { TurnReplies } from '#voice/turn-replies';
import { QueueControls, type TurnPlace } from './queue-controls';
import { TurnSteering } from './turn-steering';
import type { Turns } from './turn-runner';

export interface RunnerDeps {
  readonly inbox: Inbox;
  readonly lease: LeaderLockDeps['lease'];
  readonly conversations: Conversations;
  readonly turns: Turns;
  readonly replies: TurnReplies;
  readonly editHistory: EditHistory;
  readonly clock: Clock;
  readonly mint: MintId;
  readonly device: DeviceId;
  settings(): Settings;
  /** False if the model cannot be called because a key is needed and none is set. */
  hasKey(): boolean;
  /** Reports a problem that belongs to no turn. */
  report(problem: string): void;
  readonly mcpCalls: McpCalls;
  readonly direct: Pick<DirectCalls, 'confirm'>;
  /**
   * Called with true when this process becomes the leader and has read the inbox, and with false
   * when it stops leading.
   */
  onLeading(isLeading: boolean): Promise<void>;
  /** Called when the leader has found all open turns again. */
  onReady(): void;
  /** Calls back when the queue or the list of problems changes. */
  onChange: QueuePort['onChange'];
  /** Called when `isFollower` has changed, or when the file of a request could not be written. */
  onStatus(): void;
}

export class Runner {
  readonly #deps: RunnerDeps;
  readonly #open: OpenTurns;
  readonly #next: NextRequest;
  readonly #quick: QuickCommands;
  readonly #steering: TurnSteering;
  readonly #retries: RetrySchedule;
  readonly #picker: ConversationPicker;
  readonly queue: QueueControls;
  #pumping = false;
  /** The last request whose turn ran. `saved` resolves when what became of it is in the inbox. */
  #lastRun: { readonly request: RequestId; readonly saved: Promise<void> } | null = null;
  /** No request begins until all open turns have been found again. */
  #isReady = false;
  /** The pending claim of the next request; what it returns counts as running. */
  #claiming: Promise<HeldTurn | null> = Promise.resolve(null);
  /** Woken during the last look at the queue, so look once more. */
  #again = false;
  #closed = false;
  readonly #lead: LeaderLock;

  constructor(deps: RunnerDeps) {
    this.#deps = deps;
    const log = (id: ConversationId) => this.#log(id);
    const open = new OpenTurns({
      ...deps,
      isCalled: (id) => deps.mcpCalls.isOpen(id),
      expired: (held) => void this.#endLetGo(held, { kind: 'limited', reason: 'no-answer' }),
      wakeRunner: () => this.wake(),
    });
    this.#open = open;
    this.#picker = new ConversationPicker(deps, open);
    this.#next = new NextRequest({
      ...deps,
      open,
      log,
      picker: this.#picker,
      isStuck: (requestId) => this.#retries.isStuck(requestId),
      isQuick: (queued) => this.#quick.takes(queued),
      giveUp: (requestId, error) => this.#giveUp(requestId, error),
    });
    this.#retries = new RetrySchedule({ ...deps, retry: (id) => this.queue.retryNow(id) });
    this.queue = new QueueControls({
      ...deps,
      open,
      log,
      retries: this.#retries,
      claimed: () => this.#claimed(),
      current: () => this.current(),
      end: (held, ending) => this.#endLetGo(held, ending),
      settled: (id) => this.#settled(id),
      findAgain: (queued) => this.#findAgain(queued),
      wakeRunner: () => this.wake(),
    });
    this.#quick = new QuickCommands({
      ...deps,
      open,
      log,
      picker: this.#picker,
      controls: this.queue,
      claimed: () => this.#claimed(),
      giveUp: (requestId, error) => this.#giveUp(requestId, error),
      wakeRunner: () => this.wake(),
    });
    this.#steering = new TurnSteering({
      ...deps,
      open,
      log,
      picker: this.#picker,
      controls: this.queue,
      claimed: () => this.#claimed(),
      isOthers: (queued) => this.#retries.isStuck(queued.request.id) || this.#quick.takes(queued),
      giveUp: (requestId, error) => this.#giveUp(requestId, error),
    });
    this.#lead = new LeaderLock({
      ...deps,
      begin: () => this.#begins(),
      lost: () => void this.close(),
    });
  }

  /** The most recently used conversation; null if there is none yet, or if it cannot be read. */
  current(): Promise<ConversationLog | null> {
    return this.#picker.current();
  }

  /** Ends the current conversation, unless something in it is open, and begins a new one. */
  newConversation(): Promise<ConversationLog> {
    return this.#picker.begin();
  }

  get running(): TurnPlace | null {
    return this.#open.running;
  }

  get isFollower(): boolean {
    return this.#lead.isFollower;
  }

  /**
   * Finds the turns that were open at the last unload or crash, and resumes them. A follower does
   * this once it becomes the leader.
   */
  load(): Promise<void> {
    return this.#lead.take();
  }

  async #begins(): Promise<void> {
    const { inbox, conversations, device, report } = this.#deps;
    let unsigned: readonly BegunRequest[] = [];
    // Another process may have been the leader until now, so anything opened here is out of date.
    await conversations.refresh().catch(() => undefined);
    try {
      const loaded = await inbox.load();
      for (const name of loaded.damaged) {
        report(t.requestUnreadable(name));
      }
      unsigned = loaded.unsigned;
    } catch (error) {
      const { sentence, next, detail } = fileFailure(error);
      report(t.requestsUnreadable(sentence, next, detail ?? ''));
    }
    // If the plugin was unloaded in the meantime, nothing may begin.
    if (this.#closed) return;
    await this.#deps.onLeading(true);
    for (const queued of unsigned) await this.#endUnsigned(queued);
    const mine = inbox.requests().filter((queued) => queued.device === device);
    for (const queued of mine) {
      if (this.#closed) return;
      if (queued.state === 'claimed') await this.#restore(queued);
      else if (queued.state === 'failed') await this.#removeJoined(queued.conversation);
    }
    for (const queued of mine) {
      if (this.#closed) return;
      if (queued.state === 'claimed') await this.#findAgain(queued);
    }
    await this.#picker.endSilent();
    if (this.#closed) return;
    this.#deps.onReady();
    // A "stop" from before must not come after the request that it stops has run.
    await this.#quick.wake();
    this.#isReady = true;
    this.wake();
    // The key or the endpoint may have changed while Obsidian was closed.
    const withKey: readonly RetryCause[] = this.#deps.hasKey() ? ['key'] : [];
    await this.#retries.retryCauses('network', 'endpoint', 'credit', ...withKey);
  }

  /**
   * Retries requests whose cause of failure may be gone: the network is back, or a check has
   * succeeded.
   */
  async retryFor(...causes: readonly RetryCause[]): Promise<void> {
    if (!this.#lead.isFollower && !this.#closed) await this.#retries.retryCauses(...causes);
  }

  /** Must be called with every saved event of any conversation. */
  follow(event: Event): void {
    if (TurnReplies.matters(event)) void this.#announce(event.conversation, event.turn);
  }

  async #announce(conversation: ConversationId, turn: TurnId): Promise<void> {
    const { replies, report } = this.#deps;
    try {
      const log = await this.#log(conversation);
      await replies.postReplies(log.state, turn);
    } catch (error) {
      // The notification is sent with the end of the turn, or after the next start.
      report(t.notificationNotSaved(fileFailure(error).sentence));
    }
  }

  /** Checks whether there is anything to run. */
  wake(): void {
    this.#again = true;
    if (this.#closed || !this.#isReady) return;
    void this.#quick.wake();
    this.#steering.wake();
    if (this.#pumping) return;
    this.#pumping = true;
    void this.#pump();
  }

  /**
   * After this, nothing is run or recorded, so that the next load has the files to itself. This
   * does not stop turns: open ones stay open and resume at the next load. Resolves when another
   * process may lead.
   */
  close(): Promise<void> {
    this.#closed = true;
    void this.#deps.onLeading(false);
    const released = this.#lead.close();
    this.#quick.close();
    this.#steering.close();
    this.#retries.close();
    this.#picker.close();
    this.#deps.turns.close();
    this.#open.close();
    return released;
  }

  /**
   * Whether anything runs or is about to. Turns that wait for the user or for a retry do not count.
   */
  get busy(): boolean {
    const isBusy = this.#pumping || this.#quick.isBusy || this.#steering.isBusy;
    return (isBusy || this.#open.isEnding) && !this.#closed;
  }

  /** Requests whose files cannot be written. */
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
    if (queued?.state !== 'claimed' || this.#lastRun?.request !== id) return queued;
    const { saved } = this.#lastRun;
    const log = await conversations.open(queued.conversation);
    if (log && findTurn(log.state, queued.turn)?.end) await saved;
    return inbox.get(id);
  }

  /** Ends a turn that this device's user may not have asked for; running it begins another one. */
  async #endUnsigned({ request, conversation, turn }: BegunRequest): Promise<void> {
    const { conversations, turns } = this.#deps;
    try {
      const log = await conversations.open(conversation);
      const found = log?.isOwn ? findTurn(log.state, turn) : null;
      if (!log || found?.requestId !== request.id || found.end) return;
      await turns.end(log, turn, { kind: 'stopped', by: 'closing' });
    } catch (error) {
      this.#giveUp(request.id, error);
    }
  }

  async #pump(): Promise<void> {
    try {
      while (this.#again && !this.#closed) {
        this.#again = false;
        for (;;) {
          const held = this.#open.takeResumable() ?? (await (this.#claiming = this.#next.claim()));
          if (!held || this.#closed) break;
          const saved = this.#run(held);
          this.#lastRun = { request: held.requestId, saved };
          await saved;
        }
      }
    } finally {
      // Reset synchronously after the last check; otherwise a concurrent wake() is lost.
      this.#pumping = false;
    }
  }

  async #run(held: HeldTurn): Promise<void> {
    const signal = this.#open.runs(held);
    try {
      const log = await this.#log(held.conversation);
      this.#steering.wake();
      const end = await this.#deps.turns.run(log, held.turn, signal, (step) =>
        this.#steering.join(log, held.turn, step, signal),
      );
      this.#open.stopped(held);
      // The turn has ended even if its request cannot be removed; the next load tries again.
      if (end)
        await this.#endTurn(log, held, end).catch((error) => this.#giveUp(held.requestId, error));
      else this.#open.holdOrResume(log, held);
    } catch (error) {
      await this.#fail(held, error);
    } finally {
      this.#open.stopped(held);
    }
  }

  /**
   * Ends a turn as failed. The loop throws only for a bug, or if one of Parley's files cannot be
   * written.
   */
  async #fail(held: HeldTurn, error: unknown): Promise<void> {
    const detail = error instanceof Error ? error.message : String(error);
    const cause = isFileError(error) ? fileFailure(error) : failure('unexpected', { detail });
    try {
      const log = await this.#log(held.conversation);
      await this.#endTurn(
        log,
        held,
        await this.#deps.turns.end(log, held.turn, { kind: 'failed', failure: cause }),
      );
    } catch {
      this.#giveUp(held.requestId, error);
    }
  }

  async #endTurn(log: ConversationLog, held: HeldTurn, end: TurnEnd): Promise<void> {
    const picker = this.#picker;
    const retries = this.#retries;
    await resolveTurn({ ...this.#deps, picker, retries }, log, held, end);
    this.#retries.forget(held.requestId);
    if (end.kind === 'completed') void this.#retries.retryStuck();
  }

  async #endLetGo(held: HeldTurn, ending: TurnOutcome): Promise<void> {
    try {
      const log = await this.#log(held.conversation);
      await this.#endTurn(log, held, await this.#deps.turns.end(log, held.turn, ending));
    } catch (error) {
      this.#giveUp(held.requestId, error);
    } finally {
      this.#open.ended(held);
    }
  }

  async #removeJoined(conversation: ConversationId): Promise<void> {
    // A file that cannot be read is reported when the request is tried again.
    const log = await this.#deps.conversations.open(conversation).catch(() => null);
    if (log) await resolveAnswers(log, this.#deps.inbox);
  }

  /** How an approval is announced depends on the others, so all are known before the first one is. */
  async #restore({ conversation, turn }: Extract<QueuedRequest, { state: 'claimed' }>) {
    // A file that cannot be read is reported when the turn is found again.
    const log = await this.#deps.conversations.open(conversation).catch(() => null);
    if (log) this.#deps.replies.restore(log.state, turn);
  }

  async #findAgain(queued: Extract<QueuedRequest, { state: 'claimed' }>): Promise<void> {
    const { inbox, turns, conversations } = this.#deps;
    const held = {
      requestId: queued.request.id,
      conversation: queued.conversation,
      turn: queued.turn,
    };
    try {
      const log =
        (await conversations.open(queued.conversation)) ??
        (await conversations.begin(queued.conversation));
      await resolveAnswers(log, inbox);
      const turn = findTurn(log.state, queued.turn);
      if (turn && !(await log.isSignedSince(turn.id))) {
        await inbox.distrust(queued);
        await this.#endUnsigned(queued);
        return;
      }
      if (!turn && this.#quick.takes(queued)) {
        await inbox.requeue(queued);
        return;
      }
      if (turn?.model === '' && !turn.end) {
        await this.#quick.finish(queued, log, held);
        return;
      }
      if (!turn) {
        await turns.begin(log, queued, queued.turn);
      } else if (turn.end) {
        await this.#endTurn(log, held, turn.end);
        return;
      } else {
        await turns.recover(log, queued.turn);
        await turns.renewApprovals(log, queued.turn);
      }
      await this.#deps.replies.postReplies(log.state, queued.turn);
      this.#open.holdOrResume(log, held);
    } catch (error) {
      this.#giveUp(held.requestId, error);
    }
  }

  /** Resolves when no claim is pending: a claimed request has a turn by then. */
  async #claimed(): Promise<void> {
    for (;;) {
      const pending = this.#claiming;
      await pending;
      if (pending === this.#claiming) return;
    }
  }

  async #log(id: ConversationId): Promise<ConversationLog> {
    const log = await this.#deps.conversations.open(id);
    if (!log)
      throw Object.assign(new Error(`The file of the conversation ${id} is gone.`), {
        code: 'ENOENT',
      });
    return log;
  }

  /**
   * Keeps the request in the inbox: its turn cannot continue because its file cannot be written.
   * The user learns it once, however often it is retried.
   */
  #giveUp(requestId: RequestId, error: unknown): void {
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

function isFileError(error: unknown): boolean {
  return typeof (error as { code?: unknown } | null)?.code === 'string';
}
