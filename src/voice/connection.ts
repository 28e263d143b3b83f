/** A WebSocket connection to SmartHole that registers at once. */
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

export class Connection {
  readonly #deps: ConnectionDeps;
  readonly #events: ConnectionEvents;
  readonly #socket: Socket;
  #state: 'opening' | 'registered' | 'closing' | 'ended' = 'opening';
  #cancelDeadline = () => {};
  #wasOpen = false;

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
   * Closes the connection. `closed` is called when SmartHole has confirmed, so that the name is
   * free again.
   */
  close(): void {
    if (this.#state === 'closing' || this.#state === 'ended') return;
    this.#state = 'closing';
    this.#expectWithin(CLOSE_TIMEOUT_MS);
    this.#socket.close();
  }

  #receive(data: unknown): void {
    if (this.#state === 'closing' || this.#state === 'ended') return;
    const frame = parseServerFrame(data);
    const isRegistered = this.#state === 'registered';
    switch (frame.kind) {
      case 'registered':
        if (isRegistered) break;
        this.#state = 'registered';
        this.#cancelDeadline();
        this.#events.registered();
        break;
      case 'registration-refused':
        if (isRegistered) break;
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
    if (code === GOING_AWAY) this.#events.closed('quit');
    else this.#events.closed(isOver ? 'broken' : 'absent');
  }
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
