/** Compares two reports and names what became worse. */
import { table } from './tables';
import { isAlwaysSolved, solvedShare, summarize, type Report } from './score';

/** Share by which steps, tokens and cost of all tasks together may grow. */
const MAX_GROWTH = 0.1;

export interface Comparison {
  /** In sentences. A run with any of them fails. */
  readonly regressions: readonly string[];
  /** Tasks that are now solved in all runs and were not before. */
  readonly improvements: readonly string[];
  readonly text: string;
}

export function compareReports(before: Report, after: Report): Comparison {
  const earlier = new Map(before.tasks.map((each) => [each.task, each]));
  const later = new Map(after.tasks.map((each) => [each.task, each]));
  const isInBoth = ({ task }: { task: string }) => earlier.has(task) && later.has(task);
  const [old, now] = [before.tasks.filter(isInBoth), after.tasks.filter(isInBoth)];
  const regressions: string[] = [];
  const improvements: string[] = [];
  for (const result of before.tasks) {
    const next = later.get(result.task);
    if (!next) regressions.push(`${result.task}: is missing in the second report.`);
    else if (isAlwaysSolved(result) && !isAlwaysSolved(next)) {
      const share = Math.round(solvedShare(next) * next.runs.length);
      regressions.push(
        `${result.task}: was solved in all runs, now in ${share} of ${next.runs.length}.`,
      );
    } else if (!isAlwaysSolved(result) && isAlwaysSolved(next)) improvements.push(result.task);
  }
  const [sumBefore, sumAfter] = [summarize(old), summarize(now)];
  const measures: [string, number | null, number | null][] = [
    ['steps', sumBefore.steps, sumAfter.steps],
    ['prompt tokens', sumBefore.promptTokens, sumAfter.promptTokens],
    ['output tokens', sumBefore.outputTokens, sumAfter.outputTokens],
    ['cost in dollars', sumBefore.cost, sumAfter.cost],
  ];
  for (const [name, was, is] of measures) {
    if (was === null || is === null || is <= was * (1 + MAX_GROWTH)) continue;
    regressions.push(`${name}: grew from ${shown(was)} to ${shown(is)}, by more than 10 %.`);
  }
  const rows = [
    ['solved in all runs', sumBefore.always, sumAfter.always],
    ['mean of solved runs', sumBefore.mean * 100, sumAfter.mean * 100],
    ...measures,
    ['seconds', sumBefore.seconds, sumAfter.seconds],
  ] as const;
  const text = [
    `${old.length} tasks are in both reports.`,
    `before: ${titleOf(before)}`,
    `after:  ${titleOf(after)}`,
    '',
    table(
      ['', 'before', 'after'],
      rows.map(([name, was, is]) => [name, shown(was), shown(is)]),
    ),
  ].join('\n');
  return { regressions, improvements, text };
}

function titleOf({ model, policy, runsPerTask }: Report): string {
  return `${model} (${policy}), ${runsPerTask} per task`;
}

function shown(value: number | null): string {
  if (value === null) return 'unknown';
  return value.toLocaleString('en-US', { maximumFractionDigits: value < 10 ? 3 : 0 });
}
