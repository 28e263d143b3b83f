/**
 * Reads and writes Obsidian's secret storage, which throws while the system's keychain is locked or
 * missing.
 */
import * as t from '#messages/start-messages';
import type { App } from 'obsidian';

/**
 * The value of a secret; null if there is none or the keychain can't be read.
 *
 * @param report gets a sentence for the user if the keychain can't be read
 */
export function readSecret(
  { secretStorage }: App,
  name: string,
  report: (problem: string) => void = () => undefined,
): string | null {
  try {
    return secretStorage.getSecret(name) || null;
  } catch (error) {
    report(t.keychainUnreadable(error instanceof Error ? error.message : String(error)));
    return null;
  }
}

/** @throws an error with a sentence for the user if the keychain can't be written */
export function saveSecret({ secretStorage }: App, name: string, value: string): void {
  try {
    secretStorage.setSecret(name, value);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    throw new Error(t.keychainNotWritable(detail), { cause: error });
  }
}
