/**
 * The longest tasks of the main thread in Chromium while the agent searches a vault: for the first
 * time, again, while words are indexed, and after another program has changed a thousand notes.
 * `--notes N --megabytes M` sizes the generated vault.
 */
import { appendFileSync, readdirSync, statSync } from 'node:fs';
import path from 'node:path';
import { openPanel, type OpenedPanel } from './panel/open';
import { generateVault } from './searching/generated-vault';

const CHANGED = 1_000;

/** Milliseconds for the indexing of words, which begins two seconds after a search. */
const INDEXING_MS = 15_000;

type Print = (row: string) => void;

export async function bench(
  print: Print,
  { notes = '6000', megabytes = '30' }: Readonly<Record<string, string>> = {},
): Promise<void> {
  const size = { notes: Number(notes), megabytes: Number(megabytes) };
  const panel = await openPanel({}, (vault) => generateVault(vault, size));
  const { page } = panel;
  try {
    print(`${notes} notes, ${megabytes} MB (a frame is 16 ms)`);
    await phase(panel, print, 'open the chat', () => page.click('[aria-label="Open chat"]'));
    await phase(panel, print, 'first search', () => ask(panel, 'search for garden'));
    await phase(panel, print, 'index the words', () => page.waitForTimeout(INDEXING_MS));
    await phase(panel, print, 'search again', () => ask(panel, 'search for water'));
    await phase(panel, print, `${CHANGED} notes change outside`, async () => {
      changeNotes(panel.vault);
      await page.waitForTimeout(INDEXING_MS);
    });
    await phase(panel, print, 'search for the changes', () => ask(panel, 'search for changed'));
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
  const frames = await panel.frames(run);
  const longest = frames.map((frame) => frame.longest).sort((a, b) => b - a);
  const over = longest.filter((milliseconds) => milliseconds > 16).length;
  const first = longest.slice(0, 3).map((milliseconds) => milliseconds.toFixed(1));
  print(
    `${name}: longest tasks ${first.join(', ')} ms; ${over} of ${frames.length} frames over 16 ms`,
  );
}

/** Resolves when the answer is complete. */
async function ask({ page }: OpenedPanel, text: string): Promise<void> {
  const message = page.getByRole('textbox', { name: 'Message' });
  const turns = await page.locator('article').count();
  await message.fill(text);
  await message.press('Enter');
  await page.locator('article').nth(turns).locator('.foot').waitFor({ timeout: 120_000 });
}

function changeNotes(vault: string): void {
  const all = readdirSync(vault, { recursive: true, encoding: 'utf8' });
  const notes = all.filter((name) => name.endsWith('.md')).slice(0, CHANGED);
  for (const name of notes) {
    const file = path.join(vault, name);
    if (statSync(file).isFile()) appendFileSync(file, '\nchanged\n');
  }
}
