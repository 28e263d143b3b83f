/**
 * Runs an MCP server as a process on this computer, and ends it with all processes it has started.
 * Loaded only when needed, because a browser page has no child processes.
 */
import * as t from '#messages/mcp-messages';
import { execFile, type ChildProcessWithoutNullStreams } from 'node:child_process';
import { deserializeMessage, serializeMessage, type Transport } from '@modelcontextprotocol/client';
import { getDefaultEnvironment } from '@modelcontextprotocol/client/stdio';
import crossSpawn from 'cross-spawn';
import type { Clock } from '#ports/clock';
import { forgetProgramPath, programPath } from './program-path';
import { SecretRedactor } from '#text/secret-redactor';
import {
  MessageRate,
  TooManyMessages,
  MAX_MESSAGE_BYTES,
  MessageTooLargeError,
} from './transport-limits';

export interface StdioProgram {
  readonly command: string;
  readonly args: readonly string[];
  /** Environment variables in addition to the few that every server gets. */
  readonly env: Readonly<Record<string, string>>;
}

/** Number of characters of standard error to keep. */
const MAX_STDERR_CHARS = 2_000;
/** A server that writes more to standard error than this is disconnected. */
const MAX_STDERR_CHARS_PER_SECOND = 5_000_000;
/** How long a process may take to exit by itself, and after each signal. */
const SHUTDOWN_GRACE_MS = 1_000;
/** How often to check whether it has exited. */
const EXIT_POLL_MS = 50;

const IS_WINDOWS = process.platform === 'win32';

export class StdioTransport implements Transport {
  readonly #program: StdioProgram;
  readonly #clock: Clock;
  readonly #redactor: SecretRedactor;
  readonly #kept: number;
  #child: ChildProcessWithoutNullStreams | null = null;
  #unread = '';
  #complaints = '';
  #isDeaf = false;
  #isSilent = false;
  #silence: Promise<void> = Promise.resolve();
  #hasEnded = false;
  #ending: Promise<void> | null = null;
  #lookedIn: string | null = null;
  onclose?: Transport['onclose'];
  onerror?: Transport['onerror'];
  onmessage?: Transport['onmessage'];

  /** @param secrets redacted from standard error */
  constructor(program: StdioProgram, secrets: readonly string[], clock: Clock) {
    this.#program = program;
    this.#clock = clock;
    this.#redactor = new SecretRedactor(secrets);
    // Keep enough that a secret can arrive whole and be redacted before it is cut.
    this.#kept = Math.max(MAX_STDERR_CHARS, ...secrets.map(({ length }) => 2 * length));
  }

  // By these two properties the package recognizes a process.
  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  get stderr(): ChildProcessWithoutNullStreams['stderr'] | null {
    return this.#child?.stderr ?? null;
  }

  /** The last part of its standard error, with secrets redacted. */
  get complaints(): string {
    return this.#complaints.trim();
  }

  /** Where the program was looked for, if it is missing; otherwise null. */
  get lookedIn(): string | null {
    return this.#lookedIn;
  }

  async start(): Promise<void> {
    const { command, args } = this.#program;
    const found = { ...getDefaultEnvironment(), PATH: await programPath(this.#clock) };
    const env = { ...found, ...this.#program.env };
    return new Promise((resolve, reject) => {
      if (this.#ending) throw new Error(t.closed);
      const child = crossSpawn.spawn(command, [...args], {
        env,
        windowsHide: true,
        // Start a process group, so that child processes can be ended too.
        detached: !IS_WINDOWS,
      });
      this.#child = child;
      child.on('error', (error: NodeJS.ErrnoException) => {
        // Windows reports a missing program only after its command interpreter has started.
        if (error.code === 'ENOENT') {
          this.#lookedIn = env.PATH;
          forgetProgramPath();
        }
        reject(error);
        this.onerror?.(error);
      });
      child.on('spawn', resolve);
      child.on('exit', () => void this.#end());
      this.#silence = new Promise((fallen) => {
        child.on('close', () => {
          this.#isSilent = true;
          fallen();
          this.#announceEnd();
        });
      });
      for (const stream of [child.stdin, child.stdout, child.stderr]) {
        stream.on('error', (error: Error) => this.onerror?.(error));
      }
      child.stdout.setEncoding('utf8').on('data', (data: string) => this.#hear(data));
      const rate = new MessageRate(this.#clock, MAX_STDERR_CHARS_PER_SECOND);
      child.stderr.setEncoding('utf8').on('data', (data: string) => {
        if (rate.isOver(data.length)) {
          child.stderr.destroy();
          this.onerror?.(new TooManyMessages());
          return;
        }
        this.#complaints = this.#redactor.redact(this.#complaints + data).slice(-this.#kept);
      });
    });
  }

  send(message: Parameters<Transport['send']>[0]): Promise<void> {
    return new Promise((resolve, reject) => {
      if (!this.#child) throw new Error('It is not there.');
      this.#child.stdin.write(serializeMessage(message), (error) => {
        if (!error) return resolve();
        // The process does not read its input, so end it first. Why it ended says more than the
        // pipe error.
        void this.#end().then(() => reject(error));
      });
    });
  }

  /** Ignores all further output. Resolves when none of the server's processes is running. */
  close(): Promise<void> {
    this.#isDeaf = true;
    const ended = this.#end();
    this.#announceEnd();
    return ended;
  }

  #hear(data: string): void {
    const lines = data.split('\n');
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
    this.onerror?.(new MessageTooLargeError());
    void this.close();
  }

  #end(): Promise<void> {
    return (this.#ending ??= this.#endAll());
  }

  async #endAll(): Promise<void> {
    const child = this.#child;
    if (child?.pid === undefined) return this.#announceEnd();
    child.stdin.end();
    if (!this.#isSilent) await this.#pause(SHUTDOWN_GRACE_MS);
    for (const signal of ['SIGTERM', 'SIGKILL'] as const) {
      if (!isThere(child.pid)) break;
      notifyServer(child.pid, signal);
      for (
        let waited = 0;
        waited < SHUTDOWN_GRACE_MS && isThere(child.pid);
        waited += EXIT_POLL_MS
      ) {
        await this.#pause(EXIT_POLL_MS);
      }
    }
    // Wait for the last output, but not forever: a process that left the group may keep the pipe
    // open.
    if (!this.#isSilent) await this.#pause(SHUTDOWN_GRACE_MS);
    for (const stream of child.stdio) stream?.destroy();
    this.#announceEnd();
  }

  /** Waits, but not longer than until the output ends. */
  async #pause(milliseconds: number): Promise<void> {
    const over = new AbortController();
    const slept = this.#clock.sleep(milliseconds, over.signal);
    await (this.#isSilent ? slept : Promise.race([this.#silence, slept]));
    over.abort();
  }

  #announceEnd(): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.onclose?.();
  }
}

/**
 * Whether any process of the group is running. On Windows, which has no process groups, checks the
 * process itself.
 */
function isThere(pid: number): boolean {
  try {
    return process.kill(IS_WINDOWS ? pid : -pid, 0);
  } catch {
    return false;
  }
}

/**
 * Signals a process and its group. On Windows, any signal ends the whole process tree immediately.
 */
function notifyServer(pid: number, signal: 'SIGTERM' | 'SIGKILL'): void {
  try {
    if (!IS_WINDOWS) process.kill(-pid, signal);
    else execFile('taskkill', ['/PID', String(pid), '/T', '/F'], () => undefined);
  } catch {
    // The process has already exited.
  }
}
