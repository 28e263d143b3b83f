/**
 * Drives the built headless program as somebody's script would, and does to it what no script should: kills it at a
 * chosen line, and starts it again on the same folder.
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
import { ensureBuilt } from '../../workbench/build/ensure-built.mjs';

/** Far longer than anything here takes; reached only where something hangs. */
const PATIENCE = 60_000;

export interface Reply {
  readonly reply: string | null;
  readonly ok: boolean;
  readonly problem?: string;
  readonly request?: string;
  readonly conversation?: string;
}

export type Line = { readonly ready: true } | Reply | { readonly event: Event };

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
  readonly apiUrl: string;
  /** In force from the start, by name. */
  readonly settings?: Record<string, unknown>;
  readonly smartHoleUrl?: string;
  /** Notes are written so many bytes at a time, with a rest before each. */
  readonly pieces?: { readonly bytes: number; readonly pauseMs: number };
}

type Test = (line: Line) => boolean;

export class Headless {
  /** All that was said, in order. */
  readonly lines: Line[] = [];
  readonly #child: ChildProcess;
  readonly #watchers = new Set<(line: Line | null) => void>();
  /** The code, or the signal that ended it. */
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
    // A pipe that nobody reads any more is what a kill leaves.
    child.stdin!.on('error', () => undefined);
    this.ended = once(child, 'close').then(([code, signal]) => {
      this.#tell(null);
      return (signal ?? code) as number | NodeJS.Signals | null;
    });
    running.add(this);
    void this.ended.then(() => running.delete(this));
  }

  /** Starts it without waiting for anything. */
  static async launch(vault: string, options: StartOptions): Promise<Headless> {
    const { program, pluginDir } = await (built ??= ensureBuilt());
    const { apiUrl, settings = {}, smartHoleUrl, pieces } = options;
    const file = path.join(temporaryFolder('settings'), 'settings.json');
    // What is asked is to be done at once, unless a test is about something else.
    writeFileSync(file, JSON.stringify({ panelMode: 'apply', ...settings }));
    const args = ['--vault', vault, '--api-url', apiUrl, '--settings', file];
    if (smartHoleUrl !== undefined) args.push('--smarthole-url', smartHoleUrl);
    const start = `import(${JSON.stringify(program)}).then(({ main }) => main(process.argv.slice(1), ${JSON.stringify(pluginDir)}))`;
    const env = { ...process.env };
    delete env.WORKBENCH_WRITE_IN_PIECES;
    if (pieces) env.WORKBENCH_WRITE_IN_PIECES = `${pieces.bytes}:${pieces.pauseMs}`;
    return new Headless(
      spawn(process.execPath, ['--input-type=module', '-e', start, '--', ...args], {
        env,
        stdio: ['pipe', 'pipe', 'pipe'],
      }),
    );
  }

  /** Started and ready for commands. */
  static async start(vault: string, options: StartOptions): Promise<Headless> {
    const headless = await Headless.launch(vault, options);
    await headless.line((line) => 'ready' in line);
    return headless;
  }

  get errors(): string {
    return this.#errors;
  }

  get isRunning(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  write(text: string): void {
    this.#child.stdin!.write(`${text}\n`);
  }

  /** One command and its reply. */
  async ask<Answer extends Reply = Reply>(
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
    return this.ask<State>('state');
  }

  /** The first line like this, said already or yet to come. */
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
      }, PATIENCE);
      this.#watchers.add(give);
    });
  }

  /** The first event of this type that fits. */
  async event<Type extends EventType>(
    type: Type,
    fits: (event: EventOf<Type>) => boolean = () => true,
  ): Promise<EventOf<Type>> {
    const line = await this.line(
      (each) => 'event' in each && each.event.type === type && fits(each.event as EventOf<Type>),
    );
    return (line as { event: EventOf<Type> }).event;
  }

  events<Type extends EventType>(type: Type): EventOf<Type>[] {
    return this.lines.flatMap((line) =>
      'event' in line && line.event.type === type ? [line.event as EventOf<Type>] : [],
    );
  }

  /** Kills it in the very moment in which it says a line like this, or `delay` milliseconds later. */
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

  /** Asks it to end as a system does. */
  terminate(): Promise<number | NodeJS.Signals | null> {
    this.#child.kill('SIGTERM');
    return this.ended;
  }

  /** No more commands will come. */
  endInput(): void {
    this.#child.stdin!.end();
  }

  /** Resolves when nothing goes on any more unless somebody does something. */
  async settled(): Promise<State> {
    const until = Date.now() + PATIENCE;
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

/** A new vault with these files. */
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

/** Null if it is not there. */
export function readFileIn(vault: string, name: string): string | null {
  const file = path.join(vault, name);
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}

/** All files that a user sees, with their texts. */
export function notesIn(vault: string): Record<string, string> {
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

/** The lines of all conversation files, each of which must be whole. */
export function recorded(vault: string): Event[] {
  return namesIn(vault, `${PLUGIN}/conversations`)
    .filter((name) => /^conversation-.*\.jsonl$/.test(name))
    .flatMap((name) => linesOf<Event>(readFileIn(vault, `${PLUGIN}/conversations/${name}`) ?? ''));
}

export function recordedOf<Type extends EventType>(vault: string, type: Type): EventOf<Type>[] {
  return recorded(vault).filter((event): event is EventOf<Type> => event.type === type);
}

export function linesOf<Value>(text: string): Value[] {
  return text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Value);
}

/** Looks as often as it can until it is so. */
export async function until(isSo: () => boolean | Promise<boolean>, what: string): Promise<void> {
  const end = Date.now() + PATIENCE;
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

/** A vault and a model, with a program over them that can be killed and started again. */
export interface Stage {
  readonly vault: string;
  readonly server: ModelServer;
  start(options?: Partial<StartOptions>): Promise<Headless>;
  [Symbol.asyncDispose](): Promise<void>;
}

export async function openStage(
  respond: Respond,
  files: Record<string, string> = {},
): Promise<Stage> {
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
