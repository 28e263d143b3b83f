import { mkdirSync, readFileSync, readdirSync, existsSync } from 'node:fs';
import { renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { fingerprint } from './fingerprint.mjs';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/**
 * Builds what the workbench runs, unless it was built from the very same sources. Says nothing on
 * standard output.
 *
 * Two processes may do this at once: each builds in a folder of its own and then moves its files into
 * place one by one. Both made them from the same sources, so it does not matter whose are kept.
 *
 * @param {{ root?: string, headlessEntry?: string }} [options] the entry is relative to the root
 * @returns {Promise<{ pluginDir: string, program: string }>}
 */
export async function ensureBuilt(options = {}) {
  const { root = ROOT, headlessEntry = 'workbench/headless.ts' } = options;
  const sources = fingerprint(root);
  const pluginDir = path.join(root, 'dist');
  const buildDir = path.join(root, '.build');
  const program = path.join(buildDir, 'headless.mjs');

  await ensure({
    buildDir,
    stamp: `plugin ${sources}`,
    outputs: ['main.js', 'manifest.json'].map((name) => path.join(pluginDir, name)),
    build: async (outDir) => (await bundles()).buildPlugin(root, outDir),
  });
  await ensure({
    buildDir,
    stamp: `headless ${headlessEntry} ${sources}`,
    outputs: [program],
    build: async (outDir) =>
      (await bundles()).buildHeadless(root, path.join(root, headlessEntry), outDir),
  });
  return { pluginDir, program };
}

/** Loaded only when needed: Vite takes longer to start than a finished build takes to check. */
function bundles() {
  return import('./bundles.mjs');
}

/**
 * @param {object} made
 * @param {string} made.buildDir where temporary folders and stamps are kept
 * @param {string} made.stamp what was built from what; its first word names the stamp
 * @param {string[]} made.outputs files that must be there, all in one folder
 * @param {(outDir: string) => Promise<void>} made.build
 */
async function ensure({ buildDir, stamp, outputs, build }) {
  const stampFile = path.join(buildDir, `${stamp.split(' ')[0]}.stamp`);
  if (outputs.every((file) => existsSync(file)) && readIfThere(stampFile) === stamp) return;

  mkdirSync(buildDir, { recursive: true });
  const temporary = path.join(buildDir, `${process.pid}-${Date.now()}`);
  try {
    await build(temporary);
    moveInto(temporary, path.dirname(outputs[0] ?? buildDir));
    // Last, so that a build cut short is done again.
    const beside = `${stampFile}.${process.pid}`;
    writeFileSync(beside, stamp);
    renameSync(beside, stampFile);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Renaming replaces a file at once, so that nobody ever reads half of one. */
function moveInto(/** @type {string} */ from, /** @type {string} */ to) {
  mkdirSync(to, { recursive: true });
  for (const child of readdirSync(from, { withFileTypes: true })) {
    const [source, target] = [path.join(from, child.name), path.join(to, child.name)];
    if (child.isDirectory()) moveInto(source, target);
    else renameSync(source, target);
  }
}

/** @returns {string | null} */
function readIfThere(/** @type {string} */ file) {
  return existsSync(file) ? readFileSync(file, 'utf8') : null;
}
