/**
 * Runs as part of `npm version X.Y.Z`, after npm has set the version of `package.json`: copies it to
 * `manifest.json` and `versions.json`, gives the unreleased section of `CHANGELOG.md` its name, and
 * stages them, so that npm's commit and tag contain all of them.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './setup.mjs';

const UNRELEASED = '## Unreleased';

const read = (/** @type {string} */ file) => readFileSync(path.join(ROOT, file), 'utf8');
const write = (/** @type {string} */ file, /** @type {string} */ text) =>
  writeFileSync(path.join(ROOT, file), text);
const json = (/** @type {unknown} */ value) => `${JSON.stringify(value, null, 2)}\n`;

const { version } = JSON.parse(read('package.json'));
const changelog = read('CHANGELOG.md');
const [, unreleased = ''] = changelog.split(UNRELEASED);
if ((unreleased.split('\n## ')[0] ?? '').trim() === '') {
  console.error(`CHANGELOG.md has nothing under "${UNRELEASED}": say what is new in ${version}.`);
  process.exit(1);
}

const manifest = { ...JSON.parse(read('manifest.json')), version };
const versions = { ...JSON.parse(read('versions.json')), [version]: manifest.minAppVersion };
const date = new Date().toISOString().slice(0, 10);
write('manifest.json', json(manifest));
write('versions.json', json(versions));
write('CHANGELOG.md', changelog.replace(UNRELEASED, `${UNRELEASED}\n\n## ${version} (${date})`));
execFileSync('git', ['add', 'manifest.json', 'versions.json', 'CHANGELOG.md'], { cwd: ROOT });
