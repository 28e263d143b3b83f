/**
 * Keeps Parley known to SmartHole for as long as it is enabled, takes what SmartHole sends, and brings back what is to
 * be said. Nothing that SmartHole, the connection or the disk does is thrown; it shows in `state`, or is reported.
 */
import type { SmartHoleStatus } from '#model/smarthole-status';
import type { Reply } from '#model/request';
import type { Clock } from '#ports/clock';
import type { Storage } from '#ports/storage';
import { Connection, type OpenSocket } from './connection';
import { Intake, type TakeMessage } from './intake';
import { notificationOf, NotificationSender } from './notifications';
import { Outbox } from './outbox';
import { rejectFrame, type RoutedMessage } from './protocol';
import {
  duplicateDelay,
  STABLE_AFTER_MS,
  reconnectDelay,
  refusalOf,
  connectionPlan,
  wireNameOf,
  type BridgeSettings,
  type ConnectionPlan,
} from './registration';

export interface BridgeDeps {
  readonly open: OpenSocket;
  readonly clock: Clock;
  readonly store: Storage;
  /** Of the outbox: vault-relative, and this device's own. One process at a time may use it. */
  readonly outboxPath: string;
  readonly onMessage: TakeMessage;
  /** Something the user has to know that `state` does not show. */
  report(problem: string): void;
  /** What was given under this key has gone out. */
  sent?(key: string): void;
}

/** Something to be said about a message. */
export interface BridgeReply {
  /** Names what is said for ever, such as the turn's id: said twice, it goes out once, also over a restart. */
  readonly key: string;
  /** SmartHole's id of the message that is answered. */
  readonly messageId: string;
  readonly reply: Reply;
  /** The request, as it was asked. */
  readonly request: string;
}

export class Bridge {
  readonly #deps: BridgeDeps;
  readonly #outbox: Outbox;
  readonly #replies: NotificationSender;
  readonly #intake: Intake;
  readonly #listeners = new Set<(state: SmartHoleStatus) => void>();
  #settings: BridgeSettings | null = null;
  #plan: ConnectionPlan = { kind: 'off' };
  #state: SmartHoleStatus = { kind: 'off' };
  #connection: Connection | null = null;
  /** It is closed to make room for one by another plan. */
  #isLeaving = false;
  #registeredAt: number | null = null;
  /** Of the next try. */
  #cancelTimer = () => {};
  /** In a row: tries in vain, connections that did not hold, registrations that were refused. */
  #tries = 0;
  #shortLived = 0;
  #refusals = 0;
  #isLoaded = false;
  #isClosed = false;

