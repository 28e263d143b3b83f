/** `npm run evals`: measures how well a model works with Parley, judged by files and events. */
import { runBench, tasksOf } from './bench';
import { compareReports } from './compare';
import type { Built } from './drivers';
import { readEvalsOptions, type EvalsOptions, type RunOptions } from './options';
import { readReport, writeReport } from './report-file';
import { progressLine, reportText, taskTable } from './tables';
import { CATEGORIES } from './tasks/all-categories';
import { countTokens, tokensText } from './tokens';

/**
 * Returns the exit code: 1 for regressions, 2 if the numbers are not complete or an option is not
 * valid.
 */
export async function main(args: readonly string[], built: () => Promise<Built>): Promise<number> {
  const read = readEvalsOptions(args, process.env);
  if (!read.ok) {
    console.error(read.reason);
    return 2;
  }
  const { options } = read;
  if (options.do === 'compare') return compare(options);
  const tasks = tasksOf(CATEGORIES, options.only);
  if (tasks.length === 0) {
    console.error('No task fits --only.');
    return 2;
  }
  if (options.do === 'tokens') {
    console.log(tokensText(await countTokens(tasks, await built())));
    return 0;
  }
  return run(options, tasks, await built());
}

async function run(
  options: RunOptions,
  tasks: ReturnType<typeof tasksOf>,
  built: Built,
): Promise<number> {
  const report = await runBench(tasks, options, built, (result) =>
    console.log(progressLine(result)),
  );
  console.log(`\n${taskTable(report)}\n\n${reportText(report)}`);
  if (options.json !== null) writeReport(options.json, report);
  const hasFailed = report.tasks.some(({ runs }) => runs.some(({ status }) => status === 'failed'));
  if (!hasFailed && report.tasks.length === tasks.length) return 0;
  console.error(
    'Some runs failed for reasons other than the model, so the numbers are incomplete.',
  );
  return 2;
}

function compare({ before, after }: Extract<EvalsOptions, { do: 'compare' }>): number {
  const { text, improvements, regressions } = compareReports(readReport(before), readReport(after));
  console.log(text);
  for (const task of improvements) console.log(`better: ${task}`);
  for (const regression of regressions) console.log(`worse:  ${regression}`);
  return regressions.length === 0 ? 0 : 1;
}
