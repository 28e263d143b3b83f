/** The workbench for people: the built plugin over a real folder, in the browser. */
import { spawn } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { createNodeDisk } from './disk/node-disk';
import { demoModel } from './model/demo';
import { startModelServer } from './model/server';
import { troubled } from './model/traps';
import { installPlugin } from './plugin-install';
import { savedSecrets } from './saved-secrets';
import type { DemoModelServer } from './server/model-panel';
import { type Session, startWorkbenchServer } from './server/server';
import { FakeSmartHole } from './smarthole/fake-smarthole';
import { NO_SMARTHOLE, portOf } from './smarthole/wire';

export interface Places {
  readonly pluginDir: string;
  readonly pageDir: string;
  readonly sampleVault: string;
}

export interface Serving {
  readonly url: string;
  readonly vault: string;
  readonly demo: DemoModelServer | null;
  /** Null where a real one is used. */
  readonly smartHole: FakeSmartHole | null;
  /** Whether a SmartHole, real or not, answered at the start. */
  readonly isSmartHoleFound: boolean;
  close(): Promise<void>;
}

const KEY = 'parley-api-key';

/** Serves one vault until it is closed. */
export async function serve(options: StartOptions, places: Places): Promise<Serving> {
  const vault = path.resolve(options.vault ?? sampleCopy(places.sampleVault));
  const pluginId = installPlugin(places.pluginDir, vault);
  const demo = options.apiKey === null && options.apiUrl === null ? await startDemoModel() : null;
  const smartHole = options.smartHolePort === null ? await FakeSmartHole.start() : null;
  const smartHolePort = options.smartHolePort ?? smartHole?.port;
  const isSmartHoleFound = smartHolePort !== undefined && (await isListening(smartHolePort));
  const endpoint = options.apiUrl ?? demo?.server.url;
  const session: Session = {
    ...{ base: vault, configDir: '.obsidian', pluginId, hasDemoModel: demo !== null },
    ...{ hasSimulatedSmartHole: smartHole !== null, isSmartHoleFound },
    settings: {
      ...(endpoint === undefined ? {} : { endpoint }),
      ...{ smartHole: true, smartHolePort },
      // A copy to play with: what is asked for is to be seen at once.
      ...(options.vault === null ? { panelMode: 'apply' } : {}),
    },
    model: demo ? 'the demo model' : (options.apiUrl ?? 'Claude'),
    platform: platformOf(process.platform),
  };
  const server = await startWorkbenchServer({
    ...{ disk: createNodeDisk(vault), pageDir: places.pageDir, session, demo, smartHole },
    secrets: new Map(
      Object.entries({ ...savedSecrets(vault), [KEY]: options.apiKey ?? 'no-key-needed' }),
    ),
    ...(options.port !== null && { port: options.port }),
  });
  const close = async (): Promise<void> => {
    await server.close();
    await demo?.server.close();
    if (smartHole?.isOpen) await smartHole.close();
  };
  return { url: server.url, vault, demo, smartHole, isSmartHoleFound, close };
}

/** As a program: tells what runs where, and ends with Ctrl-C. */
export async function main(args: readonly string[], places: Places): Promise<void> {
  if (args.includes('--help')) return console.log(USAGE);
  const read = readStartOptions(args);
  if (!read.ok) {
    console.error(read.reason);
    process.exitCode = 2;
    return;
  }
  const { options } = read;
  const serving = await serve(options, places);
  const isSample = options.vault === null;
  console.log(`${isSample ? 'A copy of the sample vault' : 'The vault'}: ${serving.vault}`);
  console.log(
    serving.demo
      ? 'The demo model answers: a few rules behind the same API as Claude, no language model.'
      : options.apiUrl === null
        ? 'Requests go to Claude, and are billed to your key.'
        : `Requests go to ${options.apiUrl}.`,
  );
  console.log(
    serving.smartHole
      ? 'A simulated SmartHole runs beside it: its panel has a field for what you would say.'
      : serving.isSmartHoleFound
        ? `SmartHole on port ${options.smartHolePort} delivers what you speak.`
        : `Nothing answers on port ${options.smartHolePort}. Start SmartHole there; Parley connects by itself.`,
  );
  console.log(
    `\n  ${serving.url}\n\nThis address opens the vault; keep it to yourself. Ctrl-C ends.`,
  );
  if (options.open) openBrowser(serving.url);
  const end = (): void => void serving.close().then(() => process.exit());
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: '127.0.0.1', port });
    const end = (isOpen: boolean) => () => {
      socket.destroy();
      resolve(isOpen);
    };
    socket.once('connect', end(true)).once('error', end(false));
    socket.setTimeout(1_000, end(false));
  });
}

