/** One folder holds every temporary folder of a test run, and is removed when the run ends. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

const IS_SET = 'PARLEY_TEST_FOLDER';

export default function setup(): (() => void) | undefined {
  // Every project of the configuration inherits this setup; the first one does it for all.
  if (process.env[IS_SET] !== undefined) return undefined;
  // Short, because the browser's socket has its path in here.
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-'));
  process.env[IS_SET] = folder;
  // Workers and the programs they start inherit this; `os.tmpdir()` reads it.
  process.env.TMPDIR = folder;
  process.env.TEMP = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
