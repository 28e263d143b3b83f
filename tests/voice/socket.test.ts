import { describe, expect, it } from 'vitest';
import { onlyIfListening, webSockets, type WebSocketLike } from '#voice/connection';
import { settle } from '../builders/fake-clock';
import { testClock } from '../builders/fake-clock';
import { createFakeWire } from './rig';

/** A fake WebSocket that silently loses what is sent while it closes, as a browser's does. */
class Played implements WebSocketLike {
  readyState = 0;
  readonly sent: string[] = [];
  addEventListener() {}
  send(text: string) {
    this.sent.push(text);
  }
  close() {
    this.readyState = 2;
  }
}

describe('A socket', () => {
  it('send returns false before the socket opens and after it is closed', () => {
    const played = new Played();
    const open = webSockets(
      class {
        constructor() {
          return played;
        }
      } as unknown as new (url: string) => WebSocketLike,
    );
    const nothing = () => undefined;
    const socket = open('ws://127.0.0.1:1', {
      opened: nothing,
      received: nothing,
      closed: nothing,
    });
    expect(socket.send('early')).toBe(false);
    played.readyState = 1;
    expect(socket.send('now')).toBe(true);
    socket.close();
    expect(socket.send('late')).toBe(false);
    expect(played.sent).toEqual(['now']);
  });
});

describe('onlyIfListening', () => {
  function looked(isListening: boolean) {
    const played = createFakeWire(testClock());
    const ports: number[] = [];
    const events: string[] = [];
    const open = onlyIfListening(played.open, async (port) => {
      ports.push(port);
      return isListening;
    });
    const socket = open('ws://127.0.0.1:9473', {
      opened: () => events.push('opened'),
      received: () => events.push('received'),
      closed: () => events.push('closed'),
    });
    return { socket, lines: played.lines, ports, events };
  }

  it('onlyIfListening reports a closed socket if no server listens on the port', async () => {
    const { lines, ports, events } = looked(false);
    await settle();
    expect({ ports, events, lines }).toEqual({ ports: [9473], events: ['closed'], lines: [] });
  });

  it('onlyIfListening opens the socket if a server listens on the port', async () => {
    const { socket, lines, events } = looked(true);
    expect(socket.send('{}')).toBe(false);
    await settle();
    lines[0]?.open();
    expect(socket.send('{}')).toBe(true);
    socket.close();
    await settle();
    expect(events).toEqual(['opened', 'closed']);
  });

  it('onlyIfListening does not open a socket that was closed during the check', async () => {
    const { socket, lines, events } = looked(true);
    socket.close();
    await settle();
    expect({ events, lines }).toEqual({ events: ['closed'], lines: [] });
  });
});
