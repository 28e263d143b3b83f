/**
 * Fake SmartHole desktop app: a WebSocket server that follows the app's rules. Tests and the
 * workbench speak through it and inspect the responses. It only uses the app's own port when told
 * to.
 */
import { randomUUID } from 'node:crypto';
import type { RawData, WebSocket } from 'ws';
import { Deliveries, type Delivery } from './deliveries';
import {
  type DroppedNotification,
  NotificationCenter,
  type ShownNotification,
} from './notification-centre';
import { type Client, Registrations } from './registrations';
import { Sockets } from './sockets';
import {
  type InputMethod,
  isRecord,
  messageFrame,
  NODE_CLOCK,
  type SmartHoleClock,
  readResponse,
  refusedFrame,
  registeredFrame,
  type Response,
} from './wire';

export interface FakeSmartHoleOptions {
  /** 0, the default, picks a free port. */
  readonly port?: number;
  readonly clock?: SmartHoleClock;
}

/** How a request is made; by default spoken, and routed by its words. */
export interface SayOptions {
  readonly inputMethod?: InputMethod;
  readonly directRouted?: boolean;
}

/** A request that no client took, which the app tells its user. */
export interface Unrouted {
  readonly text: string;
  readonly reason: string;
}

/** A response to a message that was delivered before the app was restarted, or long ago. */
export interface IgnoredResponse {
  readonly client: string;
  readonly messageId: string;
  readonly kind: Response['kind'];
}

export class FakeSmartHole {
  /** Notifications that were shown or dropped, and requests that could not be routed. */
  readonly shown: readonly ShownNotification[];
  readonly dropped: readonly DroppedNotification[];
  readonly unrouted: Unrouted[] = [];
  /** Responses to messages that the app does not know, which it ignores. */
  readonly ignored: IgnoredResponse[] = [];
  readonly log: readonly LogLine[];
  /** Violations of the protocol by clients. */
  readonly violations: readonly string[];
  readonly #clock: SmartHoleClock;
  readonly #log: FrameLog;
  readonly #centre: NotificationCenter;
  readonly #registrations = new Registrations<WebSocket>();
  readonly #deliveries: Deliveries;
  readonly #sockets: Sockets;
  readonly #listeners = new Set<() => void>();
  readonly #frameListeners = new Set<(frame: string) => void>();
  #port: number;
  #isOpen = false;

