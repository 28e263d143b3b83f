/**
 * `npm run soak`: 500 typed and spoken requests, several at work at once, while connections,
 * SmartHole, the model, the disk and the process fail. Run `npm run soak -- REQUESTS SEED` for other
 * numbers. Takes at most 20 minutes.
 */
import { spawnSync } from 'node:child_process';
import { ensurePackages, ROOT } from '../.ci/setup.mjs';

ensurePackages();
const [requests = '500', seed = '1'] = process.argv.slice(2);
console.log(`Makes ${requests} requests, with chance from seed ${seed}. This takes some minutes.`);
const { status } = spawnSync(
  'npx',
  ['--no-install', 'vitest', 'run', 'tests/headless/soak.test.ts', '--silent=false'],
  {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32',
    env: { ...process.env, REQUESTS: requests, SEED: seed },
  },
);
process.exit(status ?? 1);
