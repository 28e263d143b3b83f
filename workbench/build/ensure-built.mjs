import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensure } from './ensure.mjs';
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
  const { root = ROOT, headlessEntry = 'workbench/headless/headless.ts' } = options;
  const sources = fingerprint(root);
  const buildDir = path.join(root, '.build');
  const program = path.join(buildDir, 'headless.mjs');
  const { pluginDir } = await ensurePlugin(root, sources);

  await ensure({
    buildDir,
    stamp: `headless ${headlessEntry} ${sources}`,
    outputs: [program],
    build: async (outDir) =>
      (await bundles()).buildProgram(root, path.join(root, headlessEntry), outDir, 'headless'),
  });
  return { pluginDir, program };
}

/**
 * The same for the workbench in the browser: the plugin, the server's program and the page.
 *
 * @returns {Promise<{ pluginDir: string, program: string, pageDir: string, sampleVault: string }>}
 */
export async function ensureWorkbench(root = ROOT) {
  const sources = fingerprint(root);
  const buildDir = path.join(root, '.build');
  const pageDir = path.join(buildDir, 'page');
  const program = path.join(buildDir, 'serve.mjs');
  const { pluginDir } = await ensurePlugin(root, sources);
  await ensure({
    buildDir,
    stamp: `serve ${sources}`,
    outputs: [program],
    build: async (outDir) =>
      (await bundles()).buildProgram(root, path.join(root, 'workbench/serve.ts'), outDir, 'serve'),
  });
  await ensure({
    buildDir,
    stamp: `page ${sources}`,
    outputs: ['index.html', 'page.js', 'page.css'].map((name) => path.join(pageDir, name)),
    build: async (outDir) => (await bundles()).buildPage(path.join(root, 'workbench/page'), outDir),
  });
  return { pluginDir, program, pageDir, sampleVault: path.join(root, 'workbench/vault') };
}

/** @returns {Promise<{ pluginDir: string }>} */
async function ensurePlugin(/** @type {string} */ root, /** @type {string} */ sources) {
  const pluginDir = path.join(root, 'dist');
  await ensure({
    buildDir: path.join(root, '.build'),
    stamp: `plugin ${sources}`,
    outputs: ['main.js', 'manifest.json'].map((name) => path.join(pluginDir, name)),
    build: async (outDir) => (await bundles()).buildPlugin(root, outDir),
  });
  return { pluginDir };
}

/** Loaded only when needed: Vite takes longer to start than a finished build takes to check. */
function bundles() {
  return import('./bundles.mjs');
}
