/** A WebSocket connection to SmartHole that registers at once and detects a dead peer. */
import type { Clock } from '#ports/clock';
import {
  parseServerFrame,
  type Registration,
  registrationFrame,
  type RoutedMessage,
} from './protocol';

export interface ConnectionEvents {
  registered(): void;
  /** Registration was refused. The connection stays open, and `register` may be called again. */
  refused(code: string, message: string): void;
  message(message: RoutedMessage): void;
  /** A message arrived that cannot be parsed. */
  unreadable(messageId: string, fault: string): void;
  /** Called from time to time while Parley is registered. */
  alive(): void;
  /** Called once, whichever side closed the connection. */
  closed(cause: CloseCause): void;
}

/**
 * `quit`: SmartHole said that it quits. `absent`: nothing listened. `broken`: anything else, after
 * which SmartHole may still be running.
 */
export type CloseCause = 'quit' | 'absent' | 'broken';

/** The code with which SmartHole closes its connections when it quits. */
const GOING_AWAY = 1001;

export interface ConnectionDeps {
  readonly open: OpenSocket;
  readonly clock: Clock;
  readonly url: string;
  readonly registration: Registration;
}

/** Limit for opening and for each answer, because the server at this port may not be SmartHole. */
const REGISTRATION_TIMEOUT_MS = 10_000;
/** How long a connection may take to close before it counts as closed. */
const CLOSE_TIMEOUT_MS = 2_000;
const WATCH_INTERVAL_MS = 30_000;
/**
 * A timer this late means that the computer slept. In a hidden window, timers are up to a minute
 * late.
 */
const SLEEP_GAP_MS = 90_000;

export class Connection {
  readonly #deps: ConnectionDeps;
  readonly #events: ConnectionEvents;
  readonly #socket: Socket;
  #state: 'opening' | 'registered' | 'closing' | 'ended' = 'opening';
  #cancelDeadline = () => {};
  #cancelWatch = () => {};
  #wasOpen = false;
  /** Those of `confirm`, in order. */
  readonly #confirmations: Confirmation[] = [];

  constructor(deps: ConnectionDeps, events: ConnectionEvents) {
    this.#deps = deps;
    this.#events = events;
    this.#expectWithin(REGISTRATION_TIMEOUT_MS);
    this.#socket = deps.open(deps.url, {
      opened: () => {
        this.#wasOpen = true;
        this.register();
      },
      received: (data) => this.#receive(data),
      closed: (code) => this.#end(code),
    });
  }

  /** Called automatically when the connection opens. Call it again after a temporary refusal. */
  register(): void {
    if (this.#state === 'closing' || this.#state === 'ended') return;
    this.#expectWithin(REGISTRATION_TIMEOUT_MS);
    this.#socket.send(registrationFrame(this.#deps.registration));
  }

  /** False if it could not be sent. */
  send(frame: string): boolean {
    return this.#state === 'registered' && this.#socket.send(frame);
  }

  /**
   * Resolves to true when SmartHole has received everything sent so far, and to false if the
   * connection or registration was lost first. SmartHole answers frames in order, and a second
   * registration at once.
   */
  confirm(): Promise<boolean> {
    if (this.#state !== 'registered') return Promise.resolve(false);
    return new Promise((resolve) => {
      this.#ask({ resolve, wasAccepted: false });
    });
  }

  #ask(confirmation: Confirmation): void {
    this.#confirmations.push(confirmation);
    this.register();
  }

  /**
   * Closes the connection. `closed` is called when SmartHole has confirmed, so that the name is
   * free again.
   */
  close(): void {
    if (this.#state === 'closing' || this.#state === 'ended') return;
    this.#state = 'closing';
    this.#cancelWatch();
    this.#expectWithin(CLOSE_TIMEOUT_MS);
    this.#socket.close();
  }

  #receive(data: unknown): void {
    if (this.#state === 'closing' || this.#state === 'ended') return;
    const frame = parseServerFrame(data);
    const isRegistered = this.#state === 'registered';
    // Any frame proves that the server is alive.
    if (isRegistered) this.#cancelDeadline();
    switch (frame.kind) {
      case 'registered':
        if (isRegistered) this.#acceptedAgain();
        else this.#hold();
        break;
      case 'registration-refused':
        if (isRegistered) {
          const confirmation = this.#confirmations.shift();
          confirmation?.resolve(!confirmation.wasAccepted);
          break;
        }
        this.#cancelDeadline();
        this.#events.refused(frame.code, frame.message);
        break;
      case 'message':
        if (isRegistered) this.#events.message(frame.message);
        break;
      case 'faulty':
        if (isRegistered && frame.messageId !== null) {
          this.#events.unreadable(frame.messageId, frame.reason);
        }
    }
  }

  /**
   * SmartHole accepts a second registration if it had lost the first one, and then ignored what was
   * sent without one. A server that accepts every registration also accepts a third.
   */
  #acceptedAgain(): void {
    const confirmation = this.#confirmations.shift();
    if (confirmation?.wasAccepted) confirmation.resolve(true);
    else if (confirmation) this.#ask({ ...confirmation, wasAccepted: true });
  }

  #hold(): void {
    this.#state = 'registered';
    this.#cancelDeadline();
    this.#watch();
    this.#events.registered();
  }

  /**
   * Checks after sleep whether the connection is still alive. A browser socket does not expose
   * SmartHole's pings, but a live server refuses a second registration at once.
   */
  #watch(): void {
    const { clock } = this.#deps;
    const due = clock.now() + WATCH_INTERVAL_MS;
    this.#cancelWatch = clock.after(WATCH_INTERVAL_MS, () => {
      if (clock.now() - due > SLEEP_GAP_MS) void this.confirm();
      this.#events.alive();
      this.#watch();
    });
  }

  #expectWithin(milliseconds: number): void {
    this.#cancelDeadline();
    this.#cancelDeadline = this.#deps.clock.after(milliseconds, () => {
      this.#socket.close();
      this.#end(null);
    });
  }

  #end(code: number | null): void {
    if (this.#state === 'ended') return;
    const isOver = this.#wasOpen || this.#state === 'closing';
    this.#state = 'ended';
    this.#cancelDeadline();
    this.#cancelWatch();
    for (const { resolve } of this.#confirmations.splice(0)) resolve(false);
    if (code === GOING_AWAY) this.#events.closed('quit');
    else this.#events.closed(isOver ? 'broken' : 'absent');
  }
}

