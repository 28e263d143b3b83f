/** Reports as text. */
import { isAlwaysSolved, solvedShare, summarize, type Report, type TaskResult } from './score';

export function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const all = [head, ...rows];
  const widths = head.map((_, column) =>
    Math.max(...all.map((row) => [...(row[column] ?? '')].length)),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => {
        const space = ' '.repeat((widths[column] ?? 0) - [...cell].length);
        return column === 0 ? cell + space : space + cell;
      })
      .join('  ')
      .trimEnd();
  return [line(head), widths.map((width) => '-'.repeat(width)).join('  '), ...rows.map(line)].join(
    '\n',
  );
}

/** One line while the bench runs. */
export function progressLine({ task, runs }: TaskResult): string {
  const solved = runs.filter(({ status }) => status === 'solved').length;
  const mark = runs.some(({ status }) => status === 'failed')
    ? 'FAILED'
    : solved === runs.length
      ? 'solved'
      : `${solved}/${runs.length}`;
  const problems = [...new Set(runs.flatMap((run) => run.problems))];
  return [`${mark.padEnd(7)} ${task}`, ...problems.map((each) => `          ${each}`)].join('\n');
}

export function reportText(report: Report): string {
  const { policy, model, runsPerTask, tasks } = report;
  const categories = [...new Set(tasks.map(categoryOf))];
  const rows = categories.map((category) =>
    rowOf(
      category,
      tasks.filter((each) => categoryOf(each) === category),
    ),
  );
  const title = `${model} (${policy}), ${runsPerTask === 1 ? '1 run' : `${runsPerTask} runs`} of each task`;
  return [title, '', table(HEAD, [...rows, rowOf('total', tasks)])].join('\n');
}

const HEAD = [
  'category',
  'solved in all runs',
  'mean',
  'failed runs',
  'steps',
  'prompt tokens',
  'cached',
  'output tokens',
  'cost',
  'seconds',
  "harness's own",
];

function rowOf(name: string, tasks: readonly TaskResult[]): string[] {
  const sums = summarize(tasks);
  return [
    name,
    `${sums.always} of ${sums.tasks}`,
    percent(sums.mean),
    String(sums.failedRuns),
    rounded(sums.steps),
    rounded(sums.promptTokens),
    percent(sums.promptTokens === 0 ? 0 : sums.cachedTokens / sums.promptTokens),
    rounded(sums.outputTokens),
    dollars(sums.cost),
    sums.seconds.toFixed(1),
    sums.harnessSeconds.toFixed(1),
  ];
}

/** Every task, with means for one run. */
export function taskTable({ tasks }: Report): string {
  const head = ['task', 'solved', 'steps', 'prompt tokens', 'output', 'cost', 'seconds', 'harness'];
  return table(
    head,
    tasks.map((result) => {
      const sums = summarize([result]);
      return [
        result.task,
        isAlwaysSolved(result) ? 'yes' : percent(solvedShare(result)),
        rounded(sums.steps),
        rounded(sums.promptTokens),
        rounded(sums.outputTokens),
        dollars(sums.cost),
        sums.seconds.toFixed(2),
        sums.harnessSeconds.toFixed(2),
      ];
    }),
  );
}

export function categoryOf({ task }: Pick<TaskResult, 'task'>): string {
  return task.slice(0, task.indexOf('/'));
}

function rounded(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

function percent(share: number): string {
  return `${Math.round(share * 100)} %`;
}

function dollars(cost: number | null): string {
  return cost === null ? 'unknown' : `$${cost.toFixed(3)}`;
}
