/** A client of the fake SmartHole that sends and records raw frames. */
import { WebSocket } from 'ws';
import type { FakeSmartHole } from '#workbench/smarthole/fake-smarthole';
import { settle } from './fake-clock';

export interface Frame {
  readonly type: string;
  readonly payload: Record<string, unknown>;
}

export class RawClient {
  readonly frames: Frame[] = [];
  /** The WebSocket close code; null while the connection is open. */
  closed: number | null = null;
  pings = 0;
  readonly socket: WebSocket;

  private constructor(url: string, answersPings: boolean) {
    this.socket = new WebSocket(url, { autoPong: answersPings });
    this.socket.on('message', (data) => {
      this.frames.push(JSON.parse((data as Buffer).toString('utf8')) as Frame);
    });
    this.socket.on('ping', () => (this.pings += 1));
    this.socket.on('close', (code) => (this.closed = code));
    this.socket.on('error', () => undefined);
  }

  /** Resolves when the connection is open or has failed. */
  static async connect(smartHole: FakeSmartHole, answersPings = true): Promise<RawClient> {
    const client = new RawClient(smartHole.url, answersPings);
    await client.until(() => client.socket.readyState !== WebSocket.CONNECTING);
    return client;
  }

  send(type: string, payload?: unknown): void {
    this.socket.send(JSON.stringify({ type, payload }));
  }

  respond(messageId: string, type: string, payload?: unknown): void {
    this.send('response', { messageId, type, payload });
  }

  /** Registers and returns the payload of the reply. */
  async register(name: string, description = 'Keeps notes.'): Promise<Record<string, unknown>> {
    const { length } = this.frames;
    this.send('registration', { name, description });
    await this.until(() => this.frames.length > length);
    return this.frames[length]?.payload ?? {};
  }

  /** The messages delivered to this client. */
  get messages(): { readonly id: string; readonly text: string }[] {
    return this.frames.flatMap(({ type, payload }) =>
      type === 'message' ? [payload as unknown as { id: string; text: string }] : [],
    );
  }

  async until(isSo: () => boolean): Promise<void> {
    while (!isSo()) await settle();
  }
}
