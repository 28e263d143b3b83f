import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#tests/builders/temporary-folder';
import { compareReports } from './compare';
import { readReport, writeReport } from './report-file';
import type { Report, RunResult, TaskResult } from './score';

function runOf(status: RunResult['status'], output = 100): RunResult {
  const tokens = { input: 1000, output, cacheRead: 0, cacheWrite: 0 };
  return { status, problems: [], steps: 2, tokens, cost: 0.01, seconds: 1, harnessSeconds: 1 };
}

function resultOf(task: string, ...runs: readonly RunResult[]): TaskResult {
  return { task, runs };
}

function reportOf(...tasks: readonly TaskResult[]): Report {
  return { version: 1, policy: 'api.anthropic.com', model: 'claude', runsPerTask: 2, tasks };
}

const STABLE = resultOf('lists/a', runOf('solved'), runOf('solved'));
const SHAKY = resultOf('lists/b', runOf('solved'), runOf('unsolved'));

test('an eval report compared with itself has no regression', () => {
  const report = reportOf(STABLE, SHAKY);
  expect(compareReports(report, report)).toMatchObject({ regressions: [], improvements: [] });
});

test('an eval task that is no longer solved in every run is a regression', () => {
  const worse = resultOf('lists/a', runOf('solved'), runOf('unsolved'));
  expect(compareReports(reportOf(STABLE), reportOf(worse)).regressions).toEqual([
    'lists/a: was solved in all runs, now in 1 of 2.',
  ]);
});

test('an eval task whose runs failed counts as not solved', () => {
  const failed = resultOf('lists/a', runOf('solved'), runOf('failed'));
  expect(compareReports(reportOf(STABLE), reportOf(failed)).regressions).toHaveLength(1);
});

test('an eval task that was solved in some runs may be solved in fewer', () => {
  const worse = resultOf('lists/b', runOf('unsolved'), runOf('unsolved'));
  expect(compareReports(reportOf(SHAKY), reportOf(worse)).regressions).toEqual([]);
});

test('an eval task that is missing in the second report is a regression, and a new one is not', () => {
  const { regressions } = compareReports(reportOf(STABLE), reportOf(SHAKY));
  expect(regressions).toEqual(['lists/a: is missing in the second report.']);
});

test('an eval task that is solved in every run for the first time is an improvement', () => {
  const better = resultOf('lists/b', runOf('solved'), runOf('solved'));
  expect(compareReports(reportOf(SHAKY), reportOf(better)).improvements).toEqual(['lists/b']);
});

test.each([
  [109, 0],
  [111, 1],
])('evals that take %i %% of the output tokens have %i regressions', (output, count) => {
  const more = resultOf('lists/a', runOf('solved', output), runOf('solved', output));
  const { regressions } = compareReports(reportOf(STABLE), reportOf(more));
  expect(regressions).toHaveLength(count);
});

test('an eval report is the same after it was written and read', () => {
  const file = path.join(temporaryFolder('report'), 'report.json');
  const report = reportOf(STABLE, SHAKY);
  writeReport(file, report);
  expect(readReport(file)).toEqual(report);
});
