/**
 * `npm test` and `npm run test:full`: runs the static checks alongside the tests and prints how
 * long each took. Installs missing packages first, runs every check even if one fails, and exits
 * with 1 if any failed.
 *
 * `npm test` runs the unit and component tests, a sample of the crash points and the browser smoke
 * tests, and leaves out the lint rules that need types. With --full it runs everything.
 */
import { spawn } from 'node:child_process';
import { ensurePackages, ROOT } from './setup.mjs';

ensurePackages();

const isFull = process.argv.includes('--full');
/** @typedef {{ name: string, command: string, env?: Record<string, string>, isLive?: boolean }} Check */

/** @type {Check[]} */
const STATIC = [
  {
    name: 'format',
    command: `prettier --check --log-level warn --cache --cache-strategy content .`,
  },
  {
    name: 'lint',
    command: `eslint . --max-warnings 0 --cache --cache-strategy content --cache-location node_modules/.cache/eslint/`,
    ...(!isFull && { env: { PARLEY_LINT: 'untyped' } }),
  },
  // svelte-check also checks the TypeScript files.
  { name: 'types', command: 'svelte-check --tsconfig ./tsconfig.json --tsgo --output human' },
  {
    name: 'import rules',
    command: 'depcruise --config .ci/dependency-cruiser.mjs src stores components tests/workbench',
  },
  // CI may add a commit of its own.
  { name: 'names', command: `node .ci/names.mjs${isFull ? '' : ' --subject'}` },
  { name: 'messages', command: 'node .ci/strings.mjs --unused' },
  { name: 'counts', command: 'node .ci/counts.mjs' },
];

/** @type {Check} */
const TESTS = {
  name: 'tests',
  command: 'vitest run',
  isLive: true,
  ...(!isFull && { env: { PARLEY_TEST_SAMPLE: '1', CASES: '50' } }),
};

/** @type {Check[]} */
const ALONE = [
  { name: 'release', command: 'node .ci/check-release.mjs' },
  { name: 'size', command: 'node .ci/size.mjs' },
];

/**
 * Runs one check. A live check prints straight to the terminal; any other prints when it ends, so
 * that the output of parallel checks does not mix.
 *
 * @param {Check} check
 * @returns {Promise<boolean>} whether it passed
 */
async function passes({ name, command, env, isLive = false }) {
  const started = Date.now();
  const [program, ...options] = command.split(' ');
  const run =
    program === 'node'
      ? [process.execPath, ...options]
      : ['npx', '--no-install', ...command.split(' ')];
  const child = spawn(run[0] ?? '', run.slice(1), {
    cwd: ROOT,
    env: { ...process.env, ...env },
    shell: process.platform === 'win32',
    stdio: ['ignore', isLive ? 'inherit' : 'pipe', isLive ? 'inherit' : 'pipe'],
  });
  let output = '';
  child.stdout?.on('data', (data) => (output += data));
  child.stderr?.on('data', (data) => (output += data));
  const code = await new Promise((resolve) => child.on('close', resolve));
  const seconds = Math.round((Date.now() - started) / 1000);
  if (code !== 0) console.log(output);
  console.log(`── ${name} ${code === 0 ? 'passed' : 'FAILED'} after ${seconds} s`);
  return code === 0;
}

/** @param {readonly Check[]} checks to run one after another */
async function failuresOf(checks) {
  const failed = [];
  for (const check of checks) if (!(await passes(check))) failed.push(check.name);
  return failed;
}

const started = Date.now();
const failed = (await Promise.all([failuresOf(STATIC), failuresOf([TESTS])])).flat();
// Alone: the first reads the build of the tests, the second measures the start time.
if (isFull) failed.push(...(await failuresOf(ALONE)));

const count = STATIC.length + 1 + (isFull ? ALONE.length : 0);
console.log(`\nAll checks took ${Math.round((Date.now() - started) / 1000)} s.`);
if (failed.length > 0) console.log(`Failed: ${failed.join(', ')}`);
console.log(`checks: ${count - failed.length} passed, ${failed.length} failed`);
process.exit(failed.length > 0 ? 1 : 0);
