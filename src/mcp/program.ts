/** A server that is a program of this computer. Evaluated when the first of these is started. */
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Clock } from '#ports/clock';

export interface Program {
  readonly command: string;
  readonly args: readonly string[];
  /** Beside the few variables that every program is given. */
  readonly env: Readonly<Record<string, string>>;
}

/** Bytes of one message. */
const LARGEST_MESSAGE = 10_000_000;
/** What of the program's complaints is kept, in characters. */
const COMPLAINTS = 2_000;
/** Milliseconds that it has to end by itself, and then again when it is told to. */
const GRACE = 1_000;

export class ProgramTransport extends StdioClientTransport {
  readonly #clock: Clock;
  #complaints = '';
  #closing: Promise<void> | null = null;

  constructor({ command, args, env }: Program, clock: Clock) {
    super({
      ...{ command, args: [...args], env: { ...env } },
      stderr: 'pipe',
      maxBufferSize: LARGEST_MESSAGE,
    });
    this.#clock = clock;
    this.stderr?.on('data', (chunk: unknown) => {
      this.#complaints = (this.#complaints + String(chunk)).slice(-COMPLAINTS);
    });
  }

  /** The end of what it wrote for people. */
  get complaints(): string {
    return this.#complaints.trim();
  }

  override close(): Promise<void> {
    return (this.#closing ??= this.#close());
  }

  async #close(): Promise<void> {
    const { pid, onclose } = this;
    const ended = new Promise<true>((resolve) => {
      this.onclose = () => {
        resolve(true);
        onclose?.();
      };
    });
    // It ends the program's input, then sleeps by timers that a window does not have, and fails there.
    const asked = super.close().catch(() => undefined);
    if (pid === null) return asked;
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      const slept = this.#clock.sleep(GRACE).then(() => false);
      if (await Promise.race([ended, slept])) return;
      kill(pid, signal);
    }
  }
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It is gone already.
  }
}
