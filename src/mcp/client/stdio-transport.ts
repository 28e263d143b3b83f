/** A server that is a program of this computer, with all that it starts itself. Evaluated when the first is started, since a browser page has no child processes. */
import { execFile, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { deserializeMessage, serializeMessage, type Transport } from '@modelcontextprotocol/client';
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import crossSpawn from 'cross-spawn';
import type { Clock } from '#ports/clock';
import { secretRedactor } from './tool-list';
import { MessageRate, TooManyMessages, MAX_MESSAGE_BYTES, TooLarge } from './transport-limits';

export interface StdioProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** Beside the few variables that every program is given. */
  readonly env: Readonly<Record<string, string>>;
}

/** What of the program's complaints is kept, in characters. */
const COMPLAINTS = 2_000;
/** Characters of complaints in a second; one that complains more does nothing else. */
const MAX_STDERR_CHARS_PER_SECOND = 5_000_000;
/** Milliseconds that it has to end by itself, and then again when it is told to. */
const SHUTDOWN_GRACE_MS = 1_000;
/** Milliseconds between two looks whether it has. */
const EXIT_POLL_MS = 50;

const IS_WINDOWS = process.platform === 'win32';

export class StdioTransport implements Transport {
  readonly #program: StdioProgram;
  readonly #clock: Clock;
  readonly #hidden: (text: string) => string;
  readonly #kept: number;
  #child: ChildProcessWithoutNullStreams | null = null;
  #unread = '';
  #complaints = '';
  #isDeaf = false;
  #isSilent = false;
  #silence: Promise<void> = Promise.resolve();
  #hasEnded = false;
  #ending: Promise<void> | null = null;
  onclose?: Transport['onclose'];
  onerror?: Transport['onerror'];
  onmessage?: Transport['onmessage'];

  /** @param secrets that are not kept where it complains of them */
  constructor(program: StdioProgram, secrets: readonly string[], clock: Clock) {
    this.#program = program;
    this.#clock = clock;
    this.#hidden = secretRedactor(secrets);
    // None is cut before it has come whole.
    this.#kept = Math.max(COMPLAINTS, ...secrets.map(({ length }) => 2 * length));
  }

  // By these two the package knows a program from an address.
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  get stderr(): ChildProcessWithoutNullStreams['stderr'] | null {
    return this.#child?.stderr ?? null;
  }

  /** The end of what it wrote for people. */
  get complaints(): string {
    return this.#complaints.trim();
  }

  start(): Promise<void> {
    const { command, args, env } = this.#program;
    return new Promise((resolve, reject) => {
      if (this.#ending) throw new Error('It was closed.');
      const child = crossSpawn.spawn(command, [...args], {
        env: { ...getDefaultEnvironment(), ...env },
        windowsHide: true,
        // At the head of a group of its own, so that what it starts can be ended with it.
        detached: !IS_WINDOWS,
      });
      this.#child = child;
      child.on('error', (error) => {
        reject(error);
        this.onerror?.(error);
      });
      child.on('spawn', resolve);
      child.on('exit', () => void this.#end());
      this.#silence = new Promise((fallen) => {
        child.on('close', () => {
          this.#isSilent = true;
          fallen();
          this.#tellEnd();
        });
      });
      for (const stream of [child.stdin, child.stdout, child.stderr]) {
        stream.on('error', (error: Error) => this.onerror?.(error));
      }
      child.stdout.setEncoding('utf8').on('data', (said: string) => this.#hear(said));
      const rate = new MessageRate(this.#clock, MAX_STDERR_CHARS_PER_SECOND);
      child.stderr.setEncoding('utf8').on('data', (said: string) => {
        if (rate.isOver(said.length)) {
          child.stderr.destroy();
          this.onerror?.(new TooManyMessages());
          return;
        }
        this.#complaints = this.#hidden(this.#complaints + said).slice(-this.#kept);
      });
    });
  }

  send(message: Parameters<Transport['send']>[0]): Promise<void> {
    return new Promise((resolve, reject) => {
      if (!this.#child) throw new Error('It is not there.');
      this.#child.stdin.write(serializeMessage(message), (error) => {
        if (!error) return resolve();
        // It hears nothing any more: it has ended, or is ended now, and that says more than the pipe does.
        void this.#end().then(() => reject(error));
      });
    });
  }

  /** Nothing is heard of it from now on. Resolves when nothing that it started runs any more. */
  close(): Promise<void> {
    this.#isDeaf = true;
    const ended = this.#end();
    this.#tellEnd();
    return ended;
  }

  #hear(said: string): void {
    const lines = said.split('\n');
    lines[0] = this.#unread + lines[0];
    this.#unread = lines.pop() ?? '';
    for (const line of lines) {
      if (this.#isDeaf) return;
      try {
        this.onmessage?.(deserializeMessage(line));
      } catch (error) {
        this.onerror?.(error as Error);
      }
    }
    if (this.#unread.length <= MAX_MESSAGE_BYTES) return;
    this.#unread = '';
    this.onerror?.(new TooLarge());
    void this.close();
  }

  #end(): Promise<void> {
    return (this.#ending ??= this.#endAll());
  }

  async #endAll(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined) return this.#tellEnd();
    child.stdin.end();
    if (!this.#isSilent) await this.#pause(SHUTDOWN_GRACE_MS);
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (!isThere(child.pid)) break;
      tell(child.pid, signal);
      for (
        let waited = 0;
        waited < SHUTDOWN_GRACE_MS && isThere(child.pid);
        waited += EXIT_POLL_MS
      ) {
        await this.#pause(EXIT_POLL_MS);
      }
    }
    // What it said last may still be on its way; what has left the group may keep the way open for ever.
    if (!this.#isSilent) await this.#pause(SHUTDOWN_GRACE_MS);
    for (const stream of child.stdio) stream?.destroy();
    this.#tellEnd();
  }

  /** Shorter where it falls silent meanwhile. */
  async #pause(milliseconds: number): Promise<void> {
    const over = new AbortController();
    const slept = this.#clock.sleep(milliseconds, over.signal);
    await (this.#isSilent ? slept : Promise.race([this.#silence, slept]));
    over.abort();
  }

  #tellEnd(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.onclose?.();
  }
}

/** Whether anything runs of a program and its group; on Windows, which has no groups, of the program alone. */
function isThere(pid: number): boolean {
  try {
    return process.kill(IS_WINDOWS ? pid : -pid, 0);
  } catch {
    return false;
  }
}

/** To a program and all of its group; on Windows each is an end at once, of all that it started. */
function tell(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    if (!IS_WINDOWS) process.kill(-pid, signal);
    else execFile('taskkill', ['/PID', String(pid), '/T', '/F'], () => undefined);
  } catch {
    // It is gone already.
  }
}
