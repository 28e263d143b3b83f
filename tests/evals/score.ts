/** Results of runs: what was solved, and what it took. */
import type { Usage } from '#model/message';
import type { Check } from './checks/check';
import { EVERY_CHANGE_IS_LOGGED } from './checks/turn-checks';
import type { Outcome } from './outcome';
import type { Task } from './task';

export interface RunResult {
  readonly status: 'solved' | 'unsolved' | 'failed';
  /** The checks that did not pass, or why the run failed. */
  readonly problems: readonly string[];
  readonly steps: number;
  readonly tokens: Usage;
  /** US dollars; null if the price of the model is not known. */
  readonly cost: number | null;
  /** From the user's first step until the agent is idle after the last one. */
  readonly seconds: number;
  /** What the harness took besides: the vault, the start of the plugin, and the judge. */
  readonly harnessSeconds: number;
}

export interface TaskResult {
  /** `category/name`. */
  readonly task: string;
  readonly runs: readonly RunResult[];
}

export interface Report {
  readonly version: 1;
  /** What answered: the name of a script, or the host of the endpoint. */
  readonly policy: string;
  readonly model: string;
  readonly runsPerTask: number;
  readonly tasks: readonly TaskResult[];
}

export function judge(task: Task, outcome: Outcome): string[] {
  return [...task.judge, EVERY_CHANGE_IS_LOGGED].flatMap((check) => problemOf(check, outcome));
}

function problemOf(check: Check, outcome: Outcome): string[] {
  const problem = check.problem(outcome);
  return problem === null ? [] : [`${check.name}: ${problem}`];
}

export interface Summary {
  readonly tasks: number;
  /** Tasks that were solved in every run. */
  readonly always: number;
  /** Mean share of solved runs. */
  readonly mean: number;
  readonly failedRuns: number;
  readonly steps: number;
  readonly promptTokens: number;
  readonly cachedTokens: number;
  readonly outputTokens: number;
  readonly cost: number | null;
  readonly seconds: number;
  readonly harnessSeconds: number;
}

/** Steps, tokens, cost and time are means for one run of each task, added up. */
export function summarize(tasks: readonly TaskResult[]): Summary {
  const total = (value: (run: RunResult) => number) =>
    sum(tasks.map(({ runs }) => sum(runs.map(value)) / runs.length));
  const costs = tasks.flatMap(({ runs }) => runs.map(({ cost }) => cost));
  return {
    tasks: tasks.length,
    always: tasks.filter(isAlwaysSolved).length,
    mean: tasks.length === 0 ? 0 : sum(tasks.map(solvedShare)) / tasks.length,
    failedRuns: sum(
      tasks.map(({ runs }) => runs.filter(({ status }) => status === 'failed').length),
    ),
    steps: total(({ steps }) => steps),
    promptTokens: total(({ tokens }) => promptOf(tokens)),
    cachedTokens: total(({ tokens }) => tokens.cacheRead),
    outputTokens: total(({ tokens }) => tokens.output),
    cost: costs.includes(null) ? null : total(({ cost }) => cost ?? 0),
    seconds: total(({ seconds }) => seconds),
    harnessSeconds: total(({ harnessSeconds }) => harnessSeconds),
  };
}

export function promptOf({ input, cacheRead, cacheWrite }: Usage): number {
  return input + cacheRead + cacheWrite;
}

export function isAlwaysSolved({ runs }: TaskResult): boolean {
  return runs.every(({ status }) => status === 'solved');
}

export function solvedShare({ runs }: TaskResult): number {
  return runs.filter(({ status }) => status === 'solved').length / runs.length;
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
