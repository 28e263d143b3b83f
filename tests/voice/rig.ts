/**
 * A bridge with a manual clock, files in memory, and a SmartHole connection that the test controls.
 */
import { settle, testClock, type TestClock } from '../builders/fake-clock';
import { memoryStore, type MemoryStore } from '../builders/fake-storage';
import type { Clock } from '#ports/clock';
import type { SmartHoleStatus } from '#model/smarthole-status';
import { Bridge, type BridgeReply, type IntakeReply, type TakeMessage } from '#voice/bridge';
import type { ObsidianNotification } from '#voice/notification-sender';
import type { RoutedMessage } from '#voice/protocol';
import type { BridgeSettings } from '#voice/registration';
import type { OpenSocket, SocketEvents } from '#voice/connection';

export const SETTINGS: BridgeSettings = {
  enabled: true,
  assistantName: 'Miss Simone',
  wireName: '',
  description: 'I manage personal notes.',
  port: 9473,
};

export const OUTBOX = 'plugins/parley/smarthole.device-1.jsonl';

export interface SleepableClock extends TestClock {
  /** Time passes without timers firing, as when the computer sleeps or the window is hidden. */
  sleepThrough(milliseconds: number): void;
}

export function sleepyClock(): SleepableClock {
  const clock = testClock();
  let slept = 0;
  return Object.assign(Object.create(clock) as TestClock, {
    now: () => clock.now() + slept,
    elapsed: () => clock.elapsed() + slept,
    sleepThrough: (milliseconds: number) => {
      slept += milliseconds;
    },
  });
}

export interface Rig {
  readonly bridge: Bridge;
  readonly clock: SleepableClock;
  readonly store: MemoryStore;
  /** Every message that the bridge passed on to be saved. */
  readonly taken: RoutedMessage[];
  readonly states: SmartHoleStatus[];
  readonly problems: string[];
  /** What Obsidian showed because SmartHole could not. */
  readonly shownHere: ObsidianNotification[];
  start(settings?: Partial<BridgeSettings>): Promise<void>;
  change(settings: Partial<BridgeSettings>): void;
}

export interface RigOptions {
  readonly open: OpenSocket;
  readonly onMessage?: TakeMessage;
  /** Files left by a previous run. */
  readonly store?: MemoryStore;
  /** Whether SmartHole's port is open; by default it always is. */
  readonly isListening?: () => boolean;
  /** Continues the time of a previous run. */
  readonly clock?: SleepableClock;
}

export function createBridgeRig(options: RigOptions): Rig {
  const { open, store = memoryStore(), clock = sleepyClock() } = options;
  const { isListening = () => true } = options;
  const { onMessage = async (): Promise<IntakeReply> => 'ack' } = options;
  const taken: RoutedMessage[] = [];
  const states: SmartHoleStatus[] = [];
  const problems: string[] = [];
  const shownHere: ObsidianNotification[] = [];
  const bridge = new Bridge({
    open,
    clock,
    store,
    outboxPath: OUTBOX,
    isListening: async () => isListening(),
    report: (problem) => problems.push(problem),
    show: (notification) => shownHere.push(notification),
  });
  bridge.subscribe((state) => states.push(state));
  let current = SETTINGS;
  return {
    bridge,
    clock,
    store,
    taken,
    states,
    problems,
    shownHere,
    async start(settings = {}) {
      current = { ...current, ...settings };
      await bridge.load(current);
      bridge.start((message, signal) => {
        taken.push(message);
        return onMessage(message, signal);
      });
    },
    change(settings) {
      current = { ...current, ...settings };
      bridge.update(current);
    },
  };
}

/** A reply to a message. */
export function replyTo(messageId: string, text: string): BridgeReply {
  const key = `${messageId} ${text}`;
  return {
    key,
    about: key,
    messageIds: [messageId],
    request: text,
    reply: { kind: 'message', text },
    turn: null,
  };
}

export interface SentFrame {
  readonly type: string;
  readonly payload: Record<string, unknown>;
}

/** SmartHole's end of one connection. */
export class FakeConnection {
  readonly url: string;
  readonly sent: SentFrame[] = [];
  /** Bodies of the notifications that SmartHole showed. */
  readonly shown: string[] = [];
  isClosed = false;
  /** The bridge has asked to close the connection. */
  isCloseRequested = false;
  /** Whether the connection closes immediately when the bridge asks for it. */
  closesImmediately = true;
  /** Frames no longer arrive, although the connection is open. */
  isDeaf = false;
  #isOpen = false;
  #wasOpen = false;
  #isRegistered = false;
  readonly #events: SocketEvents;
  /** The names to which messages were delivered, by id. */
  readonly #deliveries: Map<string, string>;

