/** One connection to SmartHole over a WebSocket: registers at once and notices a dead peer. */
import type { Clock } from '#ports/clock';
import {
  parseServerFrame,
  type Registration,
  registrationFrame,
  type RoutedMessage,
} from './protocol';

export interface ConnectionEvents {
  registered(): void;
  /** It stays open; `register` may try again. */
  refused(code: string, message: string): void;
  message(message: RoutedMessage): void;
  /** A message came that can't be taken. */
  unreadable(messageId: string, fault: string): void;
  /** Once, whoever ended it. */
  closed(): void;
}

export interface ConnectionDeps {
  readonly open: OpenSocket;
  readonly clock: Clock;
  readonly url: string;
  readonly registration: Registration;
}

/** How long opening and each answer may take. Whoever listens there may not be SmartHole. */
const REGISTRATION_TIMEOUT_MS = 10_000;
/** How long a connection may take to close before it counts as closed. */
const CLOSE_TIMEOUT_MS = 2_000;
const WATCH_INTERVAL_MS = 30_000;
/** A timer so late means that the computer slept. Timers of a hidden window are late by up to a minute. */
const SLEEP_GAP_MS = 90_000;

export class Connection {
  readonly #deps: ConnectionDeps;
  readonly #events: ConnectionEvents;
  readonly #socket: Socket;
  #state: 'opening' | 'registered' | 'closing' | 'ended' = 'opening';
  #cancelDeadline = () => {};
  #cancelWatch = () => {};

  constructor(deps: ConnectionDeps, events: ConnectionEvents) {
    this.#deps = deps;
    this.#events = events;
    this.#expectWithin(REGISTRATION_TIMEOUT_MS);
    this.#socket = deps.open(deps.url, {
      opened: () => this.register(),
      received: (data) => this.#receive(data),
      closed: () => this.#end(),
    });
  }

  /** Done by itself when it opens; again after a refusal that may have passed. */
  register(): void {
    if (this.#state === 'closing' || this.#state === 'ended') return;
    this.#expectWithin(REGISTRATION_TIMEOUT_MS);
    this.#socket.send(registrationFrame(this.#deps.registration));
  }

  /** False if it could not be sent. */
  send(frame: string): boolean {
    return this.#state === 'registered' && this.#socket.send(frame);
  }

  /** `closed` is told when SmartHole has taken note, so that the name is free again. */
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
    // Whatever it is, somebody is there.
    if (isRegistered) this.#cancelDeadline();
    switch (frame.kind) {
      case 'registered':
        if (!isRegistered) this.#hold();
        break;
      case 'refused':
        // The answer to a question that was only asked to see whether there is one.
        if (isRegistered) break;
        this.#cancelDeadline();
        this.#events.refused(frame.code, frame.message);
        break;
      case 'message':
        if (isRegistered) this.#events.message(frame.message);
        break;
      case 'faulty':
        if (isRegistered && frame.messageId !== null) {
          this.#events.unreadable(frame.messageId, frame.fault);
        }
    }
  }

  #hold(): void {
    this.#state = 'registered';
    this.#cancelDeadline();
    this.#watch();
    this.#events.registered();
  }

  /**
   * A socket of a window does not show SmartHole's pings, so a connection that died in the computer's sleep looks alive.
   * A second registration is refused at once by whoever is still there.
   */
  #watch(): void {
    const { clock } = this.#deps;
    const due = clock.now() + WATCH_INTERVAL_MS;
    this.#cancelWatch = clock.after(WATCH_INTERVAL_MS, () => {
      if (clock.now() - due > SLEEP_GAP_MS) this.register();
      this.#watch();
    });
  }

  #expectWithin(milliseconds: number): void {
    this.#cancelDeadline();
    this.#cancelDeadline = this.#deps.clock.after(milliseconds, () => {
      this.#socket.close();
      this.#end();
    });
  }

  #end(): void {
    if (this.#state === 'ended') return;
    this.#state = 'ended';
    this.#cancelDeadline();
    this.#cancelWatch();
    this.#events.closed();
  }
}

export interface SocketEvents {
  opened(): void;
  /** @param data text, or whatever else a frame may hold */
  received(data: unknown): void;
  /** Once, also where it never opened. */
  closed(): void;
}

export interface Socket {
  /** False if it could not be sent, since the socket is not open. */
  send(text: string): boolean;
  close(): void;
}

/** Never throws, and calls nothing of `events` before it has returned. */
export type OpenSocket = (url: string, events: SocketEvents) => Socket;

export interface WebSocketLike {
  readonly readyState: number;
  addEventListener(type: 'open' | 'close' | 'error', listener: () => void): void;
  addEventListener(type: 'message', listener: (event: { data: unknown }) => void): void;
  send(text: string): void;
  close(): void;
}

/** Opens only where somebody listens, since a window writes into its console what it finds closed. */
export function onlyIfListening(
  open: OpenSocket,
  isListening: (port: number) => Promise<boolean>,
): OpenSocket {
  return (url, events) => {
    let socket: Socket | null = null;
    let isClosed = false;
    void isListening(Number(new URL(url).port)).then((answers) => {
      if (isClosed || !answers) events.closed();
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

const OPEN = 1;

export function webSockets(WebSocket: new (url: string) => WebSocketLike): OpenSocket {
  return (url, events) => {
    let socket: WebSocketLike;
    try {
      socket = new WebSocket(url);
    } catch {
      // Some ports are closed to a window.
      queueMicrotask(() => events.closed());
      return { send: () => false, close: () => undefined };
    }
    socket.addEventListener('open', () => events.opened());
    socket.addEventListener('message', ({ data }) => events.received(data));
    socket.addEventListener('close', () => events.closed());
    // It says nothing that `close` does not say as well, but unheard it would end a program for Node.
    socket.addEventListener('error', () => undefined);
    return {
      send(text) {
        if (socket.readyState !== OPEN) return false;
        socket.send(text);
        return true;
      },
      close: () => socket.close(),
    };
  };
}
