/**
 * `npm run docs-commands [-- --long] [PATTERN]`: runs the commands that the README and the docs
 * name, as a reader would, and says which failed. Placeholders such as DIR get a scratch folder.
 * Without `--long`, those that take minutes are left out; a pattern chooses by the command's text.
 * Needs a POSIX shell. Exits with 1 if a command failed.
 */
import { spawn } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { ROOT } from './setup.mjs';

/** @typedef {import('./docs-commands.mjs').DocumentedCommand} DocumentedCommand */

const MILK = '{"cmd":"send","text":"add milk to my shopping list"}\n';
const NEEDS_KEY = 'needs an API key, and costs money';

/** @type {readonly DocumentedCommand[]} */
export const COMMANDS = [
  { command: 'npm start', as: 'npm start -- --no-open', until: /http:\/\/127\.0\.0\.1:\d+\/\S*/ },
  {
    command: 'npm start -- --vault DIR',
    as: 'npm start -- --vault DIR --no-open',
    until: /http:\/\/127\.0\.0\.1:\d+\/\S*/,
  },
  { command: 'npm run demo', until: /── Lists\/Shopping\.md[^]*Milk/ },
  { command: 'npm run headless', skip: 'stands for the next one' },
  { command: 'npm run headless -- --vault DIR', input: MILK, until: /"type":"turn-end"/ },
  { command: 'npm run install-plugin -- --vault DIR', until: /plugins.parley/ },
  { command: 'npm run dev -- --vault DIR', until: /Built into/ },
  { command: 'npm run gallery', until: /http:\/\/(?:localhost|127\.0\.0\.1):\d+/ },
  { command: 'npm run build' },
  { command: 'npm run check-release', until: /All rules hold/ },
  { command: 'npm run pictures', as: 'npm run pictures -- undo' },
  { command: 'npm run docs-commands', skip: 'is this command' },
  { command: 'npm run counts' },
  { command: 'npm run strings' },
  { command: 'npm run phrases' },
  { command: 'npm run tool-outputs -- FILE' },
  { command: 'npm run lint', isLong: true },
  { command: 'npm run format', skip: 'writes to the repository; `npm test` checks the same' },
  { command: 'npm run check' },
  { command: 'npm run size', isLong: true },
  { command: 'npm run bench', skip: 'takes an hour; one benchmark is run' },
  { command: 'npm run bench -- NAME', as: 'npm run bench -- loop', isLong: true },
  { command: 'npm run soak', isLong: true },
  { command: 'npm test', isLong: true },
  { command: 'npm run test:full', isLong: true },
  { command: 'npm ci && npm run build', isLong: true },
  { command: 'npx vitest --clearCache' },
  { command: 'npx vitest run tests/headless/attack', isLong: true },
  {
    command: 'CASES=1000 npx vitest run --project core tests/queue/quick-edits-crash',
    isLong: true,
  },
  {
    command: 'CASES=5000 npx vitest run --project core tests/queue/several-turns.laws',
    isLong: true,
  },
  { command: 'npm run evals', as: 'npm run evals -- --scripted solution', isLong: true },
  {
    command: "npm run evals -- --by-hand requests --only '^spoken/'",
    as: "npm run evals -- --by-hand DIR --only '^spoken/'",
    until: /\S/,
  },
  {
    command: 'npm run evals -- --compare before.json after.json',
    as: 'npm run evals -- --compare BASELINE BASELINE',
  },
  {
    command: 'ANTHROPIC_API_KEY=… npm run evals -- --runs 3 --json before.json',
    skip: NEEDS_KEY,
  },
  {
    command: "npm run evals -- --model claude-opus-5-5 --only '^(lists|tables)/'",
    skip: NEEDS_KEY,
  },
  {
    command:
      'npm run evals -- --api-url http://localhost:11434 --model NAME --settings compatibility.json',
    skip: 'needs a model server',
  },
  { command: 'npm run test:obsidian', skip: 'downloads Obsidian' },
  { command: 'npm --prefix tests/real-app/runner ci', skip: 'installs what only Obsidian needs' },
  {
    command: 'npm --prefix tests/real-app/runner run test:workbench',
    skip: 'needs these packages',
  },
  { command: 'npm version X.Y.Z', skip: 'tags; `tests/release/version.test.ts` runs it in a copy' },
  {
    command:
      'claude mcp add --transport http parley http://127.0.0.1:9474/mcp --header "Authorization: Bearer TOKEN"',
    skip: 'belongs to another program',
  },
];

