/**
 * One runner for the whole vault: entries in the order in which they were asked, one turn at a time. A turn that waits
 * for a user holds its place but not the queue.
 */
import type { TurnOutcome } from '#agent/turn-ending';
import type { Conversations } from '#conversations/repository';
import type { ConversationLog } from '#conversations/conversation-log';
import type { Inbox } from './inbox';
import { type RetryCause, RetrySchedule } from './retry-schedule';
import { findTurn } from '#model/conversation';
import type { Event, TurnEnd } from '#model/event';
import { failure, fileFailure } from '#model/failure';
import type { ConversationId, DeviceId, RequestId, MintId, TurnId } from '#model/ids';
import type { QueuedRequest } from '#model/request';
import type { Settings } from '#model/settings';
import type { Clock } from '#ports/clock';
import { resolveAnswers } from './interactions';
import { ConversationPicker } from './conversation-picker';
import { type HeldTurn, OpenTurns } from './open-turns';
import { LeaderLock, type LeadDeps } from './leader-lock';
import { NextRequest, resolveTurn } from './next-request';
import { TurnReplies } from '#voice/turn-replies';
import { TurnController, type TurnPlace } from './turn-controller';
import type { Turns } from './turn-runner';

export interface RunnerDeps {
  readonly inbox: Inbox;
  readonly lease: LeadDeps['lease'];
  readonly conversations: Conversations;
  readonly turns: Turns;
  readonly replies: TurnReplies;
  readonly clock: Clock;
  readonly mint: MintId;
  readonly device: DeviceId;
  settings(): Settings;
  /** Something the user has to know that no turn can say. */
  report(problem: string): void;
  /** A program's call is open in it. */
  isCalled(conversation: ConversationId): boolean;
  /** From here on this process runs the vault's requests, the inbox being read; or it does not any more. */
  onLeading(isLeading: boolean): Promise<void>;
}

export class Runner {
  readonly #deps: RunnerDeps;
  readonly #open: OpenTurns;
  readonly #next: NextRequest;
  readonly #retries: RetrySchedule;
  /** Entries whose files could not be written; they stay in the inbox and are left alone until they are retried. */
  readonly #stuck = new Set<RequestId>();
  readonly #choice: ConversationPicker;
  /** What the user does to open turns. */
  readonly turns: TurnController;
  #pumping = false;
  /** Nothing new is begun before all that was open has been found again. */
  #isReady = false;
  /** The look for a next entry that is under way: what it finds is as good as running. */
  #claiming: Promise<HeldTurn | null> = Promise.resolve(null);
  /** Woken while it was looking; it looks once more. */
  #again = false;
  #closed = false;
  readonly #lead: LeaderLock;

