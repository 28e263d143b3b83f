/**
 * What a system's keychain would keep from one run to the next: the key with which the plugin signs
 * requests. It is derived from a key of this computer, so that it is in no vault.
 */
import { createHmac, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import path from 'node:path';

const FILE = path.join(homedir(), '.local', 'state', 'parley-workbench', 'key');

export function savedSecrets(vault: string): Record<string, string> {
  const key = createHmac('sha256', computerKey()).update(path.resolve(vault)).digest('base64');
  return { 'parley-device-key': key };
}

function computerKey(): string {
  mkdirSync(path.dirname(FILE), { recursive: true });
  try {
    writeFileSync(FILE, randomBytes(32).toString('base64'), { flag: 'wx', mode: 0o600 });
  } catch {
    // It exists already, perhaps since another process created it at the same moment.
  }
  return readFileSync(FILE, 'utf8');
}
