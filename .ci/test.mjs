/**
 * Everything that has to hold, one check after the other, with what each took. Installs what is missing first.
 * Stops at nothing: all that is wrong is told at once, and the exit code says whether anything was.
 */
import { spawnSync } from 'node:child_process';
import { ensurePackages, ROOT } from './setup.mjs';

ensurePackages();

/** @type {[name: string, command: string, ...args: string[]][]} */
const CHECKS = [
  ['format', 'prettier', '--check', '--log-level', 'warn', '.'],
  ['lint', 'eslint', '.', '--max-warnings', '0'],
  ['types', 'tsc', '--noEmit', '-p', '.'],
  ['types of components', 'svelte-check', '--tsconfig', './tsconfig.json', '--output', 'human'],
  [
    'import directions',
    'depcruise',
    '--config',
    '.ci/dependency-cruiser.mjs',
    'src',
    'stores',
    'components',
    'workbench',
  ],
  ['tests', 'vitest', 'run'],
  ['size', 'node', '.ci/size.mjs'],
];

const failed = [];
for (const [name, command, ...args] of CHECKS) {
  console.log(`\n── ${name}`);
  const began = Date.now();
  const [program, words] =
    command === 'node' ? [process.execPath, args] : ['npx', ['--no-install', command, ...args]];
  const { status } = spawnSync(program, words, {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
  });
  if (status !== 0) failed.push(name);
  console.log(
    `${status === 0 ? 'passed' : 'FAILED'} after ${Math.round((Date.now() - began) / 1000)} s`,
  );
}

console.log('');
if (failed.length > 0) console.log(`Failed: ${failed.join(', ')}`);
console.log(`checks: ${CHECKS.length - failed.length} passed, ${failed.length} failed`);
process.exit(failed.length > 0 ? 1 : 0);
