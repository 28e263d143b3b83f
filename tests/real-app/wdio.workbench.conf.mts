/**
 * Runs the app specs over WebDriver in the workbench instead of Obsidian, which tries everything but
 * the download. Needs Chrome or Chromium, and `CHROMEDRIVER_PATH` where no driver can be downloaded.
 */
import { mkdtempSync, mkdirSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as ServeModule from '#workbench/serve';
import { findInstalledBrowser } from '../workbench/browser.mjs';
import { ensureWorkbench } from '../workbench/build/ensure-built.mjs';
import { VAULT_FILES } from './app-specs';

const SPEC_TIMEOUT_MS = 120_000;

const { executablePath, args } = findInstalledBrowser();
let serving: ServeModule.Serving | undefined;

export const config = {
  runner: 'local',
  framework: 'mocha',
  specs: ['./app.spec.ts'],
  maxInstances: 1,
  reporters: ['spec'],
  mochaOpts: { ui: 'bdd', timeout: SPEC_TIMEOUT_MS },
  logLevel: 'warn',
  capabilities: [
    {
      browserName: 'chrome',
      'goog:chromeOptions': {
        binary: executablePath,
        args: [...args, '--window-size=1360,860'],
      },
    },
  ],
  async before(_: unknown, __: unknown, browser: { url(to: string): Promise<unknown> }) {
    const { program, ...built } = await ensureWorkbench();
    const { serve } = (await import(pathToFileURL(program).href)) as typeof ServeModule;
    const ports = { port: null, smartHolePort: null };
    serving = await serve(
      { vault: makeVault(), apiUrl: null, apiKey: null, open: false, ...ports },
      built,
    );
    await browser.url(serving.url);
  },
  after: () => serving?.close(),
};

function makeVault(): string {
  const vault = mkdtempSync(path.join(tmpdir(), 'parley-app-specs-'));
  for (const [file, text] of Object.entries(VAULT_FILES)) {
    mkdirSync(path.dirname(path.join(vault, file)), { recursive: true });
    writeFileSync(path.join(vault, file), text);
  }
  return vault;
}
