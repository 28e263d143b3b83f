import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

const FOLDERS = ['src', 'stores', 'components', 'workbench'];
const FILES = [
  'manifest.json',
  'package.json',
  'package-lock.json',
  'styles.css',
  'svelte.config.js',
  'tsconfig.json',
  'vite.config.ts',
];

/**
 * Hash of all build inputs. It covers contents instead of times, because a checkout resets times
 * and reading a few hundred files is faster than starting a bundler.
 *
 * @param {string} root
 * @param {string[]} [left] folders that no build reads, for example sample vaults
 * @returns {string}
 */
export function fingerprint(root, left = ['workbench/vault']) {
  const hash = createHash('sha256');
  hash.update(process.version);
  for (const file of [...FILES, ...FOLDERS].flatMap((name) => filesIn(root, name, left))) {
    hash.update(`\0${file}\0`).update(readFileSync(path.join(root, file)));
  }
  return hash.digest('hex');
}

/** @returns {string[]} */
function filesIn(
  /** @type {string} */ root,
  /** @type {string} */ name,
  /** @type {string[]} */ left,
) {
  if (left.includes(name)) return [];
  const stat = statSync(path.join(root, name), { throwIfNoEntry: false });
  if (!stat) return [];
  if (!stat.isDirectory()) return [name];
  return readdirSync(path.join(root, name))
    .sort()
    .flatMap((child) => filesIn(root, `${name}/${child}`, left));
}
