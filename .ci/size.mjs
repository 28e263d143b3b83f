/**
 * How large the plugin is and what it is made of, held against its budget. Prints a table by package; with --readme
 * writes it into the README.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import { ROOT } from './setup.mjs';

/** What only tool servers need, those that are used and the one that lends Parley's tools, is reached through these. */
const OF_SERVERS = [
  ...['src/mcp/', 'src/tools/servers/', 'src/obsidian/server-pages'],
  ...['src/service/serving.ts', 'src/obsidian/loopback.ts'],
].map((each) => path.join(ROOT, each).replaceAll('\\', '/'));

/** KB, minified. */
const BUDGET = 1_200;
/** KB of it that only tool servers need, and what may be there without them. */
const SERVERS_BUDGET = 400;
const REST_BUDGET = 800;
/** KB evaluated on load. */
const LOAD_BUDGET = 350;

/**
 * Sizes of the minified code by package. The bundle is minified as a whole; each module's share of it is taken to be
 * its share before minifying, which is exact enough to see what is heavy.
 *
 * @typedef {{ total: number, gzip: number, loaded: number, servers: number, parts: [string, number][] }} Sizes bytes;
 *   `loaded` are those that are evaluated on load, `servers` those that nothing but tool servers needs
 * @returns {Promise<Sizes>}
 */
export async function measure() {
  /** @type {Map<string, number>} */
  const weights = new Map();
  let loaded = 0;
  let ofServers = 0;
  const result = await build({
    root: ROOT,
    configFile: path.join(ROOT, 'vite.config.ts'),
    logLevel: 'error',
    build: { write: false },
    plugins: [
      {
        name: 'weigh-modules',
        // Before the parts become one file.
        enforce: 'pre',
        generateBundle(_options, bundle) {
          const chunks = Object.values(bundle).filter((each) => each.type === 'chunk');
          loaded = reached(chunks).reduce((sum, { code }) => sum + Buffer.byteLength(code), 0);
          const others = reachedOtherwise(
            this,
            chunks.find((each) => each.isEntry)?.facadeModuleId,
          );
          for (const chunk of chunks) {
            for (const [id, module] of Object.entries(chunk.modules)) {
              const owner = ownerOf(id);
              weights.set(owner, (weights.get(owner) ?? 0) + module.renderedLength);
              if (!others.has(id)) ofServers += module.renderedLength;
            }
          }
        },
      },
    ],
  });
  const outputs = (Array.isArray(result) ? result : [result]).flatMap((each) =>
    'output' in each ? each.output : [],
  );
  const main = outputs.find((each) => each.type === 'chunk');
  if (!main || main.type !== 'chunk') throw new Error('The build made no main.js.');
  const total = Buffer.byteLength(main.code);
  const whole = [...weights.values()].reduce((sum, each) => sum + each, 0);
  const parts = [...weights]
    .map(([name, weight]) => /** @type {[string, number]} */ ([name, (weight / whole) * total]))
    .sort((a, b) => b[1] - a[1]);
  const servers = (ofServers / whole) * total;
  return { total, gzip: gzipSync(main.code).length, loaded, servers, parts };
}

/**
 * The modules that are used by more than tool servers.
 *
 * @param {Pick<import('rolldown').PluginContext, 'getModuleInfo'>} graph
 * @param {string | null | undefined} entry
 */
function reachedOtherwise(graph, entry) {
  const ids = new Set(entry ? [entry] : []);
  // A set gives what is added while it is walked.
  for (const id of ids) {
    const { importedIds = [], dynamicallyImportedIds = [] } = graph.getModuleInfo(id) ?? {};
    for (const next of [...importedIds, ...dynamicallyImportedIds]) {
      const place = next.replaceAll('\\', '/');
      if (!OF_SERVERS.some((each) => place.startsWith(each))) ids.add(next);
    }
  }
  return ids;
}

/**
 * The chunks that are evaluated at once; the others are when they are first used.
 *
 * @template {{ fileName: string, isEntry: boolean, imports: string[] }} Chunk
 * @param {Chunk[]} chunks
 */
function reached(chunks) {
  const names = new Set(chunks.filter((each) => each.isEntry).map((each) => each.fileName));
  // A set gives what is added while it is walked.
  for (const name of names) {
    for (const next of chunks.find((each) => each.fileName === name)?.imports ?? [])
      names.add(next);
  }
  return chunks.filter((each) => names.has(each.fileName));
}

function ownerOf(/** @type {string} */ id) {
  const inPackage = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(id.replaceAll('\\', '/'));
  if (inPackage?.[1]) return inPackage[1];
  return id.startsWith('\0') ? 'build tool' : 'Parley itself';
}

function kilobytes(/** @type {number} */ bytes) {
  return Math.round(bytes / 1024);
}

export function table(
  /** @type {Awaited<ReturnType<typeof measure>>} */ { total, gzip, loaded, servers, parts },
) {
  const rows = parts.filter(([, bytes]) => kilobytes(bytes) > 0);
  return [
    '| package | KB, minified |',
    '| --- | ---: |',
    ...rows.map(([name, bytes]) => `| ${name} | ${kilobytes(bytes)} |`),
    `| evaluated on load | ${kilobytes(loaded)} (budget ${LOAD_BUDGET}) |`,
    `| needed by tool servers only | ${kilobytes(servers)} (budget ${SERVERS_BUDGET}) |`,
    `| all but these | ${kilobytes(total - servers)} (budget ${REST_BUDGET}) |`,
    `| **\`main.js\`** | **${kilobytes(total)}** (${kilobytes(gzip)} compressed; budget ${BUDGET}) |`,
  ].join('\n');
}

const START = '<!-- size table -->';
const END = '<!-- end of size table -->';

const sizes = await measure();
console.log(table(sizes));
if (process.argv.includes('--readme')) {
  const file = path.join(ROOT, 'README.md');
  const readme = readFileSync(file, 'utf8');
  const before = readme.slice(0, readme.indexOf(START) + START.length);
  const after = readme.slice(readme.indexOf(END));
  writeFileSync(file, `${before}\n\n${table(sizes)}\n\n${after}`);
}
/** @type {[string, number, number][]} */
const held = [
  ['main.js is', sizes.total, BUDGET],
  ['Load evaluates what is', sizes.loaded, LOAD_BUDGET],
  ['What tool servers need is', sizes.servers, SERVERS_BUDGET],
  ['All but what tool servers need is', sizes.total - sizes.servers, REST_BUDGET],
];
const over = held.filter(([, bytes, budget]) => kilobytes(bytes) > budget);
for (const [what, , budget] of over) console.error(`${what} over its budget of ${budget} KB.`);
if (over.length > 0) process.exit(1);
