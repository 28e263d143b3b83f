import { existsSync, copyFileSync } from 'node:fs';
import path from 'node:path';
import { build, createLogger } from 'vite';
import { lenientMocks } from './lenient-mocks.mjs';

/**
 * Packages that become part of the headless program: the mocks because they are changed on the way, and
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
  await build({
    root,
    configFile: path.join(root, 'vite.config.ts'),
    logLevel: 'warn',
    customLogger: quietLogger(),
    build: { outDir, emptyOutDir: true },
  });
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
 */
export async function buildHeadless(root, entry, outDir) {
  await build({
    root,
    configFile: false,
    publicDir: false,
    logLevel: 'warn',
    customLogger: quietLogger(),
    plugins: [lenientMocks()],
    ssr: { noExternal: INSIDE },
    build: {
      ssr: entry,
      outDir,
      emptyOutDir: true,
      target: 'node20',
      minify: false,
      sourcemap: 'inline',
      rolldownOptions: {
        output: { format: 'es', entryFileNames: 'headless.mjs', codeSplitting: false },
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
