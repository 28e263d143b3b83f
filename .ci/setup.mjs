/**
 * Installs the packages of the lock file if any are missing, and reports what it does. Imports only
 * Node built-ins because it runs before installation, and writes to standard error because programs
 * use standard output for data.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

const MIN_NODE_VERSION = [20, 19];

/** @returns {void} */
export function ensurePackages() {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  if (
    major < MIN_NODE_VERSION[0] ||
    (major === MIN_NODE_VERSION[0] && minor < MIN_NODE_VERSION[1])
  ) {
    fail(
      `Node ${MIN_NODE_VERSION.join('.')} or later is needed; this is ${process.versions.node}.`,
    );
  }
  const lock = createHash('sha256')
    .update(readFileSync(path.join(ROOT, 'package-lock.json')))
    .digest('hex');
  const stamp = path.join(ROOT, 'node_modules', '.parley-lock');
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === lock) return;
  console.error('Installing packages by the lock file (once; this may take a minute)…');
  const { status, error } = spawnSync(
    'npm',
    ['ci', '--loglevel=error', '--no-audit', '--no-fund'],
    {
      cwd: ROOT,
      stdio: ['ignore', 2, 2],
      shell: process.platform === 'win32',
    },
  );
  if (error || status !== 0) fail('npm ci failed; see its output above.');
  writeFileSync(stamp, lock);
}

/** @param {string} message */
function fail(message) {
  console.error(message);
  process.exit(1);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) ensurePackages();
