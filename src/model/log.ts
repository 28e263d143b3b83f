/**
 * The log of what Parley did, for bug reports: kinds, counts and durations by area. It has no text
 * that a user, a model, a note, a page or a server wrote.
 */
import { isRecord } from '#text/untrusted-text';

export const LOG_AREAS = ['requests', 'model', 'tools', 'mcp', 'voice', 'settings'] as const;

export type LogArea = (typeof LOG_AREAS)[number];

/** The quietest one first. */
export const LOG_LEVELS = ['off', 'problems', 'everything'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

export const DEFAULT_LOG_LEVELS: Readonly<Record<LogArea, LogLevel>> = {
  requests: 'everything',
  model: 'everything',
  tools: 'everything',
  mcp: 'everything',
  voice: 'everything',
  settings: 'everything',
};

export function areLogLevels(value: unknown): value is Readonly<Record<LogArea, LogLevel>> {
  return (
    isRecord(value) &&
    Object.keys(value).length === LOG_AREAS.length &&
    LOG_AREAS.every((area) => LOG_LEVELS.some((level) => level === value[area]))
  );
}

export interface LogEntry {
  readonly area: LogArea;
  /** What happened, such as `turn-end`. */
  readonly what: string;
  readonly isProblem?: boolean;
  /** Numbers, and codes from Parley's own lists, such as the kind of a failure. */
  readonly facts?: Readonly<Record<string, number | string | undefined>>;
}

const MAX_LINES = 500;

/** Keeps the last lines in memory. Nothing is written to disk or to the console. */
export class Log {
  readonly #now: () => number;
  readonly #levels: () => Readonly<Record<LogArea, LogLevel>>;
  readonly #lines: string[] = [];

  constructor(now: () => number, levels: () => Readonly<Record<LogArea, LogLevel>>) {
    this.#now = now;
    this.#levels = levels;
  }

  add({ area, what, isProblem = false, facts = {} }: LogEntry): void {
    const level = this.#levels()[area];
    if (level === 'off' || (level === 'problems' && !isProblem)) return;
    const shown = Object.entries(facts).flatMap(([name, value]) =>
      value === undefined ? [] : `${name}=${code(value)}`,
    );
    const time = new Date(this.#now()).toISOString();
    this.#lines.push([time, area, isProblem ? 'problem' : 'info', what, ...shown].join(' '));
    if (this.#lines.length > MAX_LINES) this.#lines.shift();
  }

  /** The oldest one first. */
  lines(): readonly string[] {
    return [...this.#lines];
  }
}

/** A number or a code as it is; anything else could be text from outside. */
function code(value: number | string): string {
  if (typeof value === 'number') return String(Math.round(value));
  return /^[a-z0-9][a-z0-9_.-]{0,47}$/i.test(value) ? value : '(other)';
}
