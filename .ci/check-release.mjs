/**
 * `npm run check-release [-- DIR] [--tag TAG]`: checks the built plugin in a folder (default
 * `dist`) against the rules of `release-policy.mjs`, and the repository as the directory's review
 * does (`directory-scan.mjs`). Prints the size and SHA-256 of the files of the release.
 * Exits with 1 if a rule is broken.
 */
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { ensurePackages, ROOT } from './setup.mjs';

ensurePackages();
const { violationsOf } = await import('./release-policy.mjs');
const { findingsOfReview } = await import('./directory-scan.mjs');

const { values, positionals } = parseArgs({
  options: { tag: { type: 'string' } },
  allowPositionals: true,
});
const dir = path.resolve(positionals[0] ?? path.join(ROOT, 'dist'));
const FILES = ['main.js', 'manifest.json', 'styles.css'];
const missing = FILES.filter((file) => !existsSync(path.join(dir, file)));
if (missing.length > 0) {
  console.error(`${dir} lacks ${missing.join(', ')}. Run \`npm run build\` first.`);
  process.exit(1);
}

const built = (/** @type {string} */ file) => readFileSync(path.join(dir, file), 'utf8');
const source = (/** @type {string} */ file) => readFileSync(path.join(ROOT, file), 'utf8');
const violations = violationsOf({
  main: built('main.js'),
  manifest: built('manifest.json'),
  styles: built('styles.css'),
  notes: source('REVIEWER_NOTES.md'),
  readme: source('README.md'),
  changelog: source('CHANGELOG.md'),
  license: source('LICENSE'),
  package: source('package.json'),
  lock: source('package-lock.json'),
  versions: source('versions.json'),
  ...(values.tag === undefined ? {} : { tag: values.tag }),
});

for (const file of FILES) {
  const data = readFileSync(path.join(dir, file));
  const hash = createHash('sha256').update(data).digest('hex');
  console.log(`${hash}  ${file} (${data.length.toLocaleString('en')} bytes)`);
}
const findings = await findingsOfReview(ROOT);
for (const { rule, place, problem, isBroken } of findings) {
  if (isBroken) violations.push({ rule, problem: `${problem} (${place})` });
}
for (const { rule, problem } of violations) console.error(`${rule}: ${problem}`);
const ignored = findings.filter(({ isBroken }) => !isBroken).length;
if (ignored > 0) {
  console.log(
    `${ignored} warnings for names of types and of Svelte, which the review cannot know.`,
  );
}
if (violations.length === 0) console.log('All rules hold.');
else
  console.log(
    violations.length === 1 ? 'A rule is broken.' : `${violations.length} rules are broken.`,
  );
process.exitCode = violations.length === 0 ? 0 : 1;
