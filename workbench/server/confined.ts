import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { parentOf } from '#workbench/disk/disk';

/**
 * Refuses what lies outside of the vault. The page has no way to follow links of the file system, and so cannot guard
 * against those that lead out; whoever serves the folder to it can.
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

/** Of the nearest folder above that is there, for what is not. */
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
  return new Error(`${JSON.stringify(given)} lies outside of the vault.`);
}
