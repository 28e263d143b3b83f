/**
 * `npm run size`: how large the plugin is by package and how long it takes to start. Fails above the two limits that a
 * user would feel; single kilobytes are reported, not gated.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { ensurePackages, ROOT } from './setup.mjs';

ensurePackages();
const { build } = await import('vite');
const { buildProgram } = await import('../workbench/build/bundles.mjs');

const MAX_MAIN_BYTES = 1_600_000;
/** Evaluating `main.js` plus `onload`, best of ten. */
const MAX_START_MS = 60;
const START_RUNS = 10;

const outDir = path.join(ROOT, '.build', 'size');

/**
 * Builds the plugin into `outDir` and weighs its modules.
 *
 * @returns {Promise<Map<string, number>>} bytes before minifying, by package
 */
async function weigh() {
  /** @type {Map<string, number>} */
  const weights = new Map();
  await build({
    root: ROOT,
    configFile: path.join(ROOT, 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir, emptyOutDir: true },
    plugins: [
      {
        name: 'weigh-modules',
        generateBundle(_options, bundle) {
          for (const chunk of Object.values(bundle)) {
            if (chunk.type !== 'chunk') continue;
            for (const [id, module] of Object.entries(chunk.modules)) {
              const owner = ownerOf(id);
              weights.set(owner, (weights.get(owner) ?? 0) + module.renderedLength);
            }
          }
        },
      },
    ],
  });
  return weights;
}

function ownerOf(/** @type {string} */ id) {
  const inPackage = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id.replaceAll('\\', '/'));
  if (inPackage?.[1]) return inPackage[1];
  return id.startsWith('\0') ? 'build tool' : 'Parley itself';
}

/**
 * Loads the built plugin in a fresh process, ten times.
 *
 * @returns {Promise<{ evaluateMs: number, onloadMs: number, heapMb: number }>} of the fastest run
 */
async function measureStart() {
  const programDir = path.join(ROOT, '.build', 'start-probe');
  mkdirSync(programDir, { recursive: true });
  await buildProgram(ROOT, path.join(ROOT, 'workbench/start-probe.ts'), programDir, 'start-probe');
  const runs = Array.from({ length: START_RUNS }, () => {
    const vault = mkdtempSync(path.join(tmpdir(), 'parley-start-'));
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      ['--expose-gc', path.join(programDir, 'start-probe.mjs'), vault, outDir],
      { encoding: 'utf8' },
    );
    rmSync(vault, { recursive: true, force: true });
    if (status !== 0) throw new Error(`The plugin did not start.\n${stderr}`);
    return JSON.parse(stdout);
  });
  return runs.reduce((best, run) => (startMs(run) < startMs(best) ? run : best));
}

const startMs = (/** @type {{ evaluateMs: number, onloadMs: number }} */ run) =>
  run.evaluateMs + run.onloadMs;

const kilobytes = (/** @type {number} */ bytes) => Math.round(bytes / 1000);

const weights = await weigh();
const main = readFileSync(path.join(outDir, 'main.js'));
const start = await measureStart();

// The bundle is minified as a whole, so a package's share is estimated from its share before minifying.
const whole = [...weights.values()].reduce((sum, weight) => sum + weight, 0);
const rows = [...weights]
  .map(([name, weight]) => ({ name, bytes: (weight / whole) * main.length }))
  .filter(({ bytes }) => bytes >= 500)
  .sort((a, b) => b.bytes - a.bytes);

console.log('| package | KB, minified |');
console.log('| --- | ---: |');
for (const { name, bytes } of rows) console.log(`| ${name} | ${kilobytes(bytes)} |`);
console.log(
  `| **main.js** | **${kilobytes(main.length)}** (limit ${kilobytes(MAX_MAIN_BYTES)}; ${kilobytes(gzipSync(main, { level: 9 }).length)} compressed) |`,
);
console.log(
  `\nStart: ${startMs(start).toFixed(1)} ms (limit ${MAX_START_MS}): evaluating ${start.evaluateMs.toFixed(1)}, ` +
    `onload ${start.onloadMs.toFixed(1)}; best of ${START_RUNS}. Heap after load: ${start.heapMb.toFixed(1)} MB.`,
);

const problems = [
  main.length > MAX_MAIN_BYTES && `main.js is over ${kilobytes(MAX_MAIN_BYTES)} KB.`,
  startMs(start) > MAX_START_MS && `Starting takes over ${MAX_START_MS} ms.`,
].filter(Boolean);
for (const problem of problems) console.error(problem);
process.exit(problems.length > 0 ? 1 : 0);