  private constructor({ port = 0, clock = NODE_CLOCK }: FakeSmartHoleOptions) {
    this.#port = port;
    this.#clock = clock;
    this.#log = new FrameLog(clock);
    this.#centre = new NotificationCenter(clock, () => this.#changed());
    this.#deliveries = new Deliveries({
      clock,
      reroute: (delivery, reason) => this.#reroute(delivery, reason),
      changed: () => this.#changed(),
    });
    this.#sockets = new Sockets({
      clock,
      received: (socket, data, isBinary) => this.#receive(socket, data, isBinary),
      closed: (socket) => {
        this.#registrations.leave(socket);
        this.#changed();
      },
    });
    this.shown = this.#centre.shown;
    this.dropped = this.#centre.dropped;
    this.log = this.#log.lines;
    this.violations = this.#log.violations;
  }

  static async start(options: FakeSmartHoleOptions = {}): Promise<FakeSmartHole> {
    const smartHole = new FakeSmartHole(options);
    await smartHole.open();
    return smartHole;
  }

  get port(): number {
    return this.#port;
  }

  /** Whether the fake app is running. */
  get isOpen(): boolean {
    return this.#isOpen;
  }

  get url(): string {
    return `ws://127.0.0.1:${this.#port}`;
  }

  /** Registered clients, oldest first. */
  get clients(): readonly Client[] {
    return this.#registrations.all;
  }

  /** The last hundred, oldest first. */
  get deliveries(): readonly Delivery[] {
    return this.#deliveries.all;
  }

  delivery(id: string): Delivery | null {
    return this.#deliveries.find(id);
  }

  /** Calls the listener after every visible change; returns a function to unsubscribe. */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Calls the listener with every frame that a client sends. */
  onFrame(listener: (frame: string) => void): () => void {
    this.#frameListeners.add(listener);
    return () => void this.#frameListeners.delete(listener);
  }

  /**
   * Makes a request such as "add milk" or "Simone, add milk". Returns null if no client is
   * connected; the request is lost then.
   */
  say(text: string, how: SayOptions = {}): Delivery | null {
    const addressed = /^([a-z][a-z0-9_-]*)[:,]\s+(.*)$/is.exec(text);
    const named = this.clients.find(
      ({ name }) => name.toLowerCase() === addressed?.[1]?.toLowerCase(),
    );
    const client = named ?? this.clients[0];
    if (!client) {
      this.unrouted.push({ text, reason: 'No client is connected' });
      this.#changed();
      return null;
    }
    const { inputMethod = 'voice', directRouted = named !== undefined } = how;
    const metadata = directRouted
      ? { inputMethod, directRouted }
      : { inputMethod, directRouted, routingReason: 'Fits the description.', confidence: 0.9 };
    const words = named ? (addressed?.[2] ?? '') : text;
    return this.#deliver({ text: words, client: client.name, metadata, after: [] });
  }

  /**
   * Sends the same message with the same id again; false if the client is gone or the message was
   * forgotten.
   */
  deliverAgain(id: string): boolean {
    const delivery = this.#deliveries.find(id);
    if (!delivery || this.#registrations.connectionOf(delivery.client) === null) return false;
    this.#deliveries.repeat(id);
    this.#sendMessage(delivery);
    return true;
  }

  /** Sends any text to every connection, registered or not. */
  sendRaw(frame: string): void {
    for (const socket of this.#sockets.open) this.#send(socket, frame);
  }

  /** Breaks all connections without quitting. */
  cut(): void {
    this.#sockets.cut();
  }

  /** Lets the app hang: it accepts connections and reads nothing, until it is called with false. */
  freeze(isFrozen: boolean): void {
    this.#sockets.freeze(isFrozen);
  }

  /** Another program shows a notification, which counts toward the limits of all. */
  notifyForOther(title: string): void {
    this.#centre.take({ title, body: '', priority: 'normal' }, 'other', randomUUID());
  }

  /** Starts the app, on the same port as before. */
  async open(): Promise<void> {
    this.#port = await this.#sockets.listen(this.#port);
    this.#isOpen = true;
    this.#changed();
  }

  /** Quits the app, which loses what it had in memory. */
  async close(): Promise<void> {
    this.#isOpen = false;
    this.#forget();
    await this.#sockets.shut();
    this.#changed();
  }

  async restart(): Promise<void> {
    await this.close();
    await this.open();
  }

  #receive(socket: WebSocket, data: RawData, isBinary: boolean): void {
    const client = this.#registrations.of(socket)?.name ?? null;
    // Frames that arrive while the app quits are not violations.
    if (!this.#isOpen) return;
    if (isBinary) return this.#log.violation(client, 'a frame is not text');
    const text = (data as Buffer).toString('utf8');
    this.#log.add('client', client, text);
    for (const listener of this.#frameListeners) listener(text);
    let frame: unknown;
    try {
      frame = JSON.parse(text);
    } catch {
      this.#log.violation(client, 'a frame is no JSON');
      return this.#changed();
    }
    if (!isRecord(frame)) this.#log.violation(client, 'a frame is no object');
    else if (frame['payload'] === null) this.#crash(client);
    else if (frame['type'] === 'registration') this.#register(socket, frame['payload']);
    else if (frame['type'] === 'response') this.#respond(client, frame['payload']);
    else this.#log.violation(client, `there is no frame of type ${JSON.stringify(frame['type'])}`);
    this.#changed();
  }

  #register(socket: WebSocket, payload: unknown): void {
    const clientId = randomUUID();
    const judged = this.#registrations.register(socket, payload, clientId);
    this.#send(
      socket,
      judged.ok
        ? registeredFrame(clientId, judged.name)
        : refusedFrame(judged.code, judged.message),
    );
  }

  #respond(client: string | null, payload: unknown): void {
    if (client === null) return this.#log.violation(client, 'a response before a registration');
    const response = readResponse(payload);
    if (!response) return this.#log.violation(client, 'a response names no message');
    if (response.kind === 'faulty') this.#log.violation(client, response.fault);
    const { messageId, kind } = response;
    const isKnown = this.#deliveries.answer(client, response);
    if (!isKnown) this.ignored.push({ client, messageId, kind });
    else if (response.kind === 'notification') {
      this.#centre.take(response.notification, client, response.messageId);
    }
  }

  /**
   * A null payload crashes the real app. The fake continues without its state, and records the
   * violation.
   */
  #crash(client: string | null): void {
    this.#log.violation(client, 'a payload is null: the app would have ended');
    this.#forget();
    this.#sockets.cut();
  }

  #forget(): void {
    this.#registrations.clear();
    this.#deliveries.clear();
    this.#centre.clear();
  }

  #deliver(delivery: Pick<Delivery, 'text' | 'client' | 'metadata' | 'after'>): Delivery {
    const delivered = this.#deliveries.add({ ...delivery, id: randomUUID() });
    this.#sendMessage(delivered);
    this.#changed();
    return delivered;
  }

  #sendMessage({ id, text, client, metadata }: Delivery): void {
    const socket = this.#registrations.connectionOf(client);
    if (socket) this.#send(socket, messageFrame(id, text, this.#clock.now(), metadata));
  }

  #reroute({ text, client, metadata, after }: Delivery, reason: string): void {
    const asked = [...after, client];
    const next = this.clients.find(({ name }) => !asked.includes(name));
    if (next) this.#deliver({ text, client: next.name, metadata, after: asked });
    else this.unrouted.push({ text, reason });
  }

  #send(socket: WebSocket, frame: string): void {
    this.#log.add('server', this.#registrations.of(socket)?.name ?? null, frame);
    // Without a callback, `send` throws on a closing socket.
    socket.send(frame, () => undefined);
  }

  #changed(): void {
    for (const listener of this.#listeners) listener();
  }
}

interface LogLine {
  readonly at: number;
  readonly from: 'client' | 'server';
  /** Name of the client; null before its registration. */
  readonly client: string | null;
  readonly frame: string;
}

const MAX_LINES = 1_000;
const MAX_LINE_CHARS = 4_000;

/** Logs the frames of a run, and violations of the protocol by clients. */
class FrameLog {
  readonly lines: LogLine[] = [];
  readonly violations: string[] = [];
  readonly #clock: SmartHoleClock;

  constructor(clock: SmartHoleClock) {
    this.#clock = clock;
  }

  add(from: LogLine['from'], client: string | null, frame: string): void {
    this.lines.push({ at: this.#clock.now(), from, client, frame: frame.slice(0, MAX_LINE_CHARS) });
    if (this.lines.length > MAX_LINES) this.lines.shift();
  }

  violation(client: string | null, fault: string): void {
    this.violations.push(`${client ?? 'not registered'}: ${fault}`);
  }
}
