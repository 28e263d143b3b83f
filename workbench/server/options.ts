import { existsSync, statSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { NO_SMARTHOLE, portOf } from '../smarthole/address';

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

type Read = { ok: true; options: StartOptions } | { ok: false; problem: string };

const USAGE =
  'Usage: npm start -- [--vault DIR] [--api-url URL] [--api-key KEY] [--smarthole-url URL] [--port PORT] [--no-open]';

export function readStartOptions(args: readonly string[], env = process.env): Read {
  let values;
  try {
    ({ values } = parseArgs({
      args: [...args],
      options: {
        vault: { type: 'string' },
        'api-url': { type: 'string' },
        'api-key': { type: 'string' },
        'smarthole-url': { type: 'string' },
        port: { type: 'string' },
        'no-open': { type: 'boolean' },
      },
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
  return { ok: false, problem: `${problem}\n${USAGE}` };
}
