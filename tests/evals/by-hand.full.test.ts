/** Evals played by hand: requests as files, answers from files, over HTTP through the built plugin. */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { temporaryFolder } from '#tests/builders/temporary-folder';
import { readAnswer } from './by-hand';
import { readReport } from './report-file';

const RUN = path.join(import.meta.dirname, 'run.mjs');
const MILK = 'add an item in the style of the list';

function contentOf(file: string): Promise<string> {
  return vi.waitFor(
    () => {
      expect(existsSync(file), file).toBe(true);
      return readFileSync(file, 'utf8');
    },
    { timeout: 60_000 },
  );
}

test('a task of the evals is solved by answers written into files', async () => {
  const folder = temporaryFolder('by-hand');
  const report = path.join(folder, 'report.json');
  const args = [RUN, '--by-hand', folder, '--only', MILK, '--json', report];
  const ended = new Promise<number>((resolve) => {
    execFile(process.execPath, args, (error) => resolve(Number(error?.code ?? 0)));
  });
  const at = (name: string) => path.join(folder, '1', name);

  const first = await contentOf(at('1.request.txt'));
  expect(first).toContain('Add milk to my shopping list');
  expect(first).not.toContain(MILK);
  expect(await contentOf(path.join(folder, 'system-prompt-1.txt'))).toContain('Parley');
  expect(await contentOf(path.join(folder, 'tools-1.txt'))).toContain('# edit_file');

  writeFileSync(at('1.answer.yaml'), 'calls: [read_file: {');
  expect(await contentOf(at('1.problem.txt'))).toContain('not valid YAML');
  await vi.waitFor(() => expect(existsSync(at('1.answer.yaml'))).toBe(false));
  writeFileSync(
    at('1.answer.yaml'),
    'text: I look at the list.\ncalls:\n  - read_file: { path: Lists/Shopping.md }\n',
  );

  const second = await contentOf(at('2.request.txt'));
  expect(second).toContain('result of read_file');
  expect(second).toContain('- [ ] bread');
  expect(second).not.toContain('Add milk to my shopping list');
  expect(existsSync(at('1.problem.txt'))).toBe(false);
  writeFileSync(
    at('2.answer.yaml'),
    `calls:
  - edit_file:
      path: Lists/Shopping.md
      edits:
        - position: end
          content: "- [ ] milk"
  - done: { summary: Added milk., outcome: done }
`,
  );

  expect(await contentOf(at('ended.txt'))).toContain('The task is over: solved.');
  expect(await ended).toBe(0);
  expect(await contentOf(path.join(folder, 'ended.txt'))).toBe('All tasks are over.\n');
  expect(readReport(report)).toMatchObject({
    policy: 'by hand',
    tasks: [{ runs: [{ status: 'solved', steps: 2 }] }],
  });
});

test.each([
  ['', 'The answer has neither a text nor calls.'],
  ['text: 5', 'The text is not a string.'],
  ['text: Hello\nanswer: no', 'The answer has no field "answer".'],
  ['calls: { read_file: {} }', 'The calls are not a list.'],
  ['calls:\n  - read_file: {}\n    done: {}', 'A call is not one name with its input.'],
])('an answer by hand that is not valid is explained: %j', (text, reason) => {
  expect(readAnswer(text)).toBe(reason);
});
