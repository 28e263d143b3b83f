/**
 * `npm run size`: reports the plugin's size by package and its start time. Fails only above the two
 * limits that users would notice; a few kilobytes are reported, not gated.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { ensurePackages, ROOT } from './setup.mjs';

ensurePackages();
const { build } = await import('vite');
const { TraceMap, decodedMappings } = await import('@jridgewell/trace-mapping');
const { buildProgram } = await import('../tests/workbench/build/bundles.mjs');

/** The build fails above this size, because Obsidian Sync does not sync larger files. */
const MAX_MAIN_BYTES = 5_000_000;
/**
 * Target time to evaluate `main.js` and run `onload` beyond the time to compile the file. Only
 * reported, since machines differ.
 */
const START_BUDGET_MS = 12;
/**
 * Maximum ratio of evaluation plus `onload` to the time the engine needs to compile the file. The
 * build fails above it.
 */
const MAX_START_RATIO = 2.5;
const START_RUNS = 10;

const outDir = path.join(ROOT, '.build', 'size');

/** Builds the plugin into `outDir`, with its source map. */
async function buildPlugin() {
  await build({
    root: ROOT,
    configFile: path.join(ROOT, 'vite.config.ts'),
    logLevel: 'error',
    build: { outDir, emptyOutDir: true },
  });
}

/**
 * Number of characters of `main.js` that come from each package, according to its source map.
 *
 * @returns {Map<string, number>}
 */
function weigh() {
  const lines = readFileSync(path.join(outDir, 'main.js'), 'utf8').split('\n');
  const map = new TraceMap(readFileSync(path.join(outDir, 'main.js.map'), 'utf8'));
  /** @type {Map<string, number>} */
  const weights = new Map();
  for (const [index, segments] of decodedMappings(map).entries()) {
    const end = lines[index]?.length ?? 0;
    for (const [at, segment] of segments.entries()) {
      const source = segment.length > 1 ? map.sources[segment[1] ?? -1] : undefined;
      const length = (segments[at + 1]?.[0] ?? end) - segment[0];
      const owner = ownerOf(source ?? '');
      weights.set(owner, (weights.get(owner) ?? 0) + length);
    }
  }
  return weights;
}

function ownerOf(/** @type {string} */ source) {
  const inPackage = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source);
  if (inPackage?.[1]) return inPackage[1];
  return source === '' ? 'module wrappers and templates' : 'Parley itself';
}

/** Runs a script in a new process and returns the JSON it prints. */
function runProcess(/** @type {string[]} */ args) {
  const { stdout, stderr, status } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (status !== 0) throw new Error(`The plugin did not start.\n${stderr}`);
  return JSON.parse(stdout);
}

/**
 * Compiles `main.js` in the wrapper that Obsidian uses, without running it, and prints the
 * milliseconds.
 */
const COMPILE = `
  const code = require('node:fs').readFileSync(process.argv[1], 'utf8');
  const start = performance.now();
  (0, eval)('(function anonymous(require,module,exports){' + code + '\\n})');
  console.log(performance.now() - start);`;

/**
 * Alternates between compiling and starting the built plugin, so that a busy machine slows both
 * equally.
 *
 * @returns {Promise<{ start: Start, compileMs: number, beyondMs: number, ratio: number }>}
 * the best times, and the medians of their difference and ratio
 * @typedef {{ evaluateMs: number, onloadMs: number, heapMb: number }} Start
 */
async function measureStart() {
  const programDir = path.join(ROOT, '.build', 'start-probe');
  mkdirSync(programDir, { recursive: true });
  await buildProgram(
    ROOT,
    path.join(ROOT, 'tests/workbench/start-probe.ts'),
    programDir,
    'start-probe',
  );
  const vault = mkdtempSync(path.join(tmpdir(), 'parley-start-'));
  const program = path.join(programDir, 'start-probe.mjs');
  /** @type {{ start: Start, compileMs: number }[]} */
  const runs = [];
  try {
    for (let run = 0; run < START_RUNS; run += 1) {
      runs.push({
        compileMs: runProcess(['-e', COMPILE, path.join(outDir, 'main.js')]),
        start: runProcess(['--expose-gc', program, vault, outDir]),
      });
    }
  } finally {
    rmSync(vault, { recursive: true, force: true });
  }
  const starts = runs.map(({ start }) => start);
  return {
    start: starts.reduce((best, start) => (startMs(start) < startMs(best) ? start : best)),
    compileMs: Math.min(...runs.map(({ compileMs }) => compileMs)),
    beyondMs: median(runs.map(({ start, compileMs }) => startMs(start) - compileMs)),
    ratio: median(runs.map(({ start, compileMs }) => startMs(start) / compileMs)),
  };
}

/** @returns {number} the median; with an even count, the upper of the two middle values */
function median(/** @type {number[]} */ values) {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}

const startMs = (/** @type {{ evaluateMs: number, onloadMs: number }} */ run) =>
  run.evaluateMs + run.onloadMs;

const kilobytes = (/** @type {number} */ bytes) => Math.round(bytes / 1000);

await buildPlugin();
const main = readFileSync(path.join(outDir, 'main.js'));
const rows = [...weigh()].filter(([, bytes]) => bytes >= 500).sort((a, b) => b[1] - a[1]);
console.log('| package | KB, minified |');
console.log('| --- | ---: |');
for (const [name, bytes] of rows) console.log(`| ${name} | ${kilobytes(bytes)} |`);
console.log(
  `| **main.js** | **${kilobytes(main.length)}** (limit ${kilobytes(MAX_MAIN_BYTES)}; ${kilobytes(gzipSync(main, { level: 9 }).length)} compressed) |`,
);

const { start, compileMs, beyondMs, ratio } = await measureStart();
console.log(
  `\nStart: ${startMs(start).toFixed(1)} ms: evaluating ${start.evaluateMs.toFixed(1)}, onload ${start.onloadMs.toFixed(1)}; ` +
    `best of ${START_RUNS}. Compiling alone takes ${compileMs.toFixed(1)} ms here. Starting takes ${beyondMs.toFixed(1)} ms ` +
    `longer (median; budget ${START_BUDGET_MS}), ${ratio.toFixed(2)} times as long (median; limit ${MAX_START_RATIO}). ` +
    `Heap after load: ${start.heapMb.toFixed(1)} MB.`,
);

const problems = [
  main.length > MAX_MAIN_BYTES && `main.js is over ${kilobytes(MAX_MAIN_BYTES)} KB.`,
  ratio > MAX_START_RATIO &&
    `Starting takes over ${MAX_START_RATIO} times as long as compiling main.js: too much is evaluated at load.`,
].filter(Boolean);
for (const problem of problems) console.error(problem);
process.exit(problems.length > 0 ? 1 : 0);
