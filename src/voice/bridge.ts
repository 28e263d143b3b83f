/**
 * The SmartHole bridge: keeps Parley registered while it is enabled, receives messages and sends
 * replies. Errors of SmartHole, the connection or the disk are not thrown; they show in `state` or
 * are reported.
 */
import * as t from '#messages/voice-messages';
import type { SmartHoleStatus } from '#model/smarthole-status';
import type { Reply } from '#model/reply';
import type { Clock } from '#ports/clock';
import { delayAfter, type RetryDelays } from '#ports/retry';
import type { Storage } from '#ports/storage';
import { type CloseCause, Connection, type OpenSocket } from './connection';
import { type ObsidianNotification, NotificationSender } from './notification-sender';
import { doneRequest, notificationOf } from './notifications';
import { Outbox, type ReplyTurn } from './outbox';
import { rejectFrame, type RoutedMessage } from './protocol';
import { assistantNames } from './spoken-words';
import {
  registrationRefusal,
  connectionPlan,
  wireNameOf,
  type BridgeSettings,
  type ConnectionPlan,
} from './registration';

/** `reject` is a short reason that contains nothing from the vault. */
export type IntakeReply = 'ack' | { readonly reject: string };

/**
 * Saves a message. Resolves to 'ack' when it is on disk and will be run. A known message is
 * acknowledged again but not run twice. Never rejects. `late` aborts when saving took too long and
 * SmartHole was sent a refusal: SmartHole then routes the message elsewhere, so it must be removed
 * again and not be run.
 */
export type TakeMessage = (message: RoutedMessage, late: AbortSignal) => Promise<IntakeReply>;

/**
 * 30 s after sending a message without an answer, SmartHole routes it elsewhere. A later ack could
 * not undo that, and the message would run twice. Parley therefore refuses it earlier, and for good.
 */
const MAX_MESSAGE_AGE_MS = 25_000;

export interface BridgeDeps {
  readonly open: OpenSocket;
  readonly clock: Clock;
  readonly store: Storage;
  /**
   * Vault-relative path of the outbox, specific to this device. Only one process at a time may use
   * it.
   */
  readonly outboxPath: string;
  /** Whether anything listens at a port of this computer. */
  isListening(port: number): Promise<boolean>;
  /** Reports a problem to the user that `state` does not show. */
  report(problem: string): void;
  /** Shows a reply that SmartHole cannot show, because it no longer knows the message. */
  show(notification: ObsidianNotification): void;
}

/** A reply to a message. */
export interface BridgeReply {
  /**
   * Permanent name of the reply, such as the turn's id. A reply with a known key is not shown again,
   * even after a restart.
   */
  readonly key: string;
  /** What it announces. */
  readonly about: string;
  /** SmartHole's ids of all messages that it replies to. */
  readonly messageIds: readonly string[];
  readonly reply: Reply;
  /** The text of the request. */
  readonly request: string;
  readonly turn: ReplyTurn | null;
}

export class Bridge {
  readonly #deps: BridgeDeps;
  readonly #outbox: Outbox;
  readonly #replies: NotificationSender;
  /** Null until the bridge is started. */
  #onMessage: TakeMessage | null = null;
  readonly #listeners = new Set<(state: SmartHoleStatus) => void>();
  #settings: BridgeSettings | null = null;
  #plan: ConnectionPlan = { kind: 'off' };
  #state: SmartHoleStatus = { kind: 'off' };
  #connection: Connection | null = null;
  /** The connection is being closed because the plan has changed. */
  #isLeaving = false;
  #registeredAt: number | null = null;
  /** Cancels the timer of the next attempt. */
  #cancelTimer = () => {};
  /** Consecutive counts of failed attempts, short-lived connections and refused registrations. */
  #tries = 0;
  #shortLived = 0;
  #refusals = 0;
  #isLoaded = false;
  #isStarted = false;
  #isClosed = false;

