/**
 * Runs the built plugin in Obsidian: the earliest supported version and the latest, each downloaded
 * once. Run it with `npm run test:obsidian`.
 */
import { START_FILES } from '#tests/contract/start-files';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { buildContractPlugin, MANIFEST } from '#tests/contract/bundle';
import { VAULT_FILES } from './app-specs';

const ROOT = path.resolve(import.meta.dirname, '../..');
const BUILD = path.join(ROOT, '.build/real-app');
const SPEC_TIMEOUT_MS = 120_000;

/** Writes a folder from its files, without what was there before. */
function makeFolder(name: string, files: Readonly<Record<string, string>>): string {
  const folder = path.join(BUILD, name);
  rmSync(folder, { recursive: true, force: true });
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(folder, file)), { recursive: true });
    writeFileSync(path.join(folder, file), text);
  }
  return folder;
}

const vault = makeFolder('vault', VAULT_FILES);
makeFolder('contract-vault', START_FILES);
const contract = makeFolder('contract', {
  'main.js': await buildContractPlugin('asker-in-app.ts'),
  'manifest.json': JSON.stringify(MANIFEST),
});

export const config = {
  runner: 'local',
  framework: 'mocha',
  specs: ['./app.spec.ts', './contract.spec.ts'],
  maxInstances: 1,
  services: ['obsidian'],
  reporters: ['obsidian'],
  cacheDir: path.join(ROOT, '.build/obsidian'),
  mochaOpts: { ui: 'bdd', timeout: SPEC_TIMEOUT_MS },
  logLevel: 'warn',
  capabilities: ['earliest', 'latest'].map((version) => ({
    browserName: 'obsidian',
    browserVersion: version,
    'wdio:obsidianOptions': {
      installerVersion: version,
      vault,
      plugins: [
        { path: path.join(ROOT, 'dist'), enabled: true },
        { path: contract, enabled: false },
      ],
    },
  })),
};
