/**
 * The longest tasks of the main thread in Chromium, and what the plugin's own script takes of them,
 * while the agent searches a vault: for the first time, again, while words are indexed, and after
 * another program has changed a thousand notes; and while it edits a long note. `--notes N
 * --megabytes M` sizes the generated vault.
 */
import { appendFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { call, reply } from '#workbench/model/replies';
import { openPanel, type OpenedPanel } from './panel/open';
import { generateVault } from './searching/generated-vault';

const CHANGED = 1_000;

const LONG_PATH = 'Long.md';
const LONG_NOTE = Array.from(
  { length: 3_500 },
  (_, at) =>
    `## Day ${at}\n\n- [ ] Water the plants in [[Room ${at}]]\n\n${'Some words of a long day. '.repeat(5)}\n\n`,
).join('');
const EDITS: readonly (readonly [string, object])[] = [
  ['edit', { old_text: 'plants in [[Room 1700]]', new_text: 'trees in [[Room 1700]]' }],
  ['append to', { position: 'end', content: 'One more line.' }],
];

const REPLACED_NOTES = 400;
const OLD_ADDRESS = 'https://old.example/';
const REPLACEMENT = { old_text: OLD_ADDRESS, new_text: 'https://new.example/' };

/** Milliseconds for the indexing of words, which begins two seconds after a search. */
const INDEXING_MS = 15_000;

type Print = (row: string) => void;

export async function bench(
  print: Print,
  { notes = '6000', megabytes = '30' }: Readonly<Record<string, string>> = {},
): Promise<void> {
  const size = { notes: Number(notes), megabytes: Number(megabytes) };
  const panel = await openPanel({ [LONG_PATH]: LONG_NOTE }, (vault) => {
    generateVault(vault, size);
    appendTo(vault, REPLACED_NOTES, `\n[More](${OLD_ADDRESS}more).\n`);
  });
  const { page } = panel;
  try {
    print(`${notes} notes, ${megabytes} MB (a frame is 16 ms)`);
    await phase(panel, print, 'open the chat', () => page.click('[aria-label="Open chat"]'));
    // The browser compiles the patterns that read an answer when they are first used.
    await ask(panel, 'hello');
    await phase(panel, print, 'first search', () => ask(panel, 'search for garden'));
    await phase(panel, print, 'index the words', () => page.waitForTimeout(INDEXING_MS));
    await phase(panel, print, 'search again', () => ask(panel, 'search for water'));
    await phase(panel, print, `${CHANGED} notes change outside`, async () => {
      appendTo(panel.vault, CHANGED, '\nchanged\n');
      await page.waitForTimeout(INDEXING_MS);
    });
    await phase(panel, print, 'search for the changes', () => ask(panel, 'search for changed'));
    const length = `${LONG_NOTE.length >> 10} KB`;
    for (const [name, edit] of EDITS) {
      callNext(panel, 'edit_file', { path: LONG_PATH, edits: [edit] });
      await phase(panel, print, `${name} a note of ${length}`, () => ask(panel, name));
    }
    callNext(panel, 'replace_in_notes', { replacements: [REPLACEMENT] });
    const began = performance.now();
    await phase(panel, print, `replace in ${REPLACED_NOTES} notes`, () =>
      ask(panel, 'replace', () => page.getByRole('button', { name: 'Allow once' }).click()),
    );
    const each = (performance.now() - began) / REPLACED_NOTES;
    print(`replace in ${REPLACED_NOTES} notes: ${each.toFixed(1)} ms for each`);
  } finally {
    await panel.close();
  }
}

async function phase(
  panel: OpenedPanel,
  print: Print,
  name: string,
  run: () => Promise<void>,
): Promise<void> {
  const tasks = await panel.tasks(run);
  const list = (times: readonly number[]) => {
    const first = times.toSorted((a, b) => b - a).slice(0, 3);
    return `${first.map((milliseconds) => milliseconds.toFixed(0)).join(', ')} ms`;
  };
  const all = list(tasks.map(({ milliseconds }) => milliseconds));
  print(`${name}: longest tasks ${all}; of the plugin ${list(tasks.map(({ own }) => own))}`);
}

/** Makes the model call a tool once. */
function callNext({ serving }: OpenedPanel, tool: string, input: object): void {
  const calls = [call(tool, input)];
  serving.demo?.server.setRespond(() => reply(calls.pop() ?? 'Done.'));
}

/** Resolves when the answer is complete. */
async function ask(
  { page }: OpenedPanel,
  text: string,
  meanwhile: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const message = page.getByRole('textbox', { name: 'Message' });
  const turns = await page.locator('article').count();
  await message.fill(text);
  await message.press('Enter');
  await meanwhile();
  await page.locator('article').nth(turns).locator('.foot').waitFor({ timeout: 120_000 });
}

function appendTo(vault: string, count: number, text: string): void {
  const all = readdirSync(vault, { recursive: true, encoding: 'utf8' });
  const notes = all.filter((name) => name.endsWith('.md')).slice(0, count);
  for (const name of notes) {
    const file = path.join(vault, name);
    if (statSync(file).isFile()) appendFileSync(file, text);
  }
}