/**
 * The documents for readers, by path from the root.
 *
 * @param {string} [root]
 * @returns {string[]}
 */
export function documents(root = ROOT) {
  const docs = readdirSync(path.join(root, 'docs')).filter((file) => file.endsWith('.md'));
  const top = ['README.md', 'CHANGELOG.md', 'REVIEWER_NOTES.md'];
  return [...top, ...docs.map((file) => `docs/${file}`)];
}

const FENCED = /^```(\w*)\n([^]*?)^```/gm;
const COMMAND = /^(?:[A-Z_]+=\S+ )*(?:npm|npx|node|git|claude) /;

/**
 * The commands of a document: lines of code blocks without a language, and code within the text.
 *
 * @param {string} text
 * @returns {string[]}
 */
export function commandsIn(text) {
  const lines = [...text.matchAll(FENCED)]
    .filter(([, language]) => language === '')
    .flatMap(([, , code = '']) => code.split('\n'));
  const inline = [...text.replace(FENCED, '').matchAll(/`([^`\n]+)`/g)].map(
    ([, code = '']) => code,
  );
  return [...new Set([...lines, ...inline].filter((each) => COMMAND.test(`${each} `)))];
}

/** @returns {string[]} the commands of all documents */
export function documentedCommands() {
  const texts = documents().map((file) => readFileSync(path.join(ROOT, file), 'utf8'));
  return [...new Set(texts.flatMap(commandsIn))];
}

/**
 * @param {DocumentedCommand} documented
 * @returns {Promise<string | null>} the output if it failed
 */
async function failureOf({ command, as = command, input, until }) {
  const scratch = mkdtempSync(path.join(tmpdir(), 'parley-docs-'));
  const vault = path.join(scratch, 'vault');
  cpSync(path.join(ROOT, 'tests/workbench/vault'), vault, { recursive: true });
  // As Obsidian leaves a folder that it has opened.
  mkdirSync(path.join(vault, '.obsidian'));
  const line = as
    .replaceAll('BASELINE', 'tests/evals/baselines/solution.json')
    .replace(/\bDIR\b/, vault)
    .replace(/\bFILE\b/, path.join(scratch, 'file'));
  const child = spawn(line, {
    cwd: ROOT,
    env: { ...process.env, BROWSER: 'none', ANTHROPIC_API_KEY: '' },
    shell: true,
    // Its own group, so that a server ends with the shell that started it.
    detached: true,
  });
  let output = '';
  let isEnded = false;
  try {
    child.stdin.end(input ?? '');
    /** @type {number | null} */
    const code = await new Promise((resolve) => {
      const take = (/** @type {Buffer} */ data) => {
        output += data.toString();
        if (until?.test(output)) resolve(0);
      };
      child.stdout.on('data', take);
      child.stderr.on('data', take);
      child.on('close', (status) => {
        isEnded = true;
        resolve(status);
      });
    });
    const isShown = until === undefined || until.test(output);
    return code === 0 && isShown ? null : output;
  } finally {
    if (!isEnded && child.pid !== undefined) {
      process.kill(-child.pid, 'SIGTERM');
      await new Promise((resolve) => child.once('close', resolve));
    }
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function main() {
  const { values, positionals } = parseArgs({
    options: { long: { type: 'boolean' } },
    allowPositionals: true,
  });
  const named = new Set(documentedCommands());
  const unknown = [...named].filter((each) => !COMMANDS.some(({ command }) => command === each));
  const failed = unknown.map((command) => `${command} is not in the list of commands`);
  for (const documented of COMMANDS) {
    const { command, as, skip, isLong = false } = documented;
    if (!named.has(command)) failed.push(`${command} is in no document`);
    if (positionals[0] !== undefined && !command.includes(positionals[0])) continue;
    if (skip !== undefined) {
      console.log(`not run  ${command} (${skip})`);
    } else if (isLong && !values.long) {
      console.log(`not run  ${command} (long)`);
    } else {
      const started = Date.now();
      const output = await failureOf(documented);
      const seconds = `${((Date.now() - started) / 1000).toFixed(1)} s`;
      const run = as === undefined ? seconds : `${seconds}, as ${as}`;
      console.log(`${output === null ? 'passed  ' : 'FAILED  '} ${command} (${run})`);
      if (output === null) continue;
      console.error(output);
      failed.push(command);
    }
  }
  for (const each of failed) console.error(`Failed: ${each}`);
  process.exitCode = failed.length > 0 ? 1 : 0;
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) await main();
