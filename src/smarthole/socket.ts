/** The little of a WebSocket that is needed, so that a window's, jsdom's or Node's can be handed in. */

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
