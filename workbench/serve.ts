/** The workbench for people: the built plugin over a real folder, in the browser. */
import { cpSync, existsSync, mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createNodeDisk } from './disk/node-disk';
import { demoModel } from './model/demo';
import { startModelServer } from './model/server';
import { troubled } from './model/traps';
import { installPlugin } from './plugin-install';
import { openBrowser } from './server/open-browser';
import { FakeSmartHole } from './smarthole/pretend';
import { readStartOptions, type StartOptions } from './server/options';
import type { ModelStandIn } from './server/model-panel';
import { startWorkbenchServer } from './server/server';
import type { Session } from './server/session';

export interface Places {
  readonly pluginDir: string;
  readonly pageDir: string;
  readonly sampleVault: string;
}

export interface Serving {
  readonly url: string;
  readonly vault: string;
  readonly standIn: ModelStandIn | null;
  /** Null where a real one is used. */
  readonly smartHole: FakeSmartHole | null;
  close(): Promise<void>;
}

const KEY = 'parley-api-key';

/** Serves one vault until it is closed. */
export async function serve(options: StartOptions, places: Places): Promise<Serving> {
  const vault = path.resolve(options.vault ?? sampleCopy(places.sampleVault));
  const pluginId = installPlugin(places.pluginDir, vault);
  const standIn = options.apiKey === null && options.apiUrl === null ? await startStandIn() : null;
  const smartHole = options.smartHolePort === null ? await FakeSmartHole.start() : null;
  const smartHolePort = options.smartHolePort ?? smartHole?.port;
  const endpoint = options.apiUrl ?? standIn?.server.url;
  const session: Session = {
    ...{ base: vault, configDir: '.obsidian', pluginId, hasStandIn: standIn !== null },
    hasPretendSmartHole: smartHole !== null,
    settings: {
      ...(endpoint === undefined ? {} : { endpoint }),
      ...{ smartHole: true, smartHolePort },
      // A copy to play with: what is asked for is to be seen at once.
      ...(options.vault === null ? { panelMode: 'apply' } : {}),
    },
    model: standIn ? 'the demo model' : (options.apiUrl ?? 'Claude'),
    platform: platformOf(process.platform),
  };
  const server = await startWorkbenchServer({
    ...{ disk: createNodeDisk(vault), pageDir: places.pageDir, session, standIn, smartHole },
    secrets: new Map([[KEY, options.apiKey ?? 'no-key-needed']]),
    ...(options.port !== null && { port: options.port }),
  });
  const close = async (): Promise<void> => {
    await server.close();
    await standIn?.server.close();
    if (smartHole?.isOpen) await smartHole.close();
  };
  return { url: server.url, vault, standIn, smartHole, close };
}

/** As a program: tells what runs where, and ends with Ctrl-C. */
export async function main(args: readonly string[], places: Places): Promise<void> {
  const read = readStartOptions(args);
  if (!read.ok) {
    console.error(read.problem);
    process.exitCode = 2;
    return;
  }
  const { options } = read;
  const serving = await serve(options, places);
  const isSample = options.vault === null;
  console.log(`${isSample ? 'A copy of the sample vault' : 'The vault'}: ${serving.vault}`);
  console.log(
    serving.standIn
      ? 'The demo model answers: a few rules behind the same API as Claude, no language model.'
      : `${options.apiUrl ?? 'Claude'} answers.`,
  );
  console.log(
    serving.smartHole
      ? 'A pretend SmartHole takes what you “speak”: its panel has a box for it.'
      : `SmartHole on port ${options.smartHolePort} delivers what you speak.`,
  );
  console.log(
    `\n  ${serving.url}\n\nThis address opens the vault; keep it to yourself. Ctrl-C ends.`,
  );
  if (options.open) openBrowser(serving.url);
  const end = (): void => void serving.close().then(() => process.exit());
  process.once('SIGINT', end);
  process.once('SIGTERM', end);
}

async function startStandIn(): Promise<ModelStandIn> {
  const model = troubled(demoModel());
  return { model, server: await startModelServer({ respond: model }) };
}

function sampleCopy(sampleVault: string): string {
  if (!existsSync(sampleVault) || !statSync(sampleVault).isDirectory()) {
    throw new Error(`The sample vault is not at ${sampleVault}.`);
  }
  const vault = mkdtempSync(path.join(tmpdir(), 'parley-vault-'));
  cpSync(sampleVault, vault, { recursive: true });
  return vault;
}

function platformOf(name: NodeJS.Platform): Session['platform'] {
  return name === 'win32' || name === 'darwin' ? name : 'linux';
}
