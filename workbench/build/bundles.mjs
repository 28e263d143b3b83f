import { existsSync, copyFileSync } from 'node:fs';
import path from 'node:path';
import { build, createLogger } from 'vite';

/**
 * Packages that become part of the programs: the mocks because they are changed on the way, and
 * all that is evaluated with them, because the document must be in place before and a package left
 * outside is evaluated first of all.
 */
const INSIDE = [
  'obsidian-test-mocks',
  'moment',
  'turndown',
  'yaml',
  /^@codemirror\//,
  /^@lezer\//,
  'style-mod',
  'w3c-keyname',
  'crelt',
  '@marijn/find-cluster-break',
];

/**
 * The plugin, as the project's own configuration builds it.
 *
 * @param {string} root
 * @param {string} outDir
 */
export async function buildPlugin(root, outDir) {
  const { NODE_ENV } = process.env;
  // Among tests it says so, and components would be compiled for finding faults, not for being used.
  process.env.NODE_ENV = 'production';
  try {
    await build({
      root,
      configFile: path.join(root, 'vite.config.ts'),
      logLevel: 'warn',
      customLogger: quietLogger(),
      build: { outDir, emptyOutDir: true },
    });
  } finally {
    process.env.NODE_ENV = NODE_ENV;
  }
  for (const name of ['manifest.json', 'styles.css']) {
    const [from, to] = [path.join(root, name), path.join(outDir, name)];
    if (existsSync(from) && !existsSync(to)) copyFileSync(from, to);
  }
}

/**
 * One file for Node, readable and with its map inside, so that errors name our own lines.
 *
 * @param {string} root
 * @param {string} entry
 * @param {string} outDir
 * @param {string} name of the file, without its ending
 */
export async function buildProgram(root, entry, outDir, name) {
  await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    customLogger: quietLogger(),
    ssr: { noExternal: INSIDE },
    build: {
      ssr: entry,
      outDir,
      emptyOutDir: true,
      target: 'node20',
      minify: false,
      sourcemap: 'inline',
      rolldownOptions: {
        output: { format: 'es', entryFileNames: `${name}.mjs`, codeSplitting: false },
      },
    },
  });
}

/**
 * The page, readable and with its map beside it. Everything is inside: a page has no packages.
 *
 * @param {string} root the page's folder
 * @param {string} outDir
 */
export async function buildPage(root, outDir) {
  await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    customLogger: quietLogger(),
    build: {
      outDir,
      emptyOutDir: true,
      target: 'es2022',
      minify: false,
      sourcemap: true,
      chunkSizeWarningLimit: Infinity,
      assetsDir: '',
      rolldownOptions: {
        output: {
          entryFileNames: 'page.js',
          assetFileNames: 'page[extname]',
          codeSplitting: false,
        },
      },
    },
  });
}

/** Standard output belongs to the program that asked for the build. */
function quietLogger() {
  const logger = createLogger('warn');
  const say = (/** @type {string} */ message) => console.error(message);
  return { ...logger, info: () => undefined, warn: say, warnOnce: say, error: say };
}
