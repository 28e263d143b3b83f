/** Options of `npm run evals`. */
import { readFileSync } from 'node:fs';
import { isRecord } from '#workbench/model/wire';

export type Script = 'solution' | 'mistake';

export interface RunOptions {
  readonly do: 'run';
  /** Null for a model behind an endpoint, or played by hand. */
  readonly script: Script | null;
  /** Folder for the requests and answers of a model that is played by hand. */
  readonly byHand: string | null;
  readonly apiUrl: string | null;
  readonly apiKey: string | null;
  readonly model: string;
  /** Settings by name, such as compatibility or thinking. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly runs: number;
  readonly only: RegExp | null;
  /** File for the report. */
  readonly json: string | null;
  /** Folder that keeps the vaults of runs that were not solved. */
  readonly keep: string | null;
}

export type EvalsOptions =
  | RunOptions
  | { readonly do: 'compare'; readonly before: string; readonly after: string }
  | { readonly do: 'tokens'; readonly only: RegExp | null };

type Read = { ok: true; options: EvalsOptions } | { ok: false; reason: string };

export const DEFAULT_MODEL = 'claude-haiku-4-5-20251001';

const USAGE = `Usage:
  npm run evals -- [--api-key KEY] [--api-url URL] [--model ID] [--settings FILE] [--runs K] [--only PATTERN] [--json FILE] [--keep DIR]
  npm run evals -- --scripted solution|mistake [--only PATTERN] [--json FILE]
  npm run evals -- --by-hand DIR [--only PATTERN] [--json FILE] [--keep DIR]
  npm run evals -- --compare BEFORE.json AFTER.json
  npm run evals -- --tokens [--only PATTERN]
The key is also taken from ANTHROPIC_API_KEY.`;

const VALUED = new Set([
  'settings',
  'api-key',
  'api-url',
  'model',
  'runs',
  'only',
  'json',
  'keep',
  'scripted',
  'by-hand',
]);

export function readEvalsOptions(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
): Read {
  if (args[0] === '--compare') {
    const [, before, after, ...more] = args;
    return before !== undefined && after !== undefined && more.length === 0
      ? { ok: true, options: { do: 'compare', before, after } }
      : wrong('--compare takes two reports.');
  }
  const wantsTokens = args.includes('--tokens');
  const values = new Map<string, string>();
  const rest = args.filter((each) => each !== '--tokens');
  for (let at = 0; at < rest.length; at += 2) {
    const name = (rest[at] ?? '').replace(/^--/, '');
    const value = rest[at + 1];
    if (!VALUED.has(name)) return wrong(`Unknown option ${rest[at]}.`);
    if (value === undefined) return wrong(`--${name} needs a value.`);
    values.set(name, value);
  }
  const only = patternOf(values.get('only'));
  if (only === 'wrong') return wrong('--only takes a regular expression.');
  if (wantsTokens) return { ok: true, options: { do: 'tokens', only } };
  const script = values.get('scripted') ?? null;
  if (script !== null && script !== 'solution' && script !== 'mistake') {
    return wrong('--scripted takes solution or mistake.');
  }
  const runs = Number(values.get('runs') ?? 1);
  if (!Number.isInteger(runs) || runs < 1) return wrong('--runs takes a whole number from 1 on.');
  const apiUrl = values.get('api-url') ?? null;
  if (apiUrl !== null && !URL.canParse(apiUrl)) return wrong(`--api-url: ${apiUrl} is no URL.`);
  const settings = settingsIn(values.get('settings'));
  if (settings === null) return wrong('--settings takes a file with a JSON object.');
  // An empty key counts as none.
  const apiKey = (values.get('api-key') ?? environment['ANTHROPIC_API_KEY']) || null;
  const byHand = values.get('by-hand') ?? null;
  if (byHand !== null && script !== null)
    return wrong('--by-hand and --scripted exclude each other.');
  if (script === null && byHand === null && apiKey === null && apiUrl === null) {
    return wrong(
      'Give a key, an endpoint, --by-hand DIR to answer yourself, or --scripted solution to try it without a model.',
    );
  }
  return {
    ok: true,
    options: {
      do: 'run',
      script,
      byHand,
      apiUrl,
      apiKey,
      model: values.get('model') ?? DEFAULT_MODEL,
      settings,
      runs,
      only,
      json: values.get('json') ?? null,
      keep: values.get('keep') ?? null,
    },
  };
}

function settingsIn(file: string | undefined): Record<string, unknown> | null {
  if (file === undefined) return {};
  try {
    const settings: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isRecord(settings) ? settings : null;
  } catch {
    return null;
  }
}

function patternOf(pattern: string | undefined): RegExp | null | 'wrong' {
  if (pattern === undefined) return null;
  try {
    return new RegExp(pattern, 'i');
  } catch {
    return 'wrong';
  }
}

function wrong(problem: string): Read {
  return { ok: false, reason: `${problem}\n${USAGE}` };
}
