/**
 * Runs the benchmarks: `npm run bench`, or `npm run bench -- loop` for one group, which may have
 * options (`npm run bench -- search --vault DIR`). Times differ between machines and runs; compare
 * ratios within one run.
 */
import { readdirSync } from 'node:fs';
import path from 'node:path';
import { ROOT } from '../../.ci/setup.mjs';
import { loadModule } from '../load-module.mjs';

const folder = path.join(ROOT, 'tests/bench');
const groups = readdirSync(folder)
  .filter((name) => name.endsWith('.ts'))
  .map((name) => name.slice(0, -'.ts'.length));
/** @type {string[]} */
const wanted = [];
/** @type {Record<string, string>} */
const options = {};
const given = process.argv.slice(2);
for (let at = 0; at < given.length; at += 1) {
  const name = given[at] ?? '';
  if (name.startsWith('--')) options[name.slice(2)] = given[(at += 1)] ?? '';
  else wanted.push(name);
}
const unknown = wanted.filter((name) => !groups.includes(name));
if (unknown.length > 0) {
  console.error(`No group ${unknown.join(', ')}. The groups are: ${groups.join(', ')}.`);
  process.exit(2);
}

for (const name of wanted.length > 0 ? wanted : groups) {
  console.log(`\n${name}`);
  const { bench } = await loadModule(`/tests/bench/${name}.ts`);
  await bench((/** @type {string} */ row) => console.log(`  ${row}`), options);
}
process.exit();
