/**
 * Test driver for the built headless program: sends commands, reads its output, kills it at a
 * chosen line, and restarts it on the same folder.
 */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll } from 'vitest';
import { temporaryFolder } from '#tests/builders/temporary-folder';
import type { Conversation } from '#model/conversation';
import type { Event, EventOf, EventType } from '#model/event';
import type { QueuedRequest } from '#model/request';
import type { Message } from '#model/conversation-summary';
import type { Interaction } from '#model/interaction';
import { startModelServer, type ModelServer, type Respond } from '#workbench/model/server';
import { ensureBuilt } from '../workbench/build/ensure-built.mjs';

/** Milliseconds. Far longer than any step takes; only a hang reaches it. */
const TIMEOUT_MS = 180_000;

export interface Reply {
  readonly reply: string | null;
  readonly ok: boolean;
  readonly reason?: string;
  readonly request?: string;
  readonly conversation?: string;
}

export type Line =
  | { readonly ready: true }
  | Reply
  | { readonly event: Event }
  | { readonly notice: string }
  | { readonly held: string };

export interface State extends Reply {
  readonly current: (Conversation & { readonly messages: readonly Message[] }) | null;
  readonly running: { readonly turn: string } | null;
  readonly busy: boolean;
  readonly interactions: readonly {
    readonly conversation: string;
    readonly interaction: Interaction;
  }[];
  readonly inbox: readonly QueuedRequest[];
  readonly problems: readonly string[];
}

export interface StartOptions {
  /** Null for the endpoint in the vault's own settings. */
  readonly apiUrl: string | null;
  readonly apiKey?: string;
  /** Settings in effect from the start, by name. */
  readonly settings?: Record<string, unknown>;
  readonly smartHoleUrl?: string;
  /** Makes the program write notes in chunks of this many bytes, with a pause before each. */
  readonly pieces?: { readonly bytes: number; readonly pauseMs: number };
  /** Environment variables besides those of the test, such as the login shell. */
  readonly env?: Readonly<Record<string, string>>;
  /** A module to load first, and variables for it. */
  readonly preload?: { readonly file: string; readonly env: Record<string, string> };
}

/** All that an app knows which was started from a dock or a launcher. */
const LAUNCHER_PATH = ['/usr/bin', '/bin', '/usr/sbin', '/sbin'].join(path.delimiter);

type Test = (line: Line) => boolean;

export class Headless {
  /** All lines of the output, in order. */
  readonly lines: Line[] = [];
  readonly #child: ChildProcess;
  readonly #watchers = new Set<(line: Line | null) => void>();
  /** Resolves to the exit code, or to the signal that ended the program. */
  readonly ended: Promise<number | NodeJS.Signals | null>;
  #errors = '';
  #asked = 0;

