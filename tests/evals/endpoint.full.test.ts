/** Evals against an endpoint, as with a real model: repeated runs, failures, and the key. */
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#tests/builders/temporary-folder';
import { statusError } from '#workbench/model/faults';
import { startModelServer, type Respond } from '#workbench/model/server';
import { readReport } from './report-file';
import { scriptedPolicy } from './scripted-policy';
import { LISTS } from './tasks/lists';

const RUN = path.join(import.meta.dirname, 'run.mjs');
const KEY = 'sk-ant-api03-never-in-a-report';
const MILK = 'add an item in the style of the list';
const TIMEOUT_MS = 240_000;

async function runAgainst(respond: Respond, args: readonly string[]) {
  const server = await startModelServer({ respond });
  const file = path.join(temporaryFolder('evals'), 'report.json');
  const all = [RUN, '--api-url', server.url, '--api-key', KEY, '--json', file, ...args];
  const { code, output } = await new Promise<{ code: number; output: string }>((resolve) => {
    execFile(process.execPath, all, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), output: `${stdout}\n${stderr}` }),
    );
  });
  await server.close();
  return { code, output, requests: server.requests, report: readReport(file), file };
}

test(
  'evals ask the model of an endpoint with the key, once for each run',
  async () => {
    const { solution } = LISTS.tasks.find(({ name }) => name === MILK)!;
    const args = ['--only', MILK, '--runs', '2', '--model', 'claude-opus-4-5'];
    // Each run starts the script again.
    const respond: Respond = (request, context) => scriptedPolicy(solution)(request, context);
    const { code, output, report, requests } = await runAgainst(respond, args);
    expect(code, output).toBe(0);
    expect(report).toMatchObject({
      model: 'claude-opus-4-5',
      runsPerTask: 2,
      tasks: [{ runs: [{ status: 'solved' }, { status: 'solved' }] }],
    });
    expect(report.policy).toMatch(/^127\.0\.0\.1:\d+$/);
    const withTools = requests.filter(({ body }) => (body.tools ?? []).length > 0);
    expect(withTools.map(({ body }) => body.model)).toEqual(['claude-opus-4-5', 'claude-opus-4-5']);
    expect(JSON.stringify(withTools[0]?.headers)).toContain(KEY);
  },
  TIMEOUT_MS,
);

test(
  'evals stop after three failures, never count them as unsolved, and keep the key out',
  async () => {
    const refuse: Respond = () => statusError(400, { message: `The key ${KEY} may not do this.` });
    const { code, output, report, file } = await runAgainst(refuse, ['--only', '^lists/']);
    expect(code).toBe(2);
    expect(report.tasks.map(({ runs }) => runs.map(({ status }) => status))).toEqual([
      ['failed'],
      ['failed'],
      ['failed'],
    ]);
    expect(output).toContain('may not do this');
    expect(output).not.toContain(KEY);
    expect(readFileSync(file, 'utf8')).not.toContain(KEY);
  },
  TIMEOUT_MS,
);
