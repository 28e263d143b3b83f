/**
 * `npm run soak`: 500 spoken requests while connections, the model and the process fail. Run
 * `npm run soak -- MESSAGES SEED` for other numbers. Takes at most 20 minutes.
 */
import { spawnSync } from 'node:child_process';
import { ensurePackages, ROOT } from '../.ci/setup.mjs';

ensurePackages();
const [messages = '500', seed = '1'] = process.argv.slice(2);
console.log(`Speaks ${messages} times, with chance from seed ${seed}. This takes some minutes.`);
const { status } = spawnSync(
  'npx',
  ['--no-install', 'vitest', 'run', 'tests/headless/soak.test.ts', '--silent=false'],
  {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
    env: { ...process.env, MESSAGES: messages, SEED: seed },
  },
);
process.exit(status ?? 1);
