/** Two ways to run the plugin over a vault: in this process, and in one that can be killed. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { Event } from '#model/event';
import { openSession } from '#workbench/headless/session';

export interface Built {
  readonly pluginDir: string;
  /** The headless program. */
  readonly program: string;
}

export interface Endpoint {
  readonly apiUrl: string | null;
  readonly apiKey: string | null;
}

export interface Reply {
  readonly ok: boolean;
  readonly reason?: string;
}

export interface Driver {
  /** Sends a headless command and returns its reply. */
  command<Answer extends Reply = Reply>(cmd: string, fields?: object): Promise<Answer>;
  close(): Promise<void>;
}

interface DriverOptions {
  readonly vault: string;
  readonly endpoint: Endpoint;
  readonly settings: Readonly<Record<string, unknown>>;
  onEvent(event: Event): void;
}

/** Opens the vault in this process, which takes a tenth of the time of a process of its own. */
export async function openHere(built: Built, options: DriverOptions): Promise<Driver> {
  const replies = new Map<unknown, Reply>();
  const { endpoint, settings, vault } = options;
  const session = await openSession(
    { ...endpoint, vault, settings, smartHolePort: null },
    built.pluginDir,
    (said) => {
      if ('event' in said) options.onEvent(said.event as Event);
      if ('id' in said) replies.set(said.id, said as unknown as Reply);
    },
  );
  let count = 0;
  return {
    async command<Answer extends Reply>(cmd: string, fields: object = {}) {
      count += 1;
      await session.run(JSON.stringify({ ...fields, cmd, id: count }));
      const reply = replies.get(count);
      replies.delete(count);
      return reply as Answer;
    },
    close: () => session.close(),
  };
}

export interface KillableDriver extends Driver {
  kill(): Promise<void>;
}

/** Opens the vault in a process of its own. The key travels in the environment, not as an argument. */
export async function openProcess(built: Built, options: DriverOptions): Promise<KillableDriver> {
  const { vault, endpoint, settings } = options;
  const settingsFile = path.join(path.dirname(vault), 'settings.json');
  writeFileSync(settingsFile, JSON.stringify(settings));
  const program = JSON.stringify(built.program);
  const pluginDir = JSON.stringify(built.pluginDir);
  const start = `import(${program}).then(({ main }) => main(process.argv.slice(1), ${pluginDir}))`;
  const url = endpoint.apiUrl === null ? [] : ['--api-url', endpoint.apiUrl];
  const args = ['--vault', vault, '--settings', settingsFile, ...url];
  const child = spawn(process.execPath, ['--input-type=module', '-e', start, '--', ...args], {
    env: { ...process.env, ANTHROPIC_API_KEY: endpoint.apiKey ?? '' },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  const ended = once(child, 'close').then(() => 'ended' as const);
  // Writing after a kill fails with a broken pipe.
  child.stdin.on('error', () => undefined);
  const waiting = new Map<unknown, (said: Reply) => void>();
  let announce = (): void => undefined;
  const ready = new Promise<void>((resolve) => (announce = resolve));
  createInterface({ input: child.stdout }).on('line', (line) => {
    const said = JSON.parse(line) as object;
    if ('ready' in said) announce();
    if ('event' in said) options.onEvent(said.event as Event);
    if ('id' in said) waiting.get(said.id)?.(said as unknown as Reply);
  });
  if ((await Promise.race([ready, ended])) === 'ended') {
    throw new Error('The program ended before it was ready.');
  }
  let count = 0;
  return {
    async command<Answer extends Reply>(cmd: string, fields: object = {}) {
      count += 1;
      const id = count;
      const replied = new Promise<Reply>((resolve) => waiting.set(id, resolve));
      child.stdin.write(`${JSON.stringify({ ...fields, cmd, id })}\n`);
      const said = await Promise.race([replied, ended]);
      waiting.delete(id);
      if (said === 'ended') throw new EndedProcess();
      return said as Answer;
    },
    async close() {
      child.stdin.end();
      await ended;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

/** The process ended before it replied, which a kill causes on purpose. */
export class EndedProcess extends Error {
  constructor() {
    super('The program ended before it replied.');
  }
}
