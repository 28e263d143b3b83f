/**
 * Runs as part of `npm version X.Y.Z`, after npm has set the version of `package.json`: copies it to
 * `manifest.json` and `versions.json`, gives the unpublished section of `CHANGELOG.md` this version
 * and the date, and stages them, so that npm's commit and tag contain all of them.
 */
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from './setup.mjs';

/** The heading of a version that is still to be published, and its section. */
const UNPUBLISHED = /^## .* \(unpublished\)\n([^]*?)(?=^## |$(?![^]))/m;

const read = (/** @type {string} */ file) => readFileSync(path.join(ROOT, file), 'utf8');
const write = (/** @type {string} */ file, /** @type {string} */ text) =>
  writeFileSync(path.join(ROOT, file), text);
const json = (/** @type {unknown} */ value) => `${JSON.stringify(value, null, 2)}\n`;

const { version } = JSON.parse(read('package.json'));
const changelog = read('CHANGELOG.md');
const [, changes = ''] = UNPUBLISHED.exec(changelog) ?? [];
if (changes.trim() === '') {
  console.error(
    `CHANGELOG.md needs a section "## ${version} (unpublished)" that says what is new in ${version}.`,
  );
  process.exit(1);
}

const manifest = { ...JSON.parse(read('manifest.json')), version };
const versions = { ...JSON.parse(read('versions.json')), [version]: manifest.minAppVersion };
const date = new Date().toISOString().slice(0, 10);
write('manifest.json', json(manifest));
write('versions.json', json(versions));
write('CHANGELOG.md', changelog.replace(/^## .* \(unpublished\)$/m, `## ${version} (${date})`));
execFileSync('git', ['add', 'manifest.json', 'versions.json', 'CHANGELOG.md'], { cwd: ROOT });
