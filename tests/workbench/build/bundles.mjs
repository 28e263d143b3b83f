import { existsSync, copyFileSync } from 'node:fs';
import path from 'node:path';
import { build, createLogger } from 'vite';

/**
 * Packages to bundle into the programs. They need a document when they are evaluated; as external
 * packages they would be evaluated before the program has created it.
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
 * Builds the plugin with the project's own Vite configuration.
 *
 * @param {string} root
 * @param {string} outDir
 */
export async function buildPlugin(root, outDir) {
  const { NODE_ENV } = process.env;
  // Test runners set another value, which would compile the components in development mode.
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
 * Builds a single unminified file for Node with an inline source map, so that stack traces name our
 * own lines.
 *
 * @param {string} root
 * @param {string} entry
 * @param {string} outDir
 * @param {string} name of the file, without its extension
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
 * Builds the unminified page with a separate source map. Everything is bundled because a page
 * cannot resolve packages.
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

/** A logger that keeps standard output free for the program that requested the build. */
function quietLogger() {
  const logger = createLogger('warn');
  const say = (/** @type {string} */ message) => console.error(message);
  return { ...logger, info: () => undefined, warn: say, warnOnce: say, error: say };
}
