/**
 * One runner for the whole vault: entries in the order in which they were asked, one turn at a time. A turn that waits
 * for a person holds its place but not the queue.
 */
import type { Ending } from '#agent/ending';
import type { Conversations } from '#conversations/repository';
import type { ConversationLog } from '#conversations/log';
import type { Inbox } from '#inbox/inbox';
import type { Cause } from '#inbox/next-try';
import { findTurn, openWaitings } from '#model/conversation';
import type { Event, TurnEnd } from '#model/event';
import { failure, fileFailure } from '#model/failure';
import type { ConversationId, DeviceId, EntryId, MintId, TurnId, WaitingId } from '#model/ids';
import type { Attachment } from '#model/attachment';
import { isSpoken, type Entry, type Inbound } from '#model/inbound';
import type { Settings } from '#model/settings';
import type { Resolution, Waiting } from '#model/waiting';
import type { Clock } from '#ports/clock';
import { decisionBegun, settleAnswers, takeAsAnswer, takeAsDecision, wasAnswer } from './answers';
import { ConversationChoice } from './conversation-choice';
import { HeldTurns, whatHolds, type Held } from './held-turns';
import { Lead, type LeadParts } from './lead';
import { Replies } from './replies';
import { Retries } from './retries';
import { settleTurn } from './settlement';
import type { Turns } from './turns-later';

export interface RunnerParts {
  readonly inbox: Inbox;
  readonly lease: LeadParts['lease'];
  readonly conversations: Conversations;
  readonly turns: Turns;
  readonly replies: Replies;
  readonly clock: Clock;
  readonly mint: MintId;
  readonly device: DeviceId;
  settings(): Settings;
  /** Something the person has to know that no turn can say. */
  report(problem: string): void;
  /** A program's call is open in it. */
  isCalled(conversation: ConversationId): boolean;
  /** From here on this process runs the vault's requests, the inbox being read; or it does not any more. */
  leads(isLeading: boolean): Promise<void>;
}

/** A turn by its place. */
export interface TurnPlace {
  readonly conversation: ConversationId;
  readonly turn: TurnId;
}

/** A turn that was stopped, with what was typed behind it. */
export interface Stopped {
  readonly turn: TurnId;
  readonly returned: readonly string[];
  readonly attached: readonly Attachment[];
}

export class Runner {
  readonly #parts: RunnerParts;
  #running: (Held & { readonly stop: AbortController }) | null = null;
  readonly #held: HeldTurns;
  readonly #retries: Retries;
  /** Turns that may go on: answered, or found interrupted at load. They come before new ones. */
  readonly #resumable: Held[] = [];
  /** Turns that are being ended from outside the loop. */
  readonly #ending = new Map<TurnId, Held>();
  /** Entries whose files could not be written; they stay in the inbox and are left alone until they are retried. */
  readonly #stuck = new Set<EntryId>();
  readonly #choice: ConversationChoice;
  #pumping = false;
  /** Nothing new is begun before all that was open has been found again. */
  #isReady = false;
  /** The look for a next entry that is under way: what it finds is as good as running. */
  #claiming: Promise<Held | null> = Promise.resolve(null);
  /** Woken while it was looking; it looks once more. */
  #again = false;
  #closed = false;
  readonly #lead: Lead;

