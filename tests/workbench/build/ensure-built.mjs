import { createHash } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '../../..');

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
  const { root = ROOT, headlessEntry = 'tests/workbench/headless/headless.ts' } = options;
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
      (await bundles()).buildProgram(
        root,
        path.join(root, 'tests/workbench/serve.ts'),
        outDir,
        'serve',
      ),
  });
  await ensure({
    buildDir,
    stamp: `page ${sources}`,
    outputs: ['index.html', 'page.js', 'page.css'].map((name) => path.join(pageDir, name)),
    build: async (outDir) =>
      (await bundles()).buildPage(path.join(root, 'tests/workbench/page'), outDir),
  });
  return { pluginDir, program, pageDir, sampleVault: path.join(root, 'tests/workbench/vault') };
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

/**
 * Builds unless all outputs exist and the stored stamp matches.
 *
 * @param {object} made
 * @param {string} made.buildDir folder for temporary folders and stamps
 * @param {string} made.stamp describes the inputs of the build; its first word names the stamp file
 * @param {string[]} made.outputs files that must exist, all in one folder
 * @param {(outDir: string) => Promise<void>} made.build
 */
export async function ensure({ buildDir, stamp, outputs, build }) {
  const stampFile = path.join(buildDir, `${stamp.split(' ')[0]}.stamp`);
  if (outputs.every((file) => existsSync(file)) && readIfThere(stampFile) === stamp) return;

  mkdirSync(buildDir, { recursive: true });
  const temporary = path.join(buildDir, `${process.pid}-${Date.now()}`);
  try {
    await build(temporary);
    moveInto(temporary, path.dirname(outputs[0] ?? buildDir));
    // The stamp is written last, so that an interrupted build is repeated.
    const beside = `${stampFile}.${process.pid}`;
    writeFileSync(beside, stamp);
    renameSync(beside, stampFile);
  } finally {
    rmSync(temporary, { recursive: true, force: true });
  }
}

/** Renames each file into place, which is atomic, so that no reader sees half a file. */
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

const FOLDERS = ['src', 'stores', 'components', 'tests/workbench'];
const FILES = [
  'manifest.json',
  'package.json',
  'package-lock.json',
  'styles.css',
  'svelte.config.js',
  'tsconfig.json',
  'vite.config.ts',
];

/**
 * Hash of all build inputs. It covers contents instead of times, because a checkout resets times
 * and reading a few hundred files is faster than starting a bundler.
 *
 * @param {string} root
 * @param {string[]} [left] folders that no build reads, for example sample vaults
 * @returns {string}
 */
export function fingerprint(root, left = ['tests/workbench/vault']) {
  const hash = createHash('sha256');
  hash.update(process.version);
  for (const file of [...FILES, ...FOLDERS].flatMap((name) => filesIn(root, name, left))) {
    hash.update(`\0${file}\0`).update(readFileSync(path.join(root, file)));
  }
  return hash.digest('hex');
}

/** @returns {string[]} */
function filesIn(
  /** @type {string} */ root,
  /** @type {string} */ name,
  /** @type {string[]} */ left,
) {
  if (left.includes(name)) return [];
  const stat = statSync(path.join(root, name), { throwIfNoEntry: false });
  if (!stat) return [];
  if (!stat.isDirectory()) return name.endsWith('.test.ts') ? [] : [name];
  return readdirSync(path.join(root, name))
    .sort()
    .flatMap((child) => filesIn(root, `${name}/${child}`, left));
}
