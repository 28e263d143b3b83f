import { existsSync, readFileSync, statSync } from 'node:fs';
import { NO_SMARTHOLE, portOf } from '../smarthole/wire';

export interface Options {
  readonly vault: string;
  readonly apiUrl: string | null;
  readonly apiKey: string | null;
  /** Port of a real or fake SmartHole, or null for none. */
  readonly smartHolePort: number | null;
  /** Overrides for this run; they are not saved. */
  readonly settings: Record<string, unknown>;
}

type Read = { ok: true; options: Options } | { ok: false; reason: string };

export const USAGE = `Usage: npm run --silent headless -- --vault DIR [options]

Runs the plugin over a vault without a screen. Reads commands as JSON lines from standard input and
writes replies and events as JSON lines to standard output.

  --vault DIR           the vault
  --api-url URL         a server that speaks the Claude API; without it and a key, the demo model
  --api-key KEY         the API key; default: the environment variable ANTHROPIC_API_KEY
  --smarthole-url URL   a running SmartHole; without it, no voice
  --settings FILE       a JSON object of settings for this run; they are not saved
  --help                show this text

docs/headless.md describes the commands and events.`;

const FLAGS = ['--vault', '--api-url', '--api-key', '--smarthole-url', '--settings'];

export function readOptions(args: readonly string[]): Read {
  const values = new Map<string, string>();
  for (let at = 0; at < args.length; at += 2) {
    const [flag = '', value] = [args[at], args[at + 1]];
    if (!FLAGS.includes(flag)) return wrong(`Unknown option ${flag}.`);
    if (value === undefined) return wrong(`${flag} needs a value.`);
    values.set(flag, value);
  }
  const vault = values.get('--vault');
  if (vault === undefined) return wrong('--vault is missing.');
  if (!existsSync(vault) || !statSync(vault).isDirectory()) {
    return wrong(`--vault: ${vault} is not a folder.`);
  }
  const apiUrl = values.get('--api-url') ?? null;
  if (apiUrl !== null && !URL.canParse(apiUrl)) return wrong(`--api-url: ${apiUrl} is no URL.`);
  const smartHole = values.get('--smarthole-url');
  const smartHolePort = smartHole === undefined ? null : portOf(smartHole);
  if (smartHolePort === 'wrong') return wrong(`--smarthole-url: ${smartHole} ${NO_SMARTHOLE}`);
  const settings = readSettings(values.get('--settings'));
  if (typeof settings === 'string') return wrong(settings);
  // An empty key counts as none.
  const apiKey = (values.get('--api-key') ?? process.env['ANTHROPIC_API_KEY']) || null;
  return { ok: true, options: { vault, apiUrl, apiKey, smartHolePort, settings } };
}

function readSettings(file: string | undefined): Record<string, unknown> | string {
  if (file === undefined) return {};
  try {
    const settings: unknown = JSON.parse(readFileSync(file, 'utf8'));
    if (typeof settings !== 'object' || settings === null || Array.isArray(settings)) {
      return `--settings: ${file} does not hold a JSON object of settings by name.`;
    }
    return settings as Record<string, unknown>;
  } catch (error) {
    return `--settings: ${file} can't be read as JSON: ${(error as Error).message}`;
  }
}

function wrong(problem: string): Read {
  return { ok: false, reason: `${problem}\n\n${USAGE}` };
}