  constructor(deps: BridgeDeps) {
    const { clock, store, outboxPath, report } = deps;
    this.#deps = deps;
    this.#outbox = new Outbox({ clock, store, path: outboxPath, report });
    this.#replies = new NotificationSender({
      clock,
      outbox: this.#outbox,
      show: (notification) => deps.show(notification),
    });
  }

  get state(): SmartHoleStatus {
    return this.#state;
  }

  /** Calls the listener at every change of `state`. Returns a function that unsubscribes. */
  subscribe(listener: (state: SmartHoleStatus) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Loads the outbox. After this, replies can be saved and dropped. */
  async load(settings: BridgeSettings): Promise<void> {
    this.#settings = settings;
    await this.#outbox.load();
    this.#isLoaded = true;
  }

  /** Connects if the bridge is enabled, and gets the saved replies shown. */
  start(onMessage: TakeMessage): void {
    if (this.#isClosed) return;
    if (!this.#settings || !this.#isLoaded) throw new Error('The bridge is not loaded.');
    this.#onMessage = onMessage;
    this.#isStarted = true;
    this.update(this.#settings);
    this.#replies.start();
  }

  /** Applies settings at once. Changes that SmartHole does not see leave the connection alone. */
  update(settings: BridgeSettings): void {
    this.#settings = settings;
    if (!this.#isStarted || this.#isClosed) return;
    const plan = connectionPlan(settings);
    if (JSON.stringify(plan) === JSON.stringify(this.#plan)) return;
    // SmartHole matches replies by the name, too.
    const isElsewhere = this.#plan.kind === 'connect' && addressOf(plan) !== addressOf(this.#plan);
    if (plan.kind !== 'connect' || isElsewhere) this.#replies.forget();
    this.#plan = plan;
    this.#tries = 0;
    this.#shortLived = 0;
    this.#refusals = 0;
    this.#replies.close();
    this.#begin();
  }

  /** Connects now instead of waiting for the next attempt. */
  retry(): void {
    if (this.#plan.kind === 'connect' && this.#state.kind !== 'connected') this.#again();
  }

  /**
   * Resolves when the reply is saved on disk. It is shown in order, if necessary after a restart.
   * After `close` this never resolves, because the reply is not saved; the next run shows it under
   * the same key.
   *
   * @throws before `load` has finished
   */
  async reply({ reply, ...known }: BridgeReply): Promise<void> {
    if (this.#isClosed) return new Promise(() => undefined);
    if (!this.#isLoaded || !this.#settings) throw new Error('The bridge is not loaded.');
    const { key, about, messageIds, request, turn } = known;
    const context = {
      request,
      wireName: wireNameOf(this.#settings),
      names: assistantNames(this.#settings),
    };
    const notification = notificationOf(reply, context);
    const done = doneRequest(reply, context);
    await this.#replies.add({ key, about, messageIds, notification, done, turn });
  }

  /**
   * For how many milliseconds a reply about this has been shown, by SmartHole or by Obsidian; null
   * if it was not.
   */
  shownFor(about: string): number | null {
    return this.#outbox.shownFor(about);
  }

  /** Drops replies about these things that were not shown yet. */
  async drop(abouts: readonly string[]): Promise<void> {
    if (!this.#isClosed) await this.#outbox.drop(abouts);
  }

  /**
   * Acknowledges a saved message again. For messages found in the inbox at load, since a crash may
   * have come before their acknowledgment.
   */
  ack(messageId: string): void {
    if (!this.#isClosed) this.#replies.ack(messageId);
  }

  /** Called at unload. After this, nothing is sent, saved or announced. */
  close(): void {
    this.#isClosed = true;
    this.#state = { kind: 'off' };
    this.#cancelTimer();
    this.#replies.stop();
    this.#connection?.close();
  }

  /** Applies the plan. A connection of an earlier plan is closed first. */
  #begin(): void {
    this.#cancelTimer();
    const plan = this.#plan;
    switch (plan.kind) {
      case 'off':
        this.#show({ kind: 'off' });
        break;
      case 'invalid':
        this.#show({
          kind: 'refused',
          reason: plan.reason,
          remedy: plan.remedy,
          retryAt: null,
        });
        break;
      case 'connect':
        this.#show({ kind: 'connecting', tries: this.#tries });
    }
    this.#isLeaving = this.#connection !== null;
    if (this.#connection) this.#connection.close();
    else if (plan.kind === 'connect') this.#connection = this.#connect(plan);
  }

  #connect({ url, registration }: Extract<ConnectionPlan, { kind: 'connect' }>): Connection {
    const { open, clock } = this.#deps;
    const { name } = registration;
    const connection = new Connection(
      { open, clock, url, registration },
      {
        registered: () => this.#registered(connection, name),
        refused: (code, detail) => this.#refused(connection, code, detail, name),
        message: (message) => void this.#take(message),
        unreadable: (messageId, fault) => void connection.send(rejectFrame(messageId, fault)),
        closed: (cause) => this.#closed(cause),
      },
    );
    return connection;
  }

  #registered(connection: Connection, name: string): void {
    this.#registeredAt = this.#deps.clock.elapsed();
    this.#tries = this.#shortLived;
    this.#refusals = 0;
    this.#cancelTimer();
    this.#replies.open(connection);
    this.#show({ kind: 'connected', name });
  }

  #refused(connection: Connection, code: string, detail: string, name: string): void {
    // SmartHole takes this connection for another client's; only a new connection can fix that.
    if (code === 'ALREADY_REGISTERED') return connection.close();
    const { reason, remedy, mayPass } = registrationRefusal(code, detail, name);
    this.#replies.refuse();
    if (!mayPass) {
      this.#show({ kind: 'refused', reason, remedy, retryAt: null });
      connection.close();
      return;
    }
    this.#refusals += 1;
    const delay = delayAfter(this.#refusals, TAKEN_NAME_DELAYS);
    const retryAt = this.#deps.clock.now() + delay;
    this.#againAfter(delay);
    this.#show({ kind: 'refused', reason, remedy, retryAt });
  }

  #closed(cause: CloseCause): void {
    const { clock } = this.#deps;
    const now = clock.elapsed();
    this.#connection = null;
    this.#replies.close();
    if (cause === 'broken') void this.#probe();
    else if (!this.#isClosed) this.#replies.forget();
    if (this.#registeredAt !== null) {
      this.#shortLived = now - this.#registeredAt >= STABLE_AFTER_MS ? 0 : this.#shortLived + 1;
      this.#registeredAt = null;
    }
    if (this.#isClosed) return;
    if (this.#isLeaving) return this.#begin();
    // A refused registration has its own retry time, or is not retried.
    if (this.#state.kind === 'refused') return;
    this.#tries += 1;
    this.#againAfter(delayAfter(this.#tries, RECONNECT_DELAYS, clock.random()));
    this.#show({ kind: 'connecting', tries: this.#tries });
  }

  /** After a crash nothing listens at first; otherwise SmartHole still knows its deliveries. */
  async #probe(): Promise<void> {
    if (this.#isClosed || this.#plan.kind !== 'connect') return;
    const isListening = await this.#deps.isListening(this.#plan.port);
    if (!isListening && this.#registeredAt === null && !this.#isClosed) this.#replies.forget();
  }

  #againAfter(milliseconds: number): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#deps.clock.after(milliseconds, () => this.#again());
  }

  /**
   * Registers again on an open connection, which SmartHole permits after a refusal, or opens a new
   * one.
   */
  #again(): void {
    this.#cancelTimer();
    if (this.#isClosed) return;
    if (!this.#connection) this.#begin();
    else if (this.#state.kind === 'refused') this.#connection.register();
  }

  async #take(message: RoutedMessage): Promise<void> {
    const { clock } = this.#deps;
    const { id, sent } = message;
    const reject = (reason: string) => void this.#connection?.send(rejectFrame(id, reason));
    this.#replies.delivered(id);
    const left = MAX_MESSAGE_AGE_MS - Math.max(0, clock.now() - (sent ?? clock.now()));
    if (left <= 0) return reject(t.messageTooOld);
    const late = new AbortController();
    const cancel = clock.after(left, () => {
      // After unload, a message that is being saved stays saved; the next run handles it.
      if (this.#isClosed) return;
      late.abort();
      reject(t.saveTimedOut);
    });
    const answer = await this.#onMessage?.(message, late.signal);
    cancel();
    if (this.#isClosed || late.signal.aborted || !answer) return;
    if (answer === 'ack') this.#replies.ack(id);
    // If it cannot be sent, SmartHole times out with the same result.
    else reject(answer.reject);
  }

  #show(state: SmartHoleStatus): void {
    if (JSON.stringify(state) === JSON.stringify(this.#state)) return;
    this.#state = state;
    for (const listener of this.#listeners) listener(state);
  }
}

function addressOf(plan: ConnectionPlan): string | null {
  return plan.kind === 'connect' ? `${plan.port}/${plan.registration.name}` : null;
}

/**
 * Delays after a failed connection. The large jitter keeps clients from reconnecting all at once
 * when SmartHole starts.
 */
export const RECONNECT_DELAYS: RetryDelays = {
  delays: [1_000, 2_000, 4_000, 8_000, 15_000],
  repeats: true,
  jitter: 1,
};

/**
 * Delays after the name was found taken. It may belong to Parley's own connection from before a
 * reload, which SmartHole drops within a minute; otherwise only the user can change it.
 */
const TAKEN_NAME_DELAYS: RetryDelays = { delays: [15_000, 60_000], repeats: true };

/** A connection that has lasted this long works, so the next failure counts as the first. */
const STABLE_AFTER_MS = 30_000;