  constructor(deps: BridgeDeps) {
    const { clock, store, outboxPath, onMessage, report } = deps;
    this.#deps = deps;
    this.#outbox = new Outbox({ store, path: outboxPath, report });
    this.#replies = new NotificationSender({
      clock,
      outbox: this.#outbox,
      sent: (key) => deps.sent?.(key),
    });
    this.#intake = new Intake({ clock, onMessage, report });
  }

  get state(): SmartHoleStatus {
    return this.#state;
  }

  /** Called at every change of `state`; returns how to end it. */
  subscribe(listener: (state: SmartHoleStatus) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Reads what was kept, then connects if it is enabled. */
  async start(settings: BridgeSettings): Promise<void> {
    this.#settings = settings;
    await this.#outbox.load();
    this.#isLoaded = true;
    this.update(this.#settings);
  }

  /** Takes effect at once. What SmartHole does not see of it disturbs no connection. */
  update(settings: BridgeSettings): void {
    this.#settings = settings;
    if (!this.#isLoaded || this.#isClosed) return;
    const plan = connectionPlan(settings);
    if (JSON.stringify(plan) === JSON.stringify(this.#plan)) return;
    this.#plan = plan;
    this.#tries = 0;
    this.#shortLived = 0;
    this.#refusals = 0;
    this.#replies.close();
    this.#begin();
  }

  /** The user does not want to wait for the next try. */
  retry(): void {
    if (this.#plan.kind === 'connect' && this.#state.kind !== 'connected') this.#again();
  }

  /**
   * Resolves when it is kept on disk; it is sent in its turn, if need be after a restart. After `close` it never
   * resolves: nobody may take for kept what is not, and the next run says it under the same key.
   *
   * @throws before the end of `start`, when what is kept is not known yet
   */
  async reply({ key, messageId, reply, request }: BridgeReply): Promise<void> {
    if (this.#isClosed) return new Promise(() => undefined);
    if (!this.#isLoaded || !this.#settings) throw new Error('The bridge has not started.');
    const wireName = wireNameOf(this.#settings);
    const notification = notificationOf(reply, { request, wireName });
    await this.#replies.add({ key, messageId, notification });
  }

  /** Whether what was given under this key has gone out. */
  wasSent(key: string): boolean {
    return this.#outbox.wasSent(key);
  }

  /**
   * Says again that a message is saved. For those found in the inbox at load: everything may have stopped between the
   * saving and its ack.
   *
   * @throws before the end of `start`
   */
  async ack(messageId: string): Promise<void> {
    if (this.#isClosed) return;
    if (!this.#isLoaded) throw new Error('The bridge has not started.');
    await this.#replies.ack(messageId);
  }

  /** At unload. From here on nothing is sent, kept or told. */
  close(): void {
    this.#isClosed = true;
    this.#state = { kind: 'off' };
    this.#cancelTimer();
    this.#intake.close();
    this.#replies.close();
    this.#connection?.close();
  }

  /** Does what the plan says; where there is still a connection by another, as soon as that is closed. */
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
        refused: (code, said) => this.#refused(connection, code, said, name),
        message: (message) => void this.#take(message),
        unreadable: (messageId, fault) => void connection.send(rejectFrame(messageId, fault)),
        closed: () => this.#closed(),
      },
    );
    return connection;
  }

  #registered(connection: Connection, name: string): void {
    this.#registeredAt = this.#deps.clock.now();
    this.#tries = this.#shortLived;
    this.#refusals = 0;
    this.#cancelTimer();
    this.#replies.open((frame) => connection.send(frame));
    this.#show({ kind: 'connected', name });
  }

  #refused(connection: Connection, code: string, said: string, name: string): void {
    // It takes this connection for another's; only a new one can mend that.
    if (code === 'ALREADY_REGISTERED') return connection.close();
    const { reason, remedy, mayPass } = refusalOf(code, said, name);
    if (!mayPass) {
      this.#show({ kind: 'refused', reason, remedy, retryAt: null });
      connection.close();
      return;
    }
    this.#refusals += 1;
    const delay = duplicateDelay(this.#refusals);
    const retryAt = this.#deps.clock.now() + delay;
    this.#againAfter(delay);
    this.#show({ kind: 'refused', reason, remedy, retryAt });
  }

  #closed(): void {
    const { clock } = this.#deps;
    const now = clock.now();
    this.#connection = null;
    this.#replies.close();
    if (this.#registeredAt !== null) {
      this.#shortLived = now - this.#registeredAt >= STABLE_AFTER_MS ? 0 : this.#shortLived + 1;
      this.#registeredAt = null;
    }
    if (this.#isClosed) return;
    if (this.#isLeaving) return this.#begin();
    // It is tried again at its time, or not at all.
    if (this.#state.kind === 'refused') return;
    this.#tries += 1;
    this.#againAfter(reconnectDelay(this.#tries, clock.random()));
    this.#show({ kind: 'connecting', tries: this.#tries });
  }

  #againAfter(milliseconds: number): void {
    this.#cancelTimer();
    this.#cancelTimer = this.#deps.clock.after(milliseconds, () => this.#again());
  }

  /** Asks on the same connection where there is one: SmartHole permits that after a refusal. */
  #again(): void {
    this.#cancelTimer();
    if (this.#isClosed) return;
    if (!this.#connection) this.#begin();
    else if (this.#state.kind === 'refused') this.#connection.register();
  }

  async #take(message: RoutedMessage): Promise<void> {
    const answer = await this.#intake.take(message);
    if (this.#isClosed) return;
    if (answer === 'ack') await this.#replies.ack(message.id);
    // Where it can't be sent, SmartHole comes to the same by itself.
    else this.#connection?.send(rejectFrame(message.id, answer.reject));
  }

  #show(state: SmartHoleStatus): void {
    if (JSON.stringify(state) === JSON.stringify(this.#state)) return;
    this.#state = state;
    for (const listener of this.#listeners) listener(state);
  }
}
