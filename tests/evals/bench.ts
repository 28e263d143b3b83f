/** Runs tasks one after the other and judges them. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { callCost } from '#model/model-cost';
import { NO_USAGE } from '#model/message';
import { priceOf } from '#providers/anthropic/anthropic-models';
import { endByHand, playedByHand } from './by-hand';
import type { Built, Endpoint } from './drivers';
import type { RunOptions } from './options';
import { play, type Played } from './play';
import { judge, type Report, type RunResult, type TaskResult } from './score';
import { scriptedPolicy } from './scripted-policy';
import type { Category, Task } from './task';
import { startModelServer, type ModelServer, type Respond } from '#workbench/model/server';

export interface NamedTask {
  readonly id: string;
  readonly task: Task;
}

type BenchOptions = Pick<
  RunOptions,
  'script' | 'byHand' | 'apiUrl' | 'apiKey' | 'model' | 'settings' | 'runs' | 'keep'
>;

/** An endpoint that fails this often in a row costs time and tells nothing about the model. */
const MAX_FAILURES_IN_A_ROW = 3;

/** How long Parley and the harness wait for an answer that is written by hand. */
const BY_HAND_SECONDS = 3_600;

export function tasksOf(categories: readonly Category[], only: RegExp | null): NamedTask[] {
  return categories
    .flatMap(({ name, tasks }) => tasks.map((task) => ({ id: `${name}/${task.name}`, task })))
    .filter(({ id }) => only === null || only.test(id));
}

export async function runBench(
  tasks: readonly NamedTask[],
  options: BenchOptions,
  built: Built,
  onResult: (result: TaskResult) => void,
): Promise<Report> {
  const { script, byHand, apiUrl, apiKey, model } = options;
  const isPlayed = script !== null || byHand !== null;
  const server = isPlayed ? await startModelServer({ respond: scriptedPolicy([]) }) : null;
  const endpoint = server ? { apiUrl: server.url, apiKey: null } : { apiUrl, apiKey };
  const results: TaskResult[] = [];
  let failures = 0;
  try {
    for (const { id, task } of tasks) {
      const runs: RunResult[] = [];
      for (let run = 0; run < options.runs && failures < MAX_FAILURES_IN_A_ROW; run += 1) {
        const number = results.length * options.runs + run + 1;
        server?.setRespond(playerOf(task, number, options));
        const result = await runOnce({ id, task }, { ...options, endpoint, built, server });
        if (byHand !== null) endByHand(folderOf(byHand, number), endText(result, number));
        failures = result.status === 'failed' ? failures + 1 : 0;
        runs.push(withoutKey(result, apiKey));
      }
      if (runs.length === 0) break;
      const result = { task: id, runs };
      results.push(result);
      onResult(result);
    }
  } finally {
    await server?.close();
  }
  if (byHand !== null) endByHand(byHand, 'All tasks are over.');
  const policy = script ?? (byHand === null ? hostOf(apiUrl) : 'by hand');
  return { version: 1, policy, model, runsPerTask: options.runs, tasks: results };
}

/** @param number names the folder of a task that is played by hand; its title would give hints */
function playerOf(task: Task, number: number, { script, byHand }: BenchOptions): Respond {
  if (script !== null) return scriptedPolicy(task[script]);
  const folder = folderOf(byHand ?? '', number);
  return playedByHand(folder, (file) => console.log(`waiting for ${file}`));
}

function folderOf(byHand: string, number: number): string {
  return path.join(byHand, String(number));
}

function endText({ status, problems }: RunResult, number: number): string {
  const next = number + 1;
  return [
    `The task is over: ${status}.`,
    ...problems.map((problem) => `- ${problem}`),
    `The next one begins with ../${next}/1.request.txt, unless ../ended.txt says that all are over:`,
    `until [ -e ../${next}/1.request.txt ] || [ -e ../ended.txt ]; do sleep 1; done`,
  ].join('\n');
}

interface RunContext extends BenchOptions {
  readonly endpoint: Endpoint;
  readonly built: Built;
  readonly server: ModelServer | null;
}

async function runOnce({ id, task }: NamedTask, context: RunContext): Promise<RunResult> {
  const { model, built, endpoint, server, keep } = context;
  const started = performance.now();
  const violations = server?.violations.length ?? 0;
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-evals-'));
  try {
    const played = await play(task, {
      built,
      endpoint,
      settings: {
        ...context.settings,
        model,
        ...(context.byHand !== null && { stallSeconds: BY_HAND_SECONDS }),
      },
      folder,
      ...(context.byHand !== null && { settleSeconds: BY_HAND_SECONDS }),
    }).catch(crashed);
    const broken = server?.violations.slice(violations) ?? [];
    const result = resultOf(task, played, broken, model);
    if (keep !== null && result.status !== 'solved') {
      cpSync(folder, path.join(keep, id.replace(/[^\w-]+/g, '-')), { recursive: true });
    }
    const harnessSeconds = (performance.now() - started) / 1000 - result.seconds;
    return { ...result, harnessSeconds };
  } finally {
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

function crashed(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

function resultOf(
  task: Task,
  played: Played | string,
  violations: readonly string[],
  model: string,
): Omit<RunResult, 'harnessSeconds'> {
  if (typeof played === 'string') {
    return {
      status: 'failed',
      problems: [played],
      steps: 0,
      tokens: NO_USAGE,
      cost: 0,
      seconds: 0,
    };
  }
  const { outcome, failure, seconds } = played;
  const price = priceOf(model, { prices: {} });
  const failed = [...(failure === null ? [] : [failure]), ...violations];
  const problems = failed.length > 0 ? failed : judge(task, outcome);
  return {
    status: failed.length > 0 ? 'failed' : problems.length > 0 ? 'unsolved' : 'solved',
    problems,
    steps: outcome.steps,
    tokens: outcome.usage,
    cost: price && callCost(outcome.usage, price),
    seconds,
  };
}

/** Servers may repeat the key in an error message, and reports are kept in git. */
function withoutKey(result: RunResult, key: string | null): RunResult {
  if (key === null) return result;
  return { ...result, problems: result.problems.map((each) => each.replaceAll(key, '[key]')) };
}

/** Without user, password and query, which may hold secrets. */
function hostOf(apiUrl: string | null): string {
  return apiUrl === null ? 'api.anthropic.com' : new URL(apiUrl).host;
}