interface Confirmation {
  readonly resolve: (isReceived: boolean) => void;
  /** The second registration was accepted, and a third is on its way. */
  readonly wasAccepted: boolean;
}

export interface SocketEvents {
  opened(): void;
  /** @param data text, or any other content of a frame */
  received(data: unknown): void;
  /**
   * Called once, even if the socket never opened.
   *
   * @param code WebSocket close code; null if there was no connection
   */
  closed(code: number | null): void;
}

export interface Socket {
  /** False if it could not be sent because the socket is not open. */
  send(text: string): boolean;
  close(): void;
}

/** Must not throw, and must not call `events` before it has returned. */
export type OpenSocket = (url: string, events: SocketEvents) => Socket;

export interface WebSocketLike {
  readonly readyState: number;
  addEventListener(type: 'open' | 'error', listener: () => void): void;
  addEventListener(type: 'close', listener: (event: { code: number }) => void): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  send(text: string): void;
  close(): void;
}

/**
 * Opens a socket only if a server listens, because the browser logs failed connections to the
 * console.
 */
export function onlyIfListening(
  open: OpenSocket,
  isListening: (port: number) => Promise<boolean>,
): OpenSocket {
  return (url, events) => {
    let socket: Socket | null = null;
    let isClosed = false;
    void isListening(Number(new URL(url).port)).then((answers) => {
      if (isClosed || !answers) events.closed(null);
      else socket = open(url, events);
    });
    return {
      send: (text) => socket?.send(text) ?? false,
      close() {
        isClosed = true;
        socket?.close();
      },
    };
  };
}

const SOCKET_OPEN = 1;

export function webSockets(WebSocket: new (url: string) => WebSocketLike): OpenSocket {
  return (url, events) => {
    let socket: WebSocketLike;
    try {
      socket = new WebSocket(url);
    } catch {
      // The browser blocks some ports.
      queueMicrotask(() => events.closed(null));
      return { send: () => false, close: () => undefined };
    }
    socket.addEventListener('open', () => events.opened());
    socket.addEventListener('message', ({ data }) => events.received(data));
    socket.addEventListener('close', ({ code }) => events.closed(code));
    // `close` follows and says the same, but without a listener an error would end a Node process.
    socket.addEventListener('error', () => undefined);
    return {
      send(text) {
        if (socket.readyState !== SOCKET_OPEN) return false;
        socket.send(text);
        return true;
      },
      close: () => socket.close(),
    };
  };
}