  constructor(deps: RunnerDeps) {
    this.#deps = deps;
    const log = (id: ConversationId) => this.#log(id);
    const open = new OpenTurns({
      ...deps,
      expired: (held) => void this.#endLetGo(held, { kind: 'limited', reason: 'no-answer' }),
      wake: () => this.wake(),
    });
    this.#open = open;
    this.#choice = new ConversationPicker(deps, open);
    this.#next = new NextRequest({
      ...{ ...deps, open, log, choice: this.#choice },
      isStuck: (entry) => this.#stuck.has(entry),
      giveUp: (entry, error) => this.#giveUp(entry, error),
    });
    this.turns = new TurnController({
      ...{ ...deps, turns: open, log },
      claimed: () => this.#claiming,
      current: () => this.current(),
      end: (held, ending) => this.#endLetGo(held, ending),
    });
    this.#retries = new RetrySchedule({ ...deps, retry: (id) => this.retry(id) });
    this.#lead = new LeaderLock({
      ...deps,
      begin: () => this.#begins(),
      lost: () => this.close(),
    });
  }

  /** The conversation that was last written in; null if there is none yet, or it can't be read. */
  current(): Promise<ConversationLog | null> {
    return this.#choice.current();
  }

  /** Ends the current conversation, if nothing in it is open, and begins another. */
  newConversation(): Promise<ConversationLog> {
    return this.#choice.begin();
  }

  get running(): TurnPlace | null {
    return this.#open.running;
  }

  get isFollower(): boolean {
    return this.#lead.isFollower;
  }

  /** Finds what was open when everything stopped, and goes on with it; not while another process is at it. */
  load(): Promise<void> {
    return this.#lead.take();
  }

  async #begins(): Promise<void> {
    const { inbox, conversations, device, report } = this.#deps;
    // Another process may have led until now: what was opened here meanwhile is out of date.
    await conversations.look().catch(() => undefined);
    try {
      const { damaged } = await inbox.load();
      for (const name of damaged) {
        report(
          `A saved request could not be read and was left where it is: .smarthole/inbox/${name}`,
        );
      }
    } catch (error) {
      const { sentence, next, detail } = fileFailure(error);
      report(`The saved requests could not be read. ${sentence} ${next} (${detail ?? ''})`);
    }
    // Unloaded while it was read: from here on something would begin.
    if (this.#closed) return;
    await this.#deps.onLeading(true);
    for (const entry of inbox.requests()) {
      if (this.#closed) return;
      if (entry.device === device && entry.state === 'claimed') await this.#findAgain(entry);
    }
    await this.#choice.endSilent();
    if (this.#closed) return;
    this.#isReady = true;
    this.wake();
    await this.#retries.againFor('network', 'credit');
  }

  /** What requests failed for may be gone: the network is back, or a check has succeeded. */
  async retryFor(...causes: readonly RetryCause[]): Promise<void> {
    if (!this.#lead.isFollower && !this.#closed) await this.#retries.againFor(...causes);
  }

  /** An event of any conversation, as it is kept. */
  follow(event: Event): void {
    if (TurnReplies.matters(event)) void this.#announce(event.conversation, event.turn);
  }

  async #announce(conversation: ConversationId, turn: TurnId): Promise<void> {
    const { replies, report } = this.#deps;
    try {
      const log = await this.#log(conversation);
      await replies.tell(log.state, turn);
    } catch (error) {
      // It is said with the end of the turn, or after the next start.
      report(`A notification could not be kept. ${fileFailure(error).sentence}`);
    }
  }

  /** Looks whether there is something to do. */
  wake(): void {
    this.#again = true;
    if (this.#pumping || this.#closed || !this.#isReady) return;
    this.#pumping = true;
    void this.#pump();
  }

  /**
   * From here on nothing is run or recorded, so that whoever loads next is alone with the files. Not a stop by the
   * person: what was open stays open, and goes on at the next load.
   */
  close(): void {
    this.#closed = true;
    void this.#deps.onLeading(false);
    this.#lead.close();
    this.#retries.close();
    this.#choice.close();
    this.#deps.turns.close();
    this.#open.close();
  }

  /** Something is being done, or is about to be; what waits for a user or a retry is not. */
  get busy(): boolean {
    return (this.#pumping || this.#open.isEnding) && !this.#closed;
  }

  /** Puts a failed entry back into the queue. A sentence where that can't be. */
  async retry(id: RequestId): Promise<string | null> {
    const entry = this.#deps.inbox.get(id);
    if (!entry) return 'There is no such request in the inbox.';
    if (entry.device !== this.#deps.device) return OF_ANOTHER_DEVICE;
    if (entry.state !== 'failed' && !this.#stuck.has(id))
      return 'Only a failed request can be retried.';
    if (entry.state === 'failed') await this.#deps.inbox.requeue(entry);
    else if (entry.state === 'claimed') await this.#findAgain(entry);
    this.#stuck.delete(id);
    this.wake();
    return null;
  }

  /** Takes an entry out of the inbox for good. A sentence where that can't be. */
  async discard(id: RequestId): Promise<string | null> {
    const { inbox, device } = this.#deps;
    const entry = inbox.get(id);
    if (!entry) return 'There is no such request in the inbox.';
    if (entry.device !== device) return OF_ANOTHER_DEVICE;
    if (this.#stuck.has(id)) await this.#endStuck(entry);
    else if (entry.state !== 'failed') {
      return (await inbox.takeBack(id)) ? null : 'Its turn is open. Stop it first.';
    }
    await inbox.resolve(id);
    this.#stuck.delete(id);
    return null;
  }

  /** A turn whose file could not be written, and now perhaps can: without an end it would count as open for ever. */
  async #endStuck(entry: QueuedRequest): Promise<void> {
    if (entry.state !== 'claimed') return;
    const { conversations, turns } = this.#deps;
    const log = await conversations.open(entry.conversation);
    if (log && findTurn(log.state, entry.turn)?.end === null) {
      await turns.end(log, entry.turn, { kind: 'stopped' });
    }
  }

  async #pump(): Promise<void> {
    try {
      while (this.#again && !this.#closed) {
        this.#again = false;
        for (;;) {
          const held = this.#open.takeResumable() ?? (await (this.#claiming = this.#next.claim()));
          if (!held || this.#closed) break;
          await this.#run(held);
        }
      }
    } finally {
      // In the same breath as the last look, or somebody who woke it in between would not be heard.
      this.#pumping = false;
    }
  }

  async #run(held: HeldTurn): Promise<void> {
    const signal = this.#open.runs(held);
    try {
      const log = await this.#log(held.conversation);
      const end = await this.#deps.turns.run(log, held.turn, signal);
      this.#open.rests();
      // The turn has ended as it has, whether or not its entry can be removed now; the next load tries again.
      if (end)
        await this.#settle(log, held, end).catch((error) => this.#giveUp(held.requestId, error));
      else this.#open.holdOrGoOn(log, held);
    } catch (error) {
      await this.#fail(held, error);
    } finally {
      this.#open.rests();
    }
  }

  /** What the loop throws is a file of ours that can't be written, or a mistake of ours: the turn fails, and says so. */
  async #fail(held: HeldTurn, error: unknown): Promise<void> {
    const isFile = typeof (error as { code?: unknown } | null)?.code === 'string';
    const detail = error instanceof Error ? error.message : String(error);
    const cause = isFile ? fileFailure(error) : failure('unexpected', { detail });
    try {
      const log = await this.#log(held.conversation);
      await this.#settle(
        log,
        held,
        await this.#deps.turns.end(log, held.turn, { kind: 'failed', failure: cause }),
      );
    } catch {
      this.#giveUp(held.requestId, error);
    }
  }

  async #settle(log: ConversationLog, held: HeldTurn, end: TurnEnd): Promise<void> {
    const choice = this.#choice;
    const retries = this.#retries;
    await resolveTurn({ ...this.#deps, choice, retries }, log, held, end);
  }

  async #endLetGo(held: HeldTurn, ending: TurnOutcome): Promise<void> {
    try {
      const log = await this.#log(held.conversation);
      await this.#settle(log, held, await this.#deps.turns.end(log, held.turn, ending));
    } catch (error) {
      this.#giveUp(held.requestId, error);
    } finally {
      this.#open.ended(held);
    }
  }

  async #findAgain(entry: Extract<QueuedRequest, { state: 'claimed' }>): Promise<void> {
    const { inbox, turns, conversations } = this.#deps;
    const held = {
      requestId: entry.request.id,
      conversation: entry.conversation,
      turn: entry.turn,
    };
    try {
      const log =
        (await conversations.open(entry.conversation)) ??
        (await conversations.begin(entry.conversation));
      await resolveAnswers(log, inbox);
      const turn = findTurn(log.state, entry.turn);
      if (!turn) {
        await turns.begin(log, entry, entry.turn);
      } else if (turn.end) {
        await this.#settle(log, held, turn.end);
        return;
      } else {
        await turns.recover(log, entry.turn);
      }
      await this.#deps.replies.tell(log.state, entry.turn);
      this.#open.holdOrGoOn(log, held);
    } catch (error) {
      this.#giveUp(held.requestId, error);
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

  /** Its file can't be written, so the turn can't go on; the request stays in the inbox. */
  #giveUp(entry: RequestId, error: unknown): void {
    this.#stuck.add(entry);
    const { sentence, next, detail } = fileFailure(error);
    this.#deps.report(
      `${sentence} ${next} The request stays in the inbox.${detail ? ` (${detail})` : ''}`,
    );
  }
}

const OF_ANOTHER_DEVICE =
  'This request was asked on another device; it is done or discarded there.';
