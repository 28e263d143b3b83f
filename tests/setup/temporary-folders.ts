/** One folder holds every temporary folder of a test run, and is removed when the run ends. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

export default function setup(): () => void {
  const folder = mkdtempSync(path.join(tmpdir(), 'parley-tests-'));
  // Workers and the programs they start inherit this; `os.tmpdir()` reads it.
  process.env.TMPDIR = folder;
  process.env.TEMP = folder;
  return () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
}
