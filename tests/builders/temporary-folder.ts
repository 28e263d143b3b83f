import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** Creates a folder that is removed when the test run ends. */
export function temporaryFolder(name: string): string {
  return mkdtempSync(path.join(tmpdir(), `parley-${name}-`));
}
