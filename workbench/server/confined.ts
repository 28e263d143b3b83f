import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { parentOf } from '#workbench/disk/disk';

/**
 * Rejects paths outside of the vault. The page can't detect symbolic links that lead out of the
 * vault, so its server has to.
 */
export async function confined(base: string, given: unknown): Promise<string> {
  if (typeof given !== 'string' || given.includes('\0') || given.includes('\\'))
    throw outside(given);
  const parts = given.split('/');
  if (given !== '' && parts.some((part) => part === '' || part === '.' || part === '..')) {
    throw outside(given);
  }
  if (process.platform === 'win32' && given.includes(':')) throw outside(given);
  const root = await realpath(base);
  const real = await realPlace(base, given);
  if (real !== root && !real.startsWith(root + path.sep)) throw outside(given);
  return given;
}

/** The real path; for a missing file, that of the nearest existing folder above it. */
async function realPlace(base: string, given: string): Promise<string> {
  try {
    return await realpath(path.join(base, given));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (given === '' || (code !== 'ENOENT' && code !== 'ENOTDIR')) throw error;
    return realPlace(base, parentOf(given));
  }
}

function outside(given: unknown): Error {
  return new Error(`${JSON.stringify(given)} is outside the vault.`);
}
