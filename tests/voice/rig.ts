/**
 * A bridge with a manual clock, files in memory, and a SmartHole connection that the test controls.
 */
import { settle, testClock, type TestClock } from '../builders/fake-clock';
import { memoryStore, type MemoryStore } from '../builders/fake-storage';
import type { SmartHoleStatus } from '#model/smarthole-status';
import { Bridge, type BridgeReply } from '#voice/bridge';
import type { IntakeReply, TakeMessage } from '#voice/intake';
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

function sleepyClock(): SleepableClock {
  const clock = testClock();
  let slept = 0;
  return Object.assign(Object.create(clock) as TestClock, {
    now: () => clock.now() + slept,
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
  start(settings?: Partial<BridgeSettings>): Promise<void>;
  change(settings: Partial<BridgeSettings>): void;
}

export interface RigOptions {
  readonly open: OpenSocket;
  readonly onMessage?: TakeMessage;
  /** Files left by a previous run. */
  readonly store?: MemoryStore;
}

export function createBridgeRig(options: RigOptions): Rig {
  const { open, store = memoryStore() } = options;
  const clock = sleepyClock();
  const { onMessage = async (): Promise<IntakeReply> => 'ack' } = options;
  const taken: RoutedMessage[] = [];
  const states: SmartHoleStatus[] = [];
  const problems: string[] = [];
  const bridge = new Bridge({
    open,
    clock,
    store,
    outboxPath: OUTBOX,
    onMessage: (message, signal) => {
      taken.push(message);
      return onMessage(message, signal);
    },
    report: (problem) => problems.push(problem),
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
    start(settings = {}) {
      current = { ...current, ...settings };
      return bridge.start(current);
    },
    change(settings) {
      current = { ...current, ...settings };
      bridge.update(current);
    },
  };
}

/** A reply to a message. */
export function replyTo(messageId: string, text: string): BridgeReply {
  return {
    key: `${messageId} ${text}`,
    messageId,
    request: text,
    reply: { kind: 'message', text },
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
  isClosed = false;
  /** The bridge has asked to close the connection. */
  isCloseRequested = false;
  /** Whether the connection closes immediately when the bridge asks for it. */
  closesImmediately = true;
  #isOpen = false;
  readonly #events: SocketEvents;

  constructor(url: string, events: SocketEvents) {
    this.url = url;
    this.#events = events;
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
    this.#events.opened();
  }

  receive(type: string, payload: unknown): void {
    this.receiveRaw(JSON.stringify({ type, payload }));
  }

  receiveRaw(data: unknown): void {
    this.#events.received(data);
  }

  accept(): void {
    this.receive('registration_response', { success: true, clientId: 'c', message: 'Welcome' });
  }

  refuse(code: string, message = ''): void {
    this.receive('registration_response', { success: false, code, message });
  }

  deliver(id: string, text: string): void {
    const metadata = { inputMethod: 'voice', directRouted: false };
    this.receive('message', { id, text, timestamp: '2027-01-15T08:00:00.000Z', metadata });
  }

  /** Breaks the connection. */
  drop(): void {
    this.#isOpen = false;
    if (this.isClosed) return;
    this.isClosed = true;
    this.#events.closed();
  }

  send(text: string): boolean {
    if (this.#isOpen) this.sent.push(JSON.parse(text) as SentFrame);
    return this.#isOpen;
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
}

export function createFakeWire(): FakeWire {
  const lines: FakeConnection[] = [];
  return {
    lines,
    open(url, events) {
      const line = new FakeConnection(url, events);
      lines.push(line);
      return { send: (text) => line.send(text), close: () => line.close() };
    },
    get last() {
      const line = lines.at(-1);
      if (!line) throw new Error('Nothing was opened.');
      return line;
    },
  };
}

export interface FakeConnectionRig extends Rig {
  readonly wire: FakeWire;
  /** Opens and registers the newest connection. */
  connect(): Promise<FakeConnection>;
}

export function createFakeConnectionRig(options: Omit<RigOptions, 'open'> = {}): FakeConnectionRig {
  const played = createFakeWire();
  const made = createBridgeRig({ ...options, open: played.open });
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
