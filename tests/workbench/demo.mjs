/**
 * Demonstrates the plugin without a screen: sends one request to the built plugin over a fresh copy
 * of the sample vault, prints what the agent does, and prints the changed note.
 */
import { spawn } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { ensurePackages } from '../../.ci/setup.mjs';

const USAGE = `Usage: npm run demo -- [REQUEST]

Sends one request to the built plugin over a copy of the sample vault, and prints what it does.
Without a request, it adds milk to the shopping list.`;
const option = process.argv.slice(2).find((each) => each.startsWith('-'));
if (option !== undefined) {
  const isHelp = option === '--help' || option === '-h';
  console.error(isHelp ? USAGE : `${option} is no option.\n\n${USAGE}`);
  process.exit(isHelp ? 0 : 2);
}

ensurePackages();

const HERE = path.dirname(fileURLToPath(import.meta.url));
const text = process.argv.slice(2).join(' ') || 'add milk to my shopping list';
const vault = mkdtempSync(path.join(tmpdir(), 'parley-vault-'));
cpSync(path.join(HERE, 'vault'), vault, { recursive: true });

console.log(`A copy of the sample vault: ${vault}`);
console.log(
  process.env['ANTHROPIC_API_KEY']
    ? 'Claude answers, with the key in ANTHROPIC_API_KEY.'
    : 'The demo model answers: a few rules behind the same API as Claude, no language model.',
);
console.log(`\n  You: ${text}\n`);

const agent = spawn(process.execPath, [path.join(HERE, 'headless.mjs'), '--vault', vault], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
/** @type {Set<string>} */
const changed = new Set();
let ended = false;
let said = '';
const names = new Map();

createInterface({ input: agent.stdout }).on('line', (line) => {
  const message = JSON.parse(line);
  if (message.ready) say({ cmd: 'send', text });
  if (message.event) tell(message.event);
});

agent.on('exit', () => {
  for (const note of changed) {
    console.log(`\n── ${note}\n${readFileSync(path.join(vault, note), 'utf8')}`);
  }
  process.exit(ended ? 0 : 1);
});

function say(/** @type {object} */ command) {
  agent.stdin.write(`${JSON.stringify(command)}\n`);
}

function speak(/** @type {string} */ words) {
  said = words;
  console.log(`  Parley: ${words}`);
}

function tell(/** @type {any} */ event) {
  switch (event.type) {
    case 'part-end':
      if (event.part.type === 'text') speak(event.part.text);
      if (event.part.type === 'call') names.set(`${event.step}.${event.index}`, event.part);
      break;
    case 'call-end':
      tellCall(event);
      break;
    case 'interaction-start':
      console.log(`  It waits for you: ${event.waiting.text ?? event.waiting.title}`);
      say({ cmd: 'quit' });
      break;
    case 'turn-end':
      ended = true;
      // A plain text answer was already printed when its part ended.
      if (event.end.reply !== said) speak(event.end.reply);
      say({ cmd: 'quit' });
      break;
  }
}

function tellCall(/** @type {any} */ { call, result }) {
  const part = names.get(call.split('.').slice(1).join('.'));
  if (part.name === 'plan' || part.name === 'done') return;
  const [first] = result.text.split('\n');
  console.log(`    ${part.name} ${JSON.stringify(part.input)}\n      → ${first}`);
  for (const change of result.details?.changes ?? []) changed.add(change.to ?? change.path);
}