  constructor(parts: RunnerParts) {
    this.#parts = parts;
    this.#held = new HeldTurns(parts.clock, (held) => {
      this.#letGoToEnd(held);
      void this.#endLetGo(held, { kind: 'limited', reason: 'no-answer' });
    });
    this.#choice = new ConversationChoice(parts, {
      hasOpenTurn: (id) => this.#hasOpenTurn(id),
      takesWords: (id) => {
        const by = this.#held.in(id)?.by;
        return by === undefined || by === 'question';
      },
    });
    this.#retries = new Retries({ ...parts, retry: (id) => this.retry(id) });
    this.#lead = new Lead({ ...parts, begin: () => this.#begins(), lost: () => this.close() });
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
    return this.#running;
  }

  get standsBy(): boolean {
    return this.#lead.standsBy;
  }

  /** Finds what was open when everything stopped, and goes on with it; not while another process is at it. */
  load(): Promise<void> {
    return this.#lead.take();
  }

  async #begins(): Promise<void> {
    const { inbox, conversations, device, report } = this.#parts;
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
    await this.#parts.leads(true);
    for (const entry of inbox.entries()) {
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
  async causeGone(...causes: readonly Cause[]): Promise<void> {
    if (!this.#lead.standsBy && !this.#closed) await this.#retries.againFor(...causes);
  }

  /** An event of any conversation, as it is kept. */
  follow(event: Event): void {
    if (Replies.matters(event)) void this.#announce(event.conversation, event.turn);
  }

  async #announce(conversation: ConversationId, turn: TurnId): Promise<void> {
    const { replies, report } = this.#parts;
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
    void this.#parts.leads(false);
    this.#lead.close();
    this.#held.close();
    this.#retries.close();
    this.#choice.close();
    this.#parts.turns.close();
    this.#running?.stop.abort();
  }

  /** Something is being done, or is about to be; what waits for a person or a retry is not. */
  get busy(): boolean {
    return (this.#pumping || this.#ending.size > 0) && !this.#closed;
  }

  /** Turns that the person holds. */
  get paused(): readonly TurnPlace[] {
    return this.#held
      .all()
      .filter(({ by }) => by === 'pause')
      .map(({ conversation, turn }) => ({ conversation, turn }));
  }

  /**
   * Stops the running turn, or else the one that waits in `conversation`; null where there is nothing to stop. What was
   * typed behind it in the same conversation leaves the queue; spoken requests stay. With `only`, a turn of another
   * conversation runs on.
   */
  async stop(conversation: ConversationId | null, only: boolean): Promise<Stopped | null> {
    // A request that was taken up this moment has no turn yet, and would run on behind the person's back.
    if (!this.#running) await this.#claiming;
    const running = only && this.#running?.conversation !== conversation ? null : this.#running;
    const held = running ?? (conversation === null ? undefined : this.#held.in(conversation));
    if (!held) return null;
    running?.stop.abort();
    // From here on nobody else answers it or lets it go on.
    if (!running) this.#letGoToEnd(held);
    const current = only ? ((await this.current())?.state.id ?? null) : conversation;
    const returned = await this.#takeBackTyped(held.conversation, current);
    if (!running) await this.#endLetGo(held, { kind: 'stopped' });
    return {
      turn: held.turn,
      returned: returned.map(({ text }) => text),
      attached: returned.flatMap(({ attachments }) => attachments),
    };
  }

  /**
   * Holds the running turn before its next call or model call, also over a restart. A sentence where that can't be;
   * without `conversation` whichever runs.
   */
  async pause(conversation: ConversationId | null): Promise<TurnPlace | string> {
    if (!this.#running) await this.#claiming;
    const running = this.#running;
    if (!running || (conversation !== null && running.conversation !== conversation)) {
      const held = conversation === null ? undefined : this.#held.in(conversation);
      if (!held) return 'Nothing is running.';
      return held.by === 'pause' ? 'It is paused already.' : 'It waits for you already.';
    }
    const log = await this.#log(running.conversation);
    if (findTurn(log.state, running.turn)?.end) return 'Nothing is running.';
    await log.append({ type: 'turn-pause', turn: running.turn }, { flush: true });
    return running;
  }

  /** Lets a paused turn go on; without `conversation` the only one there is. A sentence where that can't be. */
  async resume(conversation: ConversationId | null): Promise<TurnPlace | string> {
    for (const held of this.#open()) {
      if (conversation !== null && held.conversation !== conversation) continue;
      const log = await this.#log(held.conversation);
      if (!findTurn(log.state, held.turn)?.paused) continue;
      await log.append({ type: 'turn-resume', turn: held.turn }, { flush: true });
      this.#goOnIfFree(log, held);
      return held;
    }
    return 'Nothing is paused.';
  }

  async #takeBackTyped(
    stopped: ConversationId,
    current: ConversationId | null,
  ): Promise<readonly Inbound[]> {
    const { inbox, device } = this.#parts;
    const taken: Inbound[] = [];
    for (const { device: owner, inbound } of inbox.entries()) {
      if (owner !== device || isSpoken(inbound.source)) continue;
      if ((inbound.conversation ?? current) !== stopped) continue;
      if (await inbox.takeBack(inbound.id)) taken.push(inbound);
    }
    return taken;
  }

  /** Settles one waiting by a click. A sentence where that can't be. */
  async resolve(
    id: WaitingId,
    kind: Waiting['kind'],
    make: (waiting: Waiting) => Resolution | string,
  ): Promise<string | null> {
    for (const held of this.#open()) {
      const log = await this.#log(held.conversation);
      const turn = findTurn(log.state, held.turn);
      const waiting =
        turn && openWaitings(turn).find((each) => each.id === id && each.kind === kind);
      if (!waiting) continue;
      const resolution = make(waiting);
      if (typeof resolution === 'string') return resolution;
      await log.append(
        { type: 'waiting-end', turn: held.turn, waiting: id, resolution },
        { flush: true },
      );
      this.#goOnIfFree(log, held);
      return null;
    }
    return kind === 'question'
      ? 'This question is not open any more.'
      : 'This card is not open any more.';
  }

  /** Turns with something the person may settle: one that runs may have asked already and go on asking. */
  #open(): Held[] {
    return [...(this.#running ? [this.#running] : []), ...this.#held.all()];
  }

  /** All that waits for the person, with where. */
  async waitings(): Promise<{ conversation: ConversationId; waiting: Waiting }[]> {
    const all: { conversation: ConversationId; waiting: Waiting }[] = [];
    for (const { conversation, turn } of this.#open()) {
      const found = findTurn((await this.#log(conversation)).state, turn);
      for (const waiting of found ? openWaitings(found) : []) all.push({ conversation, waiting });
    }
    return all;
  }

  /** Puts a failed entry back into the queue. A sentence where that can't be. */
  async retry(id: EntryId): Promise<string | null> {
    const entry = this.#parts.inbox.get(id);
    if (!entry) return 'There is no such request in the inbox.';
    if (entry.device !== this.#parts.device) return OF_ANOTHER_DEVICE;
    if (entry.state !== 'failed' && !this.#stuck.has(id))
      return 'Only a failed request can be retried.';
    if (entry.state === 'failed') await this.#parts.inbox.requeue(entry);
    else if (entry.state === 'claimed') await this.#findAgain(entry);
    this.#stuck.delete(id);
    this.wake();
    return null;
  }

  /** Takes an entry out of the inbox for good. A sentence where that can't be. */
  async discard(id: EntryId): Promise<string | null> {
    const { inbox, device } = this.#parts;
    const entry = inbox.get(id);
    if (!entry) return 'There is no such request in the inbox.';
    if (entry.device !== device) return OF_ANOTHER_DEVICE;
    if (this.#stuck.has(id)) await this.#endStuck(entry);
    else if (entry.state !== 'failed') {
      return (await inbox.takeBack(id)) ? null : 'Its turn is open. Stop it first.';
    }
    await inbox.settle(id);
    this.#stuck.delete(id);
    return null;
  }

  /** A turn whose file could not be written, and now perhaps can: without an end it would count as open for ever. */
  async #endStuck(entry: Entry): Promise<void> {
    if (entry.state !== 'claimed') return;
    const { conversations, turns } = this.#parts;
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
          const held = this.#resumable.shift() ?? (await (this.#claiming = this.#claimNext()));
          if (!held || this.#closed) break;
          await this.#run(held);
        }
      }
    } finally {
      // In the same breath as the last look, or somebody who woke it in between would not be heard.
      this.#pumping = false;
    }
  }

  /** The next entry that may have a turn now, claimed and begun. */
  async #claimNext(): Promise<Held | null> {
    const { inbox, device } = this.#parts;
    for (const entry of inbox.entries()) {
      if (entry.state !== 'queued' || entry.device !== device || this.#stuck.has(entry.inbound.id))
        continue;
      try {
        if (isSpoken(entry.inbound.source) && (await this.#decideBySpeech(entry))) {
          await inbox.settle(entry.inbound.id);
          return this.#resumable.shift() ?? this.#claimNext();
        }
        const log = await this.#choice.forEntry(entry);
        if (wasAnswer(log, entry.inbound.id)) {
          await inbox.settle(entry.inbound.id);
          continue;
        }
        const held = this.#held.in(log.state.id);
        if (!held) {
          // It has been answered and goes on before this one, or is being ended.
          if (this.#hasOpenTurn(log.state.id)) continue;
          const begun = await this.#begin(entry, log);
          if (begun) return begun;
          continue;
        }
        // Asked before the question was shown: it stays behind it. Sent after: it is the answer.
        if (!(await takeAsAnswer(entry, log, held.turn, this.#parts))) continue;
        this.#goOnIfFree(log, held);
        await inbox.settle(entry.inbound.id);
        return this.#resumable.shift() ?? this.#claimNext();
      } catch (error) {
        this.#giveUp(entry.inbound.id, error);
      }
    }
    return null;
  }

  /** Whether these words were one of the exact phrases that decide the card that was announced. */
  async #decideBySpeech(entry: Entry): Promise<boolean> {
    for (const held of this.#held.all()) {
      const log = await this.#log(held.conversation);
      const decided = this.#decisionOf(entry, log, held);
      if (!decided) continue;
      await takeAsDecision(entry, log, decided.card, decided.choice, this.#parts);
      this.#goOnIfFree(log, held);
      return true;
    }
    return false;
  }

  #decisionOf(entry: Entry, log: ConversationLog, { turn }: Held) {
    const { replies } = this.#parts;
    const decided = replies.decides(entry.inbound);
    if (decided?.card.turn === turn) return decided;
    const found = findTurn(log.state, turn);
    const begun = found && decisionBegun(found, entry.inbound.id);
    const choice = begun && replies.choiceOf(entry.inbound.text, begun);
    return begun && choice ? { card: begun, choice } : null;
  }

  /** Null where the entry was taken back meanwhile. */
  async #begin(entry: Entry, log: ConversationLog): Promise<Held | null> {
    const { inbox, turns, mint } = this.#parts;
    const turn = mint('turn');
    const conversation = log.state.id;
    const claimed = await inbox.claim(entry, conversation, turn);
    if (!claimed) return null;
    await turns.begin(log, claimed, turn);
    return { entry: entry.inbound.id, conversation, turn };
  }

  async #run(held: Held): Promise<void> {
    const stop = new AbortController();
    this.#running = { ...held, stop };
    try {
      const log = await this.#log(held.conversation);
      const end = await this.#parts.turns.run(log, held.turn, stop.signal);
      this.#running = null;
      // The turn has ended as it has, whether or not its entry can be removed now; the next load tries again.
      if (end) await this.#settle(log, held, end).catch((error) => this.#giveUp(held.entry, error));
      else this.#holdOrGoOn(log, held);
    } catch (error) {
      await this.#fail(held, error);
    } finally {
      this.#running = null;
    }
  }

  /** What the loop throws is a file of ours that can't be written, or a mistake of ours: the turn fails, and says so. */
  async #fail(held: Held, error: unknown): Promise<void> {
    const isFile = typeof (error as { code?: unknown } | null)?.code === 'string';
    const detail = error instanceof Error ? error.message : String(error);
    const cause = isFile ? fileFailure(error) : failure('unexpected', { detail });
    try {
      const log = await this.#log(held.conversation);
      await this.#settle(
        log,
        held,
        await this.#parts.turns.end(log, held.turn, { kind: 'failed', failure: cause }),
      );
    } catch {
      this.#giveUp(held.entry, error);
    }
  }

  async #settle(log: ConversationLog, held: Held, end: TurnEnd): Promise<void> {
    const choice = this.#choice;
    const retries = this.#retries;
    await settleTurn({ ...this.#parts, choice, retries }, log, held, end);
  }

  /** A turn that came to rest is held by what holds it, or goes on. */
  #holdOrGoOn(log: ConversationLog, held: Held): void {
    if (this.#held.hold(held, log.state) === null) this.#resumable.push(held);
  }

  /** Nothing else may happen to it than its end. */
  #letGoToEnd(held: Held): void {
    this.#held.letGo(held.turn);
    this.#ending.set(held.turn, held);
  }

  async #endLetGo(held: Held, ending: Ending): Promise<void> {
    try {
      const log = await this.#log(held.conversation);
      await this.#settle(log, held, await this.#parts.turns.end(log, held.turn, ending));
    } catch (error) {
      this.#giveUp(held.entry, error);
    } finally {
      this.#ending.delete(held.turn);
    }
    this.wake();
  }

  #goOnIfFree(log: ConversationLog, held: Held): void {
    // It runs still, or has been let go by a second click, the stop or the clock: it must not run twice.
    if (!this.#held.has(held.turn)) return;
    if (whatHolds(log.state, held.turn) !== null) {
      this.#held.hold(held, log.state);
      return;
    }
    this.#held.letGo(held.turn);
    this.#resumable.push(held);
    this.wake();
  }

  async #findAgain(entry: Extract<Entry, { state: 'claimed' }>): Promise<void> {
    const { inbox, turns, conversations } = this.#parts;
    const held = { entry: entry.inbound.id, conversation: entry.conversation, turn: entry.turn };
    try {
      const log =
        (await conversations.open(entry.conversation)) ??
        (await conversations.begin(entry.conversation));
      await settleAnswers(log, inbox);
      const turn = findTurn(log.state, entry.turn);
      if (!turn) {
        await turns.begin(log, entry, entry.turn);
      } else if (turn.end) {
        await this.#settle(log, held, turn.end);
        return;
      } else {
        await turns.recover(log, entry.turn);
      }
      await this.#parts.replies.tell(log.state, entry.turn);
      this.#holdOrGoOn(log, held);
    } catch (error) {
      this.#giveUp(held.entry, error);
    }
  }

  #hasOpenTurn(conversation: ConversationId): boolean {
    return (
      this.#running?.conversation === conversation ||
      this.#parts.isCalled(conversation) ||
      [...this.#held.all(), ...this.#resumable, ...this.#ending.values()].some(
        (held) => held.conversation === conversation,
      )
    );
  }

  async #log(id: ConversationId): Promise<ConversationLog> {
    const log = await this.#parts.conversations.open(id);
    if (!log)
      throw Object.assign(new Error(`The file of the conversation ${id} is gone.`), {
        code: 'ENOENT',
      });
    return log;
  }

  /** Its file can't be written, so the turn can't go on; the request stays in the inbox. */
  #giveUp(entry: EntryId, error: unknown): void {
    this.#stuck.add(entry);
    const { sentence, next, detail } = fileFailure(error);
    this.#parts.report(
      `${sentence} ${next} The request stays in the inbox.${detail ? ` (${detail})` : ''}`,
    );
  }
}

const OF_ANOTHER_DEVICE =
  'This request was asked on another device; it is done or discarded there.';
