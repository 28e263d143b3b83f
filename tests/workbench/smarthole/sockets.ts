/** WebSocket server on 127.0.0.1 with SmartHole's limits, pings and closing behavior. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WebSocketServer, type RawData, type WebSocket } from 'ws';
import { MAX_FRAME_BYTES, MAX_SOCKETS, type SmartHoleClock } from './wire';

const PING_INTERVAL_MS = 30_000;
/** Milliseconds of real time for a peer to answer a close. */
const CLOSE_TIMEOUT_MS = 500;

export interface SocketsDeps {
  readonly clock: SmartHoleClock;
  received(socket: WebSocket, data: RawData, isBinary: boolean): void;
  closed(socket: WebSocket): void;
}

export class Sockets {
  readonly #deps: SocketsDeps;
  /** Sockets that have not answered the last ping. */
  readonly #silent = new Set<WebSocket>();
  #server: Server | null = null;
  #sockets: WebSocketServer | null = null;
  #isFrozen = false;
  #cancelPing = () => {};

  constructor(parts: SocketsDeps) {
    this.#deps = parts;
  }

  get open(): readonly WebSocket[] {
    return [...(this.#sockets?.clients ?? [])];
  }

  /**
   * @param port 0 for a free one
   * @returns the port in use
   */
  async listen(port: number): Promise<number> {
    const server = createServer((_, response) => response.writeHead(426).end());
    const sockets = new WebSocketServer({ noServer: true, maxPayload: MAX_FRAME_BYTES });
    server.on('upgrade', (request, socket, head) => {
      if (sockets.clients.size >= MAX_SOCKETS) {
        socket.end('HTTP/1.1 503 Service Unavailable\r\nConnection: close\r\n\r\n');
        return;
      }
      sockets.handleUpgrade(request, socket, head, (opened) => this.#welcome(opened));
    });
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(port, '127.0.0.1', resolve);
    });
    this.#server = server;
    this.#sockets = sockets;
    this.#pingLater();
    return (server.address() as AddressInfo).port;
  }

  /** Breaks every connection without a close frame: code 1006 at the other end. */
  cut(): void {
    for (const socket of this.open) socket.terminate();
  }

  /** Stops reading from all connections, as when the app hangs, or continues. */
  freeze(isFrozen: boolean): void {
    this.#isFrozen = isFrozen;
    for (const socket of this.open) this.#hold(socket);
  }

  /** Closes all connections with 1001 and stops listening, as when the app quits. */
  async shut(): Promise<void> {
    const server = this.#server;
    this.#server = null;
    this.#cancelPing();
    if (!server) return;
    const isClosed = new Promise((resolve) => server.close(resolve));
    for (const socket of this.open) socket.close(1001);
    const timer = setTimeout(() => this.cut(), CLOSE_TIMEOUT_MS);
    await isClosed;
    clearTimeout(timer);
  }

  #welcome(socket: WebSocket): void {
    const { received, closed } = this.#deps;
    socket.on('pong', () => this.#silent.delete(socket));
    socket.on('message', (data, isBinary) => received(socket, data, isBinary));
    // For example a frame that is too long; `close` follows.
    socket.on('error', () => undefined);
    socket.on('close', () => {
      this.#silent.delete(socket);
      closed(socket);
    });
    this.#hold(socket);
  }

  #hold(socket: WebSocket): void {
    if (this.#isFrozen) socket.pause();
    else socket.resume();
  }

  #pingLater(): void {
    this.#cancelPing = this.#deps.clock.after(PING_INTERVAL_MS, () => {
      for (const socket of this.open) {
        if (this.#silent.has(socket)) {
          socket.terminate();
        } else {
          this.#silent.add(socket);
          socket.ping();
        }
      }
      this.#pingLater();
    });
  }
}
