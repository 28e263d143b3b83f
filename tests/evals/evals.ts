/** `npm run evals`: measures how well a model works with Parley, judged by files and events. */
import { readFileSync, writeFileSync } from 'node:fs';
import { runBench, tasksOf } from './bench';
import type { Built } from './drivers';
import { readEvalsOptions, type RunOptions } from './options';
import { progressLine, reportText, taskTable } from './tables';
import { CATEGORIES } from './tasks/all-categories';

/** Returns the exit code. */
export async function main(args: readonly string[], built: Built): Promise<number> {
  const read = readEvalsOptions(args, process.env);
  if (!read.ok) {
    console.error(read.problem);
    return 2;
  }
  const { options } = read;
  switch (options.do) {
    case 'run':
      return run(options, built);
    default:
      return 2;
  }
}

async function run(options: RunOptions, built: Built): Promise<number> {
  const tasks = tasksOf(CATEGORIES, options.only);
  if (tasks.length === 0) {
    console.error('No task fits --only.');
    return 2;
  }
  const report = await runBench(tasks, options, built, (result) =>
    console.log(progressLine(result)),
  );
  console.log(`\n${taskTable(report)}\n\n${reportText(report)}`);
  if (options.json !== null) writeFileSync(options.json, `${JSON.stringify(report, null, 2)}\n`);
  const hasFailed = report.tasks.some(({ runs }) => runs.some(({ status }) => status === 'failed'));
  if (hasFailed || report.tasks.length < tasks.length) {
    console.error(
      'Some runs failed for reasons outside of the model, so the numbers are not complete.',
    );
    return 2;
  }
  return 0;
}
