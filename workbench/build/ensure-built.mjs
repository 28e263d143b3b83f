import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ensure } from './ensure.mjs';
import { fingerprint } from './fingerprint.mjs';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../..');

/**
 * Builds the plugin and the headless program unless they are up to date. Prints nothing to standard
 * output.
 *
 * Two processes may build at once: each builds in its own temporary folder and moves its files into
 * place one by one. Both use the same sources, so it does not matter which files win.
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
 * Builds what the browser workbench needs: the plugin, the server program and the page.
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

/** Imported lazily: loading Vite takes longer than checking an existing build. */
function bundles() {
  return import('./bundles.mjs');
}