async function startDemoModel(): Promise<DemoModelServer> {
  const model = troubled(demoModel());
  return { model, server: await startModelServer({ respond: model }) };
}

function sampleCopy(sampleVault: string): string {
  if (!existsSync(sampleVault) || !statSync(sampleVault).isDirectory()) {
    throw new Error(`The sample vault is not at ${sampleVault}.`);
  }
  const vault = mkdtempSync(path.join(tmpdir(), 'parley-vault-'));
  cpSync(sampleVault, vault, { recursive: true });
  // There is no system trash here, so what is said of a deletion must not name it.
  mkdirSync(path.join(vault, '.obsidian'), { recursive: true });
  writeFileSync(path.join(vault, '.obsidian/app.json'), '{"trashOption":"local"}');
  return vault;
}

function platformOf(name: NodeJS.Platform): Session['platform'] {
  return name === 'win32' || name === 'darwin' ? name : 'linux';
}

export interface StartOptions {
  /** Null for a fresh copy of the sample vault. */
  readonly vault: string | null;
  readonly apiUrl: string | null;
  readonly apiKey: string | null;
  /** Null for a free port. */
  readonly port: number | null;
  /** Port of a real SmartHole; null for the fake one. */
  readonly smartHolePort: number | null;
  readonly open: boolean;
}

type Read = { ok: true; options: StartOptions } | { ok: false; reason: string };

const USAGE = `Usage: npm start -- [options]

Opens a vault with the plugin in the browser.

  --vault DIR           the vault; without it, a fresh copy of the sample vault
  --api-url URL         a server that speaks the Claude API; without it and a key, the demo model
  --api-key KEY         the API key; default: the environment variable ANTHROPIC_API_KEY
  --smarthole-url URL   a running SmartHole; without it, a simulated one
  --port PORT           the port of the page; default: a free one
  --no-open             do not open the browser
  --help                show this text`;

const OPTIONS = {
  vault: { type: 'string' },
  'api-url': { type: 'string' },
  'api-key': { type: 'string' },
  'smarthole-url': { type: 'string' },
  port: { type: 'string' },
} as const;

/** Where npm puts an option that it was given without `--` before it. */
const npmName = (option: string) => `npm_config_${option.replaceAll('-', '_')}`;

export function readStartOptions(args: readonly string[], env = process.env): Read {
  const taken = Object.keys(OPTIONS).find((name) => env[npmName(name)] !== undefined);
  if (taken !== undefined && args.every((each) => !each.startsWith(`--${taken}`))) {
    return wrong(
      `npm took --${taken} for itself. Put -- before the options: npm start -- --${taken} …`,
    );
  }
  let values;
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: { ...OPTIONS, 'no-open': { type: 'boolean' } },
    }));
  } catch (error) {
    return wrong((error as Error).message);
  }
  const { vault = null, port } = values;
  if (vault !== null && !(existsSync(vault) && statSync(vault).isDirectory())) {
    return wrong(`--vault: ${vault} is not a folder.`);
  }
  const apiUrl = values['api-url'] ?? null;
  if (apiUrl !== null && !URL.canParse(apiUrl)) return wrong(`--api-url: ${apiUrl} is no URL.`);
  const smartHole = values['smarthole-url'];
  const smartHolePort = smartHole === undefined ? null : portOf(smartHole);
  if (smartHolePort === 'wrong') return wrong(`--smarthole-url: ${smartHole} ${NO_SMARTHOLE}`);
  if (port !== undefined && !(/^\d+$/.test(port) && Number(port) < 65_536)) {
    return wrong(`--port: ${port} is no port.`);
  }
  return {
    ok: true,
    options: {
      ...{ vault, apiUrl, smartHolePort },
      apiKey: values['api-key'] ?? (env['ANTHROPIC_API_KEY'] || null),
      port: port === undefined ? null : Number(port),
      open: values['no-open'] !== true,
    },
  };
}

function wrong(problem: string): Read {
  return { ok: false, reason: `${problem}\n\n${USAGE}` };
}

/** Opens the system's browser. If that fails, the user can open the printed URL. */
export function openBrowser(url: string): void {
  const [program, ...args] = commandFor(process.platform, url);
  if (program === undefined) return;
  const started = spawn(program, args, { stdio: 'ignore', detached: true });
  started.once('error', () => undefined);
  started.unref();
}

function commandFor(platform: NodeJS.Platform, url: string): string[] {
  if (platform === 'darwin') return ['open', url];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler', url];
  return ['xdg-open', url];
}