  private constructor(child: ChildProcess) {
    this.#child = child;
    const reader = createInterface({ input: child.stdout! });
    reader.on('line', (text) => {
      const line = JSON.parse(text) as Line;
      this.lines.push(line);
      this.#tell(line);
    });
    child.stderr!.on('data', (data: Buffer) => (this.#errors += data.toString()));
    // Writing after a kill fails with a broken pipe.
    child.stdin!.on('error', () => undefined);
    this.ended = once(child, 'close').then(([code, signal]) => {
      this.#tell(null);
      return (signal ?? code) as number | NodeJS.Signals | null;
    });
    running.add(this);
    void this.ended.then(() => running.delete(this));
  }

  /** Starts the program without waiting until it is ready. */
  static async launch(vault: string, options: StartOptions): Promise<Headless> {
    const { program, pluginDir } = await (built ??= ensureBuilt());
    const { apiUrl, apiKey, settings = {}, smartHoleUrl, pieces, preload } = options;
    const file = path.join(temporaryFolder('settings'), 'settings.json');
    // Changes are applied directly unless a test sets another mode.
    writeFileSync(
      file,
      JSON.stringify({ panelMode: 'apply', model: 'claude-haiku-4-5-20251001', ...settings }),
    );
    const args = ['--vault', vault, '--settings', file];
    if (apiUrl !== null) args.push('--api-url', apiUrl);
    if (apiKey !== undefined) args.push('--api-key', apiKey);
    if (smartHoleUrl !== undefined) args.push('--smarthole-url', smartHoleUrl);
    const start = `import(${JSON.stringify(program)}).then(({ main }) => main(process.argv.slice(1), ${JSON.stringify(pluginDir)}))`;
    const env: NodeJS.ProcessEnv = {
      ...process.env,
      PATH: LAUNCHER_PATH,
      ...options.env,
      ...preload?.env,
    };
    const first = preload ? ['--import', preload.file] : [];
    delete env.WORKBENCH_WRITE_IN_PIECES;
    if (pieces) env.WORKBENCH_WRITE_IN_PIECES = `${pieces.bytes}:${pieces.pauseMs}`;
    return new Headless(
      spawn(process.execPath, [...first, '--input-type=module', '-e', start, '--', ...args], {
        env,
        stdio: ['pipe', 'pipe', 'pipe'],
      }),
    );
  }

  /** Starts the program and waits until it is ready for commands. */
  static async start(vault: string, options: StartOptions): Promise<Headless> {
    const headless = await Headless.launch(vault, options);
    await headless.line((line) => 'ready' in line);
    return headless;
  }

  get errors(): string {
    return this.#errors;
  }

  get pid(): number | undefined {
    return this.#child.pid;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  write(text: string): void {
    this.#child.stdin!.write(`${text}\n`);
  }

  /** Sends a command and returns its reply. */
  async send<Answer extends Reply = Reply>(
    cmd: string,
    fields: Record<string, unknown> = {},
  ): Promise<Answer> {
    this.#asked += 1;
    const id = `q${this.#asked}`;
    this.write(JSON.stringify({ cmd, id, ...fields }));
    return (await this.line(
      (line) => 'reply' in line && (line as { id?: unknown }).id === id,
    )) as Answer;
  }

  state(): Promise<State> {
    return this.send<State>('state');
  }

  /** Calls the listener with every line, past and future. */
  onLine(listener: (line: Line) => void): void {
    this.lines.forEach(listener);
    this.#watchers.add((line) => line && listener(line));
  }

  /** The first matching line, past or future. */
  line(test: Test): Promise<Line> {
    const said = this.lines.find(test);
    if (said) return Promise.resolve(said);
    return new Promise((resolve, reject) => {
      const give = (line: Line | null) => {
        if (line && !test(line)) return;
        this.#watchers.delete(give);
        clearTimeout(timer);
        if (line) resolve(line);
        else reject(new Error(this.#story('It ended before it said what was waited for.')));
      };
      const timer = setTimeout(() => {
        this.#watchers.delete(give);
        reject(new Error(this.#story('It never said what was waited for.')));
      }, TIMEOUT_MS);
      this.#watchers.add(give);
    });
  }

  /** The first event of this type that matches. */
  async event<Type extends EventType>(
    type: Type,
    fits: (event: EventOf<Type>) => boolean = () => true,
  ): Promise<EventOf<Type>> {
    const line = await this.line(
      (each) => 'event' in each && each.event.type === type && fits(each.event as EventOf<Type>),
    );
    return (line as { event: EventOf<Type> }).event;
  }

  /** What Obsidian showed. */
  get notices(): string[] {
    return this.lines.flatMap((line) => ('notice' in line ? [line.notice] : []));
  }

  events<Type extends EventType>(type: Type): EventOf<Type>[] {
    return this.lines.flatMap((line) =>
      'event' in line && line.event.type === type ? [line.event as EventOf<Type>] : [],
    );
  }

  /** Kills the program as soon as it prints a matching line, or `delay` milliseconds later. */
  async killAt(test: Test, delay = 0): Promise<void> {
    const said = this.line(test);
    if (delay === 0) {
      const strike = (line: Line | null) => {
        if (line && test(line)) this.#child.kill('SIGKILL');
      };
      this.#watchers.add(strike);
    }
    await said.catch((error: unknown) => {
      if (this.#child.signalCode === null) throw error;
    });
    if (delay > 0) await sleep(delay);
    await this.kill();
  }

  async kill(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.ended;
  }

  /** Sends SIGTERM. */
  terminate(): Promise<number | NodeJS.Signals | null> {
    this.#child.kill('SIGTERM');
    return this.ended;
  }

  /** Closes the input, so that no more commands can be sent. */
  endInput(): void {
    this.#child.stdin!.end();
  }

  /** Resolves when the program is idle or waits for the user. */
  async settled(): Promise<State> {
    const until = Date.now() + TIMEOUT_MS;
    for (;;) {
      const state = await this.state();
      if (!state.busy) return state;
      if (Date.now() > until) throw new Error(this.#story('It never came to rest.'));
      await sleep(20);
    }
  }

  #tell(line: Line | null): void {
    for (const watcher of [...this.#watchers]) watcher(line);
  }

  #story(what: string): string {
    const lines = this.lines.slice(-12).map((line) => JSON.stringify(line).slice(0, 300));
    return [what, 'The last lines:', ...lines, 'Its errors:', this.#errors.slice(-2000)].join('\n');
  }
}

let built: ReturnType<typeof ensureBuilt> | undefined;
const running = new Set<Headless>();

afterAll(async () => {
  await Promise.all([...running].map((headless) => headless.kill()));
});

/** Creates a vault with these files. */
export function makeVault(files: Record<string, string> = {}): string {
  const vault = temporaryFolder('vault');
  for (const [name, text] of Object.entries(files)) writeFileIn(vault, name, text);
  return vault;
}

export function writeFileIn(vault: string, name: string, text: string): void {
  const file = path.join(vault, name);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
}

/** Null if the file does not exist. */
export function readFileIn(vault: string, name: string): string | null {
  const file = path.join(vault, name);
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

/** Texts of all files that are not hidden, by path. */
export function visibleFilesIn(vault: string): Record<string, string> {
  const notes: Record<string, string> = {};
  for (const name of readdirSync(vault, { recursive: true, encoding: 'utf8' }).sort()) {
    const isHidden = name.split(path.sep).some((part) => part.startsWith('.'));
    if (isHidden || statSync(path.join(vault, name)).isDirectory()) continue;
    notes[name.split(path.sep).join('/')] = readFileSync(path.join(vault, name), 'utf8');
  }
  return notes;
}

export const PLUGIN = '.obsidian/plugins/parley';
export const INBOX = '.smarthole/inbox';

export function namesIn(vault: string, folder: string): string[] {
  const full = path.join(vault, folder);
  return existsSync(full) ? readdirSync(full).sort() : [];
}

/**
 * Events of all conversation files, without a line that is still being written. Throws if a line
 * is damaged.
 */
export function recordedEvents(vault: string): Event[] {
  return namesIn(vault, `${PLUGIN}/conversations`)
    .filter((name) => /^conversation-.*\.jsonl$/.test(name))
    .flatMap((name) => {
      const text = readFileIn(vault, `${PLUGIN}/conversations/${name}`) ?? '';
      return linesOf<Event>(text.slice(0, text.lastIndexOf('\n') + 1));
    });
}

export function recordedOf<Type extends EventType>(vault: string, type: Type): EventOf<Type>[] {
  return recordedEvents(vault).filter((event): event is EventOf<Type> => event.type === type);
}

export function linesOf<Value>(text: string): Value[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Value);
}

/** Polls every millisecond until the condition holds. */
export async function until(
  isSo: () => boolean | Promise<boolean>,
  what: string,
  timeout = TIMEOUT_MS,
): Promise<void> {
  const end = Date.now() + timeout;
  while (!(await isSo())) {
    if (Date.now() > end) throw new Error(`Never came: ${what}`);
    await sleep(1);
  }
}

export function isEvent<Type extends EventType>(
  type: Type,
  fits: (event: EventOf<Type>) => boolean = () => true,
): Test {
  return (line) => 'event' in line && line.event.type === type && fits(line.event as EventOf<Type>);
}

export function isReplyTo(cmd: string): Test {
  return (line) => 'reply' in line && line.reply === cmd;
}

/** A vault and a model server, on which the program can be started, killed, and restarted. */
export interface Scenario {
  readonly vault: string;
  readonly server: ModelServer;
  start(options?: Partial<StartOptions>): Promise<Headless>;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function openStage(
  respond: Respond,
  files: Record<string, string> = {},
): Promise<Scenario> {
  const vault = makeVault(files);
  const server = await startModelServer({ respond });
  const started: Headless[] = [];
  return {
    vault,
    server,
    async start(options = {}) {
      const headless = await Headless.start(vault, { apiUrl: server.url, ...options });
      started.push(headless);
      return headless;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(started.map((headless) => headless.kill()));
      await server.close();
    },
  };
}
