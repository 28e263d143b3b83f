import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '#tests/builders/temporary-folder';

const ROOT = path.resolve(import.meta.dirname, '../..');
const FILES = ['package.json', 'package-lock.json', 'manifest.json', 'versions.json', '.npmrc'];

/** A repository with what a version consists of. */
function repository(changes: string) {
  const folder = temporaryFolder('version');
  const run = (command: string, ...args: readonly string[]) =>
    execFileSync(command, args, { cwd: folder, encoding: 'utf8', stdio: 'pipe' });
  const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');
  mkdirSync(path.join(folder, '.ci'));
  for (const file of [...FILES, '.ci/version.mjs', '.ci/setup.mjs'])
    cpSync(path.join(ROOT, file), path.join(folder, file));
  writeFileSync(path.join(folder, 'CHANGELOG.md'), `# Changelog\n\n${changes}`);
  run('git', 'init', '-q');
  run('git', 'config', 'user.name', 'Test');
  run('git', 'config', 'user.email', 'test@example.com');
  run('git', 'add', '.');
  run('git', 'commit', '-qm', 'first');
  return { run, read };
}

const PUBLISHED = '## 0.0.9 (2026-01-02)\n\n- Something old.\n';

test('npm version sets the same version everywhere, in one commit with a tag', () => {
  const { run, read } = repository(`## Next (unpublished)\n\n- Something new.\n\n${PUBLISHED}`);
  run('npm', 'version', '9.8.7');
  const json = (file: string) => JSON.parse(read(file)) as Record<string, string>;
  expect(json('package.json')['version']).toBe('9.8.7');
  expect(json('package-lock.json')['version']).toBe('9.8.7');
  expect(json('manifest.json')['version']).toBe('9.8.7');
  expect(json('versions.json')).toMatchObject({ '0.1.0': '1.13.4', '9.8.7': '1.13.4' });
  expect(read('CHANGELOG.md')).toMatch(
    /^# Changelog\n\n## 9\.8\.7 \(\d{4}-\d\d-\d\d\)\n\n- Something new\.\n\n## 0\.0\.9 \(2026-01-02\)/,
  );
  expect(run('git', 'status', '--porcelain')).toBe('');
  expect(run('git', 'tag', '--points-at', 'HEAD').trim()).toBe('9.8.7');
  expect(run('git', 'log', '-1', '--format=%s').trim()).toBe('chore(release): 9.8.7');
});

test('npm version publishes the version that the repository has', () => {
  const { run, read } = repository('## 0.1.0 (unpublished)\n\n- Everything.\n');
  run('npm', 'version', '0.1.0', '--allow-same-version');
  expect(read('CHANGELOG.md')).toMatch(/## 0\.1\.0 \(\d{4}-\d\d-\d\d\)\n\n- Everything\.\n$/);
  expect(run('git', 'tag', '--points-at', 'HEAD').trim()).toBe('0.1.0');
});

test.each([
  ['no unpublished section', PUBLISHED],
  ['an empty one', `## 9.8.7 (unpublished)\n\n${PUBLISHED}`],
])('npm version changes nothing while the changelog has %s', (_what, changes) => {
  const { run, read } = repository(changes);
  const manifest = read('manifest.json');
  expect(() => run('npm', 'version', '9.8.7')).toThrow(/needs a section "## 9\.8\.7/);
  expect(read('manifest.json')).toBe(manifest);
  expect(run('git', 'tag').trim()).toBe('');
});
