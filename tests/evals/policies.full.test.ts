/**
 * Runs every task with the script that solves it and with the one that makes a mistake, over real
 * HTTP and with the built plugin, so that each judge is seen to tell the difference.
 */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#tests/builders/temporary-folder';
import { compareReports } from './compare';
import { readReport } from './report-file';
import { summarize, type Report, type TaskResult } from './score';
import { CATEGORIES } from './tasks/all-categories';

const RUN = path.join(import.meta.dirname, 'run.mjs');
const BASELINE = path.join(import.meta.dirname, 'baselines/solution.json');
const TIMEOUT_MS = 600_000;
const COUNT = CATEGORIES.reduce((sum, { tasks }) => sum + tasks.length, 0);

async function reportOf(script: 'solution' | 'mistake'): Promise<Report> {
  const file = path.join(temporaryFolder('evals'), 'report.json');
  const { code, output } = await run(['--scripted', script, '--json', file]);
  expect(code, output).toBe(0);
  return readReport(file);
}

function run(args: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [RUN, ...args], { maxBuffer: 1e8 }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: `${stdout}\n${stderr}` }),
    );
  });
}

function resultsWith(status: string, { tasks }: Report): TaskResult[] {
  return tasks.filter(({ runs }) => runs.some((each) => each.status === status));
}

test(
  'every eval task is solved by its solution, as cheaply as in the baseline',
  async () => {
    const report = await reportOf('solution');
    expect(resultsWith('unsolved', report)).toEqual([]);
    expect(report.tasks).toHaveLength(COUNT);
    expect(COUNT).toBeGreaterThanOrEqual(80);
    expect(compareReports(readReport(BASELINE), report).regressions).toEqual([]);
    const { harnessSeconds, seconds } = summarize(report.tasks);
    console.log(`harness: ${harnessSeconds.toFixed(1)} s, tasks: ${seconds.toFixed(1)} s`);
  },
  TIMEOUT_MS,
);

test(
  'no eval task is solved by its mistake',
  async () => {
    const report = await reportOf('mistake');
    expect(resultsWith('solved', report)).toEqual([]);
    expect(report.tasks).toHaveLength(COUNT);
  },
  TIMEOUT_MS,
);