  readonly #now: () => number;

  constructor(
    url: string,
    events: SocketEvents,
    deliveries: Map<string, string>,
    now: () => number,
  ) {
    this.url = url;
    this.#now = now;
    this.#events = events;
    this.#deliveries = deliveries;
  }

  /** Under which it registered last. */
  get name(): string {
    return (this.registrations.at(-1) as { name: string } | undefined)?.name ?? '';
  }

  /** Responses of this type that the bridge sent. */
  responses(type: string): unknown[] {
    return this.sent.flatMap(({ payload }) => (payload['type'] === type ? [payload] : []));
  }

  get registrations(): unknown[] {
    return this.sent.flatMap(({ type, payload }) => (type === 'registration' ? [payload] : []));
  }

  open(): void {
    this.#isOpen = true;
    this.#wasOpen = true;
    this.#events.opened();
  }

  receive(type: string, payload: unknown): void {
    this.receiveRaw(JSON.stringify({ type, payload }));
  }

  receiveRaw(data: unknown): void {
    if (this.#wasOpen) this.#events.received(data);
  }

  accept(): void {
    this.#isRegistered = true;
    this.receive('registration_response', { success: true, clientId: 'c', message: 'Welcome' });
  }

  refuse(code: string, message = ''): void {
    this.receive('registration_response', { success: false, code, message });
  }

  /** @param age for how long SmartHole has waited */
  deliver(id: string, text: string, age = 0): void {
    const metadata = { inputMethod: 'voice', directRouted: false };
    const timestamp = new Date(this.#now() - age).toISOString();
    this.#deliveries.set(id, this.name);
    this.receive('message', { id, text, timestamp, metadata });
  }

  /** Breaks the connection. */
  drop(code = 1006): void {
    this.#isOpen = false;
    if (this.isClosed) return;
    this.isClosed = true;
    this.#events.closed(code);
  }

  send(text: string): boolean {
    if (!this.#isOpen) return false;
    const frame = JSON.parse(text) as SentFrame;
    this.sent.push(frame);
    // What is on its way when the connection breaks is lost.
    queueMicrotask(() => {
      if (!this.isClosed && !this.isDeaf) this.#process(frame);
    });
    return true;
  }

  #process({ type, payload }: SentFrame): void {
    if (!this.#isRegistered) return;
    const { type: kind, messageId, payload: inner } = payload;
    if (kind === 'notification' && this.#deliveries.get(messageId as string) === this.name) {
      this.shown.push((inner as { body: string }).body.replace(/\.$/, ''));
    }
    if (type === 'registration') this.refuse('ALREADY_REGISTERED');
  }

  close(): void {
    this.#isOpen = false;
    this.isCloseRequested = true;
    if (this.closesImmediately) queueMicrotask(() => this.drop());
  }
}

export interface FakeWire {
  readonly open: OpenSocket;
  /** Every connection that the bridge tried to open, in order. */
  readonly lines: FakeConnection[];
  readonly last: FakeConnection;
  /** SmartHole quits, which loses what it had in memory. */
  quit(): void;
  /** SmartHole crashes: the same without a word. */
  crash(): void;
  /** Whether SmartHole's port is open; it is again when the bridge connects. */
  isListening(): boolean;
}

export function createFakeWire(clock: Clock): FakeWire {
  const lines: FakeConnection[] = [];
  const deliveries = new Map<string, string>();
  let listens = true;
  const wire: FakeWire = {
    lines,
    isListening: () => listens,
    quit() {
      deliveries.clear();
      wire.last.drop(1001);
    },
    crash() {
      deliveries.clear();
      listens = false;
      wire.last.drop();
    },
    open(url, events) {
      listens = true;
      const line = new FakeConnection(url, events, deliveries, () => clock.now());
      lines.push(line);
      return { send: (text) => line.send(text), close: () => line.close() };
    },
    get last() {
      const line = lines.at(-1);
      if (!line) throw new Error('Nothing was opened.');
      return line;
    },
  };
  return wire;
}

export interface FakeConnectionRig extends Rig {
  readonly wire: FakeWire;
  /** Opens and registers the newest connection. */
  connect(): Promise<FakeConnection>;
}

export function createFakeConnectionRig(options: Omit<RigOptions, 'open'> = {}): FakeConnectionRig {
  const { clock = sleepyClock() } = options;
  const played = createFakeWire(clock);
  const { open, isListening } = played;
  const made = createBridgeRig({ isListening, ...options, clock, open });
  return Object.assign(made, {
    wire: played,
    async connect() {
      const line = played.last;
      line.open();
      line.accept();
      await settle();
      return line;
    },
  });
}

/** Waits for data on a real socket until the condition holds. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await settle();
}
