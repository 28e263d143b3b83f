/**
 * Runs the built plugin over a real folder: reads commands as lines, writes replies and events as
 * lines.
 */
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import type { Agent } from '#ports/app/agent';
import { describePending } from '#messages/pending-settings-messages';
import { withInvisibleMarks } from '#text/invisible-characters';
import { demoModel } from '../model/demo';
import { startModelServer } from '../model/server';
import { type Options, readOptions, USAGE } from './options';
import { openSession } from './session';

export async function main(args: readonly string[], pluginDir: string): Promise<void> {
  if (args.includes('--help')) return console.log(USAGE);
  const read = readOptions(args);
  if (!read.ok) {
    console.error(read.reason);
    process.exitCode = 2;
    return;
  }
  await run(read.options, pluginDir);
}

async function run(options: Options, pluginDir: string): Promise<void> {
  const speaker = lineSpeaker(process.stdin, process.stdout);
  // Recovered turns may continue before the plugin is ready, so their events are held until the
  // `ready` line.
  let early: object[] | null = [];
  const say = (message: object): void => {
    if (early) early.push(message);
    else speaker.say(message);
  };
  const demo =
    options.apiUrl === null && options.apiKey === null
      ? await startModelServer({ respond: demoModel() })
      : null;
  const session = await openSession(
    { ...options, apiUrl: options.apiUrl ?? demo?.url ?? null },
    pluginDir,
    say,
  );
  const { agent } = session;

  let closing: Promise<void> | null = null;
  const close = (): Promise<void> => {
    closing ??= (async () => {
      await session.close();
      await demo?.close();
      for (const error of session.errors) console.error(error);
      await speaker.drained();
      process.exit();
    })();
    return closing;
  };
  process.once('SIGTERM', () => void close());
  process.once('SIGINT', () => void close());

  speaker.say({ ready: true });
  for (const problem of (await agent.state()).problems) speaker.say({ problem });
  const { mcpServers } = agent.settings.current();
  for (const pending of agent.settings.pending()) {
    const { name, text } = describePending(pending, mcpServers);
    speaker.say({ held: withInvisibleMarks(`${name}\n${text}`) });
  }
  for (const message of early) speaker.say(message);
  early = null;
  await speaker.eachLine(async (line) => {
    if ((await session.run(line)) === 'quit') await close();
  });
  // Input may end right after a request, for example from a pipe; finish the request first.
  await idle(agent);
  await close();
}

async function idle(agent: Agent): Promise<void> {
  while ((await agent.state()).busy) await new Promise((resolve) => setTimeout(resolve, 20));
}

export interface LineSpeaker {
  say(message: object): void;
  /** Handles lines one at a time, in order, until the input ends. */
  eachLine(handle: (line: string) => Promise<void>): Promise<void>;
  /** Resolves once all output has left this process. */
  drained(): Promise<void>;
}

function lineSpeaker(input: Readable, output: Writable): LineSpeaker {
  // Reads from the start, so that no line is lost while the plugin loads.
  const lines: string[] = [];
  let ended = false;
  let wake = () => {};
  const reader = createInterface({ input, crlfDelay: Infinity });
  reader.on('line', (line) => {
    lines.push(line);
    wake();
  });
  reader.on('close', () => {
    ended = true;
    wake();
  });
  return {
    say: (message) => {
      output.write(`${JSON.stringify(message)}\n`);
    },
    async eachLine(handle) {
      for (;;) {
        const line = lines.shift();
        if (line !== undefined) {
          if (line.trim() !== '') await handle(line);
        } else if (ended) {
          return;
        } else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    },
    drained: () => new Promise((resolve) => output.write('', () => resolve())),
  };
}
